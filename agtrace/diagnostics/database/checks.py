"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check("log", ("database.log_full",), sources=("ERRORLOG",)),
    Check(
        "recovery",
        ("database.not_recovered", "database.recovery", "database.reverting"),
        sources=("ERRORLOG",),
    ),
)
