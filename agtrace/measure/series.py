"""Perfmon series of a case by name, and side by side in one frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from agtrace.errors import CaseError
from agtrace.globs import instead, matches, named
from agtrace.measure.aligned import aligned
from agtrace.measure.sampler import with_sampled
from agtrace.measure.steps import Steps
from agtrace.moments import ALWAYS, LOCAL, Window, microseconds
from agtrace.resolve.names import is_meant
from agtrace.store import CaseView
from agtrace.store.part import Part
from agtrace.tables.counter_catalogue import split_path
from agtrace.tables.rows import table_of

if TYPE_CHECKING:
    import pandas as pd

_WANTED = pa.schema([("counter_id", pa.int64())])


Key = tuple[str, str, str, str]
"""Host, object, instance ("" if none) and counter of a series."""
NAMES = ("host", "object", "instance", "counter")


def key(row: dict[str, Any]) -> Key:
    """Return a series' key, with canonical names; for a named instance as perfmon writes it."""
    name = row["object"] or row["object_written"] or ""
    if row["sql_instance"] not in (None, "MSSQLSERVER") and name.startswith("SQLServer:"):
        name = f"MSSQL${row['sql_instance']}:{name.removeprefix('SQLServer:')}"
    host, counter = row["host_id"] or row["host"] or "", row["counter"] or row["counter_written"] or ""
    return host, name, row["instance"] or "", counter


