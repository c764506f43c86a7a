"""Values of a whole perfmon log, series by series, held once: names and times are shared, not repeated."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import pyarrow as pa

LONG = 1000
"""Series with at least this many values on average become separate chunks; otherwise there would be too many.
"""


@dataclass
class Pieces:
    """Values of a log in order of arrival: series, ticks and values of each batch, sorted by series and tick.

    Parameters
    ----------
    batches
        For each batch its series, the start of each, and the ticks and values of all.
    lengths
        Number of values of each series.
    """

    batches: deque[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=deque)
    lengths: Counter[int] = field(default_factory=Counter)

    def add(self, batch: pa.RecordBatch) -> None:
        """Keep only the series, ticks and values of a batch of consecutive rows."""
        series, ticks = batch["counter_no"].to_numpy(), batch["tick"].to_numpy()
        values = batch["value"].to_numpy()
        if not len(series):
            return
        if (series[1:] < series[:-1]).any():
            order = np.lexsort((ticks, series))
            series, ticks, values = series[order], ticks[order], values[order]
        begins = np.flatnonzero(np.concatenate(([True], series[1:] != series[:-1])))
        numbers = series[begins]
        self.batches.append((numbers, begins, ticks.astype(np.int32), values.astype(np.float64)))
        for number, n in zip(numbers.tolist(), np.diff(np.append(begins, len(series))).tolist(), strict=True):
            self.lengths[number] += n


def series_by_series(
    pieces: Pieces, times: Mapping[str, pa.Array], names: Mapping[str, pa.DictionaryArray], schema: pa.Schema
) -> pa.Table:
    """Put the values of a log together, each series in the order of time, and let go of the pieces.

    Parameters
    ----------
    times
        Columns with a value for each tick.
    names
        Columns with a value for each series.
    """
    numbers = sorted(pieces.lengths)
    lengths = [pieces.lengths[number] for number in numbers]
    ticks, values = _joined(pieces, numbers, lengths)
    if not numbers or len(values) < LONG * len(numbers):
        series = pa.array(np.repeat(np.array(numbers, np.int32), lengths))
        columns = {
            **{name: column.take(pa.array(ticks)) for name, column in times.items()},
            **{name: column.take(series) for name, column in names.items()},
            "value": pa.array(values),
        }
        return pa.Table.from_pydict(columns, schema=schema)
    chunks: dict[str, list[pa.Array]] = {name: [] for name in schema.names}
    repeated = {name: _Repeated(column, max(lengths)) for name, column in names.items()}
    end = 0
    for number, n in zip(numbers, lengths, strict=True):
        begin, end = end, end + n
        for name, column in times.items():
            chunks[name].append(_taken(column, ticks[begin:end]))
        for name, one in repeated.items():
            chunks[name].append(one.of(number, n))
        chunks["value"].append(pa.array(values[begin:end]))
    typed = [pa.chunked_array(chunks[each.name], each.type) for each in schema]
    return pa.Table.from_arrays(typed, schema=schema)


def _joined(pieces: Pieces, numbers: list[int], lengths: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return ticks and values of all series, concatenated; each batch is freed once it is copied."""
    ends = list(accumulate(lengths))
    filled = {number: end - n for number, n, end in zip(numbers, lengths, ends, strict=True)}
    # Memory is taken as it is written to, not here.
    total = ends[-1] if ends else 0
    ticks, values = np.empty(total, np.int32), np.empty(total, np.float64)
    while pieces.batches:
        own, begins, of_ticks, of_values = pieces.batches.popleft()
        stops = np.append(begins[1:], len(of_ticks))
        for number, begin, stop in zip(own.tolist(), begins.tolist(), stops.tolist(), strict=True):
            place = filled[number]
            filled[number] = place + stop - begin
            ticks[place : filled[number]] = of_ticks[begin:stop]
            values[place : filled[number]] = of_values[begin:stop]
    for n, end in zip(lengths, ends, strict=True):
        mine = slice(end - n, end)
        if (ticks[mine][1:] < ticks[mine][:-1]).any():
            order = np.argsort(ticks[mine], kind="stable")
            ticks[mine], values[mine] = ticks[mine][order], values[mine][order]
    return ticks, values


def _taken(column: pa.Array, ticks: np.ndarray) -> pa.Array:
    """Return a column's values at ticks: a slice of it if none is missing between."""
    first, last = int(ticks[0]), int(ticks[-1])
    is_whole = last - first == len(ticks) - 1
    return column.slice(first, len(ticks)) if is_whole else column.take(pa.array(ticks))


class _Repeated:
    """A column in which each series repeats its name: of each name the rows are held once, for all series."""

    def __init__(self, names: pa.DictionaryArray, rows: int) -> None:
        self._names, self._rows = names, rows
        self._held: dict[int | None, pa.Array] = {}

    def of(self, series: int, n: int) -> pa.Array:
        code = self._names.indices[series].as_py()
        if code not in self._held:
            places = np.zeros(self._rows, np.int32) if code is None else np.full(self._rows, code, np.int32)
            mask = np.ones(self._rows, bool) if code is None else None
            self._held[code] = pa.DictionaryArray.from_arrays(
                pa.array(places, mask=mask), self._names.dictionary
            )
        return self._held[code].slice(0, n)
