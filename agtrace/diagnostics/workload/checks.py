"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check(
        "tests",
        (
            "workload.crossover",
            "workload.difference",
            "workload.contradiction",
            "workload.failed",
            "workload.routing",
        ),
        relations=("trials",),
        is_optional=True,
    ),
)
