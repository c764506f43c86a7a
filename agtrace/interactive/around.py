"""Everything that was logged around a moment."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from agtrace import strict_json
from agtrace.errors import CaseError
from agtrace.moments import moment
from agtrace.resolve.clocks import UTC_BY_FORMAT
from agtrace.resolve.names import is_meant
from agtrace.store import CaseView

if TYPE_CHECKING:
    import pandas as pd

MOST_ENTRIES = 20_000
"""Entries of one source that `around` gives, the nearest ones."""
FURTHEST = timedelta(days=366)
COLUMNS = ("time_utc", "time_local", "host", "source", "text")

_LOGS = {
    "ERRORLOG": "SELECT time, time_local, host_id, concat_ws(' ', source, message) AS text FROM errorlog",
    "cluster log": "SELECT time, time_local, host_id, concat_ws(' ', level, text) AS text FROM cluster_log",
    "Windows event log": """SELECT time, time_local, host_id,
        concat_ws(' ', level, source, CAST(event_id AS VARCHAR), message) AS text FROM os_events""",
}
"""What is written in the local time of a host, by the name of the source."""


def around(
    view: CaseView, at: str | datetime, minutes: float, *, host: str | None = None, local: bool = False
) -> pd.DataFrame:
    """Give everything that was logged around a moment, as `agtrace.case.Case.around` says."""
    import pandas as pd

    middle = moment(at, naive=local)
    if not 0 < minutes * 60 <= FURTHEST.total_seconds():
        raise CaseError(f"minutes={minutes!r} is no length of time", "give minutes above 0")
    try:
        window = middle - timedelta(minutes=minutes), middle + timedelta(minutes=minutes)
    except OverflowError as error:
        raise CaseError(f"{at!r} lies at the end of the calendar") from error
    clocks = _Clocks(view)
    entries = [*_logged(view, window, local=local), *_events(view, clocks, window, local=local)]
    if host is not None:
        entries = [each for each in entries if is_meant(each["host"] or "", host)]
    entries.sort(
        key=lambda each: (
            each["time_local"] if local else each["time_utc"],
            each["host"] or "",
            each["source"],
        )
    )
    frame = pd.DataFrame(entries, columns=list(COLUMNS))
    frame["time_utc"] = pd.to_datetime(frame["time_utc"], utc=True)
    frame["time_local"] = pd.to_datetime(frame["time_local"])
    zone = "local time of each host" if local else "UTC"
    frame.attrs["window"] = f"{window[0]:%Y-%m-%d %H:%M:%S} to {window[1]:%Y-%m-%d %H:%M:%S} {zone}"
    if not local and (hosts := clocks.unknown()):
        _warn(
            f"entries in the local time of {', '.join(hosts)} are left out: how far it is from UTC is not "
            "known (local=True asks in local time)"
        )
    return frame


def _logged(view: CaseView, window: tuple[datetime, datetime], *, local: bool) -> Iterator[dict[str, Any]]:
    column = "time_local" if local else "time"
    for source, query in _LOGS.items():
        rows = view.rows(
            f"SELECT * FROM ({query}) WHERE {column} BETWEEN $start AND $end "
            f"ORDER BY abs(epoch_us({column}) - $middle) LIMIT {MOST_ENTRIES + 1}",
            _bounds(window),
        )
        for row in _nearest(source, rows):
            yield {
                "time_utc": row["time"],
                "time_local": row["time_local"],
                "host": row["host_id"],
                "source": source,
                "text": row["text"],
            }


def _events(
    view: CaseView, clocks: _Clocks, window: tuple[datetime, datetime], *, local: bool
) -> Iterator[dict[str, Any]]:
    # Each host has a clock of its own: what is asked in local time is another moment by each.
    windows: set[tuple[datetime, ...]] = {window}
    if local:
        windows = {tuple((each - off).replace(tzinfo=UTC) for each in window) for off in clocks.offsets()}
    for name in sorted(view.events):
        source = name.removeprefix("events_")
        found: dict[tuple[str, int], dict[str, Any]] = {}
        for asked in windows:
            for row in _nearest(source, _events_within(view, name, asked)):
                time_local = clocks.local(row["_host_id"], row["_time"])
                if not local or (time_local and window[0] <= time_local <= window[1]):
                    found[row["_content_id"], row["_seq"]] = row | {"_local": time_local}
        for row in found.values():
            yield {
                "time_utc": row["_time"],
                "time_local": row["_local"],
                "host": row["_host_id"],
                "source": source,
                "text": _told(row),
            }


def _events_within(view: CaseView, name: str, window: tuple[datetime, ...]) -> list[dict[str, Any]]:
    quoted = name.replace('"', '""')
    return view.rows(
        f'SELECT e.*, o.host_id AS _host_id FROM "{quoted}" e LEFT JOIN contents o ON o.content_id = '
        f"e._content_id "
        f"WHERE e._time BETWEEN $start AND $end "
        f"ORDER BY abs(epoch_us(e._time) - $middle), e._ticks, e._seq LIMIT {MOST_ENTRIES + 1}",
        _bounds(window),
    )


def _nearest(source: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if len(rows) > MOST_ENTRIES:
        _warn(f"only the nearest {MOST_ENTRIES:,} entries of {source}; fewer minutes show all")
    return rows[:MOST_ENTRIES]


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=5)


def _bounds(window: tuple[datetime, ...]) -> dict[str, Any]:
    start, end = window
    middle = start + (end - start) / 2
    since = middle if middle.tzinfo else middle.replace(tzinfo=UTC)
    return {"start": start, "end": end, "middle": int(since.timestamp() * 1e6)}


def _told(row: dict[str, Any]) -> str:
    """Give the fields of an event as text, those without a value left out."""
    fields = (
        f"{name}={_value(value)}"
        for name, value in row.items()
        if value is not None and not name.startswith("_") and not name.endswith("__key")
    )
    return ", ".join(fields)


def _value(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | dict):
        return strict_json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


class _Clocks:
    """How far the local time of each host is from UTC, by the stretches of its captures."""

    def __init__(self, view: CaseView) -> None:
        self._unknown = view.rows(
            "SELECT DISTINCT coalesce(host_id, 'an unknown host') AS host_id FROM captures "
            "WHERE first_local IS NOT NULL AND first_time IS NULL AND superseded_by IS NULL ORDER BY 1"
        )
        # What is in UTC by its format says nothing of the local time of its host.
        self._stretches = view.rows(
            "SELECT DISTINCT a.host_id, k.local_from, k.local_to, k.offset_minutes, a.first_local, "
            "a.last_local "
            "FROM clocks k JOIN captures a USING (capture_id) "
            "WHERE a.host_id IS NOT NULL AND k.source <> $by_format",
            {"by_format": UTC_BY_FORMAT},
        )

    def local(self, host: str | None, time: datetime) -> datetime | None:
        """Give the host's local time; None where its captures do not tell, or contradict each other."""
        covering: set[datetime] = set()
        others: set[datetime] = set()
        for row in self._stretches:
            if row["host_id"] == host:
                there = time.replace(tzinfo=None) + timedelta(minutes=row["offset_minutes"])
                if row["local_from"] <= there < row["local_to"]:
                    covers = row["first_local"] <= there <= row["last_local"]
                    (covering if covers else others).add(there)
        found = covering or others
        return found.pop() if len(found) == 1 else None

    def offsets(self) -> set[timedelta]:
        """Give how far from UTC any clock of the case ever is."""
        return {timedelta(minutes=row["offset_minutes"]) for row in self._stretches}

    def unknown(self) -> list[str]:
        """Name the hosts of which a capture in local time has no place in UTC."""
        return [row["host_id"] for row in self._unknown]
