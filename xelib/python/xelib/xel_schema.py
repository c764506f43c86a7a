"""What an Extended Events file says about its events, and the Arrow schemas that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from xelib._xelib import XelBatch


@dataclass(frozen=True)
class MapSchema:
    """A map: texts for the values of a column (docs/formats/xel.md, section 2.4)."""

    name: str
    description: str
    flags: bool
    """True where a value is a set of bits, each with a text of its own."""
    texts: Mapping[int, str]


@dataclass(frozen=True)
class FieldSchema:
    """A field of an event, or an action (docs/formats/xel.md, sections 2.2 and 2.3)."""

    name: str
    type: str
    """Name of the type in the file, such as ``unicode_string``; ``map`` where texts stand for values."""
    map: MapSchema | None
    description: str
    optional: bool = False
    """Collected only where the session asks for it; otherwise empty, not null."""


@dataclass(frozen=True)
class EventSchema:
    """An event as the file defines it (docs/formats/xel.md, section 2.2).

    Several packages can share a name, and so can their events; ``id`` tells them apart.
    """

    id: int
    """Object id: class, index and package. Differs from file to file."""
    name: str
    package: str
    package_guid: str
    module_guid: str
    description: str
    uuid: str | None
    """Guid of the event, the same in every build."""
    constants: Mapping[str, int | str]
    """Read-only columns: VERSION, CHANNEL and KEYWORD among them; texts where a map has them."""
    fields: tuple[FieldSchema, ...]
    actions: tuple[FieldSchema, ...]
    """What a session can add to any event; the file does not say to which it does."""


def event_schemas(definitions: dict[str, Any]) -> tuple[EventSchema, ...]:
    """Make the schemas of what a reader gives as definitions, in the order of the file."""
    maps = {key: MapSchema(**value) for key, value in definitions["maps"].items()}

    def field(of: dict[str, Any]) -> FieldSchema:
        return FieldSchema(**{**of, "map": maps.get(of["map"])})

    actions = tuple(field(action) for action in definitions["actions"])
    return tuple(
        EventSchema(**{**event, "fields": tuple(map(field, event["fields"])), "actions": actions})
        for event in definitions["events"]
    )


LEADING = {
    "_seq": "position of the event in the file, from 0",
    "_time": "when it happened, UTC, microseconds; null at the ends of the years 1 to 9999 and beyond",
    "_ticks": "when it happened, UTC, in 100 ns since 1601-01-01, exact",
    "_block": "sequence number of its block in the session run",
    "_offset": "byte offset in the file",
}


def arrow_types() -> dict[str, pa.DataType]:
    """Return the Arrow type of each format string of Arrow's C data interface that is in use."""
    import pyarrow as pa

    integers = {"c": pa.int8(), "s": pa.int16(), "i": pa.int32(), "l": pa.int64()}
    unsigned = {"C": pa.uint8(), "S": pa.uint16(), "I": pa.uint32(), "L": pa.uint64()}
    others = {"b": pa.bool_(), "f": pa.float32(), "g": pa.float64()}
    variable = {"u": pa.string(), "z": pa.binary(), "+l": pa.list_(pa.string())}
    return integers | unsigned | others | variable


def leading_fields(positions: bool) -> list[pa.Field]:
    """Return the columns that come first in every batch."""
    import pyarrow as pa

    def field(name: str, meaning: str) -> pa.Field:
        kind = pa.timestamp("us", tz="UTC") if name == "_time" else pa.int64()
        nullable = name in ("_time", "_block")
        return pa.field(name, kind, nullable, {"xe_source": "record", "description": meaning})

    fields = [field(name, meaning) for name, meaning in LEADING.items()]
    return fields if positions else fields[:3]


def arrow_schema(batch: XelBatch, positions: bool) -> pa.Schema:
    """Make the schema of the batches of an event.

    Metadata of each field: ``xe_source`` (record, field or action), ``xe_name``, ``xe_type``,
    ``xe_map`` where there is one, ``xe_key`` on columns of map keys, ``unit`` on columns of
    FILETIME, ``description``.
    """
    import pyarrow as pa

    types = arrow_types()
    fields = leading_fields(positions)
    for name, source, is_action, is_key, kind, map_name, description, code in batch.outputs():
        metadata = {"xe_source": "action" if is_action else "field", "xe_name": source, "xe_type": kind}
        if map_name is not None:
            metadata["xe_map"] = map_name
        if is_key:
            metadata["xe_key"] = "1"
        if kind == "filetime":
            metadata["unit"] = "100 ns since 1601-01-01, UTC"
        if description:
            metadata["description"] = description
        fields.append(pa.field(name, types[code], True, metadata))
    name, package, package_guid, uuid, description = batch.about()
    described = {
        "xe_event": name,
        "xe_event_id": str(batch.event),
        "xe_package": package,
        "xe_package_guid": package_guid,
        "xe_uuid": uuid or "",
        "description": description,
    }
    return pa.schema(fields, described)
