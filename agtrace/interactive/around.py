"""All log entries around a moment."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError
from agtrace.history.entries import LOGS, Clocks, events
from agtrace.interactive.asked import Moment, hosts_meant, in_zone
from agtrace.moments import Window, microseconds
from agtrace.store import CaseView
from agtrace.store.sql_files import beside

if TYPE_CHECKING:
    import pandas as pd

MOST_ENTRIES = 20_000
"""Most entries per source that `around` returns: those nearest to the moment."""
FURTHEST = timedelta(days=366)
DAY = timedelta(days=1)
COLUMNS = ("time", "time_local", "host_id", "source", "text", "path", "line")

_BY_REFERENCE = """
    SELECT q.* REPLACE (q.time - to_microseconds(coalesce(k.ahead_us, 0)) AS time), q.time AS own_time
    FROM ({}) q LEFT JOIN reference_clock k ON k.host_id = q.host_id
"""

_sql = beside(__file__)
_Row = dict[str, Any]


def around(
    view: CaseView, at: Moment, minutes: float, *, host: str | Iterable[str] | None = None, tz: str = "UTC"
) -> pd.DataFrame:
    """Return all log entries around a moment; see `agtrace.case.Case.around`."""
    import pandas as pd

    asked = Window.of(at, None, tz)
    local, middle = asked.is_local, asked.start
    if middle is None:
        raise CaseError(f"{at!r} is not a time", "write it as 2024-03-05T14:00:00")
    is_length = isinstance(minutes, int | float) and not isinstance(minutes, bool)
    if not is_length or not 0 < minutes * 60 <= FURTHEST.total_seconds():
        raise CaseError(f"minutes={minutes!r} is no length of time", "give minutes above 0")
    try:
        window = middle - timedelta(minutes=minutes), middle + timedelta(minutes=minutes)
        # Widened by a day: a local time can be any UTC time within a day of it.
        _ = window[0] - DAY, window[1] + DAY
    except OverflowError as error:
        raise CaseError(f"{at!r} lies at the end of the calendar") from error
    hosts, clocks = hosts_meant(view, host), Clocks(view)
    entries = [*_logged(view, window, local=local), *_events(view, clocks, window, local=local)]
    if hosts is not None:
        entries = [each for each in entries if each["host_id"] in hosts]
    entries.sort(
        key=lambda each: (
            each["time_local"] if local else each["time"],
            each["host_id"] or "",
            each["source"],
            each["path"] or "",
            each["line"],
        )
    )
    frame = pd.DataFrame([_named(each) for each in entries], columns=list(COLUMNS))
    frame["time"] = pd.to_datetime(frame["time"], utc=True)
    frame["time_local"] = pd.to_datetime(frame["time_local"])
    frame["line"] = frame["line"].astype("Int64" if frame["line"].isna().any() else "int64")
    first, last = window if local else (each.astimezone(asked.zone) for each in window)
    frame.attrs["window"] = f"{first:%Y-%m-%d %H:%M:%S} to {last:%Y-%m-%d %H:%M:%S} {asked.called}"
    if not local and clocks.unknown:
        _warn(
            f"entries in the local time of {', '.join(clocks.unknown)} are left out: how far it is from UTC "
            "is not known (tz='local' asks in local time)"
        )
    return in_zone(frame, asked)


def _named(entry: _Row) -> dict[str, Any]:
    return {name: entry[name] for name in COLUMNS}


def _logged(view: CaseView, window: tuple[datetime, datetime], *, local: bool) -> list[_Row]:
    return _within(view, LOGS, window, "time_local" if local else "time")


def _events(
    view: CaseView, clocks: Clocks, window: tuple[datetime, datetime], *, local: bool
) -> Iterator[_Row]:
    # Clocks differ between hosts: a local time is a different moment on each.
    windows: set[tuple[datetime, ...]] = {window}
    if local:
        windows = {tuple((each - off).replace(tzinfo=UTC) for each in window) for off in clocks.offsets()}
    query = " UNION ALL ".join(events(view).values())
    found: dict[tuple[str, str, int], _Row] = {}
    for asked in windows if query else ():
        for row in _within(view, query, asked, "own_time" if local else "time"):
            time_local = clocks.local(row["host_id"], row["own_time"])
            if not local or (time_local and window[0] <= time_local <= window[1]):
                found[row["source"], row["content_id"], row["line"]] = row | {"time_local": time_local}
    yield from found.values()


def _within(view: CaseView, query: str, window: tuple[datetime, ...], column: str) -> list[_Row]:
    start, end = window
    middle = start + (end - start) / 2
    given = {"start": start, "end": end, "middle": microseconds(middle), "most": MOST_ENTRIES + 1}
    rows = view.rows(
        f"WITH entries AS (SELECT *, {column} AS placed FROM ({_BY_REFERENCE.format(query)})) "
        f"{_sql('around.sql')}",
        given,
    )
    kept: Counter[str] = Counter()
    found = []
    # One more entry than the limit is read per source, to see whether some were left out; it is the furthest.
    for row in sorted(rows, key=lambda row: abs(row["placed"] - middle)):
        kept[row["source"]] += 1
        if kept[row["source"]] <= MOST_ENTRIES:
            found.append(row)
    for source, n in kept.items():
        if n > MOST_ENTRIES:
            _warn(f"only the nearest {MOST_ENTRIES:,} entries of {source}; fewer minutes show all")
    return found


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=5)
