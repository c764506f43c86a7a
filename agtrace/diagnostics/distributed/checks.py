"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (Check("lag", ("distributed.lag",), relations=("topology",), is_optional=True),)
