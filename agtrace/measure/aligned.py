"""Alignment of series sampled at different times on common rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def aligned(wide: pd.DataFrame) -> pd.DataFrame:
    """Align series sampled at different times on common rows.

    Parameters
    ----------
    wide
        One column per series, indexed by time; NaN where a series has no sample.

    Returns
    -------
    pandas.DataFrame
        The rows of the series with the shortest interval, and those of others outside its span. Each series
        contributes the sample nearest to a row, within half of its own interval.
    """
    import pandas as pd

    if wide.notna().all(axis=None):
        return wide
    times = wide.index.as_unit("us").asi8
    places = [np.flatnonzero(wide[name].notna().to_numpy()) for name in wide]
    reach = [_interval(times[place]) / 2 for place in places]
    rows = np.array([], dtype=np.int64)
    for number in sorted(range(len(places)), key=lambda n: reach[n]):
        own = times[places[number]]
        near, distance = _nearest_of(rows, own)
        rows = np.sort(np.append(rows, own[distance > reach[number]] if len(rows) else own))
    columns = {}
    for name, place, most in zip(wide, places, reach, strict=True):
        near, distance = _nearest_of(times[place], rows)
        values = wide[name].to_numpy()[place][near] if len(place) else np.full(len(rows), np.nan)
        columns[name] = np.where(distance <= most, values, np.nan)
    index = wide.index[np.searchsorted(times, rows)]
    return pd.DataFrame(columns, index=index)


def _interval(times: np.ndarray) -> float:
    """Return the usual interval of samples; 0 if there is only one."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 0.0


def _nearest_of(there: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find for each wanted moment the nearest that is there: its place, and how far off it is."""
    if not len(there):
        return np.zeros(len(wanted), dtype=np.int64), np.full(len(wanted), np.inf)
    after = np.clip(np.searchsorted(there, wanted), 0, len(there) - 1)
    before = np.clip(after - 1, 0, None)
    near = np.where(np.abs(there[before] - wanted) <= np.abs(there[after] - wanted), before, after)
    return near, np.abs(there[near] - wanted).astype(float)
