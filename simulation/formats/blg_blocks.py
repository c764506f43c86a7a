"""The bytes of what is in a binary performance log: catalogue entries, samples and their blocks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

WHOLE = 0x10
NONE = 0xFFFFFFFF
START = datetime(2026, 3, 14, 9, 0)
PERF_FREQUENCY = 10_000_000

# Counter types of winperf.h that the tests use.
RAWCOUNT, LARGE_RAWCOUNT = 0x00010000, 0x00010100
RATE, BULK_RATE = 0x10410400, 0x10410500
TIMER_100NS, TIMER_100NS_INVERSE, PRECISION_100NS = 0x20510500, 0x21510500, 0x20570500
FRACTION, FRACTION_BASE = 0x20020400, 0x40030403
AVERAGE_TIMER, AVERAGE_BULK, AVERAGE_BASE = 0x30020400, 0x40020500, 0x40030402
ELAPSED_TIME = 0x30240500
MULTI_TIMER_100NS, MULTI_BASE = 0x22510500, 0x42030500
TEXT = 0x00000B00


@dataclass(frozen=True)
class Item:
    """An entry of the catalogue."""

    object: str
    counter: str
    type: int
    instance: str | None = None
    machine: str = r"\\HOST"
    parent: str | None = None
    index: int = 0
    time_base: int = PERF_FREQUENCY
    scale: int = 0


@dataclass(frozen=True)
class One:
    """A block of one value. ``time`` defaults to that of the sample."""

    first: int
    second: int = 0
    multi: int = 1
    status: int = 0
    time: int | None = None


@dataclass(frozen=True)
class Many:
    """A block of one value per instance: (name, first, second)."""

    values: Sequence[tuple[str, int, int]]
    status: int = 0
    time: int | None = None


@dataclass(frozen=True)
class Definition:
    """A counter of an object: index of its name, type, bytes of its data."""

    title: int
    type: int
    size: int = 8
    scale: int = 0


@dataclass(frozen=True)
class Instance:
    """An instance of an object and its data, one number per definition."""

    name: str
    values: Sequence[int]
    parent: tuple[int, int] = (0, 0)
    unique_id: int = -1


@dataclass(frozen=True)
class PerfObject:
    """An object of a data block; without instances its data stands in ``values``."""

    title: int
    definitions: tuple[Definition, ...]
    instances: Sequence[Instance] | None = None
    values: Sequence[int] = ()
    time: int = 0
    frequency: int = 10_000_000
    code_page: int = 0


@dataclass(frozen=True)
class Objects:
    """A block of whole objects."""

    objects: Sequence[PerfObject]
    perf_time: int = 0
    perf_frequency: int = PERF_FREQUENCY


@dataclass(frozen=True)
class Raw:
    """A block of any kind, byte for byte."""

    kind: int
    body: bytes


Block = One | Many | Objects | Raw


@dataclass(frozen=True)
class Sample:
    """One row: its local time, a block per item, and how far local time is from UTC."""

    time: datetime
    blocks: Sequence[Block]
    offset_minutes: int = 0


def item_bytes(item: Item) -> bytes:
    """Write an entry of the catalogue."""
    area = b""
    offsets = []
    for name in (item.machine, item.object, item.instance, item.parent, item.counter):
        offsets.append(NONE if name is None else len(area))
        area += b"" if name is None else text(name)
    if item.type == WHOLE:
        flags, time_base = 0x10, 0
    else:
        flags, time_base = int(item.instance == "*"), item.time_base
    machine, object_name, instance, parent, counter = offsets
    head = struct.pack("<IIIqi", flags, 0, item.type, time_base, item.scale)
    head += struct.pack("<IIIIII", machine, object_name, instance, parent, item.index, counter)
    whole = head + area
    whole += bytes(-(len(whole) + 4) % 8)
    return struct.pack("<I", len(whole) + 4) + whole


def sample_bytes(sample: Sample) -> bytes:
    """Write a sample before it is cut into pieces."""
    blocks = b"".join(block_bytes(block, sample) for block in sample.blocks)
    return struct.pack("<2sHI", b"BL", 3, 8 + len(blocks)) + blocks


def block_bytes(block: Block, sample: Sample) -> bytes:
    """Write a block of any kind."""
    match block:
        case One():
            kind, body = 1, one_bytes(block, sample)
        case Many():
            kind, body = 2, many_bytes(block, sample)
        case Objects():
            kind, body = 5, objects_bytes(block, sample)
        case Raw():
            kind, body = block.kind, block.body
    return struct.pack("<2sBBI", b"BL", 3, kind, 8 + len(body)) + body


def one_bytes(block: One, sample: Sample) -> bytes:
    time = filetime(sample.time) if block.time is None else block.time
    first, second = signed(block.first), signed(block.second)
    return struct.pack("<Iq4xqqI4x", block.status, time, first, second, block.multi)


def many_bytes(block: Many, sample: Sample) -> bytes:
    time = filetime(sample.time) if block.time is None else block.time
    entries, names = b"", b""
    names_at = 0x18 + 0x18 * len(block.values)
    for name, first, second in block.values:
        entries += struct.pack("<IIqq", names_at + len(names), 1, signed(first), signed(second))
        names += text(name)
    names += bytes(-(names_at + len(names)) % 8)
    length = names_at + len(names)
    return struct.pack("<III4xq", length, len(block.values), block.status, time) + entries + names


def objects_bytes(block: Objects, sample: Sample) -> bytes:
    """Write PERF_DATA_BLOCK."""
    machine = text("HOST")
    header_bytes = (0x58 + len(machine) + 7) // 8 * 8
    body = b"".join(object_bytes(one) for one in block.objects)
    utc = sample.time - timedelta(minutes=sample.offset_minutes)
    head = "PERF".encode("utf-16-le") + struct.pack("<III", 1, 1, 1)
    head += struct.pack("<IIIi", header_bytes + len(body), header_bytes, len(block.objects), -1)
    head += system_time(sample.time) + bytes(4)
    head += struct.pack("<qqq", block.perf_time, block.perf_frequency, filetime(utc))
    head += struct.pack("<II", len(machine), 0x58) + machine
    return head.ljust(header_bytes, b"\0") + body


def object_bytes(one: PerfObject) -> bytes:
    """Write PERF_OBJECT_TYPE with its definitions, instances and data."""
    definitions, pack = layout(one.definitions)
    if one.instances is None:
        count = -1
        data = pack.pack(pack.size, *one.values)
    else:
        count = len(one.instances)
        parts = []
        for instance in one.instances:
            parts.append(instance_bytes(instance.name, instance.parent, instance.unique_id, one.code_page))
            parts.append(pack.pack(pack.size, *instance.values))
        data = b"".join(parts)
    head_bytes = 0x40 + len(definitions)
    head = struct.pack("<IIIIIII", head_bytes + len(data), head_bytes, 0x40, one.title, 0, one.title + 1, 0)
    head += struct.pack("<IIiiI", 100, len(one.definitions), 0, count, one.code_page)
    head += struct.pack("<qq", one.time, one.frequency)
    return head + definitions + data


@lru_cache(maxsize=1024)
def layout(definitions: tuple[Definition, ...]) -> tuple[bytes, struct.Struct]:
    """Write the definitions, and give the layout of a counter block."""
    written, code, at = b"", "<I", 4
    for one in definitions:
        if one.size == 8 and at % 8:
            code, at = code + "4x", at + 4
        written += struct.pack(
            "<IIIIIiIIII", 0x28, one.title, 0, 0, 0, one.scale, 100, one.type, one.size, at
        )
        code, at = code + {4: "I", 8: "q", 0: ""}[one.size], at + one.size
    return written, struct.Struct(code + f"{-at % 8}x")


@lru_cache(maxsize=65_536)
def instance_bytes(name: str, parent: tuple[int, int], unique_id: int, code_page: int) -> bytes:
    """Write PERF_INSTANCE_DEFINITION."""
    raw = text(name) if code_page == 0 else name.encode("latin-1") + b"\0"
    length = (0x18 + len(raw) + 7) // 8 * 8
    head = struct.pack("<IIIiII", length, *parent, unique_id, 0x18, len(raw))
    return (head + raw).ljust(length, b"\0")


def text(words: str) -> bytes:
    """Return zero-terminated UTF-16."""
    return words.encode("utf-16-le") + b"\0\0"


def fixed_text(words: str) -> bytes:
    """Return UTF-16 in 32 characters."""
    return words.encode("utf-16-le")[:64].ljust(64, b"\0")


def filetime(time: datetime) -> int:
    """Return 100 ns since 1601."""
    return (time - datetime(1601, 1, 1)) // timedelta(microseconds=1) * 10


def system_time(time: datetime) -> bytes:
    """Write SYSTEMTIME."""
    weekday = (time.weekday() + 1) % 7
    date = (time.year, time.month, weekday, time.day)
    return struct.pack("<8H", *date, time.hour, time.minute, time.second, time.microsecond // 1000)


def signed(number: int) -> int:
    """Wrap a number to 64 bits, as counters do."""
    return (number + 2**63) % 2**64 - 2**63