def chosen(
    captured: list[dict[str, Any]],
    counter: str | Iterable[str],
    host: str | Iterable[str] | None,
    instance: str | Iterable[str] | None,
) -> dict[int, Key]:
    """Return the names of the series that match, by ``counter_id``.

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
    found = [row for row in captured if any(is_called(row, each) for each in counters)]
    if not found:
        near = _nearest_counters(captured, counters[0] if counters else "")
        raise CaseError(f"no counter {counter!r} was captured", near)
    for what, column, wanted, means in (
        ("host", "host_id", host, is_meant),
        ("instance", "instance", instance, matches),
    ):
        there = sorted({row[column] or "" for row in found} - {""})
        asked = None if wanted is None else named(wanted)
        found = [
            row for row in found if asked is None or any(means(row[column] or "", each) for each in asked)
        ]
        if not found:
            raise CaseError(
                f"no series of {counter!r} is of {what} {wanted!r}", instead(asked[0] if asked else "", there)
            )
    return {row["counter_id"]: key(row) for row in found}


def units_of(captured: list[dict[str, Any]], wanted: Mapping[int, Key]) -> dict[str, str]:
    """Return the unit of each counter of some series, if known."""
    return {
        wanted[row["counter_id"]][3]: row["unit"]
        for row in captured
        if row["counter_id"] in wanted and row["unit"]
    }


def _nearest_counters(captured: list[dict[str, Any]], wanted: str) -> str:
    if not captured:
        return "the case holds no perfmon log that could be read"
    names = sorted({row["counter"] or row["counter_written"] or "" for row in captured})
    return instead(wanted.rpartition("\\")[2], names)


def is_called(row: dict[str, Any], pattern: str) -> bool:
    """Return whether a series matches the name of a counter, or a path as perfmon prints it."""
    wanted = split_path(pattern)
    asked = (
        (wanted.counter, (row["counter"], row["counter_written"]), matches),
        (wanted.object or None, (row["object"], row["object_written"]), matches),
        (wanted.instance, (row["instance"] or "",), matches),
        (wanted.host, (row["host_id"],), is_meant),
    )
    return all(
        part is None or any(means(name, part) for name in names if name is not None)
        for part, names, means in asked
    )


@contextmanager
def series_of(view: CaseView, wanted: Iterable[int]) -> Iterator[None]:
    """Register a filter for series: ``... SEMI JOIN wanted_series USING (counter_id)``."""
    ids = table_of([{"counter_id": each} for each in wanted], _WANTED)
    with view.turn:
        view.connection.register("wanted_series", ids)
        try:
            yield
        finally:
            view.connection.unregister("wanted_series")


def clock_of(view: CaseView, window: Window) -> Window:
    """Return the window by the clock of the wanted series: local if UTC is unknown for one."""
    if window.is_local:
        return window
    (there,) = view.rows(
        "SELECT count(*) FILTER (time IS NULL) AS unknown FROM "
        "(SELECT DISTINCT content_id FROM counters SEMI JOIN wanted_series USING (counter_id)) "
        "JOIN ticks USING (content_id)"
    )
    if not there["unknown"]:
        return window
    start, end = (each and each.replace(tzinfo=None) for each in (window.start, window.end))
    return Window(start, end, LOCAL)


def side_by_side(
    view: CaseView,
    wanted: Mapping[int, Key],
    window: Window = ALWAYS,
    *,
    exact: bool = False,
    steps: Steps | None = None,
    beside: Mapping[Key, pd.Series[Any]] | None = None,
) -> pd.DataFrame:
    """Return series as columns.

    Parameters
    ----------
    view
        The case.
    wanted
        Names of each series by its ``counter_id``; series with equal names share a column.
    window
        The window, and the zone of the index.
    exact
        Keep every sample at its own time.
    steps
        Steps whose aggregates are returned instead of samples.
    beside
        Further series, by times in UTC, or local times if the window is local.

    Returns
    -------
    pandas.DataFrame
        See `agtrace.case.Case.perfmon`.
    """
    import pandas as pd

    frame, clock = _read(view, wanted, window)
    keys = sorted(set(wanted.values()))
    frame["series"] = frame["counter_id"].map({each: keys.index(wanted[each]) for each in wanted})
    if beside:
        own = [
            _with_times(series, clock).assign(series=len(keys) + n)
            for n, series in enumerate(beside.values())
        ]
        frame = pd.concat([frame, *own], ignore_index=True)
        keys += beside
    if steps is not None:
        # Only steps with samples: weeks between two captures take no memory.
        frame["time"] = steps.floor(frame["time"], clock)
        values = steps.values(frame.groupby(["time", "series"])["value"])
        wide = pd.concat({how: value.unstack("series") for how, value in values.items()}, axis=1)
        wide.columns = pd.MultiIndex.from_tuples([(*keys[n], how) for how, n in wide], names=(*NAMES, "how"))
        places = {key: n for n, key in enumerate(keys)}
        order = sorted(wide, key=lambda each: (places[each[:-1]], steps.how.index(each[-1])))
        wide = wide[order] if steps.is_several else wide[order].droplevel("how", axis=1)
    else:
        wide = frame.pivot_table(index="time", columns="series", values="value", aggfunc="first").sort_index()
        wide = wide if exact else aligned(wide)
        wide.columns = pd.MultiIndex.from_tuples([keys[each] for each in wide.columns], names=NAMES)
    wide.index.name = "time_local" if clock.is_local else "time"
    if not clock.is_local:
        wide.index = wide.index.tz_convert(clock.tz)
    return wide


def _with_times(series: pd.Series[Any], clock: Window) -> pd.DataFrame:
    """Return time and value of a series in a window.

    Raises
    ------
    CaseError
        Its times are of another kind than those of the window.
    """
    import pandas as pd

    if clock.is_local is not (series.index.tz is None):
        raise CaseError(
            "the samples are in local time, as UTC is not known of them",
            'write tz="local", and times without zone',
        )
    kept = series.sort_index()
    if clock.start is not None:
        kept = kept[kept.index >= clock.start]
    if clock.end is not None:
        kept = kept[kept.index < clock.end]
    return pd.DataFrame({"time": kept.index.as_unit("us"), "value": kept.to_numpy(dtype=float)})


def one_below_the_other(
    view: CaseView, wanted: Mapping[int, Key], window: Window = ALWAYS, *, steps: Steps | None = None
) -> pd.DataFrame:
    """Return series in long form: a row for each sample, or for each step.

    Returns
    -------
    pandas.DataFrame
        See ``tidy`` of `agtrace.case.Case.perfmon`.
    """
    import pandas as pd

    frame, clock = _read(view, wanted, window)
    keys = sorted(set(wanted.values()))
    frame["series"] = frame.pop("counter_id").map({each: keys.index(wanted[each]) for each in wanted})
    if steps is not None:
        frame["time"] = steps.floor(frame["time"], clock)
        values = steps.values(frame.groupby(["series", "time"])["value"])
        frame = pd.concat([value.reset_index().assign(how=how) for how, value in values.items()])
    frame = frame.sort_values(["series", "time"], kind="stable")
    if not clock.is_local:
        frame["time"] = frame["time"].dt.tz_convert(clock.tz)
    names = pd.DataFrame(keys, columns=["host_id", *NAMES[1:]]).astype("category")
    told = names.iloc[frame["series"]].reset_index(drop=True)
    told["instance"] = told["instance"].where(told["instance"] != "")
    told.insert(
        0,
        "time_local" if clock.is_local else "time",
        frame["time"].to_numpy() if clock.is_local else pd.DatetimeIndex(frame["time"]),
    )
    if steps is not None and steps.is_several:
        told["how"] = pd.Categorical(frame["how"], steps.how)
    told["value"] = frame["value"].to_numpy()
    return told


_BY_REFERENCE = """
    SELECT s.* REPLACE (s.time - to_microseconds(coalesce(k.ahead_us, 0)) AS time)
    FROM scratch.sampled('wanted_series') s
    JOIN counters c USING (counter_id)
    LEFT JOIN reference_clock k ON k.host_id = c.host_id
