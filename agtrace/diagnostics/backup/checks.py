"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

CHECKS = (
    Check("failures", ("backup.failed", "backup.preference"), relations=("backups",), is_optional=True),
    Check(
        "throughput",
        (
            "backup.throughput",
            "backup.configuration",
            "backup.best_configuration",
            "backup.reader_limited",
            "backup.writer_limited",
            "backup.slow_zeroing",
            "backup.tde_compression",
        ),
        relations=("backups",),
        is_optional=True,
    ),
)
