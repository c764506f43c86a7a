"""Writes the bytes of Extended Events files, as servers of any version and platform do.

Declare events with `event_schema`, give `Event` values, and let an `XelFile` write them::

    error = event_schema("error_reported", {"error_number": "int32", "message": "unicode_string"})
    data = XelFile().write([Event(error, 0, {"error_number": 1480, "message": "..."})])

The same input gives the same bytes.
"""

from __future__ import annotations

import datetime as dt
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

from simulation.formats.xel_metadata import SLOT, Metadata
from simulation.formats.xel_schema import (
    SQLSERVER,
    VALUE_TYPES,
    Action,
    Column,
    Event,
    EventSchema,
    Map,
    Package,
    encode,
    event_schema,
    size_of,
)

__all__ = [
    "SQLSERVER",
    "VALUE_TYPES",
    "Action",
    "Block",
    "Column",
    "Event",
    "EventSchema",
    "Map",
    "Package",
    "XelFile",
    "blocks",
    "event_schema",
    "filetime",
    "with_crc",
]

VERSION = 10
BLOCK = struct.Struct("<IIIHHIHHII16s28x")
METADATA_BLOCK, DATA_BLOCK = 1, 0
UNNUMBERED = 0xFFFFFFFF
CRC_BYTES = 1024
BLOCK_BYTES = 64 * 1024
ACTIONS_FOLLOW = 1 << 31
TERMINATOR = struct.pack("<II", 0x60000000, 0)
EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
RUN = uuid5(NAMESPACE_OID, "session run")
FILE = uuid5(NAMESPACE_OID, "first file")


def filetime(time: dt.datetime) -> int:
    """Return a UTC time as 100 ns since 1601; a naive time is taken as UTC."""
    aware = time if time.tzinfo else time.replace(tzinfo=dt.UTC)
    return (aware - EPOCH) // dt.timedelta(microseconds=1) * 10


