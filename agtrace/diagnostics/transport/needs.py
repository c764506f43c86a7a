"""Captures needed for the analysis of log transport."""

from __future__ import annotations

from agtrace.diagnostics.need import PROCESSORS, Need, counters

LIST = "agtrace kit transport writes scripts that capture the counters on every replica."
PERFMON = "perfmon every 5 seconds (docs/capture.md, section 1)"
STARTS = "ERRORLOG from the start of SQL Server on"
HEALTH = "the AlwaysOn_health session"
LOOKS = "AlwaysOnDiagScript of LogScout, AGConfig_Info, AlwaysOn.OUT of SDP"
TO_EACH = "primary, to each secondary"
QUEUES = "Log Send Queue, Recovery Queue, Log Bytes Received/sec, Redone Bytes/sec, Redo blocked/sec"
STREAM = (
    "Bytes Sent to Replica/sec, Bytes Sent to Transport/sec, Bytes Received from Replica/sec, "
    "Flow Control Time (ms/sec), Flow Control/sec, Resent Messages/sec"
)
MOVED = "Bytes Sent/sec, Bytes Received/sec, Bytes Total/sec, Current Bandwidth"

NEEDS = (
    Need(
        "counter",
        counters("SQLServer:Database Replica", QUEUES),
        "**Log Send Queue and Recovery Queue**, received and redone: the primary shows 0 for the send queue",
        LIST, "secondary",
        lacking="No perfmon counters of an availability group were captured (SQLServer:Database Replica and "
        "SQLServer:Availability Replica).",
    ),
    Need(
        "counter", counters("SQLServer:Availability Replica", STREAM),
        "bytes sent to each replica, flow control, resent messages", PERFMON, "primary and secondary",
    ),
    Need(
        "counter",
        counters("SQLServer:Database Replica", "Mirrored Write Transactions/sec, Transaction Delay"),
        "the cost of synchronous commit", PERFMON, "primary",
    ),
    Need(
        "counter",
        counters("SQLServer:Databases", "Log Bytes Flushed/sec, Log Flushes/sec, Log Pool Disk Reads/sec"),
        "the amount of log to send", PERFMON, "primary",
    ),
    Need(
        "counter",
        counters("SQLServer:Databases", "Log Flush Write Time (ms)")
        + counters("PhysicalDisk", "Avg. Disk sec/Write") + counters("LogicalDisk", "Avg. Disk sec/Write"),
        "whether its log disk is the slow hop", PERFMON, "secondary",
    ),
    Need(
        "counter",
        counters("Network Interface", MOVED) + counters("Network Adapter", MOVED)
        + counters("TCPv4", "Segments Sent/sec, Segments Retransmitted/sec"),
        "whether the link is full, whether packets are lost", PERFMON,
    ),
    Need("counter", PROCESSORS, "whether a single sender or redo thread has no CPU", PERFMON),
    Need(
        "topic", ("role_change", "replica_state", "data_movement"),
        "roles and their changes, suspended databases", "ERRORLOG",
    ),
    Need(
        "relation", ("roles", "timeline"), "the primary over time",
        "ERRORLOG, the AlwaysOn_health session",
    ),
    Need("topic", ("startup",), "the version, which determines the meaning of byte counters", STARTS),
    Need(
        "topic", ("tcp_global",), "Receive Window Auto-Tuning of the receiving host",
        "netsh interface tcp show global",
    ),
    Need(
        "topic", ("tcp_handshake",), "whether connections scale their window",
        "text of tcpdump or tshark (section 3)", TO_EACH,
    ),
    Need("topic", ("ping",), "the round trip, which limits one window", "ping -n 20", TO_EACH),
    Need(
        "topic", ("robocopy",), "whether the path is slow for all traffic",
        "robocopy, one large file", TO_EACH,
    ),
    Need("relation", ("trace_flags",), "whether trace flags 1462 and 9592 switch compression", STARTS),
    Need("event", ("alwayson_ddl_executed",), "the commit mode", HEALTH),
    Need("relation", ("replicas",), "the commit mode", LOOKS, "primary"),
    Need(
        "relation", ("database_states",),
        "queues at a moment, and whether a database was SYNCHRONIZED, without perfmon", LOOKS,
        "primary",
    ),
    Need(
        "relation", ("group_options",), "the commit mode over time",
        "the AlwaysOn_health session, AlwaysOnDiagScript of LogScout",
    ),
    Need(
        "relation", ("blocked_redo",), "which session holds the lock that redo waits for",
        "PerfStats of LogScout or PSSDIAG (docs/capture.md, section 9)", "secondary",
    ),
    Need(
        "relation", ("waits",), "flow control without perfmon", "PerfStats of LogScout or PSSDIAG",
        "primary",
    ),
    Need(
        "relation", ("recoveries",), "actual recovery times of its databases, beside the estimate",
        "ERRORLOG and the ones before it", "secondary",
    ),
    Need(
        "relation", ("log_blocks",), "the effect of a change on commits",
        "data-movement events of both ends", "primary",
    ),
)  # fmt: skip
