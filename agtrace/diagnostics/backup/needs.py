"""What the analysis of backups reads."""

from __future__ import annotations

from agtrace.diagnostics.need import Need
from agtrace.measure.counters import BANDWIDTH, CARDS, SENT

NEEDS = (
    Need(
        "relation",
        ("backups",),
        "each backup and restore with its throughput, buffers, phases and failure",
        "docs/diagnostics.md lists the trace flags and counters to capture.",
        lacking="No ERRORLOG of the case tells of a backup or restore.",
    ),
    Need("relation", ("seedings",), "which of them are the ends of seedings, and told there", "ERRORLOG of both ends"),
    Need("relation", ("zeroed_files",), "whether instant file initialisation would help", "trace flags 3004 and 3605"),
    Need("topic", ("startup",), "the version, and whether instant file initialisation is on", "ERRORLOG from the start of SQL Server on"),
    Need(
        "counter",
        tuple(
            f"{disk}\\{counter}"
            for disk in ("LogicalDisk", "PhysicalDisk")
            for counter in (
                "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write",
            )
        ),
        "which side limits a backup: the volumes that are read and written",
        "perfmon every 5 seconds or faster",
    ),
    Need("counter", ("Processor\\% Processor Time",), "whether processors limit it", "perfmon every 5 seconds or faster"),
    Need(
        "counter",
        tuple(f"{card}\\{counter}" for card in CARDS for counter in (SENT, BANDWIDTH)),
        "whether the card limits a backup to another host",
        "perfmon every 5 seconds or faster",
    ),
)  # fmt: skip
