"""Captures needed for the overview: it reads everything; these are reported if missing."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

CARD = ("Current Bandwidth", "Bytes Sent/sec", "Bytes Received/sec", "Bytes Total/sec")
CARDS = tuple(f"Network {of}\\{name}" for name in CARD for of in ("Interface", "Adapter"))
PROCESSORS = ("Processor\\% Processor Time", "Processor Information\\% Processor Time")

NEEDS = (
    Need("topic", ("connection", "database_connection", "replica_state"),
         "the replicas, to report missing captures; skew of their clocks",
         "ERRORLOG and ERRORLOG.1 as they are"),
    Need("relation", ("replicas", "topology", "coverage"),
         "the replicas of a server, those that are groups, and groups without a common time",
         "AlwaysOnDiagScript of LogScout, AGConfig_Info, AlwaysOn.OUT of SDP"),
    Need("topic", ("errorlog_gap",), "the period missing from an incomplete ERRORLOG",
         "the ERRORLOG itself, whole"),
    Need("topic", ("tcp_global", "tcp_sysctl"), "whether TCP settings were captured",
         "netsh interface tcp show global, sysctl"),
    Need("topic", ("startup",), "how many cores and how much memory each host has",
         "ERRORLOG from the start of SQL Server on"),
    Need("counter", PROCESSORS, "how many cores each host has, if no ERRORLOG shows it",
         "perfmon with Processor(*) (docs/capture.md, section 1)"),
    Need("event", ("hadr_physical_seeding_progress",), "whether a seeding was captured",
         "the session for a seeding", "source and target"),
    Need("topic", ("ping", "robocopy"), "whether the path was measured", "ping, robocopy", "primary"),
    Need("topic", ("collection",), "which scenario a support tool collected",
         "`internal/##SQLLOGSCOUT.LOG` of LogScout's folder"),
    Need("topic", ("power_plan",), "whether the power plan slows processors down",
         "PowerPlan of LogScout, or `powercfg /list`"),
    Need("topic", ("filter_instance",),
         "whether an anti-virus filter is attached to database drives (with MiscDiagInfo of "
         "LogScout, which lists the files)", "`fltmc instances`"),
    Need("counter", CARDS, "whether network cards are a team", "perfmon with Network Interface(*)"),
)  # fmt: skip
