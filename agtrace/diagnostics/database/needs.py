"""What the analysis of databases reads."""

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
    Need("counter", UNDO, "how much is left of a revert, and how long it will take", PERFMON, "secondary"),
    Need(
        "relation", ("streams",), "which replica holds a full log back: what it has not received or redone",
        PERFMON, BOTH,
    ),
    Need(
        "counter", counters("SQLServer:Databases", "Log File(s) Used Size (KB), Log File(s) Size (KB)"),
        "how full the log is and how fast it grows", PERFMON, "primary",
    ),
    Need(
        "relation", ("timeline",), "which replicas were not connected, whether data movement was suspended",
        "ERRORLOG, the AlwaysOn_health session", BOTH,
    ),
)  # fmt: skip