"""


def samples_of(view: CaseView, series: Iterable[int], window: Window) -> tuple[pa.Table, Window]:
    """Return counter, time and value of the samples of some series, in order, and the window by its clock."""
    with_sampled(view)
    with series_of(view, series):
        clock = clock_of(view, window)
        column = "time_local" if clock.is_local else "time"
        table = view.table(
            f"SELECT counter_id, {column} AS time, value FROM ({_BY_REFERENCE}) "
            f"WHERE {Part(clock).within(column) or 'true'} ORDER BY counter_id, {column}"
        )
    return table, clock


_AROUND = f"""
    SELECT s.counter_id, m.event, (epoch_us(s.time) - m.at_us) / 1e6 AS t_s, s.value
    FROM ({_BY_REFERENCE}) s JOIN moments m ON epoch_us(s.time) >= m.first_us AND epoch_us(s.time) < m.last_us
    WHERE s.value IS NOT NULL
"""
_MOMENTS = pa.schema([(name, pa.int64()) for name in ("event", "at_us", "first_us", "last_us")])


def samples_around(
    view: CaseView,
    series: Iterable[int],
    moments: Sequence[datetime],
    before: pd.Timedelta,
    after: pd.Timedelta,
) -> pd.DataFrame:
    """Return counter_id, event, t_s and value of the samples around moments, which are numbered from 0.

    Samples whose offset from UTC is unknown are left out.
    """
    reach = [each.value // 1000 for each in (before, after)]
    rows = [
        {"event": number, "at_us": at, "first_us": at - reach[0], "last_us": at + reach[1]}
        for number, at in enumerate(map(microseconds, moments))
    ]
    with_sampled(view)
    with series_of(view, series):
        return view.table(_AROUND, given={"moments": table_of(rows, _MOMENTS)}).to_pandas()


def _read(view: CaseView, wanted: Mapping[int, Key], window: Window) -> tuple[pd.DataFrame, Window]:
    """Return counter_id, time and value, and the window by the clock of the time."""
    rows, clock = samples_of(view, wanted, window)
    if not rows.num_rows:
        raise CaseError("no sample lies in the window", "case.counters(...) lists the spans")
    return rows.to_pandas(), clock
