"""What the analysis of commit latency reads."""

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
        "**the way of every log block**, hop by hop; from one side the hops that it saw", AT_BOTH, BOTH,
    ),
    Need(
        "event", tuple(name for name in EVENTS if name not in (*ENDS, COMMIT)),
        "the hops between: flush, compression, sending, writing there, acknowledgement", SESSION, BOTH,
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
        "what was busy at the moments of slow commits: disks, processors, redo, flow control",
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
        "of which group a host that waited has the primary, where its wait statistics alone tell",
        "ERRORLOG, the AlwaysOn_health session", BOTH,
    ),
    Need(
        "relation", ("waits", "file_io"),
        "where no event is there, how long commits waited and the log's own writes took; else whether "
        "they agree", "PerfStats of LogScout or PSSDIAG", "primary",
    ),
    Need(
        "counter", counters("SQLServer:Database Replica", "Log Send Queue"),
        "what the waits of each time explain: the send queue meanwhile", PERFMON, "secondary",
    ),
    Need(
        "relation", ("streams",), "which hosts are the replicas of a primary that waited", PERFMON, BOTH,
    ),
)  # fmt: skip
