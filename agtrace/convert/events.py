"""Extended Events as JSON lines, one object per event, or as one Parquet table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from agtrace import strict_json
from agtrace.convert.base import Reading, Selection
from agtrace.convert.event_files import PREFIX, FollowingFiles
from agtrace.convert.parquet import write_parquet
from agtrace.readers.base import Batch

LEADING = ("_seq", "_time", "_ticks")
POSITIONS = ("_block", "_offset")


class EventsConversion:
    """Writes what yields ``events/<name>``."""

    what = "an Extended Events file"
    readers = frozenset({"xel"})
    suffixes = (".jsonl", ".parquet")
    options = frozenset({"begin", "end"})

    def claims(self, table: str) -> bool:
        """Events are what is converted."""
        return table.startswith(PREFIX)

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Merge files in sequence, like the rollover files of a session."""
        return FollowingFiles(readings)

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write one record per event, in the order of the file; begin and end are UTC."""
        if suffix == ".jsonl":
            return _write_jsonl(_events(batches, selection), target)
        # The columns of all events are known only at the end of the file.
        columns = _Columns()
        for _name, batch in _events(batches, Selection()):
            columns.see(batch.schema)
        again = reading.again()
        tables = (columns.table(name, batch) for name, batch in _events(again, selection))
        return write_parquet(target, columns.schema(), tables)


def _events(batches: Iterator[Batch], selection: Selection) -> Iterator[tuple[str, pa.RecordBatch]]:
    for table, batch in batches:
        if table.startswith(PREFIX):
            times = batch["_time"].cast(pa.timestamp("us")).to_numpy(zero_copy_only=False)
            keep = selection.within(times)
            kept = batch if keep.all() else batch.filter(pa.array(keep))
            yield table.removeprefix(PREFIX), kept


def _write_jsonl(events: Iterator[tuple[str, pa.RecordBatch]], target: Path) -> int:
    from xelib.xel_dicts import event_dicts

    count = 0
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for group in _in_order(events):
            for event in event_dicts(group):
                # Lone surrogates of a damaged text cannot be written as UTF-8; escapes can.
                file.write(strict_json.dumps(event, ensure_ascii=False).encode("utf-8", "replace").decode())
                file.write("\n")
                count += 1
    return count


def _in_order(events: Iterator[tuple[str, pa.RecordBatch]]) -> Iterator[list[pa.RecordBatch]]:
    """Group batches so that all events of a group precede those of later groups.

    Batches of blocks that were decoded in parallel interleave by ``_seq``; groups do not.
    """
    waiting: list[pa.RecordBatch] = []
    last = -1
    for _name, batch in events:
        if not batch.num_rows:
            continue
        first = batch["_seq"][0].as_py()
        if waiting and first > last:
            yield waiting
            waiting = []
        waiting.append(batch)
        last = max(last, batch["_seq"][-1].as_py())
    if waiting:
        yield waiting


class _Columns:
    """The columns of a table of all events; columns of the same name and type become one."""

    def __init__(self) -> None:
        self._fields: dict[str, pa.Field] = {}

    def see(self, schema: pa.Schema) -> None:
        for field in schema:
            if field.name not in LEADING + POSITIONS:
                self._fields.setdefault(self._name(schema, field), field)

    def _name(self, schema: pa.Schema, field: pa.Field) -> str:
        known = self._fields.get(field.name)
        if known is None or known.type == field.type:
            return field.name
        return f"{schema.metadata[b'xe_event'].decode()}.{field.name}"

    def schema(self) -> pa.Schema:
        leading = [
            pa.field("_seq", pa.int64()),
            pa.field("_time", pa.timestamp("us", tz="UTC")),
            pa.field("_ticks", pa.int64()),
            pa.field("_event", pa.string()),
        ]
        fields = [field.with_name(name).with_nullable(True) for name, field in self._fields.items()]
        return pa.schema([*leading, *fields])

    def table(self, name: str, batch: pa.RecordBatch) -> pa.Table:
        columns: dict[str, pa.Array] = {key: batch[key] for key in LEADING}
        columns["_event"] = pa.repeat(name, batch.num_rows)
        for field in batch.schema:
            if field.name not in LEADING + POSITIONS:
                columns[self._name(batch.schema, field)] = batch[field.name]
        schema = self.schema()
        arrays = [columns.get(f.name) for f in schema]
        return pa.Table.from_arrays(
            [
                pa.nulls(batch.num_rows, field.type) if array is None else array
                for array, field in zip(arrays, schema, strict=True)
            ],
            schema=schema,
        )


CONVERSION = EventsConversion()
