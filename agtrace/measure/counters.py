"""The perfmon counters used by agtrace, with the catalogue's names, declared once."""

from __future__ import annotations

from typing import NamedTuple

TOTAL = "_Total"
PROCESSOR, PROCESSOR_INFORMATION = "Processor", "Processor Information"
LOGICAL_DISK, PHYSICAL_DISK = "LogicalDisk", "PhysicalDisk"
INTERFACE, ADAPTER = "Network Interface", "Network Adapter"
DATABASES = "SQLServer:Databases"
DATABASE_REPLICA = "SQLServer:Database Replica"
AVAILABILITY_REPLICA = "SQLServer:Availability Replica"

DISKS = (LOGICAL_DISK, PHYSICAL_DISK)
"""Objects that show the same disks, the one to prefer first."""
CARDS = (INTERFACE, ADAPTER)
"""Objects that show the same cards, the one to prefer first."""


class Counter(NamedTuple):
    """A counter: its object and its name."""

    object: str
    name: str

    @property
    def path(self) -> str:
        """Object and name as queries compare them."""
        return f"{self.object}\\{self.name}"


PROCESSOR_TIME = "% Processor Time"
SENT, RECEIVED, BANDWIDTH = "Bytes Sent/sec", "Bytes Received/sec", "Current Bandwidth"
SENT_AND_RECEIVED = "Bytes Total/sec"
READ, WRITTEN, READ_AND_WRITTEN = "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Disk Bytes/sec"
READ_TIME, WRITE_TIME, IDLE_TIME = "Avg. Disk sec/Read", "Avg. Disk sec/Write", "% Idle Time"
"""Names that several objects have."""

LOG_FLUSHED = Counter(DATABASES, "Log Bytes Flushed/sec")
LOG_FLUSHES = Counter(DATABASES, "Log Flushes/sec")
LOG_WRITE_TIME = Counter(DATABASES, "Log Flush Write Time (ms)")
LOG_POOL_DISK_READS = Counter(DATABASES, "Log Pool Disk Reads/sec")
BACKUP_RESTORE = Counter(DATABASES, "Backup/Restore Throughput/sec")
LOG_RECEIVED = Counter(DATABASE_REPLICA, "Log Bytes Received/sec")
REDONE = Counter(DATABASE_REPLICA, "Redone Bytes/sec")
REDO_BLOCKED = Counter(DATABASE_REPLICA, "Redo blocked/sec")
SEND_QUEUE = Counter(DATABASE_REPLICA, "Log Send Queue")
RECOVERY_QUEUE = Counter(DATABASE_REPLICA, "Recovery Queue")
MIRRORED_WRITES = Counter(DATABASE_REPLICA, "Mirrored Write Transactions/sec")
TRANSACTION_DELAY = Counter(DATABASE_REPLICA, "Transaction Delay")
SENT_TO_REPLICA = Counter(AVAILABILITY_REPLICA, "Bytes Sent to Replica/sec")
SENT_TO_TRANSPORT = Counter(AVAILABILITY_REPLICA, "Bytes Sent to Transport/sec")
RECEIVED_FROM_REPLICA = Counter(AVAILABILITY_REPLICA, "Bytes Received from Replica/sec")
FLOW_CONTROL_TIME = Counter(AVAILABILITY_REPLICA, "Flow Control Time (ms/sec)")
FLOW_CONTROLS = Counter(AVAILABILITY_REPLICA, "Flow Control/sec")
RESENT_MESSAGES = Counter(AVAILABILITY_REPLICA, "Resent Messages/sec")
SEGMENTS_SENT = Counter("TCPv4", "Segments Sent/sec")
SEGMENTS_RETRANSMITTED = Counter("TCPv4", "Segments Retransmitted/sec")
DEVICE_THROUGHPUT = Counter("SQLServer:Backup Device", "Device Throughput Bytes/sec")
BATCHES = Counter("SQLServer:SQL Statistics", "Batch Requests/sec")
PAGE_READS = Counter("SQLServer:Buffer Manager", "Page reads/sec")
