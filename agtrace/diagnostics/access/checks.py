"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check("endpoints", ("access.endpoint",), sources=("ERRORLOG",)),
    Check(
        "listeners",
        ("access.listener", "access.clients", "access.routing"),
        relations=("listeners", "routing"),
    ),
)
