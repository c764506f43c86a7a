"""Logs of entries as JSON lines or Parquet, one record per entry as docs/store.md has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from agtrace.convert.base import Reading, Selection
from agtrace.convert.json_lines import write_json_lines
from agtrace.convert.parquet import write_parquet
from agtrace.errors import CaseError
from agtrace.readers.base import Batch
from agtrace.tables import CONTENT_TABLES


@dataclass(frozen=True)
class EntriesConversion:
    """Writes captures that have one table of entries.

    Parameters
    ----------
    what, readers
        As in `agtrace.convert.base.Conversion`.
    table
        The table.
    time
        Its time column, to which ``begin`` and ``end`` apply.
    """

    what: str
    readers: frozenset[str]
    table: str
    time: str
    suffixes: tuple[str, ...] = (".jsonl", ".parquet")
    options: frozenset[str] = frozenset({"begin", "end"})

    @property
    def schema(self) -> pa.Schema:
        """The columns of what is written."""
        return CONTENT_TABLES[self.table]

    def with_texts(self, batch: pa.RecordBatch, _reading: Reading) -> pa.RecordBatch:
        """Return entries in their written form."""
        return batch

    def claims(self, table: str) -> bool:
        """Entries are what is converted."""
        return table == self.table

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Refuse: such a log is converted alone."""
        raise CaseError(
            f"{readings[1].path}: {self.what} cannot be merged with another", "convert each alone"
        )

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write one record per entry, in file order; begin and end are in the time of the log."""
        entries = (self.with_texts(batch, reading) for batch in self._selected(batches, selection))
        if suffix == ".jsonl":
            return write_json_lines(entries, target)
        tables = (pa.Table.from_batches([batch]) for batch in entries)
        return write_parquet(target, self.schema, tables)

    def _selected(self, batches: Iterator[Batch], selection: Selection) -> Iterator[pa.RecordBatch]:
        for table, batch in batches:
            if table == self.table:
                keep = selection.within(batch[self.time].to_numpy(zero_copy_only=False))
                yield batch if keep.all() else batch.filter(pa.array(keep))
