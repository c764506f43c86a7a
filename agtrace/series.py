"""Perfmon series of a case by name, and side by side in one frame."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from agtrace.errors import CaseError
from agtrace.globs import matches, named
from agtrace.resolve.names import is_meant
from agtrace.store import CaseView
from agtrace.tables.rows import table_of

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMED = 5
_WANTED = pa.schema([("counter_id", pa.int64())])


def label(row: dict[str, Any]) -> str:
    """Give a series' path with its canonical names."""
    name = row["object"] or row["object_written"] or ""
    if row["sql_instance"] not in (None, "MSSQLSERVER") and name.startswith("SQLServer:"):
        name = f"MSSQL${row['sql_instance']}:{name.removeprefix('SQLServer:')}"
    instance = f"({row['instance']})" if row["instance"] is not None else ""
    host = row["host_id"] or row["host"]
    prefix = f"\\\\{host}\\" if host else "\\"
    return f"{prefix}{name}{instance}\\{row['counter'] or row['counter_written']}"


def chosen(
    captured: list[dict[str, Any]],
    counter: str | Iterable[str],
    host: str | Iterable[str] | None,
    instance: str | Iterable[str] | None,
) -> dict[int, str]:
    """Give the labels of the series that match, by ``counter_id``.

    Parameters
    ----------
    captured
        Rows of the relation ``counters``.
    counter, host, instance
        Globs, one or several, as in `agtrace.case.Case.perfmon`.

    Raises
    ------
    CaseError
        None matches.
    """
    counters = named(counter)
    found = [row for row in captured if any(_matches(row, each) for each in counters)]
    if not found:
        near = _nearest_counters(captured, counters[0] if counters else "")
        raise CaseError(f"no counter {counter!r} was captured", near)
    for what, key, wanted, means in (
        ("host", "host_id", host, is_meant),
        ("instance", "instance", instance, matches),
    ):
        there = sorted({row[key] or "" for row in found} - {""})
        asked = None if wanted is None else named(wanted)
        found = [row for row in found if asked is None or any(means(row[key] or "", each) for each in asked)]
        if not found:
            raise CaseError(
                f"no series of {counter!r} is of {what} {wanted!r}",
                f"captured are: {listed(nearest(asked[0] if asked else '', there) or there) or 'none'}",
            )
    return {row["counter_id"]: label(row) for row in found}


def _nearest_counters(captured: list[dict[str, Any]], wanted: str) -> str:
    if not captured:
        return "the case holds no perfmon log that could be read"
    names = sorted({row["counter"] or row["counter_written"] or "" for row in captured})
    near = nearest(wanted.rpartition("\\")[2], names)
    if near:
        return f"nearest: {listed(near)}"
    return f"captured are: {listed(names)}"


def nearest(wanted: str, names: Iterable[str]) -> list[str]:
    """Give the names that are nearest to one that nothing bears, the nearest first."""
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wanted.lower(), lower, n=MOST_NAMED)
    return [lower[name] for name in near]


def listed(names: list[str]) -> str:
    """List names, a few of many."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def _matches(row: dict[str, Any], pattern: str) -> bool:
    names = (row["counter"], row["counter_written"])
    if "\\" in pattern:
        want_object, _, want_counter = pattern.rpartition("\\")
        objects = (row["object"], row["object_written"])
        return any(matches(o, want_object) for o in objects if o) and any(
            matches(n, want_counter) for n in names if n
        )
    return any(matches(name, pattern) for name in names if name)


@contextmanager
def series_of(view: CaseView, wanted: Iterable[int]) -> Iterator[None]:
    """Let queries narrow series down: ``... SEMI JOIN wanted_series USING (counter_id)``."""
    ids = table_of([{"counter_id": each} for each in wanted], _WANTED)
    with view.turn:
        view.connection.register("wanted_series", ids)
        try:
            yield
        finally:
            view.connection.unregister("wanted_series")


def side_by_side(
    view: CaseView, wanted: dict[int, str], *, exact: bool = False, every: str | timedelta | None = None
) -> pd.DataFrame:
    """Give series as columns.

    Parameters
    ----------
    view
        The case.
    wanted
        Label of each series by its ``counter_id``; what shares a label shares a column.
    exact
        Leave every sample at its own time.
    every
        Length of the steps that means are taken over.

    Returns
    -------
    pandas.DataFrame
        As `agtrace.case.Case.perfmon` says.
    """
    step = None if every is None else _step(every)
    with series_of(view, wanted):
        rows = view.table(
            "SELECT counter_id, time, time_local, value FROM samples SEMI JOIN wanted_series USING "
            "(counter_id)"
        )
    known = not rows["time"].null_count
    frame = rows.select(["counter_id", "time" if known else "time_local", "value"]).to_pandas()
    frame.columns = ["counter_id", "time", "value"]
    frame["series"] = frame["counter_id"].map(wanted)
    wide = frame.pivot_table(index="time", columns="series", values="value", aggfunc="first")
    wide.columns.name = None
    wide = wide.sort_index()
    if step is not None:
        # Only steps that hold a sample: weeks between two captures cost nothing.
        return wide.groupby(wide.index.floor(step)).mean()
    return wide if exact else aligned(wide)


def _step(every: str | timedelta) -> pd.Timedelta:
    import pandas as pd

    try:
        step = pd.Timedelta(every)
        if step > pd.Timedelta(0):
            return step
    except ValueError:
        pass
    raise CaseError(f"every={every!r} is no length of time", "write it as '10s', '5min' or '1h'")


def aligned(wide: pd.DataFrame) -> pd.DataFrame:
    """Bring series whose samples lie at different moments onto common rows.

    Parameters
    ----------
    wide
        One column per series, indexed by time; NaN where a series has no sample.

    Returns
    -------
    pandas.DataFrame
        The rows of the series with the shortest interval, and those of others where it has none.
        Each series gives the sample nearest to a row, within half of its own interval.
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
    """Give the usual distance of samples; 0 where there is but one."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 0.0


def _nearest_of(there: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find for each wanted moment the nearest that is there: its place, and how far off it is."""
    if not len(there):
        return np.zeros(len(wanted), dtype=np.int64), np.full(len(wanted), np.inf)
    after = np.clip(np.searchsorted(there, wanted), 0, len(there) - 1)
    before = np.clip(after - 1, 0, None)
    near = np.where(np.abs(there[before] - wanted) <= np.abs(there[after] - wanted), before, after)
    return near, np.abs(there[near] - wanted).astype(float)
