"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check("commit", ("commit.latency", "commit.hop", "commit.contradiction"), relations=("log_blocks",)),
)
