"""Times that have no valid UTC: at the ends of the calendar, or beyond.

Python, pandas and Arrow support the years 1 to 9999. A local time of 9999-12-31 west of Greenwich is in the
year 10000 in UTC, and so is the value that programs write for "never". The time zone of a file is known only
when the whole case is resolved, so the first and the last day are excluded for every zone: their time in UTC
is NULL, and an issue gives their place in the file.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from agtrace.readers.base import Batch, issue
from agtrace.tables import kernels as pc

FIRST = datetime(1, 1, 2)
"""The first local time that has a UTC in every zone."""
END = datetime(9999, 12, 31)
"""The first local time after those."""

KIND = "far_time"
MESSAGE = "dated at the end of the calendar or beyond it: kept, without a time in UTC"
_EPOCH = datetime(1970, 1, 1)
_FIRST_US = int((FIRST - _EPOCH).total_seconds()) * 1_000_000
_END_US = int((END - _EPOCH).total_seconds()) * 1_000_000


def is_far(moment: datetime | None) -> bool:
    """Return whether a time has no UTC in some zone; false for anything else."""
    return moment is not None and not FIRST <= moment.replace(tzinfo=None) < END


def far_rows(times: pa.Array) -> np.ndarray:
    """Return the positions of the times (timestamp[us], of any zone) that are far, ascending."""
    micros = times.cast(pa.int64())
    span = pc.min_max(micros)
    low, high = span["min"].as_py(), span["max"].as_py()
    if low is None or (low >= _FIRST_US and high < _END_US):
        return np.zeros(0, np.int64)
    far = pc.or_(pc.less(micros, _FIRST_US), pc.greater_equal(micros, _END_US))
    return np.flatnonzero(pc.fill_null(far, False).to_numpy(zero_copy_only=False))


def without(times: pa.Array, rows: np.ndarray) -> pa.Array:
    """Return the times with NULL at ``rows``."""
    mask = np.zeros(len(times), bool)
    mask[rows] = True
    return pc.if_else(pa.array(mask), pa.scalar(None, times.type), times)


def far_issue(what: str, count: int, offset: int | None) -> Batch:
    """Return the issue for ``what`` (in the plural: rows, entries, events) that are far."""
    return issue(KIND, f"{what} {MESSAGE}", count=count, offset=offset)


def utc(moment: datetime) -> datetime | None:
    """Return an instant in UTC (one without a zone is in UTC); None if it is far or beyond."""
    try:
        found = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None if is_far(found) else found
