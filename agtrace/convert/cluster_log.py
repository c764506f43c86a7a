"""Entries of cluster logs as JSON lines or Parquet, one record per entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from agtrace.convert.base import Reading, Selection
from agtrace.convert.json_lines import write_json_lines
from agtrace.convert.parquet import write_parquet
from agtrace.errors import CaseError
from agtrace.readers.base import Batch
from agtrace.tables import CONTENT_TABLES

TABLE = "cluster_log"
TIME = "time_written"


class ClusterLogConversion:
    """Writes what yields ``cluster_log``."""

    what = "a cluster log"
    readers = frozenset({"cluster_log"})
    suffixes = (".jsonl", ".parquet")
    options = frozenset({"begin", "end"})

    def claims(self, table: str) -> bool:
        """Entries are what is converted."""
        return table == TABLE

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Refuse: a cluster log is converted alone."""
        raise CaseError(
            f"{readings[1].path}: {self.what} cannot be merged with another", "convert each alone"
        )

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write one object per entry, in file order; begin and end are times as the log writes them."""
        entries = _entries(batches, selection)
        if suffix == ".jsonl":
            return write_json_lines(entries, target)
        tables = (pa.Table.from_batches([batch]) for batch in entries)
        return write_parquet(target, CONTENT_TABLES[TABLE], tables)


def _entries(batches: Iterator[Batch], selection: Selection) -> Iterator[pa.RecordBatch]:
    for table, batch in batches:
        if table == TABLE:
            keep = selection.within(batch[TIME].to_numpy(zero_copy_only=False))
            yield batch if keep.all() else batch.filter(pa.array(keep))


CONVERSION = ClusterLogConversion()
