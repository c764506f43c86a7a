"""Captures needed for the analysis of readable secondaries."""

from __future__ import annotations

from agtrace.diagnostics.need import Need, counters

PERFMON = "perfmon every 5 or 15 seconds (docs/capture.md, section 1)"
COLLECTOR = (
    "PerfStats and TempDB_and_Tran_Analysis of LogScout, on the secondary (docs/capture.md, section 9)"
)

NEEDS = (
    Need(
        "counter",
        counters("SQLServer:Transactions", "Version Store Size (KB), Free Space in tempdb (KB)"),
        "**how large the version store is, how fast it grows, and when tempdb is full**",
        PERFMON, "secondary",
        lacking="Nothing that tells of the version store of a secondary was captured:",
    ),
    Need(
        "counter",
        counters("SQLServer:Transactions", "Longest Transaction Running Time")
        + counters("SQLServer:Transactions", "Version Generation rate (KB/s), Version Cleanup rate (KB/s)"),
        "how old the oldest reader is, and whether versions are cleaned up", PERFMON, "secondary",
    ),
    Need(
        "relation", ("version_stores",), "the size of the version store, without perfmon",
        COLLECTOR, "secondary",
    ),
    Need(
        "relation", ("long_transactions",),
        "**the oldest reader**: session, client, program, statement, since when", COLLECTOR, "secondary",
    ),
    Need(
        "relation", ("roles", "replicas"), "whether the server had secondaries, and who can read them",
        "ERRORLOG, the AlwaysOn_health session, AlwaysOnDiagScript of LogScout", "secondary",
    ),
    Need(
        "relation", ("waits", "hadr_requests"), "waits of readers for row versions",
        COLLECTOR, "secondary",
    ),
    Need(
        "relation", ("database_states",),
        "whether ghost cleanup of the primary is held: low_water_mark_for_ghosts",
        "AlwaysOnDiagScript of LogScout, twice, some minutes apart", "primary",
    ),
    Need(
        "counter", counters("SQLServer:Access Methods", "Skipped Ghosted Records/sec"),
        "how many ghosted records scans of the primary skip", PERFMON, "primary",
    ),
    Need(
        "relation", ("temporary_statistics",), "which statistics the secondary made for itself",
        "PerfStats_Snapshot of LogScout, on the secondary", "secondary",
    ),
    Need(
        "relation", ("timeline",), "which databases belong to a group",
        "ERRORLOG, the AlwaysOn_health session", "secondary",
    ),
    Need(
        "relation", ("streams",), "whether redo fell behind: its recovery queue", PERFMON,
        "primary and secondary",
    ),
)  # fmt: skip
