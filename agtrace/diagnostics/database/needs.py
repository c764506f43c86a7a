"""Captures needed for the analysis of databases."""

from __future__ import annotations

from agtrace.diagnostics.need import Need, counters

PERFMON = "perfmon every 5 or 15 seconds (docs/capture.md, section 1)"
UNDO = counters("SQLServer:Database Replica", "Log remaining for undo, Total Log requiring undo")
BOTH = "primary and secondary"

NEEDS = (
    Need(
        "relation", ("database_faults", "database_states"),
        "full logs (9002), databases that did not recover (3414, 3313), and what was logged before",
        "the ERRORLOGs of all replicas", BOTH,
    ),
    Need(
        "relation", ("recoveries",),
        "how long databases recovered, and whether their logs have too many virtual log files (3421, 9017)",
        "the ERRORLOGs of all replicas", BOTH,
    ),
    Need("counter", UNDO, "how much is left of a revert, and how long it will take", PERFMON, "secondary"),
    Need(
        "event", ("hadr_trace_message",), "progress of a revert, without perfmon",
        "the AlwaysOn_health session, of SQL Server 2019 CU15 and later", "secondary",
    ),
    Need(
        "relation", ("streams",), "the replica that holds a full log back, and its missing log",
        PERFMON, BOTH,
    ),
    Need(
        "counter", counters("SQLServer:Databases", "Log File(s) Used Size (KB), Log File(s) Size (KB)"),
        "how full the log is, how fast it grows, and when it will be full", PERFMON, "primary",
    ),
    Need(
        "counter",
        counters("SQLServer:Databases", "Log Flush Write Time (ms), Log Flushes/sec"),
        "whether the replica that holds a full log back is slow to harden it", PERFMON, "secondary",
    ),
    Need(
        "relation", ("databases",),
        "what prevents the reuse of a log, before it is full (log_reuse_wait_desc)",
        "MiscDiagInfo of LogScout", "primary",
    ),
    Need(
        "relation", ("timeline", "replicas"),
        "which replicas were not connected, whether data movement was suspended",
        "ERRORLOG, the AlwaysOn_health session", BOTH,
    ),
    Need(
        "relation", ("ag_names",), "database names in the text of a revert",
        "GetAGTopology of LogScout", "primary",
    ),
)  # fmt: skip
