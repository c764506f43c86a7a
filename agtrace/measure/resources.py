"""Measured resources of hosts, and their counters."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.measure import counters as c
from agtrace.measure.counters import CARDS, DISKS, Counter

BANDWIDTH = "bandwidth"
CPU = "cpu"
PAGE_BYTES = 8192


@dataclass(frozen=True)
class Source:
    """A counter that measures a resource; of several, the first that was captured counts.

    Parameters
    ----------
    factor, added
        The resource in its unit is ``factor`` times what the counter shows, plus ``added``.
    is_gauge
        Whether it measures a moment, not the interval before it.
    """

    resource: str
    counter: Counter
    factor: float = 1.0
    added: float = 0.0
    is_gauge: bool = False


def _of(
    resource: str,
    objects: tuple[str, ...],
    name: str,
    factor: float = 1.0,
    added: float = 0.0,
    *,
    is_gauge: bool = False,
) -> list[Source]:
    """Return a counter that several objects have, the preferred one first."""
    return [Source(resource, Counter(o, name), factor, added, is_gauge) for o in objects]


SOURCES = (
    *_of(CPU, (c.PROCESSOR, c.PROCESSOR_INFORMATION), c.PROCESSOR_TIME),
    *_of("sql_cpu", ("Process",), c.PROCESSOR_TIME),
    *_of("network_sent", CARDS, c.SENT),
    *_of("network_received", CARDS, c.RECEIVED),
    *_of("network_moved", CARDS, c.SENT_AND_RECEIVED),
    *_of(BANDWIDTH, CARDS, c.BANDWIDTH, 1 / 8, is_gauge=True),
    *_of("disk_read", DISKS, c.READ),
    *_of("disk_written", DISKS, c.WRITTEN),
    *_of("disk_moved", DISKS, c.READ_AND_WRITTEN),
    *_of("disk_read_ms", DISKS, c.READ_TIME, 1000),
    *_of("disk_write_ms", DISKS, c.WRITE_TIME, 1000),
    *_of("disk_busy", DISKS, c.IDLE_TIME, -1, 100),
    Source("backup_restore", c.BACKUP_RESTORE),
    Source("log_flushed", c.LOG_FLUSHED),
    Source("redo", c.REDONE),
    Source("log_received", c.LOG_RECEIVED),
    Source("batches", c.BATCHES),
    Source("page_reads", c.PAGE_READS, PAGE_BYTES),
    # The counters are in KB (1,024 bytes), the rates beside them in bytes.
    Source("recovery_queue", c.RECOVERY_QUEUE, 1024, is_gauge=True),
    Source("send_queue", c.SEND_QUEUE, 1024, is_gauge=True),
)
UNITS = {
    "cpu": "%", "sql_cpu": "% of one processor", "network_sent": "wire B/s",
    "network_received": "wire B/s", "network_moved": "wire B/s",
    "card_sent_busy": "%", "card_received_busy": "%", "card_busy": "%",
    "disk_read": "B/s", "disk_written": "B/s",
    "disk_moved": "B/s", "disk_read_ms": "ms", "disk_write_ms": "ms", "disk_busy": "%",
    "backup_restore": "B/s",
    "log_flushed": "log B/s", "redo": "log B/s", "recovery_queue": "log B", "send_queue": "log B",
    "log_received": "log B/s", "batches": "1/s", "page_reads": "B/s",
}  # fmt: skip
"""Every resource with its unit. card_sent_busy and card_received_busy are the busiest card's share of its
bandwidth in one direction: cards send and receive at the same time. network_moved and disk_moved are the
sums of both directions, card_busy their share of the bandwidth of one; page_reads are the reads of the
buffer pool from data files."""
OF_COPY = (
    "cpu", "sql_cpu", "network_sent", "network_received", "card_sent_busy", "card_received_busy",
    "disk_read", "disk_written", "disk_read_ms", "disk_write_ms", "disk_busy", "backup_restore",
    "log_flushed", "redo", "recovery_queue",
)  # fmt: skip
"""Resources relevant to the copy of a database."""

NETWORK = ("network_sent", "network_received", "network_moved")
FULL_CARD = {
    "card_sent_busy": "network_sent",
    "card_received_busy": "network_received",
    "card_busy": "network_moved",
}
BY_DATABASE = ("backup_restore", "log_flushed", "redo", "recovery_queue", "send_queue")
BESIDE = {
    "network_sent": (BANDWIDTH,),
    "network_received": (BANDWIDTH,),
    "card_sent_busy": ("network_sent", BANDWIDTH),
    "card_received_busy": ("network_received", BANDWIDTH),
    "network_moved": (BANDWIDTH,),
    "card_busy": ("network_moved", BANDWIDTH),
    "disk_read_ms": ("disk_read",),
    "disk_write_ms": ("disk_written",),
    "disk_busy": ("disk_read", "disk_written"),
}
"""Further resources needed to evaluate a resource: which card or disk counts, and its capacity."""
LATENCY_OF = {"disk_read_ms": "disk_read", "disk_write_ms": "disk_written"}
