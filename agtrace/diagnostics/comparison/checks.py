"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check("runs", ("compare.difference", "compare.no_difference"), relations=("runs",), is_optional=True),
)
