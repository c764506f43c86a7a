"""A plain decoder of Extended Events files: `struct`, one dict per event, no dependency.

It is the yardstick for xelib: written from docs/formats/xel.md alone, it shares no code with the Rust
decoder, so that the two can be held against each other value by value and in speed. It decodes
undamaged files and files cut short; it reports nothing.

Values are given as XELite reports them, as pairs of type and value: numbers and booleans as such,
maps as their text, guids in lower case, binary as hex, pointers and call stacks as
``0x%016X`` text, activity ids as ``guid:sequence``, times as ISO text in UTC with 7 decimals.
"""

from __future__ import annotations

import datetime as dt
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

MAGIC = 0xEFAB375A
BLOCK = struct.Struct("<IIIHHIHHII16s")
PACKAGE = struct.Struct("<HI16sHIIQQHHI")
OBJECT = struct.Struct("<HHI")
EVENT = struct.Struct("<IIIqI")
PAIR = struct.Struct("<II")
TERMINATOR = 0x60000000
CLASS_SHIFT, MAP = 28, 3

Value = tuple[str, Any] | None
Decode = Callable[[bytes], Any]


class Field(NamedTuple):
    """How to take one column or action out of the bytes."""

    name: str
    offset: int
    size: int
    """Bytes of a fixed-size value; 0 where the slot says where the data is."""
    kind: str
    decode: Decode


class Metadata:
    """The packages of a file: events, actions, maps and types by their ids."""

    def __init__(self) -> None:
        self.base = self.frequency = 0
        self.types: dict[int, tuple[str, int]] = {}
        self.maps: dict[int, tuple[int, bool, dict[int, str]]] = {}
        self.events: dict[int, tuple[str, str, list[tuple[int, str, int]]]] = {}
        self.actions: dict[int, tuple[str, int]] = {}
        self._fields: dict[int, list[Field]] = {}
        self._actions: dict[int, Field] = {}

    def read(self, data: bytes) -> None:
        """Take in the payload of one metadata block; the first definition of an id wins."""
        start = 0
        while start < len(data):
            _, length, _, _, _, _, base, frequency, _, _, _ = PACKAGE.unpack_from(data, start)
            if not self.base:
                self.base, self.frequency = base, frequency
            cursor = Cursor(data, start + PACKAGE.size)
            cursor.text(), cursor.text()
            cursor.skip(34)
            cursor.skip(12 * cursor.u32())
            for _ in range(cursor.u32()):
                self._event(cursor)
            for _ in range(cursor.u32()):
                _, _, number, name, _ = cursor.object()
                self.actions.setdefault(number, (name, cursor.u32()))
                cursor.skip(8)
            for _ in range(cursor.u32()):
                _, flags, number, _, _ = cursor.object()
                size = cursor.u8()
                texts = {cursor.u32(): cursor.text() for _ in range(cursor.u16())}
                self.maps.setdefault(number, (size, bool(flags & 0x100), texts))
            for _ in range(cursor.u32()):
                _, _, number, name, _ = cursor.object()
                self.types.setdefault(number, (name, cursor.u8()))
            start += length

    def _event(self, cursor: Cursor) -> None:
        _, _, number, name, _ = cursor.object()
        constants, switches, columns, _ = (cursor.u16() for _ in range(4))
        uuid = ""
        for _ in range(constants):
            type_id, constant = cursor.u32(), cursor.text()
            value = cursor.take(16 if type_id == 0x60004000 else 8)
            cursor.text()
            if constant == "UUID":
                uuid = str(UUID(bytes_le=value))
        for _ in range(switches):
            cursor.u32(), cursor.text(), cursor.skip(24), cursor.text()
        found = []
        for _ in range(columns):
            type_id, column, offset = cursor.u32(), cursor.text(), cursor.u16()
            cursor.u16(), cursor.text()
            found.append((type_id, column, offset))
        self.events.setdefault(number, (name, uuid, found))

    def fields(self, event: int) -> list[Field]:
        """Return the columns of an event, computed when the first such event is met."""
        if event not in self._fields:
            columns = self.events[event][2]
            self._fields[event] = [self._field(name, at, type_id) for type_id, name, at in columns]
        return self._fields[event]

    def action(self, number: int) -> Field | None:
        """Return an action, None if the metadata lacks it."""
        if number in self.actions and number not in self._actions:
            name, type_id = self.actions[number]
            self._actions[number] = self._field(name, 0, type_id)
        return self._actions.get(number)

    def _field(self, name: str, offset: int, type_id: int) -> Field:
        if type_id >> CLASS_SHIFT == MAP:
            size, flags, texts = self.maps[type_id]
            decode = flag_texts(texts) if flags else map_text(texts, size)
            return Field(name, offset, size, "String", decode)
        type_name, size = self.types[type_id]
        kind, decode = DECODERS[type_name]
        return Field(name, offset, size, kind, decode)


