"""What the overview reads: everything that was captured; these to say what is lacking."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

NEEDS = (
    Need(
        "topic",
        ("connection", "database_connection", "replica_state"),
        "which replicas there are, so that what was not captured of them is said; skew of their clocks",
        "ERRORLOG and ERRORLOG.1 as they are",
    ),
    Need("relation", ("replicas",), "which replicas a server knows", "AlwaysOnDiagScript of LogScout, AGConfig_Info, AlwaysOn.OUT of SDP"),
    Need("relation", ("topology",), "which replicas are groups, and no servers", "AlwaysOn_health, AlwaysOnDiagScript of LogScout"),
    Need("topic", ("errorlog_gap",), "which time an ERRORLOG that was cut short leaves open", "the ERRORLOG itself, whole"),
    Need("topic", ("tcp_global",), "whether TCP settings were captured", "netsh interface tcp show global"),
    Need("topic", ("startup",), "how many cores and how much memory each host has", "ERRORLOG from the start of SQL Server on"),
    Need(
        "counter",
        ("Processor\\% Processor Time", "Processor Information\\% Processor Time"),
        "how many cores each host has, where no ERRORLOG tells",
        "perfmon with Processor(*) (docs/capture.md, section 1)",
    ),
    Need("event", ("hadr_physical_seeding_progress",), "whether a seeding was captured", "the session for a seeding", "source and target"),
    Need("topic", ("ping", "robocopy"), "whether the path was measured", "ping, robocopy", "primary"),
    Need("topic", ("collection",), "which scenario a support tool collected", "`internal/##SQLLOGSCOUT.LOG` of LogScout's folder"),
    Need("topic", ("power_plan",), "whether the power plan slows processors down", "PowerPlan of LogScout, or `powercfg /list`"),
    Need(
        "topic",
        ("filter_instance",),
        "whether an anti-virus filter watches the drives of databases (beside MiscDiagInfo of LogScout, which lists their files)",
        "`fltmc instances`",
    ),
    Need(
        "counter",
        ("Network Interface\\Current Bandwidth", "Network Adapter\\Current Bandwidth",
         "Network Interface\\Bytes Sent/sec", "Network Adapter\\Bytes Sent/sec",
         "Network Interface\\Bytes Received/sec", "Network Adapter\\Bytes Received/sec",
         "Network Interface\\Bytes Total/sec", "Network Adapter\\Bytes Total/sec"),
        "whether network cards are a team",
        "perfmon with Network Interface(*)",
    ),
)  # fmt: skip
