"""Collect individual samples into the batches of a perfmon log.

For texts with a few values per line. Series are numbered in order of appearance.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import numpy as np
import pyarrow as pa

from agtrace.readers.base import Batch
from agtrace.readers.pdh_text.columns import counters_batch, path_filter
from agtrace.tables import SAMPLES, TICKS

FULL = 500_000
"""Samples of a batch."""


class GatheredSamples:
    """Numbers series and rows, and returns batches when there are enough.

    Parameters
    ----------
    wanted
        Globs over counter paths (`agtrace.readers.base.ReadOptions`).
    """

    def __init__(self, wanted: tuple[str, ...] = ()) -> None:
        self._wanted = path_filter(wanted)
        self._numbers: dict[str, int | None] = {}
        self._paths: list[str] = []
        self._types: list[str | None] = []
        self._given = 0
        self._times: list[datetime] = []
        self._first_tick = 0
        self._series: list[int] = []
        self._ticks: list[int] = []
        self._values: list[float] = []

    @property
    def is_full(self) -> bool:
        """Whether there are enough samples to take the batches."""
        return len(self._values) >= FULL

    def begin_row(self, time: datetime) -> None:
        """Begin a row of the log."""
        self._times.append(time)

    def add(self, path: str, value: float | None, counter_type: str | None = None) -> None:
        """Add a value to the current row; None registers the series without a value."""
        number = self._numbers.get(path, -1)
        if number == -1:
            number = self._number(path, counter_type)
        if number is None or value is None:
            return
        self._series.append(number)
        self._ticks.append(self._first_tick + len(self._times) - 1)
        self._values.append(value)

    def _number(self, path: str, counter_type: str | None) -> int | None:
        is_wanted = self._wanted is None or self._wanted.match(path.casefold())
        number = self._numbers[path] = len(self._paths) if is_wanted else None
        if number is not None:
            self._paths.append(path)
            self._types.append(counter_type)
        return number

    def batches(self) -> Iterator[Batch]:
        """Yield what was gathered: new series, rows, then values by series and row."""
        if len(self._paths) > self._given:
            new = slice(self._given, None)
            yield "counters", counters_batch(self._paths[new], self._given, self._types[new])
            self._given = len(self._paths)
        if self._times:
            ticks = np.arange(self._first_tick, self._first_tick + len(self._times), dtype=np.int32)
            arrays = [pa.array(ticks), pa.array(self._times, TICKS.field("time_local").type)]
            yield "ticks", pa.RecordBatch.from_arrays(arrays, schema=TICKS)
        if self._values:
            series = np.array(self._series, np.int32)
            ticks = np.array(self._ticks, np.int32)
            order = np.lexsort((ticks, series))
            values = np.array(self._values)[order]
            arrays = [pa.array(series[order]), pa.array(ticks[order]), pa.array(values)]
            yield "samples", pa.RecordBatch.from_arrays(arrays, schema=SAMPLES)
        self._first_tick += len(self._times)
        self._times, self._series, self._ticks, self._values = [], [], [], []