class Cursor:
    """A place in metadata."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def skip(self, count: int) -> None:
        self.at += count

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def u8(self) -> int:
        return self.take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "little")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def text(self) -> str:
        """Take a UTF-16 text up to its NUL; it may start at an odd offset."""
        end = self.at
        while self.data[end : end + 2] != b"\0\0":
            end += 2
        text = self.data[self.at : end].decode("utf-16-le", "replace")
        self.at = end + 2
        return text

    def object(self) -> tuple[int, int, int, str, str]:
        """Take what every object starts with: version, flags, id, name, description."""
        version, flags, number = OBJECT.unpack(self.take(OBJECT.size))
        return version, flags, number, self.text(), self.text()


def map_text(texts: dict[int, str], size: int) -> Decode:
    """Return the text of a key, else the number (signed above one byte)."""

    def decode(raw: bytes) -> str:
        key = int.from_bytes(raw, "little")
        known = texts.get(key & 0xFFFFFFFF)
        return known if known is not None else str(int.from_bytes(raw, "little", signed=size > 1))

    return decode


def flag_texts(texts: dict[int, str]) -> Decode:
    """Return the texts of the set bits in ascending order, then the number if a bit has none."""
    bits = sorted(key for key in texts if key and key & (key - 1) == 0)
    known = sum(bits)  # each is one bit

    def decode(raw: bytes) -> str:
        value = int.from_bytes(raw, "little")
        found = [texts[bit] for bit in bits if value & bit]
        return ",".join([*found, str(value)] if value & ~known else found)

    return decode


def number(code: str) -> Decode:
    unpack = struct.Struct("<" + code).unpack
    return lambda raw: unpack(raw)[0]


def utf16(raw: bytes) -> str:
    return raw.decode("utf-16-le", "replace")


def ascii_text(raw: bytes) -> str:
    return raw.decode("ascii", "replace").replace("\ufffd", "?")


def guid(raw: bytes) -> str:
    return str(UUID(bytes_le=raw or bytes(16)))


def pointer(raw: bytes) -> str:
    return f"0x{int.from_bytes(raw, 'little'):016X}"


def call_stack(raw: bytes) -> str:
    count = len(raw) // 8
    addresses = struct.unpack_from(f"<{count}Q", raw)
    return "".join(f"0x{address:016X}\r\n" for address in addresses)


def activity(raw: bytes) -> str:
    return f"{UUID(bytes_le=raw[:16])}:{int.from_bytes(raw[16:], 'little')}"


def file_time(raw: bytes) -> str:
    return time_text(int.from_bytes(raw, "little"))


def time_text(ticks: int) -> str:
    """Return 100 ns ticks since 1601 as ISO text in UTC with 7 decimals."""
    seconds, fraction = divmod(ticks, 10_000_000)
    moment = dt.datetime(1601, 1, 1) + dt.timedelta(seconds=seconds)
    return f"{moment.isoformat()}.{fraction:07d}+00:00"


DECODERS: dict[str, tuple[str, Decode]] = {
    "int8": ("SByte", number("b")),
    "int16": ("Int16", number("h")),
    "int32": ("Int32", number("i")),
    "int64": ("Int64", number("q")),
    "uint8": ("Byte", number("B")),
    "uint16": ("UInt16", number("H")),
    "uint32": ("UInt32", number("I")),
    "uint64": ("UInt64", number("Q")),
    "cpu_cycle": ("UInt64", number("Q")),
    "float32": ("Single", number("f")),
    "float64": ("Double", number("d")),
    "boolean": ("Boolean", lambda raw: raw != b"\0"),
    "filetime": ("DateTimeOffset", file_time),
    "ptr": ("String", pointer),
    "unicode_string": ("String", utf16),
    "xml": ("String", utf16),
    "ansi_string": ("String", ascii_text),
    "guid": ("Guid", guid),
    "binary_data": ("Byte[]", bytes.hex),
    "callstack": ("String", call_stack),
    "activity_id": ("XEActivityId", activity),
    "activity_id_xfer": ("XEActivityId", activity),
}


def events(data: bytes) -> Iterator[dict[str, Any]]:
    """Decode every complete event of a file, in file order.

    Yields
    ------
    dict
        ``name``, ``uuid``, ``ts`` (100 ns ticks since 1601, UTC), ``fields`` and ``actions``, both
        ``{name: (type, value)}``. A column that a short payload leaves out is None.

    Raises
    ------
    ValueError
        Where the file or a block is not of version 10, or a size cannot be.
    """
    magic, version, sector = struct.unpack_from("<IHH", data)
    if (magic, version) != (MAGIC, 10):
        raise ValueError(f"not an Extended Events file of version 10: {magic:#x}, {version}")
    metadata = Metadata()
    at = sector
    while at + BLOCK.size <= len(data):
        *_, version, kind, size, _, payload, used, _, _ = BLOCK.unpack_from(data, at)
        if version == size == 0:
            return  # zeros follow the last block of some copies
        if version != 10 or kind > 1 or size < payload + used:
            raise ValueError(f"no block at offset {at}")
        content = data[at + payload : at + payload + used]
        if kind == 0:
            yield from records(content, metadata)
        elif len(content) == used:
            metadata.read(content)
        at += size


def records(data: bytes, metadata: Metadata) -> Iterator[dict[str, Any]]:
    """Decode the complete events of a data block's payload."""
    at = 0
    while at + EVENT.size <= len(data):
        number, bits, _, ticks, length = EVENT.unpack_from(data, at)
        if bits & 0x3F != 10:
            raise ValueError(f"no event record at {at} of a block")
        at += EVENT.size
        payload = data[at : at + length]
        at += length
        if at > len(data):
            return
        actions: dict[str, Value] = {}
        if bits >> 31:
            after = take_actions(data, at, metadata, actions)
            if after is None:
                return
            at = after
        if number in metadata.events:
            name, uuid, _ = metadata.events[number]
            yield {
                "name": name,
                "uuid": uuid,
                "ts": timestamp(ticks, metadata),
                "fields": {f.name: column(f, payload) for f in metadata.fields(number)},
                "actions": actions,
            }


