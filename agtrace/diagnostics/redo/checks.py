"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (Check("waits", ("redo.waits",), relations=("waits", "blocked_redo", "hadr_requests")),)
