"""Captures needed to compare workloads."""

from __future__ import annotations

from agtrace.diagnostics.need import Need, counters
from agtrace.measure.counters import BANDWIDTH, CARDS

PERFMON = "perfmon on every replica while the tests run"
DISKS = "Disk Bytes/sec, Disk Read Bytes/sec, Disk Write Bytes/sec"

NEEDS = (
    Need(
        "relation", ("trials",), "the result of each test, by load",
        "add HammerDB's log or console output (and hdbtcount.log, with timestamps), or the results that "
        "SQLQueryStress saves as CSV.", "host of the load generator",
        lacking="No result of a load test was captured:",
    ),
    Need(
        "counter",
        counters("SQLServer:SQL Statistics", "Batch Requests/sec")
        + counters("SQLServer:Buffer Manager", "Page reads/sec")
        + counters("SQLServer:Database Replica", "Log Bytes Received/sec")
        + counters("Processor", "% Processor Time"),
        "the host that answered the reads, and its load", PERFMON,
    ),
    Need(
        "counter", counters("LogicalDisk", DISKS) + counters("PhysicalDisk", DISKS),
        "disk throughput, to compare with the tests", PERFMON,
    ),
    Need(
        "counter", tuple(f"{card}\\{BANDWIDTH}" for card in CARDS), "the link of each network card",
        "perfmon on every replica",
    ),
    Need(
        "topic", ("startup",), "edition, model and memory of each server",
        "ERRORLOG from the start of SQL Server on",
    ),
    Need(
        "relation", ("server_options",), "how much memory SQL Server was allowed during the tests",
        "ERRORLOG with the change of max server memory (message 15457)",
    ),
    Need(
        "relation", ("group_options",), "configuration of the group during the tests",
        "the AlwaysOn_health session, the outputs of AlwaysOnDiagScript",
    ),
    Need(
        "relation", ("routing",), "the configured routing",
        "the output of sys.availability_read_only_routing_lists, joined to sys.availability_replicas for the "
        "names",
    ),
    Need(
        "topic", ("read_only_routing_list",), "whether a routing list is empty",
        "the same output, with its last line",
    ),
    Need(
        "event", ("alwayson_ddl_executed",), "creation and changes of the group",
        "the AlwaysOn_health session",
    ),
)  # fmt: skip
