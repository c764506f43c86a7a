"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check(
        "seeding",
        (
            "seeding.failed",
            "seeding.stalled",
            "seeding.network_limited",
            "seeding.disk_limited",
            "seeding.waiting_for_slot",
            "seeding.compression",
            "seeding.contradiction",
            "seeding.completed",
        ),
        relations=("seedings",),
        is_optional=True,
    ),
)
