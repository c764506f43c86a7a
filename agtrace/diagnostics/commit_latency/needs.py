"""Captures needed for commit latency."""

from __future__ import annotations

from agtrace.diagnostics.need import PROCESSORS, Need, counters
from agtrace.history.log_blocks import EVENTS

SESSION = (
    "an Extended Events session with the events of AlwaysOn_Data_Movement_Tracing "
    "(docs/capture.md, section 8), some minutes long"
)
AT_BOTH = (
    f"capture {SESSION}, on the primary and on the replica at the same time: agtrace kit commit writes "
    "scripts that do."
)
PERFMON = "perfmon every 5 seconds (docs/capture.md, section 1)"
BOTH = "primary and secondary"
ENDS = ("hadr_capture_log_block", "hadr_transport_receive_log_block_message")
COMMIT = "hadr_db_commit_mgr_harden"

NEEDS = (
    Need(
        "event", ENDS,
        "**the path of every log block**, hop by hop; from one side its own hops", AT_BOTH, BOTH,
    ),
    Need(
        "event", tuple(name for name in EVENTS if name not in (*ENDS, COMMIT)),
        "the hops between: flush, compression, send, harden, acknowledgement", SESSION, BOTH,
    ),
    Need("event", (COMMIT,), "how long commits waited, one by one", SESSION, "primary"),
    Need(
        "counter",
        counters("SQLServer:Database Replica", "Transaction Delay, Mirrored Write Transactions/sec"),
        "whether counters and events agree", PERFMON, "primary",
    ),
    Need(
        "event", ("hadr_transport_flow_control_action", "hadr_database_flow_control_action"),
        "whether slow commits met a closed gate of flow control", SESSION, "primary",
    ),
    Need(
        "counter",
        counters("PhysicalDisk", "Avg. Disk sec/Write, Avg. Disk sec/Read") + PROCESSORS
        + counters("SQLServer:Database Replica", "Recovery Queue")
        + counters("SQLServer:Availability Replica", "Flow Control Time (ms/sec)"),
        "the load during slow commits: disks, processors, redo, flow control",
        "perfmon every second, or every 5 (docs/capture.md, section 1), while the session runs", BOTH,
    ),
    Need(
        "relation", ("log_blocks", "waits"), "how long commits wait", AT_BOTH, BOTH,
        lacking="Nothing that tells how long commits wait was captured:",
    ),
    Need(
        "relation", ("replicas",), "which replicas commit synchronously, if the events do not show it",
        "AlwaysOnDiagScript of LogScout, AGConfig_Info, AlwaysOn.OUT of SDP", "primary",
    ),
    Need(
        "relation", ("roles",),
        "the group of a primary with wait statistics only",
        "ERRORLOG, the AlwaysOn_health session", BOTH,
    ),
    Need(
        "relation", ("waits", "file_io"),
        "without events, the duration of commit waits and of local log writes; otherwise whether "
        "they agree", "PerfStats of LogScout or PSSDIAG", "primary",
    ),
    Need(
        "counter", counters("SQLServer:Database Replica", "Log Send Queue"),
        "the send queue during the waits", PERFMON, "secondary",
    ),
    Need(
        "relation", ("streams",), "the replicas of a primary that waited", PERFMON, BOTH,
    ),
)  # fmt: skip
