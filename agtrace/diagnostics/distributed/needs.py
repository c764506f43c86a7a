"""Captures needed for the analysis of distributed groups."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

SENDERS = "global primary and forwarder"

NEEDS = (
    Need(
        "relation", ("streams",), "**each hop over time**: its queue, what arrives, how far it is behind",
        "perfmon every 5 or 15 seconds on the primaries of both groups and their secondaries "
        "(docs/capture.md, section 1)", "every replica of both groups",
    ),
    Need(
        "relation", ("database_states", "replicas"),
        "each hop at a snapshot: queues, rates and last commits, from its sender",
        "AlwaysOnDiagScript of LogScout on the primaries of both groups", SENDERS,
    ),
    Need(
        "relation", ("topology",), "which groups are distributed, and which are links of a managed instance",
        "AlwaysOnDiagScript of LogScout, the AlwaysOn_health session, ERRORLOG", SENDERS,
    ),
    Need(
        "relation", ("roles", "group_options", "trace_flags", "waits"),
        "the primary of each group, and the streams between them",
        "ERRORLOG, the AlwaysOn_health session, PerfStats of LogScout", SENDERS,
    ),
)  # fmt: skip
