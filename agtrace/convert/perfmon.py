"""Perfmon logs as Performance Monitor's own text formats (what relog writes) or as Parquet."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from agtrace.convert.base import Reading, Selection
from agtrace.convert.long import VALUES, long_rows
from agtrace.convert.merge import MergedLogs
from agtrace.convert.parquet import write_parquet
from agtrace.convert.pdh_text import TextWriter, header_cell, text_encoding
from agtrace.convert.slabs import Slab, slabs_of
from agtrace.convert.unmatched import check_counters
from agtrace.errors import CaseError
from agtrace.readers.base import Batch
from agtrace.tables import COUNTERS, SAMPLES


class PerfmonConversion:
    """Writes what yields ``counters``, ``ticks`` and ``samples``."""

    what = "a perfmon log"
    readers = frozenset({"pdh_text", "perfmon_blg"})
    suffixes = (".csv", ".tsv", ".parquet")
    options = frozenset({"begin", "end", "every", "counters", "utc-offset", "tz"})

    def claims(self, table: str) -> bool:
        """Return whether it is the table of series, which every log yields first."""
        return table == "counters"

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Merge logs in time, binary and text alike, into the columns of all."""
        return MergedLogs(readings, selection)

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write rows of a text log, or values to Parquet."""
        nothing = ("counters", pa.RecordBatch.from_pylist([], COUNTERS))
        _table, first = next(batches, nothing)
        series = pa.Table.from_batches([first])
        if selection.counters and not series.num_rows:
            check_counters(selection.counters, [series], [reading])
            raise CaseError(f"{reading.path}: no series matches {', '.join(selection.counters)}")
        rows = _selected(slabs_of(batches), selection)
        if suffix == ".parquet":
            return write_parquet(target, VALUES, long_rows(series, rows, reading))
        # Facts of the header come before the first rows.
        ahead = iter(list(itertools.islice(rows, 1)))
        cell, encoding = header_cell(reading.facts, suffix), text_encoding(reading.facts)
        with TextWriter(target, suffix, cell, series["path"].to_pylist(), encoding) as writer:
            for slab in itertools.chain(ahead, rows):
                writer.write(slab.ticks, slab.times, _values(slab))
            return writer.rows


def _selected(rows: Iterator[Slab], selection: Selection) -> Iterator[Slab]:
    within = 0
    for slab in rows:
        keep = selection.within(slab.times)
        if selection.every > 1:
            place = within + np.cumsum(keep) - 1
            within += int(keep.sum())
            keep &= place % selection.every == 0
        if keep.all():
            yield slab
        elif keep.any():
            yield _kept(slab, keep)


def _kept(slab: Slab, keep: np.ndarray) -> Slab:
    """Remove the rows that are not kept; ticks are dense, so a tick is an index."""
    samples = []
    for batch in slab.samples:
        wanted = keep[batch["tick"].to_numpy() - slab.ticks[0]]
        samples.append(batch.filter(pa.array(wanted)))
    return Slab(slab.ticks[keep], slab.times[keep], samples)


def _values(slab: Slab) -> pa.RecordBatch:
    """Return the values in one batch, sorted like each of its batches."""
    if len(slab.samples) == 1:
        return slab.samples[0]
    if not slab.samples:
        return pa.RecordBatch.from_pylist([], SAMPLES)
    table = pa.Table.from_batches(slab.samples)
    return (
        table.sort_by([("counter_no", "ascending"), ("tick", "ascending")]).combine_chunks().to_batches()[0]
    )


CONVERSION = PerfmonConversion()
