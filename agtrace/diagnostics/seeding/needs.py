"""What the analysis of automatic seeding reads."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

SESSION = "the session of docs/capture.md, section 6"
PERFMON = "perfmon every 5 seconds, from a few minutes before to a few minutes after"


def _of(where: str, names: str) -> tuple[str, ...]:
    return tuple(f"{where}\\{name}" for name in names.split(", "))


_DISK = "Disk Read Bytes/sec, Disk Write Bytes/sec, Avg. Disk sec/Read, Avg. Disk sec/Write, % Idle Time"

NEEDS = (
    Need(
        "relation", ("seedings",), "what became of each seeding, by whatever tells of it",
        "Capture the events hadr_automatic_seeding_* and hadr_physical_seeding_* on both replicas (channel debug), the ERRORLOGs, "
        "perfmon, and exports of sys.dm_hadr_automatic_seeding and sys.dm_hadr_physical_seeding_stats: see docs/capture.md.",
        "both ends", lacking="No capture tells of an automatic seeding.",
    ),
    Need(
        "event", ("hadr_automatic_seeding_start", "hadr_automatic_seeding_state_transition",
         "hadr_automatic_seeding_success", "hadr_automatic_seeding_failure", "hadr_automatic_seeding_timeout"),
        "the states of each seeding, with their times and the reason of a failure", SESSION, "both ends",
    ),
    Need(
        "event", ("hadr_physical_seeding_progress", "hadr_physical_seeding_backup_state_change",
         "hadr_physical_seeding_restore_state_change", "hadr_physical_seeding_submit_callback",
        "hadr_physical_seeding_failure"), "bytes, rate and waits of the copy", SESSION, "both ends",
    ),
    Need(
        "event", ("alwayson_ddl_executed", "availability_replica_automatic_failover_validation",
         "availability_replica_state", "availability_replica_state_change", "hadr_db_partner_set_sync_state"),
        "the names of groups and replicas behind their ids", "the AlwaysOn_health session",
    ),
    Need(
        "relation", ("seeding_states", "seeding_progress"),
        "where its time went, state by state, and how fast the copy was as it went on", SESSION, "both ends",
    ),
    Need("relation", ("backups",), "which other backups and restores ran beside it, on the same host", "ERRORLOG of both ends", "both ends"),
    Need("relation", ("trace_flags",), "whether trace flag 9567 compresses the stream", "ERRORLOG from the start of SQL Server on", "source"),
    Need("topic", ("dm_hadr_automatic_seeding",), "what is over, and why it failed", "docs/capture.md, section 7", "both ends"),
    Need("topic", ("dm_hadr_physical_seeding_stats",), "bytes, rate and waits where no events were captured", "docs/capture.md, section 7", "both ends"),
    Need(
        "topic",
        ("seeding_failed", "seeding_trace", "backup", "restore", "backup_failed", "reinitialized", "role_change", "replica_state", "database_connection", "connection", "parallel_redo"),
        "failures, the copy as a backup and restore, and what followed it", "ERRORLOG of both ends",
        "both ends",
    ),
    Need("topic", ("startup",), "restarts, which cut a seeding off; how many cores each host has", "ERRORLOG from the start of SQL Server on"),
    Need(
        "counter", _of("LogicalDisk", _DISK) + _of("PhysicalDisk", _DISK),
        "whether disks limit it, and which end", PERFMON, "both ends",
    ),
    Need(
        "counter", _of("Network Interface", "Bytes Sent/sec, Bytes Received/sec, Current Bandwidth")
        + _of("Network Adapter", "Bytes Sent/sec, Bytes Received/sec, Current Bandwidth"),
        "whether the network limits it; whether the stream was compressed", PERFMON, "both ends",
    ),
    Need(
        "counter",
        ("Processor\\% Processor Time", "Processor Information\\% Processor Time", "Process\\% Processor Time"),
        "whether processors limit it, what compression costs in core-seconds, and how even the load of the cores is",
        PERFMON + ", with Processor(*)", "both ends",
    ),
    Need(
        "counter", _of("SQLServer:Databases", "Backup/Restore Throughput/sec, Log Bytes Flushed/sec")
        + _of("SQLServer:Database Replica", "Recovery Queue, Redone Bytes/sec"),
        "the copy where neither events nor DMVs tell it; redo after it", PERFMON, "both ends",
    ),
)  # fmt: skip
