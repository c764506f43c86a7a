"""The counters that carry the transport of an availability group, by the field's short names.

Processors, disks and network cards of the machines are measured by `agtrace.measure.usage`.
"""

from __future__ import annotations

from agtrace.measure import counters as c
from agtrace.measure.counters import Counter

DATABASES = c.DATABASES
DATABASE_REPLICA = c.DATABASE_REPLICA
AVAILABILITY_REPLICA = c.AVAILABILITY_REPLICA

FLUSHED = c.LOG_FLUSHED
FLUSHES = c.LOG_FLUSHES
FLUSH_WRITE_TIME = c.LOG_WRITE_TIME
LOG_POOL_DISK_READS = c.LOG_POOL_DISK_READS

SENT = c.SENT_TO_REPLICA
TRANSPORT = c.SENT_TO_TRANSPORT
WIRE_RECEIVED = c.RECEIVED_FROM_REPLICA
FLOW_CONTROL_TIME = c.FLOW_CONTROL_TIME
FLOW_CONTROLS = c.FLOW_CONTROLS
RESENT = c.RESENT_MESSAGES

SEND_QUEUE = c.SEND_QUEUE
RECEIVED = c.LOG_RECEIVED
RECOVERY_QUEUE = c.RECOVERY_QUEUE
REDONE = c.REDONE
REDO_BLOCKED = c.REDO_BLOCKED
MIRRORED_WRITES = c.MIRRORED_WRITES
TRANSACTION_DELAY = c.TRANSACTION_DELAY

SEGMENTS_SENT = c.SEGMENTS_SENT
RETRANSMITTED = c.SEGMENTS_RETRANSMITTED

WANTED: tuple[Counter, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Counter))


def wanted() -> list[str]:
    """Return every counter as ``object\\counter``, as the SQL compares them."""
    return [counter.path for counter in WANTED]
