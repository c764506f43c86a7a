"""Writes the metadata of Extended Events files: packages with events, actions, maps and types."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from simulation.formats.xel_schema import (
    PACKAGE0,
    PACKAGE0_ACTIONS,
    TYPES,
    Action,
    EventSchema,
    Map,
    Package,
    size_of,
)

EVENT, ACTION, MAP, TYPE, PACKAGE = 0, 1, 3, 6, 8
CLASS_SIZES = (72, 72, 56, 48, 80, 96, 40, 32)
CHANNELS = Map("etw_channel", {1: "Admin", 2: "Analytic", 3: "Debug", 4: "Operational"}, package=PACKAGE0)
ALWAYS = ("uint8", "uint64", "ptr", "guid_ptr", "boolean")
SLOT = 8
"""Bytes of the slot of a column without a fixed size."""
STALE = "old text".encode("utf-16-le")
"""Servers pad packages with what was in memory."""
FIRST_BLOCK_TYPES = ("ptr", "activity_id", "activity_id_xfer")


class Metadata:
    """Ids of all objects that the given events need, and the bytes that declare them."""

    def __init__(self, schemas: Iterable[EventSchema], base: int, frequency: int, run: UUID) -> None:
        self.schemas = list(schemas)
        self.base, self.frequency, self.run = base, frequency, run
        self.packages = [PACKAGE0]
        self.types = set(ALWAYS)
        self._numbers: dict[tuple[int, int], int] = {}
        self._ids: dict[object, int] = {}
        self._objects: dict[tuple[int, int], list[tuple[int, object]]] = {}
        self._add(MAP, CHANNELS, PACKAGE0, CHANNELS, index=1)
        for schema in self.schemas:
            self._declare(schema)

    def event_id(self, schema: EventSchema) -> int:
        return self._ids[schema]

    def action_id(self, name: str, action: Action) -> int:
        return self._ids[name, action]

    def payloads(self, blocks: int) -> list[bytes]:
        """Return the payload of each metadata block.

        Two blocks as most files have them: the first with package0's activity actions alone. One:
        as in files that continue a session.
        """
        if blocks == 1:
            return [b"".join(self._package(package, whole=True) for package in self.packages)]
        first = self._activity_package()
        return [first, b"".join(self._package(package) for package in self.packages)]

    def _declare(self, schema: EventSchema) -> None:
        package = schema.package
        self._keywords(package)
        self._add(EVENT, schema, package, schema)
        for column in schema.columns.values():
            self._use(column.type, package)
        for name, action in schema.actions.items():
            index = PACKAGE0_ACTIONS[name][0] if name in PACKAGE0_ACTIONS else None
            self._use(action.type, action.package)
            self._add(ACTION, (name, action), action.package, (name, action), index)

    def _keywords(self, package: Package) -> None:
        if ("keyword_map", package) not in self._ids:
            keywords = Map("keyword_map", {1: "server", 2: "database"})
            self._add(MAP, keywords, package, ("keyword_map", package), index=0)

    def _use(self, kind: str | Map, package: Package) -> None:
        if isinstance(kind, Map):
            self._add(MAP, kind, kind.package or package, kind)
        else:
            self.types.add(kind)

    def _add(self, kind: int, what: object, package: Package, key: object, index: int | None = None) -> None:
        if key in self._ids:
            return
        if package not in self.packages:
            self.packages.append(package)
        number = self.packages.index(package)
        if index is None:
            # From 10 on: below are the indices that are given.
            index = self._numbers.get((kind, number), 10)
            self._numbers[kind, number] = index + 1
        self._ids[key] = kind << 28 | index << 10 | number
        self._objects.setdefault((kind, number), []).append((self._ids[key], what))

    def _type_id(self, kind: str | Map) -> int:
        return self._ids[kind] if isinstance(kind, Map) else TYPE << 28 | TYPES[kind].index << 10

    def _activity_package(self) -> bytes:
        actions = [
            (ACTION << 28 | index << 10, (name, action))
            for name, (index, action) in PACKAGE0_ACTIONS.items()
            if action.type in FIRST_BLOCK_TYPES
        ]
        return self._record(PACKAGE0, [], actions, [], FIRST_BLOCK_TYPES)

    def _package(self, package: Package, whole: bool = False) -> bytes:
        number = self.packages.index(package)
        events, actions, maps = (self._objects.get((kind, number), []) for kind in (EVENT, ACTION, MAP))
        types = self.types | set(FIRST_BLOCK_TYPES) if whole else self.types
        return self._record(package, events, actions, maps, types if package is PACKAGE0 else ())

    def _record(
        self,
        package: Package,
        events: Sequence[tuple[int, object]],
        actions: Sequence[tuple[int, object]],
        maps: Sequence[tuple[int, object]],
        types: Collection[str],
    ) -> bytes:
        number = self.packages.index(package)
        head = struct.pack("<HII", 0, 1, 0)
        head += struct.pack("<QQHH", self.base, self.frequency, 10, package.flags)
        head += struct.pack("<I", PACKAGE << 28 | number)
        head += zstr(package.name) + zstr(package.description)
        head += package.guid.bytes_le + package.guid.bytes_le + bytes(2)
        head += struct.pack("<I", len(CLASS_SIZES))
        for kind, size in enumerate(CLASS_SIZES):
            head += struct.pack("<IHHI", kind, 0, size, self._table_size(kind, number))
        parts = [head]
        writers = ((events, self._event), (actions, self._action), (maps, map_bytes))
        for objects, write in writers:
            parts.append(struct.pack("<I", len(objects)))
            parts.extend(write(number, what) for number, what in objects)
        parts.append(struct.pack("<I", len(types)))
        parts.extend(type_bytes(name) for name in sorted(types, key=lambda t: TYPES[t].index))
        body = b"".join(parts)
        length = 22 + len(body)
        padding = -length % 8
        head = struct.pack("<HI", 10, length + padding) + self.run.bytes_le
        return head + body + STALE[:padding]

    def _table_size(self, kind: int, package: int) -> int:
        if kind == TYPE:
            return 28 if package == 0 else 0
        given = [number >> 10 & 0x3FFFF for number, _ in self._objects.get((kind, package), [])]
        return max([10, *given]) + 1

    def _event(self, number: int, schema: EventSchema) -> bytes:
        columns = schema.columns
        switches = {name: column for name, column in columns.items() if column.optional}
        fixed = sum(1 for column in columns.values() if size_of(column.type))
        data = object_bytes(10, 0, number, schema.name, schema.description)
        data += struct.pack("<4H", 4, len(switches), len(columns), fixed)
        uuid, one, two = schema.uuid.bytes_le, struct.pack("<Q", 1), struct.pack("<Q", 2)
        data += self._named("guid_ptr", "UUID", uuid, "Globally Unique ID")
        data += self._named("uint8", "VERSION", one, "Event schema version")
        data += self._named(CHANNELS, "CHANNEL", two, "ETW Channel")
        keywords = struct.pack("<I", self._ids["keyword_map", schema.package])
        data += keywords + zstr("KEYWORD") + one + zstr("Associated Keyword")
        for name, column in switches.items():
            values = struct.pack("<3Q", column.on, column.on, 1)
            data += self._named("boolean", f"collect_{name}", values, "1 to collect")
        offset = 0
        for name, column in columns.items():
            flags = (2 | column.on) if column.optional else 0
            data += self._named(column.type, name, struct.pack("<HH", offset, flags), "")
            offset += size_of(column.type) or SLOT
        return data

    def _action(self, number: int, named: tuple[str, Action]) -> bytes:
        name, action = named
        data = object_bytes(0, 2, number, name, "")
        return data + struct.pack("<IQ", self._type_id(action.type), 0)

    def _named(self, kind: str | Map, name: str, value: bytes, description: str) -> bytes:
        return struct.pack("<I", self._type_id(kind)) + zstr(name) + value + zstr(description)


def map_bytes(number: int, declared: Map) -> bytes:
    """Write a map; its entries in the order of their texts."""
    data = object_bytes(0, 0x100 * declared.flags, number, declared.name, "")
    data += struct.pack("<BH", declared.size, len(declared.texts))
    for key, text in sorted(declared.texts.items(), key=lambda entry: entry[1]):
        data += struct.pack("<I", key) + zstr(text)
    return data


def type_bytes(name: str) -> bytes:
    declared = TYPES[name]
    number = TYPE << 28 | declared.index << 10
    return object_bytes(0, declared.flags, number, name, "") + bytes([declared.size])


def object_bytes(version: int, flags: int, number: int, name: str, description: str) -> bytes:
    """Write what every object starts with."""
    return struct.pack("<HHI", version, flags, number) + zstr(name) + zstr(description)


def zstr(text: str) -> bytes:
    return text.encode("utf-16-le") + b"\0\0"
