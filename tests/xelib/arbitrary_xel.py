"""Arbitrary Extended Events files for property tests, and what a reader has to say of them.

`shown` says it in the yardstick's terms, from the value that was written: no decoder is asked.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from dataclasses import dataclass
from uuid import UUID

from hypothesis import strategies as st

from simulation.formats.xel import (
    SQLSERVER,
    VALUE_TYPES,
    Action,
    Column,
    Event,
    EventSchema,
    Map,
    Package,
    XelFile,
    event_schema,
)

TWIN = Package("sqlserver", number=2)
OTHER = Package("Ägent", "not of the server", flags=0x400, number=3)
PACKAGES = (SQLSERVER, TWIN, OTHER)
YEAR_9999 = 2_650_467_743_999_999_999
EPOCH = dt.datetime(1601, 1, 1)
SECONDS = 10**9

names = st.text(st.characters(codec="utf-16-le", exclude_characters="\0"), min_size=1, max_size=8)
texts = st.text(st.characters(codec="utf-16-le"), max_size=40)
guids = st.uuids() | st.just(UUID(int=0))
activities = st.tuples(guids, st.integers(0, 2**32 - 1))


VALUES: dict[str, st.SearchStrategy] = {
    **{f"int{8 * n}": st.integers(-(2 ** (8 * n - 1)), 2 ** (8 * n - 1) - 1) for n in (1, 2, 4, 8)},
    **{f"uint{8 * n}": st.integers(0, 2 ** (8 * n) - 1) for n in (1, 2, 4, 8)},
    "float32": st.floats(width=32, allow_nan=False),
    "float64": st.floats(allow_nan=False),
    "cpu_cycle": st.integers(0, 2**64 - 1),
    "filetime": st.integers(0, YEAR_9999),
    "ptr": st.integers(0, 2**64 - 1),
    "ansi_string": st.text(st.characters(codec="ascii"), max_size=20),
    "unicode_string": texts,
    "guid": guids,
    "binary_data": st.binary(max_size=30),
    "callstack": st.lists(st.integers(0, 2**64 - 1), max_size=4),
    "activity_id": activities,
    "activity_id_xfer": activities,
    "boolean": st.booleans(),
    "xml": texts,
}


@st.composite
def maps(draw: st.DrawFn) -> Map:
    size = draw(st.sampled_from([1, 2, 4, 8]))
    flags = draw(st.booleans())
    keys = st.integers(0, 2 ** min(8 * size, 32) - 1) | st.integers(0, 7)
    if flags:
        keys = keys | st.integers(0, min(8 * size, 32) - 1).map(lambda bit: 1 << bit)
    entries = draw(st.dictionaries(keys, names, max_size=5))
    return Map(draw(names), entries, size, flags, draw(st.none() | st.sampled_from(PACKAGES)))


def kinds() -> st.SearchStrategy[str | Map]:
    return st.sampled_from(VALUE_TYPES) | maps()


@st.composite
def schemas(draw: st.DrawFn, name: str) -> EventSchema:
    plain, package = kinds(), st.sampled_from(PACKAGES)
    columns = draw(st.dictionaries(names, plain | st.builds(Column, plain), max_size=6))
    actions = draw(st.dictionaries(names, plain | st.builds(Action, plain, package), max_size=3))
    return event_schema(name, columns, actions, package=draw(package), uuid=draw(st.uuids()))


def values(kind: str | Map) -> st.SearchStrategy:
    """Return values of a type; for a map also numbers without a text."""
    if not isinstance(kind, Map):
        return VALUES[kind]
    known = st.sampled_from(sorted(kind.texts)) if kind.texts else st.just(0)
    return known | st.integers(0, 2 ** (8 * kind.size) - 1)


@st.composite
def events(draw: st.DrawFn, schema: EventSchema, frequency: int) -> Event:
    """Return events of up to 32 years before and after the base."""
    fields = {name: draw(values(column.type)) for name, column in schema.columns.items()}
    absent = draw(st.sets(st.sampled_from(sorted(fields)))) if fields else ()
    offered = sorted(schema.actions)
    chosen = draw(st.lists(st.sampled_from(offered), unique=True)) if offered else ()
    farthest = SECONDS * (frequency or 10_000_000)
    return Event(
        schema,
        draw(st.integers(-farthest, farthest)),
        {name: value for name, value in fields.items() if name not in absent},
        {name: draw(values(schema.actions[name].type)) for name in chosen},
    )


@dataclass(frozen=True)
class Written:
    """A file, what is in it, and how many events each data block holds."""

    file: XelFile
    events: list[Event]
    sizes: list[int]

    @property
    def data(self) -> bytes:
        return self.file.write(self.events, self.sizes)


@st.composite
def files(draw: st.DrawFn, max_events: int = 12) -> Written:
    """Return files of any shape that the writer knows."""
    event_names = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    declared = [draw(schemas(name)) for name in event_names]
    usual = st.sampled_from([0, 10_000_000, 3_216_421, 14_318_180, 2_394_454_000])
    frequency = draw(usual | st.integers(1, 5 * 10**9))
    schema = st.sampled_from(declared)
    found = draw(st.lists(schema.flatmap(lambda s: events(s, frequency)), max_size=max_events))
    cuts = sorted(draw(st.lists(st.integers(0, len(found)), max_size=4)))
    file = XelFile(
        sector=draw(st.sampled_from([512, 4096])),
        frequency=frequency,
        base=draw(st.integers(10**17, 2 * 10**17)),
        first_block=draw(st.none() | st.integers(1, 2**31)),
        metadata_blocks=draw(st.sampled_from([1, 2])),
        schemas=declared,
    )
    sizes = [end - start for start, end in itertools.pairwise([0, *cuts, len(found)])]
    return Written(file, found, sizes)


def shown_event(written: Written, event: Event) -> dict:
    """Return the yardstick's expected result for an event."""
    frequency, ticks = written.file.frequency or 10_000_000, event.ticks
    if frequency != 10_000_000:
        ticks = math.trunc(ticks * (1e7 / frequency))
    columns, actions = event.schema.columns, event.schema.actions
    return {
        "name": event.schema.name,
        "uuid": str(event.schema.uuid),
        "ts": written.file.base + ticks,
        "fields": {k: shown(c.type, event.fields.get(k)) for k, c in columns.items()},
        "actions": {k: shown(actions[k].type, v) for k, v in event.actions.items()},
    }