@dataclass(frozen=True)
class XelFile:
    """The properties of one file.

    Parameters
    ----------
    sector
        512 as on Windows or 4096 as on Linux.
    frequency
        Ticks per second; 0 stands for 10,000,000, as in files of 2012.
    base
        What tick 0 means: 100 ns since 1601, UTC.
    run
        The start of the session that blocks and packages name; all its rollover files share it.
    first_block
        Sequence number of the first data block; None for sessions that do not number them.
    metadata_blocks
        2, or 1 as in files that continue a session.
    schemas
        Events to declare besides those that occur.
    stale
        What fills the first sector behind the header; servers up to 2016 leave old memory there.
    """

    sector: int = 512
    frequency: int = 10_000_000
    base: int = filetime(dt.datetime(2024, 1, 25, 10, 0))
    run: UUID = RUN
    guid: UUID = FILE
    first_block: int | None = 1
    metadata_blocks: int = 2
    schemas: Sequence[EventSchema] = field(default=())
    stale: bytes = b"\0"

    def ticks(self, time: dt.datetime) -> int:
        """Return a UTC time in this file's ticks; a naive time is taken as UTC."""
        return (filetime(time) - self.base) * (self.frequency or 10_000_000) // 10_000_000

    def write(self, events: Iterable[Event] = (), sizes: Sequence[int] | None = None) -> bytes:
        """Write a whole file.

        Parameters
        ----------
        sizes
            How many events each data block holds. Default: blocks of about 64 KB.
        """
        events = list(events)
        schemas = dict.fromkeys([*self.schemas, *(event.schema for event in events)])
        metadata = Metadata(schemas, self.base, self.frequency, self.run)
        head = struct.pack("<IHH", 0xEFAB375A, VERSION, self.sector) + self.guid.bytes_le
        parts = [head + (self.stale * self.sector)[: self.sector - len(head)]]
        for payload in metadata.payloads(self.metadata_blocks):
            parts.append(self._block(METADATA_BLOCK, payload, UNNUMBERED, 0, UUID(int=0)))
        records = [record(event, metadata) for event in events]
        for number, payload in enumerate(group(records, sizes)):
            parts.append(self.data_block(payload, number))
        return b"".join(parts)

    def data_block(self, payload: bytes, number: int) -> bytes:
        """Write the data block of that number in the file, from 0."""
        sequence = UNNUMBERED if self.first_block is None else self.first_block + number
        return self._block(DATA_BLOCK, payload, sequence, number % 3, self.run)

    def rollover(self, written: int) -> XelFile:
        """Return the next file of the session, after ``written`` data blocks of this one."""
        first = None if self.first_block is None else self.first_block + written
        guid = uuid5(self.guid, "next file")
        return replace(self, first_block=first, metadata_blocks=1, guid=guid)

    def _block(self, kind: int, payload: bytes, sequence: int, slot: int, run: UUID) -> bytes:
        filler = b"\xcc" if kind == DATA_BLOCK else b""
        start = BLOCK.size + len(filler)
        size = -(-(start + len(payload)) // self.sector) * self.sector
        checksum = zlib.crc32(payload[-CRC_BYTES:]) ^ 0xFFFFFFFF
        head = BLOCK.pack(
            0, slot, sequence, VERSION, kind, size, 0, start, len(payload), checksum, run.bytes_le
        )
        return (head + filler + payload).ljust(size, b"\0")


def group(records: Sequence[bytes], sizes: Sequence[int] | None) -> list[bytes]:
    """Return the payload of each data block."""
    if sizes is not None:
        assert sum(sizes) == len(records), (sum(sizes), len(records))
        rest = iter(records)
        return [b"".join(next(rest) for _ in range(size)) for size in sizes]
    payloads: list[bytearray] = []
    for one in records:
        if not payloads or len(payloads[-1]) + len(one) > BLOCK_BYTES:
            payloads.append(bytearray())
        payloads[-1] += one
    return [bytes(payload) for payload in payloads]


def record(event: Event, metadata: Metadata) -> bytes:
    """Write one event."""
    unknown = event.fields.keys() - event.schema.columns.keys()
    unknown |= event.actions.keys() - event.schema.actions.keys()
    assert not unknown, f"{event.schema.name} has no {unknown}"
    payload = payload_of(event)[: event.keep]
    bits = VERSION | (event.ticks * 0x9E3779B1 & 0x7FFFFFC0)  # old memory between the two
    if event.actions:
        bits |= ACTIONS_FOLLOW
    number = metadata.event_id(event.schema)
    data = struct.pack("<IIIqI", number, bits, 0, event.ticks, len(payload)) + payload
    if event.actions:
        for name, value in event.actions.items():
            action = event.schema.actions[name]
            raw = encode(action.type, value)
            data += struct.pack("<II", metadata.action_id(name, action), len(raw)) + raw
        data += TERMINATOR
    return data


def payload_of(event: Event) -> bytes:
    """Write the slots of all columns, then the data that they point to."""
    columns = event.schema.columns
    start = sum(size_of(column.type) or SLOT for column in columns.values())
    slots, data = b"", b""
    for name, column in columns.items():
        raw = encode(column.type, event.fields.get(name))
        if size_of(column.type):
            slots += raw
        else:
            slots += struct.pack("<II", start + len(data), len(raw))
            data += raw
    return slots + data


class Block(NamedTuple):
    """Where a block of a written file lies."""

    start: int
    end: int
    is_data: bool
    payload: int
    """Offset of the payload in the file."""
    used: int
    """Bytes of the payload."""


def blocks(data: bytes) -> list[Block]:
    """Find the blocks of an undamaged file; ValueError where one has no size."""
    (at,) = struct.unpack_from("<H", data, 6)
    found = []
    while at < len(data):
        _, _, _, _, kind, size, _, start, used, _, _ = BLOCK.unpack_from(data, at)
        if size < max(BLOCK.size, start + used):
            raise ValueError(f"no block at {at}")
        found.append(Block(at, at + size, kind == DATA_BLOCK, at + start, used))
        at += size
    return found


def with_crc(data: bytes) -> bytes:
    """Return a file with checksums that match its changed payloads."""
    mended = bytearray(data)
    for block in blocks(data):
        payload = data[block.payload : block.payload + block.used]
        checksum = zlib.crc32(payload[-CRC_BYTES:]) ^ 0xFFFFFFFF
        struct.pack_into("<I", mended, block.start + 0x1C, checksum)
    return bytes(mended)
