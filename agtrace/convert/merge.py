"""Merge several performance logs: rows in time order, the series of all logs as columns.

Each log is read twice: first its names and start time, then its rows, one slab at a time. A later log is
opened when its start time is reached. Memory grows with the number of logs that overlap in time, not with
their length.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from agtrace.convert import slabs
from agtrace.convert.base import Reading, Selection
from agtrace.convert.pdh_text import text_encoding
from agtrace.convert.slabs import Slab, slabs_of
from agtrace.convert.zones import Distances, Zone, clock_of, common_zone
from agtrace.readers.base import Batch, ReadOptions
from agtrace.resolve.names import host_name
from agtrace.tables import COUNTERS, SAMPLES, TICKS

LEAST_CELLS = 50_000
BLOCK_BYTES = 4 << 20
LEAST_BLOCK_BYTES = 256 << 10
MOST_OPEN = 64


@dataclass
class Rows:
    """Rows that wait for output: sort key, time in the common zone, and values.

    ``due`` never decreases within a log, so that its rows keep their order after its clock was set back.
    """

    due: np.ndarray
    times: np.ndarray
    row: np.ndarray
    series: np.ndarray
    value: np.ndarray

    def before(self, due: int) -> tuple[Rows, Rows]:
        """Part the rows that are due by then from the later ones."""
        count = int(np.searchsorted(self.due, due, side="right"))
        early = self.row < count
        late = ~early
        return (
            Rows(
                self.due[:count], self.times[:count], self.row[early], self.series[early], self.value[early]
            ),
            Rows(
                self.due[count:],
                self.times[count:],
                self.row[late] - count,
                self.series[late],
                self.value[late],
            ),
        )


class Log:
    """One of the logs: its series, its start, and its rows on demand."""

    def __init__(self, reading: Reading, options: ReadOptions) -> None:
        self._again = replace(reading, options=options, facts={}, issues=[], offsets=[])
        survey = replace(
            reading, options=replace(options, series_first=True), facts={}, issues=[], offsets=[]
        )
        self.series: list[pa.RecordBatch] = []
        self.first: np.datetime64 | None = None
        with closing(survey.batches()) as batches:
            for table, batch in batches:
                if table == "counters":
                    self.series.append(batch)
                elif table == "ticks" and batch.num_rows:
                    self.first = batch["time_local"].to_numpy(zero_copy_only=False)[0]
                    break
        written = {host for part in self.series for host in part["host"].to_pylist()}
        self.clock = replace(
            clock_of(survey), hosts=frozenset(name for host in written if (name := host_name(host)))
        )
        self.begins = 0
        self.waiting: Rows | None = None
        self.is_open = False
        self._slabs: Iterator[Slab] = iter(())
        self._numbers = np.array([], dtype=np.int32)
        self._last_due = np.iinfo(np.int64).min
        self._distances: Distances | None = None

    @property
    def issues(self) -> list[tuple[str, str, int]]:
        """Faults met while reading its rows."""
        return [(s, f"{self.clock.path}: {text}", n) for s, text, n in self._again.issues]

    def open(self, columns: dict[str, int]) -> None:
        """Begin to read the rows; ``columns`` numbers the paths of all logs."""
        self.is_open = True
        self._slabs = slabs_of(self._numbering(columns))

    def _numbering(self, columns: dict[str, int]) -> Iterator[Batch]:
        for table, batch in self._again.batches():
            if table == "counters":
                numbers = [columns.get(path.casefold(), -1) for path in batch["path"].to_pylist()]
                self._numbers = np.append(self._numbers, np.array(numbers, dtype=np.int32))
                if late := numbers.count(-1):
                    text = "series that appeared while the log was being read: left out"
                    self._again.issues.append(("warning", text, late))
            else:
                yield table, batch

    def advance(self, zone: Zone) -> None:
        """Make sure that rows wait, unless the log has ended."""
        while self.is_open and self.waiting is None:
            slab = next(self._slabs, None)
            if slab is None:
                self.is_open = False
                return
            if not len(slab.ticks):
                continue
            if self._distances is None:
                self._distances = Distances(self.clock)
            # A binary log states its distances as they are read.
            self._distances.clock = replace(self.clock, offsets=self._again.offsets)
            times = zone.moved(slab.times, slab.ticks, self._distances)
            due = np.maximum.accumulate(np.maximum(times, self._last_due))
            self._last_due = int(due[-1])
            ticks, numbers, values = (_joined(slab.samples, name) for name in ("tick", "counter_no", "value"))
            series = self._numbers[numbers] if len(numbers) else numbers
            known = series >= 0
            row = ticks - slab.ticks[0]
            self.waiting = Rows(due, times, row[known], series[known], values[known])

    def take(self, due: int) -> Rows | None:
        """Take and return the rows due by then."""
        if self.waiting is None:
            return None
        early, late = self.waiting.before(due)
        self.waiting = late if len(late.due) else None
        return early if len(early.due) else None


def _joined(samples: list[pa.RecordBatch], name: str) -> np.ndarray:
    if not samples:
        return np.array([], dtype=SAMPLES.field(name).type.to_pandas_dtype())
    arrays = [batch[name].to_numpy(zero_copy_only=False) for batch in samples]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


class MergedLogs(Reading):
    """Logs read as one, in the tables that the reader of a single log gives."""

    def __init__(self, readings: Sequence[Reading], selection: Selection) -> None:
        first = readings[0]
        together = min(len(readings), MOST_OPEN)
        options = replace(
            first.options,
            # These bounds are in the common zone, which is known only after the first pass.
            begin=None,
            end=None,
            series_first=False,
            block_bytes=max(BLOCK_BYTES // together, LEAST_BLOCK_BYTES),
            slab_cells=max(slabs.SLAB_CELLS // together, LEAST_CELLS),
        )
        self._logs = [Log(reading, options) for reading in readings]
        for log in self._logs:
            log.clock = log.clock.with_offset(selection.utc_offsets, log.first)
        self._zone = common_zone([log.clock for log in self._logs], selection.tz)
        super().__init__(first.reader, first.source, first.options)
        encodings = {text_encoding(log.clock.facts) for log in self._logs}
        self.facts = self._zone.facts | {
            ("pdh_header", "encoding"): encodings.pop() if len(encodings) == 1 else "utf-8"
        }

    @property
    def path(self) -> str:
        """The logs, for messages."""
        return ", ".join(log.clock.path for log in self._logs)

    def batches(self) -> Generator[Batch]:
        """Yield the series of all logs, then the rows of all in time order."""
        series, columns = _union(self._logs)
        yield "counters", series
        tick = 0
        for parts in self._turns(columns):
            ticks, samples = _woven(parts, tick)
            tick += ticks.num_rows
            yield "ticks", ticks
            yield "samples", samples
        for log in self._logs:
            self.issues += log.issues
        self.issues += [("warning", note, 1) for note in self._zone.notes]

    def _turns(self, columns: dict[str, int]) -> Iterator[list[Rows]]:
        """Yield the due rows of all logs, in log order; a row never comes after a later one."""
        for log in self._logs:
            if log.first is not None:
                at = self._zone.moved(np.array([log.first]), np.array([0]), Distances(log.clock))
                log.begins = int(at[0])
        coming = sorted((log for log in self._logs if log.first is not None), key=lambda log: log.begins)
        active: list[Log] = []
        while True:
            for log in active:
                log.advance(self._zone)
            active = [log for log in active if log.waiting is not None]
            ends = [int(log.waiting.due[-1]) for log in active if log.waiting is not None]
            if coming and (not ends or coming[0].begins <= min(ends)):
                log = coming.pop(0)
                log.open(columns)
                active.append(log)
                continue
            if not ends:
                return
            ordered = (log for log in self._logs if log in active)
            yield [rows for log in ordered if (rows := log.take(min(ends))) is not None]


def _union(logs: Sequence[Log]) -> tuple[pa.RecordBatch, dict[str, int]]:
    """Return the series of all logs in order of appearance, and the number of each path."""
    columns: dict[str, int] = {}
    kept = []
    for log in logs:
        for batch in log.series:
            fresh = []
            for path in batch["path"].to_pylist():
                folded = path.casefold()
                fresh.append(folded not in columns)
                columns.setdefault(folded, len(columns))
            kept.append(batch.filter(pa.array(fresh, pa.bool_())))
    joined = pa.concat_batches(kept) if kept else pa.RecordBatch.from_pylist([], COUNTERS)
    arrays = [pa.array(range(joined.num_rows), pa.int32()), *joined.columns[1:]]
    return pa.RecordBatch.from_arrays(arrays, schema=COUNTERS), columns


def _woven(parts: list[Rows], first_tick: int) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    """Merge the rows of several logs in time order; rows with the same time stamp become one row.

    Rows of one log with the same time stamp stay separate. If two logs have a value for a cell, that of the
    first log is kept.
    """
    due = np.concatenate([rows.due for rows in parts])
    times = np.concatenate([rows.times for rows in parts])
    turn = np.concatenate([_turn(rows) for rows in parts])
    order = np.lexsort((times, turn, due))
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = (np.diff(due[order]) != 0) | (np.diff(turn[order]) != 0) | (np.diff(times[order]) != 0)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(starts) - 1
    count = int(starts.sum())
    shifts = np.cumsum([0, *(len(rows.due) for rows in parts[:-1])])
    rows_of = [place[rows.row + shift] for rows, shift in zip(parts, shifts, strict=True)]
    series = np.concatenate([rows.series for rows in parts]).astype(np.int64)
    key = series * count + np.concatenate(rows_of)
    # Stable, and quick on what is nearly sorted: of equal keys the first log's stays in front.
    sorting = np.argsort(key, kind="stable")
    key = key[sorting]
    firsts = np.ones(len(key), dtype=bool)
    firsts[1:] = np.diff(key) != 0
    key, sorting = key[firsts], sorting[firsts]
    value = np.concatenate([rows.value for rows in parts])[sorting]
    numbers = np.arange(first_tick, first_tick + count, dtype=np.int32)
    ticks = [pa.array(numbers), pa.array(times[order][starts], TICKS.field("time_local").type)]
    samples = [
        pa.array((key // count).astype(np.int32)),
        pa.array((key % count + first_tick).astype(np.int32)),
        pa.array(value),
    ]
    return (
        pa.RecordBatch.from_arrays(ticks, schema=TICKS),
        pa.RecordBatch.from_arrays(samples, schema=SAMPLES),
    )


def _turn(rows: Rows) -> np.ndarray:
    """Count, within rows of one log that are due at the same time, from 0."""
    starts = np.flatnonzero(np.diff(rows.due, prepend=rows.due[0] - 1))
    lengths = np.diff(np.append(starts, len(rows.due)))
    turn: np.ndarray = np.arange(len(rows.due)) - np.repeat(starts, lengths)
    return turn