def shown(kind: str | Map, value: object) -> tuple[str, object]:
    """Return the yardstick's expected result for a value; None was not collected."""
    if isinstance(kind, Map):
        return "String", map_text(kind, value or 0)
    if kind in VARIOUS:
        type_, show, absent = VARIOUS[kind]
        return type_, show(absent if value is None else value)
    return kind.replace("uint", "UInt").replace("int", "Int"), value or 0


def map_text(kind: Map, value: int) -> str:
    """Return the text of a number; without one it is shown signed, but not single bytes and bits."""
    if not kind.flags:
        signed = value - (value >> 8 * kind.size - 1 << 8 * kind.size if kind.size > 1 else 0)
        return kind.texts.get(value & 0xFFFFFFFF) or str(signed)
    bits = [1 << n for n in range(value.bit_length()) if value >> n & 1]
    found = [kind.texts[bit] for bit in bits if bit in kind.texts]
    return ",".join(found if len(found) == len(bits) else [*found, str(value)])


def _activity(value: tuple[UUID, int]) -> str:
    return f"{value[0]}:{value[1]}"


def _time(value: int) -> str:
    whole = EPOCH + dt.timedelta(microseconds=value // 10)
    return f"{whole.isoformat(timespec='microseconds')}{value % 10}+00:00"


VARIOUS = {
    "int8": ("SByte", int, 0),
    "uint8": ("Byte", int, 0),
    "cpu_cycle": ("UInt64", int, 0),
    "float32": ("Single", float, 0.0),
    "float64": ("Double", float, 0.0),
    "boolean": ("Boolean", bool, False),
    "filetime": ("DateTimeOffset", _time, 0),
    "ptr": ("String", "0x{:016X}".format, 0),
    "ansi_string": ("String", str, ""),
    "unicode_string": ("String", str, ""),
    "xml": ("String", str, ""),
    "guid": ("Guid", str, UUID(int=0)),
    "binary_data": ("Byte[]", bytes.hex, b""),
    "callstack": ("String", lambda stack: "".join(f"0x{a:016X}\r\n" for a in stack), ()),
    "activity_id": ("XEActivityId", _activity, (UUID(int=0), 0)),
    "activity_id_xfer": ("XEActivityId", _activity, (UUID(int=0), 0)),
}
