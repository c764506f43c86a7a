"""Dates of a block of lines at once: year, month and day to microseconds since 1970."""

from __future__ import annotations

import datetime as dt

import numpy as np

DAY_US = 86_400_000_000


def days_us(year: np.ndarray, month: np.ndarray, day: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give midnight of each date in microseconds since 1970, and whether there is such a date."""
    key = (year * 100 + month) * 100 + day
    first = np.flatnonzero(np.diff(key, prepend=-1))
    lengths = np.diff(first, append=len(key))
    value = {int(k): _midnight(int(k)) for k in np.unique(key[first])}
    runs = np.array([value[int(k)] for k in key[first]], np.int64).reshape(-1, 2)
    return np.repeat(runs[:, 0], lengths), np.repeat(runs[:, 1] == 1, lengths)


def _midnight(yyyymmdd: int) -> tuple[int, int]:
    try:
        date = dt.date(yyyymmdd // 10000, yyyymmdd // 100 % 100, yyyymmdd % 100)
    except ValueError:
        return 0, 0
    return (date.toordinal() - dt.date(1970, 1, 1).toordinal()) * DAY_US, 1
