"""What the comparison of workloads reads."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

NEEDS = (
    Need(
        "relation",
        ("trials",),
        "what each test achieved, by the load",
        "add HammerDB's log or console output (and hdbtcount.log, with timestamps), or the results that "
        "SQLQueryStress saves as CSV.",
        "host of the load generator",
        lacking="No result of a load test was captured:",
    ),
    Need(
        "counter",
        (
            "SQLServer:SQL Statistics\\Batch Requests/sec", "SQLServer:Buffer Manager\\Page reads/sec",
            "SQLServer:Database Replica\\Log Bytes Received/sec", "Processor\\% Processor Time",
        ),
        "which host answered the reads, and how busy it was",
        "perfmon on every replica while the tests run",
    ),
    Need(
        "counter",
        tuple(
            f"{disk}\\{counter}"
            for disk in ("LogicalDisk", "PhysicalDisk")
            for counter in ("Disk Bytes/sec", "Disk Read Bytes/sec", "Disk Write Bytes/sec")
        ),
        "what the disks delivered, against what the tests claim",
        "perfmon on every replica while the tests run",
    ),
    Need("topic", ("startup",), "the edition of each server", "ERRORLOG from the start of SQL Server on"),
    Need("event", ("alwayson_ddl_executed",), "the routing of reads as it was configured", "the AlwaysOn_health session"),
)  # fmt: skip
