"""Places where the local times of a cluster log go back by an hour: the end of daylight saving.

A log has entries every second, so the step is seen at almost its full size. Each section of the log starts
at its own first time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa

from agtrace.readers.fact_text import Fact
from agtrace.tables import kernels as pc
from agtrace.tables.topics import Value, facts

TOPIC = facts(
    "repeated_hour",
    "hour of local times that a log has twice, as daylight saving ended meanwhile",
    Value("last", "last entry before the clock went back, as its time is"),
    Value("first", "first entry behind it"),
)
MOST = 100
"""Maximum number of steps to report; each section can have one."""
_STEP_US = -3_605_000_000, -3_000_000_000


class RepeatedHours:
    """Looks for them as rows go by."""

    def __init__(self) -> None:
        self._before: int | None = None
        self._count = 0

    def see(self, times: pa.Array, begins: Sequence[int]) -> Iterator[Fact]:
        """Yield the steps in some rows.

        Parameters
        ----------
        times
            Local times of consecutive rows, some of them NULL.
        begins
            Rows at which sections begin.
        """
        rows = np.flatnonzero(pc.is_valid(times).to_numpy(zero_copy_only=False))
        values = times.drop_null().cast(pa.int64()).to_numpy()
        sections = np.searchsorted(begins, rows, side="right")
        if self._before is not None:
            values, sections = np.append(self._before, values), np.append(0, sections)
        steps = np.diff(values)
        is_step = (steps >= _STEP_US[0]) & (steps <= _STEP_US[1]) & (np.diff(sections) == 0)
        for at in np.flatnonzero(is_step)[: MOST - self._count]:
            for key, value in (("last", values[at]), ("first", values[at + 1])):
                moment = _EPOCH + timedelta(microseconds=int(value))
                yield Fact("repeated_hour", self._count, key, moment.isoformat(), time_local=moment)
            self._count += 1
        is_open = len(values) and sections[-1] == len(begins)
        self._before = int(values[-1]) if is_open else None


_EPOCH = datetime.fromtimestamp(0, UTC).replace(tzinfo=None)
