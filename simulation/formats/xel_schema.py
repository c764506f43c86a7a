"""What Extended Events files are made of: types, maps, packages, events, actions."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import NAMESPACE_OID, UUID, uuid5

VARIABLE = 0
"""The size of a type whose slot holds offset and length of its data."""


@dataclass(frozen=True)
class Type:
    """A type of package0."""

    index: int
    size: int
    flags: int = 0
    code: str = ""
    """How `struct` writes a value, where that is all there is to it."""


TYPES = {
    "int8": Type(1, 1, 0x100, "<b"),
    "int16": Type(2, 2, 0x100, "<h"),
    "int32": Type(3, 4, 0x100, "<i"),
    "int64": Type(4, 8, 0x100, "<q"),
    "uint8": Type(5, 1, 0, "<B"),
    "uint16": Type(6, 2, 0, "<H"),
    "uint32": Type(7, 4, 0, "<I"),
    "uint64": Type(8, 8, 0, "<Q"),
    "float32": Type(9, 4, 0x200, "<f"),
    "float64": Type(10, 8, 0x200, "<d"),
    "cpu_cycle": Type(11, 8, 0, "<Q"),
    "filetime": Type(12, 8, 0, "<Q"),
    "ptr": Type(13, 8, 0x100, "<Q"),
    "guid_ptr": Type(16, 8, 0x500),
    "ansi_string": Type(19, VARIABLE),
    "unicode_string": Type(20, VARIABLE),
    "guid": Type(21, VARIABLE),
    "binary_data": Type(22, VARIABLE),
    "callstack": Type(23, VARIABLE),
    "activity_id": Type(24, 20),
    "activity_id_xfer": Type(25, 20),
    "boolean": Type(26, 1, 0, "<?"),
    "xml": Type(27, VARIABLE),
}
VALUE_TYPES = tuple(name for name in TYPES if name != "guid_ptr")
"""The types that a column or an action can have."""

KEY_CODES = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}


@dataclass(frozen=True, eq=False)
class Package:
    """A package; several of one name are several packages."""

    name: str
    description: str = ""
    flags: int = 0
    number: int = 0
    """Tells packages of one name apart: their guids follow from both."""
    known_guid: UUID | None = None

    @property
    def guid(self) -> UUID:
        return self.known_guid or uuid5(NAMESPACE_OID, f"{self.name} {self.number}")


PACKAGE0 = Package(
    "package0",
    "Default package. Contains all standard types.",
    flags=0x100,
    known_guid=UUID("60aa9fbf-673b-4553-b7ed-71dca7f5e972"),
)
SQLSERVER = Package("sqlserver", "Extended events for Microsoft SQL Server")


@dataclass(frozen=True, eq=False)
class Map:
    """Texts of a column's numbers; with ``flags`` each text belongs to a bit."""

    name: str
    texts: Mapping[int, str]
    size: int = 4
    """Bytes of the number in an event: 1, 2, 4 or 8."""
    flags: bool = False
    package: Package | None = None
    """None: the package of the event that uses it first."""


@dataclass(frozen=True)
class Column:
    """A column that is collected only if a switch is on; both ways it has its slot."""

    type: str | Map
    optional: bool = True
    on: bool = False
    """The switch's default."""


@dataclass(frozen=True)
class Action:
    """An action of a package other than the event's."""

    type: str | Map
    package: Package


PACKAGE0_ACTIONS = {
    "attach_activity_id": (1, Action("activity_id", PACKAGE0)),
    "attach_activity_id_xfer": (2, Action("activity_id_xfer", PACKAGE0)),
    "event_sequence": (9, Action("uint64", PACKAGE0)),
}
"""Index and definition of the actions that are found in package0 wherever an event is from."""


@dataclass(frozen=True, eq=False)
class EventSchema:
    """An event: `event_schema` makes it."""

    name: str
    columns: Mapping[str, Column]
    actions: Mapping[str, Action]
    package: Package
    uuid: UUID
    description: str = ""


def event_schema(
    name: str,
    fields: Mapping[str, str | Map | Column],
    actions: Mapping[str, str | Map | Action] | None = None,
    *,
    package: Package = SQLSERVER,
    uuid: UUID | str | None = None,
    description: str = "",
) -> EventSchema:
    """Declare an event.

    Parameters
    ----------
    fields
        Columns in their order: the name of a type, a map, or a `Column` for an optional one.
    actions
        What the session may attach; actions that are found in package0 are known by name.
    uuid
        Default: one that follows from the name.
    """
    return EventSchema(
        name,
        {k: v if isinstance(v, Column) else Column(v, optional=False) for k, v in fields.items()},
        {k: _action(k, v, package) for k, v in (actions or {}).items()},
        package,
        UUID(uuid) if isinstance(uuid, str) else uuid or uuid5(NAMESPACE_OID, name),
        description,
    )


def _action(name: str, value: str | Map | Action, package: Package) -> Action:
    if name in PACKAGE0_ACTIONS:
        return PACKAGE0_ACTIONS[name][1]
    return value if isinstance(value, Action) else Action(value, package)


@dataclass(frozen=True)
class Event:
    """One event.

    Values by type: int, float, bool; text, also of ``ansi_string`` (or bytes, to say them
    exactly); `UUID`; bytes; a list of addresses for ``callstack``; (`UUID`, int) for activity ids;
    the 100 ns since 1601 for ``filetime``; the number for a map. None, or no value, is a column
    that was not collected: length 0, or 0 where the size is fixed.
    """

    schema: EventSchema
    ticks: int
    """Ticks of the file's frequency since its time base; may be negative."""
    fields: Mapping[str, object] = field(default_factory=dict)
    actions: Mapping[str, object] = field(default_factory=dict)
    keep: int | None = None
    """Cut the payload after that many bytes, as no server does."""


def size_of(kind: str | Map) -> int:
    """Return the bytes of a value in the payload; `VARIABLE` if a slot points to them."""
    return kind.size if isinstance(kind, Map) else TYPES[kind].size


def encode(kind: str | Map, value: object) -> bytes:
    """Write one value; None as zeros or as nothing."""
    if value is None:
        return bytes(size_of(kind))
    if isinstance(kind, Map):
        return struct.pack(KEY_CODES[kind.size], value)
    if isinstance(value, bytes):
        return value
    if TYPES[kind].code:
        return struct.pack(TYPES[kind].code, value)
    if isinstance(value, str):
        encoding = "cp1252" if kind == "ansi_string" else "utf-16-le"
        return value.encode(encoding, "surrogatepass" if encoding == "utf-16-le" else "strict")
    if isinstance(value, UUID):
        return value.bytes_le
    if kind == "callstack" and isinstance(value, Sequence):
        return struct.pack(f"<{len(value)}Q", *value)
    activity, sequence = value
    return activity.bytes_le + struct.pack("<I", sequence)
