"""The counters that carry the transport of an availability group, by the field's short names."""

from __future__ import annotations

Counter = tuple[str, str]

DATABASES = "SQLServer:Databases"
DATABASE_REPLICA = "SQLServer:Database Replica"
AVAILABILITY_REPLICA = "SQLServer:Availability Replica"

FLUSHED: Counter = (DATABASES, "Log Bytes Flushed/sec")
FLUSHES: Counter = (DATABASES, "Log Flushes/sec")
FLUSH_WRITE_TIME: Counter = (DATABASES, "Log Flush Write Time (ms)")
LOG_POOL_DISK_READS: Counter = (DATABASES, "Log Pool Disk Reads/sec")

SENT: Counter = (AVAILABILITY_REPLICA, "Bytes Sent to Replica/sec")
TRANSPORT: Counter = (AVAILABILITY_REPLICA, "Bytes Sent to Transport/sec")
WIRE_RECEIVED: Counter = (AVAILABILITY_REPLICA, "Bytes Received from Replica/sec")
FLOW_CONTROL_TIME: Counter = (AVAILABILITY_REPLICA, "Flow Control Time (ms/sec)")
FLOW_CONTROLS: Counter = (AVAILABILITY_REPLICA, "Flow Control/sec")
RESENT: Counter = (AVAILABILITY_REPLICA, "Resent Messages/sec")

SEND_QUEUE: Counter = (DATABASE_REPLICA, "Log Send Queue")
RECEIVED: Counter = (DATABASE_REPLICA, "Log Bytes Received/sec")
RECOVERY_QUEUE: Counter = (DATABASE_REPLICA, "Recovery Queue")
REDONE: Counter = (DATABASE_REPLICA, "Redone Bytes/sec")
REDO_BLOCKED: Counter = (DATABASE_REPLICA, "Redo blocked/sec")
MIRRORED_WRITES: Counter = (DATABASE_REPLICA, "Mirrored Write Transactions/sec")
TRANSACTION_DELAY: Counter = (DATABASE_REPLICA, "Transaction Delay")

CARD_SENT: Counter = ("Network Interface", "Bytes Sent/sec")
CARD_RECEIVED: Counter = ("Network Interface", "Bytes Received/sec")
CARD_BYTES: Counter = ("Network Interface", "Bytes Total/sec")
CARD_BANDWIDTH: Counter = ("Network Interface", "Current Bandwidth")
DISK_WRITE: Counter = ("PhysicalDisk", "Avg. Disk sec/Write")
VOLUME_WRITE: Counter = ("LogicalDisk", "Avg. Disk sec/Write")
PROCESSOR: Counter = ("Processor", "% Processor Time")
PROCESSORS: Counter = ("Processor Information", "% Processor Time")
SEGMENTS_SENT: Counter = ("TCPv4", "Segments Sent/sec")
RETRANSMITTED: Counter = ("TCPv4", "Segments Retransmitted/sec")

WANTED: tuple[Counter, ...] = tuple(
    value for name, value in list(globals().items()) if name.isupper() and isinstance(value, tuple)
)


def wanted() -> list[str]:
    """Give every counter as ``object\\counter``, as the SQL compares them."""
    return [f"{name}\\{counter}" for name, counter in WANTED]
