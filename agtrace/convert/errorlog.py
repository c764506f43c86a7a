"""ERRORLOG entries as JSON lines or Parquet, one record per entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from agtrace.convert.base import Reading, Selection
from agtrace.convert.json_lines import write_json_lines
from agtrace.convert.parquet import write_parquet
from agtrace.errors import CaseError
from agtrace.readers.base import Batch
from agtrace.tables import ERRORLOG, column

FIELDS = ("time_local", "source", "error", "severity", "state", "message")
ENTRY = pa.schema(
    [
        ERRORLOG.field("time_local"),
        column(
            "utc_offset_minutes", pa.int32(), "local time minus UTC; NULL where the log does not say", "min"
        ),
        *(ERRORLOG.field(name) for name in FIELDS[1:]),
    ]
)


class ErrorlogConversion:
    """Writes what yields ``errorlog``."""

    what = "an ERRORLOG"
    readers = frozenset({"errorlog"})
    suffixes = (".jsonl", ".parquet")
    options = frozenset({"begin", "end"})

    def claims(self, table: str) -> bool:
        """Entries are what is converted."""
        return table == "errorlog"

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Refuse: an ERRORLOG is converted alone."""
        raise CaseError(
            f"{readings[1].path}: {self.what} cannot be merged with another", "convert each alone"
        )

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write one object per entry, in file order."""
        stated = reading.facts_of_head().get(("startup", "utc_adjustment_minutes"))
        entries = _entries(batches, selection, int(stated) if stated else None)
        if suffix == ".jsonl":
            return write_json_lines(entries, target)
        tables = (pa.Table.from_batches([batch]) for batch in entries)
        return write_parquet(target, ENTRY, tables)


def _entries(
    batches: Iterator[Batch], selection: Selection, offset_minutes: int | None
) -> Iterator[pa.RecordBatch]:
    for table, batch in batches:
        if table != "errorlog":
            continue
        keep = selection.within(batch["time_local"].to_numpy(zero_copy_only=False))
        kept = batch.filter(pa.array(keep)) if not keep.all() else batch
        columns = {name: kept[name] for name in FIELDS}
        columns["utc_offset_minutes"] = pa.array([offset_minutes] * kept.num_rows, pa.int32())
        yield pa.RecordBatch.from_arrays([columns[name] for name in ENTRY.names], schema=ENTRY)


CONVERSION = ErrorlogConversion()
