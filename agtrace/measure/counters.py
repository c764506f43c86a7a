"""The counters of perfmon by name: which tell of a resource, in which unit, and of what kind."""

from __future__ import annotations

from dataclasses import dataclass

TOTAL = "_Total"
DISKS = ("LogicalDisk", "PhysicalDisk")
CARDS = ("Network Interface", "Network Adapter")
BANDWIDTH = "bandwidth"
PAGE_BYTES = 8192
_DATABASES = "SQLServer:Databases"
_REPLICA = "SQLServer:Database Replica"


@dataclass(frozen=True)
class Counter:
    """A counter that tells of a resource; the first of a resource that was captured counts.

    Parameters
    ----------
    factor, added
        The resource in its unit is ``factor`` times what the counter shows, plus ``added``.
    is_gauge
        It speaks of its instant, not of the interval before it.
    """

    resource: str
    object: str
    counter: str
    factor: float = 1.0
    added: float = 0.0
    is_gauge: bool = False


COUNTERS = (
    Counter("cpu", "Processor", "% Processor Time"),
    Counter("cpu", "Processor Information", "% Processor Time"),
    Counter("sql_cpu", "Process", "% Processor Time"),
    *(Counter("network_sent", card, "Bytes Sent/sec") for card in CARDS),
    *(Counter("network_received", card, "Bytes Received/sec") for card in CARDS),
    *(Counter(BANDWIDTH, card, "Current Bandwidth", 1 / 8, is_gauge=True) for card in CARDS),
    *(Counter("disk_read", disk, "Disk Read Bytes/sec") for disk in DISKS),
    *(Counter("disk_written", disk, "Disk Write Bytes/sec") for disk in DISKS),
    *(Counter("disk_moved", disk, "Disk Bytes/sec") for disk in DISKS),
    *(Counter("disk_read_ms", disk, "Avg. Disk sec/Read", 1000) for disk in DISKS),
    *(Counter("disk_write_ms", disk, "Avg. Disk sec/Write", 1000) for disk in DISKS),
    *(Counter("disk_busy", disk, "% Idle Time", -1, 100) for disk in DISKS),
    Counter("backup_restore", _DATABASES, "Backup/Restore Throughput/sec"),
    Counter("log_flushed", _DATABASES, "Log Bytes Flushed/sec"),
    Counter("redo", _REPLICA, "Redone Bytes/sec"),
    Counter("log_received", _REPLICA, "Log Bytes Received/sec"),
    Counter("batches", "SQLServer:SQL Statistics", "Batch Requests/sec"),
    Counter("page_reads", "SQLServer:Buffer Manager", "Page reads/sec", PAGE_BYTES),
    # The counter is in KB (1,024 bytes), the rates beside it in bytes.
    Counter("recovery_queue", _REPLICA, "Recovery Queue", 1024, is_gauge=True),
)
UNITS = {
    "cpu": "%", "sql_cpu": "% of one processor", "network_sent": "wire B/s",
    "network_received": "wire B/s", "card_sent_busy": "%", "card_received_busy": "%",
    "disk_read": "B/s", "disk_written": "B/s",
    "disk_moved": "B/s", "disk_read_ms": "ms", "disk_write_ms": "ms", "disk_busy": "%", "backup_restore": "B/s",
    "log_flushed": "log B/s", "redo": "log B/s", "recovery_queue": "log B",
    "log_received": "log B/s", "batches": "1/s", "page_reads": "B/s",
}  # fmt: skip
"""Every resource with its unit. card_sent_busy and card_received_busy are the busiest card's share of
its bandwidth in one direction: cards send and receive at the same time. disk_moved is what was read
and written together; page_reads is what the buffer pool read from data files."""
OF_COPY = (
    "cpu", "sql_cpu", "network_sent", "network_received", "card_sent_busy", "card_received_busy",
    "disk_read", "disk_written", "disk_read_ms", "disk_write_ms", "disk_busy", "backup_restore",
    "log_flushed", "redo", "recovery_queue",
)  # fmt: skip
"""What matters while a database is copied."""

NETWORK = ("network_sent", "network_received")
FULL_CARD = {"card_sent_busy": "network_sent", "card_received_busy": "network_received"}
BY_DATABASE = ("backup_restore", "log_flushed", "redo", "recovery_queue")
BESIDE = {
    "network_sent": (BANDWIDTH,), "network_received": (BANDWIDTH,),
    "card_sent_busy": ("network_sent", BANDWIDTH),
    "card_received_busy": ("network_received", BANDWIDTH),
    "disk_read_ms": ("disk_read",), "disk_write_ms": ("disk_written",),
    "disk_busy": ("disk_read", "disk_written"),
}  # fmt: skip
"""What else it takes to tell of a resource: which card or disk counts, and what it can do."""
LATENCY_OF = {"disk_read_ms": "disk_read", "disk_write_ms": "disk_written"}
