"""Captures needed for the analysis of automatic seeding."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

SESSION = "the session of docs/capture.md, section 6"
EXPORTS = "docs/capture.md, section 7"
PERFMON = "perfmon every 5 seconds, from a few minutes before to a few minutes after"
STARTS = "ERRORLOG from the start of SQL Server on"
LOGS, ENDS = "ERRORLOG of both ends", "both ends"
ALL = (
    "Capture the events hadr_automatic_seeding_* and hadr_physical_seeding_* on both replicas (channel "
    "debug), the ERRORLOGs, perfmon, and exports of sys.dm_hadr_automatic_seeding and "
    "sys.dm_hadr_physical_seeding_stats: agtrace kit seeding writes the scripts (docs/capture.md)."
)


def _of(where: str, names: str) -> tuple[str, ...]:
    """Return the counters of an object, or the events with a common prefix."""
    return tuple(f"{where}{name}" for name in names.split(", "))


_DECISION = "start, state_transition, success, failure, timeout"
_COPY = "progress, backup_state_change, restore_state_change, submit_callback, failure"
_REPLICA = "automatic_failover_validation, state, state_change"
_NAMES = ("alwayson_ddl_executed", *_of("availability_replica_", _REPLICA), "hadr_db_partner_set_sync_state")
_DISK = "Disk Read Bytes/sec, Disk Write Bytes/sec, Avg. Disk sec/Read, Avg. Disk sec/Write, % Idle Time"
_DISKS = _of("LogicalDisk\\", _DISK) + _of("PhysicalDisk\\", _DISK)
_CARD = "Bytes Sent/sec, Bytes Received/sec, Current Bandwidth"
_CARDS = _of("Network Interface\\", _CARD) + _of("Network Adapter\\", _CARD)
_PROCESSORS = tuple(f"{of}\\% Processor Time" for of in ("Processor", "Processor Information", "Process"))
_COPIED = "Backup/Restore Throughput/sec, Log Bytes Flushed/sec"
_REDONE = "Recovery Queue, Redone Bytes/sec"
_TOLD = (
    *(
        "seeding_failed",
        "seeding_trace",
        "backup",
        "restore",
        "backup_failed",
        "reinitialized",
        "role_change",
    ),
    *("replica_state", "database_connection", "connection", "parallel_redo"),
)

NEEDS = (
    Need("relation", ("seedings",), "the result of each seeding, from all captures", ALL, ENDS,
         lacking="No capture tells of an automatic seeding."),
    Need("event", _of("hadr_automatic_seeding_", _DECISION),
         "the states of each seeding, with their times and the reason of a failure", SESSION, ENDS),
    Need("event", _of("hadr_physical_seeding_", _COPY), "bytes, rate and waits of the copy", SESSION, ENDS),
    Need("event", _NAMES, "the names of group and replica ids", "the AlwaysOn_health session"),
    Need("relation", ("seeding_states", "seeding_progress"),
         "time per state, and the rate of the copy over time", SESSION, ENDS),
    Need("relation", ("backups",), "other backups and restores on the same host at that time",
         LOGS, ENDS),
    Need("relation", ("trace_flags",), "whether trace flag 9567 compresses the stream", STARTS, "source"),
    Need("topic", ("dm_hadr_automatic_seeding",), "completed seedings, and reasons of failures",
    EXPORTS, ENDS),
    Need("topic", ("dm_hadr_physical_seeding_stats",), "bytes, rate and waits without captured events",
         EXPORTS, ENDS),
    Need("relation", ("log_entries", "log_messages"),
         "failures in logs without a known UTC offset", LOGS, ENDS),
    Need("topic", _TOLD, "failures, the copy as a backup and restore, and what followed it", LOGS, ENDS),
    Need("topic", ("startup",), "restarts, which cut a seeding off; how many cores each host has", STARTS),
    Need("counter", _DISKS, "whether disks limit it, and which end", PERFMON, ENDS),
    Need("counter", _CARDS, "whether the network limits it; whether the stream was compressed",
         PERFMON, ENDS),
    Need("counter", _PROCESSORS,
         "whether processors limit it, what compression costs in core-seconds, "
         "and how even the load of the cores is", PERFMON + ", with Processor(*)", ENDS),
    Need("counter", _of("SQLServer:Databases\\", _COPIED) + _of("SQLServer:Database Replica\\", _REDONE),
         "the copy without events and DMVs; redo after it", PERFMON, ENDS),
)  # fmt: skip
