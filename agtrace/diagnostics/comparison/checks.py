"""Checks of this question: the findings that answer each, and what shows that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check
from agtrace.diagnostics.need import Need

CHECKS = (
    Check(
        "runs",
        ("compare.difference", "compare.no_difference"),
        needs=(Need("relation", ("runs",), "", ""),),
        is_optional=True,
    ),
)
