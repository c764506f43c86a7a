"""Captures needed for percentiles."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

NEEDS = (
    Need(
        "counter",
        ("*",),
        "percentiles of any counter, by host, instance and labelled window",
        "add one (BLG, CSV or TSV); docs/capture.md lists counters.",
        lacking="No perfmon log was captured:",
    ),
    Need(
        "relation",
        ("backups",),
        "percentiles of the throughput of backups and restores",
        "ERRORLOG, trace flags 3014 and 3605 (section 8)",
    ),
)
