"""Redaction of Arrow columns: each distinct value is rewritten once, for any number of rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.redact.fields import LABEL, NAMED, OWN, TEXT, WORDS, Fields, kind_of, kind_of_instance
from agtrace.redact.pseudonyms import HOST, INSTANCE, LOGIN
from agtrace.redact.text import DROPPED
from agtrace.redact.vocabulary import is_declared
from agtrace.tables import CONTENT_TABLES, values
from agtrace.tables import kernels as pc
from agtrace.tables.column_names import plain
from agtrace.tables.rows import array_of
from agtrace.tables.rowset_names import ALIASES

REMEMBERED = 100_000
"""Values whose replacement is cached between batches."""
_APART = "\x1f"
EXAMPLES = 20
"""Lines shown before and after."""
_LOGS = ("errorlog", "cluster_log", "os_events")
_VARYING = re.compile(r"[A-Z]+-[A-Z]{6,8}|\d+")
"""The parts in which lines of one kind differ."""
KINDS = {
    "host": HOST,
    "instance": INSTANCE,
    "login": LOGIN,
    "text": TEXT,
    "label": LABEL,
    "name": NAMED,
    "own": OWN,
    "words": WORDS,
}
"""Kinds of store columns (`agtrace.tables`), by their names in `agtrace.redact.fields`."""


class Columns:
    """Rewrites the batches of content tables.

    Parameters
    ----------
    fields
        Rewrites values.
    """

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._value = lru_cache(REMEMBERED)(fields.value)
        self._cell = lru_cache(REMEMBERED)(fields.cell)
        self._fact = lru_cache(REMEMBERED)(fields.fact)
        self._rowsets: dict[int, list[str]] = {}
        self.dropped: Counter[str] = Counter()
        """Number of values dropped, by kind."""
        self.examples: list[tuple[str, str]] = []
        """Log lines before and after."""
        self._shown: set[str] = set()

    def begin(self) -> None:
        """Start another content, which has its own rowsets."""
        self._rowsets = {}

    def batch(self, table: str, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return a batch of a content table, without its content_id, with each name replaced."""
        if "/" in table:
            return self._event(batch)
        if table == "rowset_heads":
            for rowset, columns in zip(_values(batch["rowset"]), _values(batch["columns"]), strict=True):
                self._rowsets[rowset] = [ALIASES.get(plain(each), each) for each in columns]
        schema = CONTENT_TABLES[table]
        made = [self._column(table, schema.field(field.name), batch) for field in batch.schema]
        return pa.RecordBatch.from_arrays(made, schema=batch.schema)

    def _column(self, table: str, field: pa.Field, batch: pa.RecordBatch) -> pa.Array:
        column = batch[field.name]
        holds = (field.metadata or {}).get(b"holds", b"").decode()
        if not _is_textual(column.type):
            return column
        if holds == "keyed":
            return self._keyed(table, field.name, batch)
        kind = KINDS[holds]
        if table in _LOGS and kind == TEXT:
            return self._logged(column)
        if pa.types.is_list(column.type):
            return _relisted(column, self._mapped(column.flatten(), kind))
        return self._mapped(column, kind)

    def _mapped(self, column: pa.Array, kind: str) -> pa.Array:
        return self._replaced(column, lambda value: self._value(kind, value))

    def _logged(self, column: pa.Array) -> pa.Array:
        """Rewrite log lines, and keep some of each kind for review."""
        made = self._mapped(column, TEXT)
        for place in pc.indices_nonzero(pc.not_equal(column, made)) if len(self.examples) < EXAMPLES else ():
            before, after = column[place.as_py()].as_py(), made[place.as_py()].as_py()
            alike = _VARYING.sub("", after)
            if alike not in self._shown and not DROPPED.fullmatch(after):
                self._shown.add(alike)
                self.examples.append((before, after))
            if len(self.examples) == EXAMPLES:
                break
        return made

    def _keyed(self, table: str, name: str, batch: pa.RecordBatch) -> pa.Array:
        column = batch[name]
        if table == "facts":
            joined = _joined(batch["topic"], batch["key"], column)
            return self._replaced(joined, lambda value: self._fact(*value.split(_APART, 2)))
        if table == "messages":
            keys, items = column.keys, column.items
            made = self._replaced(_joined(keys, items), self._by_key)
            return pa.MapArray.from_arrays(_offsets(column), keys, made).cast(column.type)
        if table == "rowset_rows":
            return _relisted(column, self._cells(batch["rowset"], column))
        # The kind of a counter's instance depends on its object; the path contains both.
        instances = _joined(_filled(batch["object"], batch["object_written"]), batch["instance"])
        if name == "instance":
            return self._replaced(instances, self._instance)
        rows = zip(
            *(_values(batch[each]) for each in ("path", "object", "object_written", "instance")), strict=True
        )
        return array_of([self._path(*row) for row in rows], pa.string())

    def _by_key(self, joined: str) -> str:
        key, value = joined.split(_APART, 1)
        return self._value(kind_of(key), value)

    def _instance(self, joined: str) -> str:
        counters, instance = joined.split(_APART, 1)
        return self._value(kind_of_instance(counters), instance)

    def _path(self, path: str, counters: str | None, written: str | None, instance: str | None) -> str:
        """Return the path of a counter: machine, object, instance in parentheses, counter."""
        host, rest = "", path
        if path.startswith("\\\\"):
            machine, _, rest = path[2:].partition("\\")
            host = "\\\\" + self._value(HOST, machine) + "\\"
        inside = f"({instance})"
        if instance is None or inside not in rest:
            return host + self._value(LABEL, rest)
        before, _, behind = rest.partition(inside)
        made = self._instance((counters or written or "") + _APART + instance)
        return host + self._value(LABEL, before) + f"({made})" + self._value(LABEL, behind)

    def _cells(self, rowsets: pa.Array, column: pa.Array) -> pa.Array:
        offsets = np.asarray(_offsets(column))
        lengths = np.diff(offsets)
        place = np.arange(offsets[-1] - offsets[0]) - np.repeat(offsets[:-1] - offsets[0], lengths)
        owner = np.repeat(rowsets.to_numpy(zero_copy_only=False), lengths)
        # Which column each cell is of: a code for each rowset and place.
        codes, which = np.unique(owner.astype(np.int64) << 32 | place, return_inverse=True)
        names = [self._named(int(code) >> 32, int(code) & 0xFFFFFFFF) for code in codes]
        keys = pa.DictionaryArray.from_arrays(_int32(which), array_of(names, pa.string())).cast(pa.string())
        return self._replaced(
            _joined(keys, column.flatten()), lambda value: self._cell(*value.split(_APART, 1))
        )

    def _named(self, rowset: int, place: int) -> str:
        columns = self._rowsets.get(rowset, [])
        return columns[place].strip() if place < len(columns) else ""

    def _replaced(self, column: pa.Array, way: Callable[[str], str]) -> pa.Array:
        """Return a column of texts with each distinct value replaced; dropped values are counted by rows."""
        encoded = column.cast(pa.string()).dictionary_encode()
        made: list[Any] = [value if value is None else way(value) for value in _values(encoded.dictionary)]
        gone = {
            place: match[1]
            for place, value in enumerate(made)
            if value and (match := DROPPED.fullmatch(value))
        }
        if gone:
            counts = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=len(made))
            for place, what in gone.items():
                self.dropped[what] += int(counts[place])
        return array_of(made, pa.string()).take(encoded.indices)

    def _event(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return an event's rows; the values of fields that are not the products' are dropped."""
        names = set(batch.schema.names)
        declared = [field for field in batch.schema if is_field(field.name)]
        self.dropped["field"] += (len(batch.schema) - len(declared)) * len(batch)
        made = [
            self._field(field, batch[field.name], is_of_map=f"{field.name}__key" in names)
            for field in declared
        ]
        return pa.RecordBatch.from_arrays(made, schema=pa.schema(declared, batch.schema.metadata))

    def _field(self, field: pa.Field, column: pa.Array, *, is_of_map: bool) -> pa.Array:
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            count = len(column) - column.null_count
            self.dropped["binary"] += count
            return _nothing(len(column), column.type)
        kind = WORDS if is_of_map else kind_of(field.name)
        if pa.types.is_dictionary(column.type):
            plain = column.cast(column.type.value_type)
            return self._mapped(plain, kind).dictionary_encode().cast(column.type)
        if pa.types.is_list(column.type):
            return _relisted(column, self._mapped(column.flatten(), kind).cast(column.type.value_type))
        return self._mapped(column, kind) if _is_textual(column.type) else column


def is_field(name: str) -> bool:
    """Return whether a column of an event is ours, or a field or action that the products define."""
    return name.startswith("_") or is_declared(name.removeprefix("action_").removesuffix("__key"))


def _values(column: pa.Array) -> list[Any]:
    return values.values_of(pa.chunked_array([column]))


def _is_textual(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind):
        return _is_textual(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_map(kind)


def _joined(*columns: pa.Array) -> pa.Array:
    """Return the texts of columns joined, NULL if the last one is."""
    *keys, value = (column.cast(pa.string()) for column in columns)
    filled = [pc.coalesce(key, pa.scalar("", pa.string())) for key in keys]
    return pc.binary_join_element_wise(*filled, value, pa.scalar(_APART, pa.string()))


def _filled(column: pa.Array, other: pa.Array) -> pa.Array:
    return pc.coalesce(column, other)


def _offsets(column: pa.Array) -> pa.Array:
    """Return the offsets of a list or map, starting at 0 like `flatten`, `keys` and `items`."""
    offsets = column.offsets
    return pc.subtract(offsets, offsets[0])


def _relisted(column: pa.Array, items: pa.Array) -> pa.Array:
    made = pa.ListArray.from_arrays(_offsets(column), items)
    if column.null_count:
        made = pc.if_else(column.is_valid(), made, pa.scalar(None, made.type))
    return made.cast(column.type)


def _int32(numbers: np.ndarray) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), len(numbers), [None, pa.py_buffer(numbers.astype(np.int32))])


def _nothing(count: int, kind: pa.DataType) -> pa.Array:
    return pa.nulls(count, kind)
