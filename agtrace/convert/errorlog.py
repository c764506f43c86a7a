"""ERRORLOG entries as JSON lines or Parquet, one record per entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from agtrace import strict_json
from agtrace.convert.base import Reading, Selection
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
            return _write_jsonl(entries, target)
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


def _write_jsonl(entries: Iterator[pa.RecordBatch], target: Path) -> int:
    count = 0
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for batch in entries:
            for row in batch.to_pylist():
                row["time_local"] = row["time_local"].isoformat(timespec="milliseconds")
                file.write(strict_json.dumps(row, ensure_ascii=False) + "\n")
            count += batch.num_rows
    return count


CONVERSION = ErrorlogConversion()
