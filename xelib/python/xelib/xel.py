"""Extended Events files (.xel): typed Arrow batches per event, on every platform.

``open_xel`` reads the metadata; iterating over what it gives decodes the events, block by block on
all cores and without the GIL. docs/formats/xel.md describes the format.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

from xelib._xelib import XelBatch, XelReader
from xelib.errors import FormatError
from xelib.xel_schema import LEADING, EventSchema, FieldSchema, MapSchema, arrow_schema, event_schemas

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "EventSchema",
    "Fault",
    "FieldSchema",
    "FormatError",
    "MapSchema",
    "Position",
    "XelFile",
    "open_xel",
]


class Position(NamedTuple):
    """Where to go on in a file that grows."""

    offset: int
    """Byte offset of a block."""
    seq: int
    """``_seq`` of the first event there."""


@dataclass(frozen=True)
class Fault:
    """Something that is not as the format has it; everything readable was delivered all the same."""

    offset: int
    """Byte offset in the file."""
    kind: str
    """Stable name, such as ``truncated_tail``."""
    severity: Literal["info", "warning", "data_loss"]
    message: str
    count: int
    """How many of the kind this stands for: each is listed with its offset up to 100 of a kind."""


def open_xel(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    events: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    positions: bool = False,
    threads: int | None = None,
    live: bool = False,
    resume: Position | None = None,
) -> XelFile:
    """Open an Extended Events file of SQL Server 2012 or later (file version 10).

    Parameters
    ----------
    source
        A path, or a readable binary file object at its beginning, seekable or not.
    events
        Names of the events to decode; None for all. The values of others are not looked at, and
        where they are large not even read: faults inside them are not reported, all others are,
        checksums included.
    columns
        Names of the columns to decode, as the batches name them; None for all. Events that have
        none of them give batches without columns.
    positions
        Also give ``_block`` and ``_offset``. With the session run they identify an event across
        copies of a file.
    threads
        How many blocks to decode side by side; None for one per core.
    live
        The file is still being written: a last block that is not whole is left for the next time
        instead of being read as far as it goes and reported.
    resume
        ``position`` of an earlier reading of the same file: only what came after is decoded.

    Raises
    ------
    FormatError
        The file does not begin as an Extended Events file of version 10.
    OSError
        The file cannot be read.
    """
    wanted = None if columns is None else list(columns)
    return XelFile(
        source,
        events=None if events is None else list(events),
        columns=wanted,
        positions=positions or bool({"_block", "_offset"} & set(wanted or ())),
        threads=threads or os.cpu_count() or 1,
        live=live,
        resume=resume,
    )


class XelFile:
    """An open Extended Events file.

    Iterating gives ``(event name, RecordBatch)``: consecutive events of one definition, in the
    order of the file within a batch; ``_seq`` gives the order over batches. Events are not in the
    order of time: sort by ``_ticks``, then ``_seq``. Columns: ``_seq`` (int64, position in the file
    from 0), ``_time`` (timestamp[us, UTC], null at the ends of the years 1 to 9999 and beyond), ``_ticks``
    (int64, 100 ns since 1601-01-01, UTC, exact), then the fields under their names, then ``action_<name>``;
    ``<name>__key`` beside the text of a map. An action that an event does not carry is null.

    A file object that cannot seek can be iterated over once; everything else again and again.
    """

    def __init__(self, source: str | os.PathLike[str] | BinaryIO, **options: Any) -> None:
        self._source = source
        self._options = options
        self._reader = XelReader(source, **options)
        self._started = False
        self._shapes: dict[tuple[int, int], _Shape] = {}

    def __enter__(self) -> XelFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the decoder; a file object that was given stays open."""
        del self._reader

    @property
    def guid(self) -> str:
        """Guid of the file; uninitialised memory before SQL Server 2017 (docs/formats/xel.md, section
        1.1).
        """
        return self._reader.guid

    @property
    def session_runs(self) -> tuple[str, ...]:
        """Guids of the session starts met so far, normally one (docs/formats/xel.md, section 1.2)."""
        return tuple(self._reader.session_runs)

    @property
    def schemas(self) -> tuple[EventSchema, ...]:
        """Every event that the metadata read so far defines, in the order of the file."""
        return event_schemas(self._reader.definitions())

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What was met so far that is not as the format has it, by offset."""
        return tuple(Fault(*fault) for fault in self._reader.faults())

    @property
    def position(self) -> Position:
        """Where the next block begins or will begin, for ``resume``."""
        return Position(*self._reader.position)

    def __iter__(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        for group in self._groups():
            yield from group

    def groups(self) -> Iterator[list[tuple[str, pa.RecordBatch]]]:
        """Yield what iterating does, in lists of what was decoded side by side."""
        return self._groups()

    def read(self) -> dict[str, pa.Table]:
        """Decode the whole file: a table per event, by name.

        Action columns that no event carries are left out. A second definition of an event of the
        same name gets ``<name>#2``, and so on.
        """
        import pyarrow as pa

        batches: dict[tuple[str, pa.Schema], list[pa.RecordBatch]] = {}
        for name, batch in self:
            batches.setdefault((name, batch.schema.metadata[b"xe_event_id"], batch.schema), []).append(batch)
        tables: dict[str, pa.Table] = {}
        for (name, *_), of_name in batches.items():
            unique, n = name, 1
            while unique in tables:
                n += 1
                unique = f"{name}#{n}"
            tables[unique] = _without_unused_actions(pa.Table.from_batches(of_name))
        return tables

    def to_dicts(self) -> Iterator[dict[str, Any]]:
        """Decode the events one by one, in the order of the file: for a look by hand.

        Each is ``{"name", "uuid", "timestamp", "fields", "actions"}`` of values that ``json.dumps``
        takes: texts for maps, hexadecimal digits for binary data, lists of ``0x%016X`` for call
        stacks, ISO 8601 with 7 decimals for times.
        """
        from xelib.xel_dicts import event_dicts

        for group in self._groups(leading=True):
            yield from event_dicts(batch for _, batch in group)

    def _groups(self, leading: bool = False) -> Iterator[list[tuple[str, pa.RecordBatch]]]:
        reader = self._begin()
        while (group := reader.next()) is not None:
            yield [self._batch(batch, leading) for batch in group]

    def _begin(self) -> XelReader:
        if self._started:
            seek = getattr(self._source, "seek", None)
            if seek is not None:
                seek(0)
            elif hasattr(self._source, "read"):
                raise ValueError("a file object that cannot seek can be read only once")
            self._reader = XelReader(self._source, **self._options)
            self._shapes.clear()
        self._started = True
        return self._reader

    def _batch(self, batch: XelBatch, leading: bool) -> tuple[str, pa.RecordBatch]:
        import pyarrow as pa

        name, schema, kinds, chosen = self._shape(batch)
        rows, columns = batch.rows, batch.columns
        if leading or chosen is None:
            arrays = [_array(*of, rows, it) for of, it in zip(kinds, columns, strict=True)]
            return name, pa.RecordBatch.from_arrays(arrays, schema=schema)
        wanted, schema = chosen
        arrays = [_array(*kinds[n], rows, columns[n]) for n in wanted]
        return name, pa.RecordBatch.from_arrays(arrays, schema=schema)

    def _shape(self, batch: XelBatch) -> _Shape:
        key = (batch.generation, batch.event)
        if key not in self._shapes:
            import pyarrow as pa

            schema = arrow_schema(batch, self._options["positions"])
            kinds = [(of, of.value_type if pa.types.is_list(of) else None) for of in schema.types]
            names, chosen = self._options["columns"], None
            unwanted = () if names is None else set(LEADING) - set(names)
            wanted = [n for n, name in enumerate(schema.names) if name not in unwanted]
            if len(wanted) < len(kinds):
                chosen = wanted, pa.schema([schema.field(n) for n in wanted], schema.metadata)
            self._shapes[key] = _Shape(batch.about()[0], schema, kinds, chosen)
        return self._shapes[key]


class _Shape(NamedTuple):
    """What all batches of an event have in common."""

    name: str
    schema: pa.Schema
    kinds: list[tuple[pa.DataType, pa.DataType | None]]
    """Type of each column; of a list, also that of its items."""
    chosen: tuple[list[int], pa.Schema] | None
    """The columns to give, where those are not all."""


def _array(
    kind: pa.DataType, item: pa.DataType | None, rows: int, column: tuple[int, int, bytes | None, list[bytes]]
) -> pa.Array:
    import pyarrow as pa

    nulls, items, validity, values = column
    if not values:
        return pa.nulls(rows, kind)
    buffers = [None if validity is None else pa.py_buffer(validity), *map(pa.py_buffer, values)]
    if item is None:
        return pa.Array.from_buffers(kind, rows, buffers, nulls)
    texts = pa.Array.from_buffers(item, items, [None, *buffers[2:]], 0)
    return pa.Array.from_buffers(kind, rows, buffers[:2], nulls, children=[texts])


def _without_unused_actions(table: pa.Table) -> pa.Table:
    unused = [
        n
        for n, field in enumerate(table.schema)
        if field.metadata[b"xe_source"] == b"action" and table.column(n).null_count == len(table)
    ]
    return table.select([n for n in range(table.num_columns) if n not in unused])