def column(field: Field, payload: bytes) -> Value:
    """Decode one column of a payload."""
    start, size = field.offset, field.size
    if not size:
        if start + PAIR.size > len(payload):
            return None
        start, size = PAIR.unpack_from(payload, start)
    if start + size > len(payload):
        return None
    return field.kind, field.decode(payload[start : start + size])


def take_actions(data: bytes, at: int, metadata: Metadata, into: dict[str, Value]) -> int | None:
    """Decode actions up to their terminator; give the place behind it, None where data ends."""
    while at + PAIR.size <= len(data):
        number, length = PAIR.unpack_from(data, at)
        at += PAIR.size
        if number == TERMINATOR:
            return at
        action = metadata.action(number)
        if action is not None and at + length <= len(data):
            into[action.name] = (action.kind, action.decode(data[at : at + length]))
        at += length
    return None


def timestamp(ticks: int, metadata: Metadata) -> int:
    """Return the time in 100 ns since 1601; double arithmetic, as the original does it."""
    if metadata.frequency in (0, 10_000_000):
        return metadata.base + ticks
    return metadata.base + int(ticks * (1e7 / metadata.frequency))


if __name__ == "__main__":
    from pathlib import Path

    for event in events(Path(sys.argv[1]).read_bytes()):
        print(event | {"ts": time_text(event["ts"])})
