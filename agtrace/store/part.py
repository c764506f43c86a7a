"""A part of a case: some hosts and a time window, as SQL conditions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from agtrace.errors import CaseError
from agtrace.moments import ALWAYS, Window
from agtrace.store.quoting import identifier, literal

HOSTS = (
    "host_id", "_host_id", "from_host", "to_host", "source_host", "target_host", "primary_host",
    "replica_host", "primary_host_id", "replica_host_id",
)  # fmt: skip
"""Columns of relations that name the host, or one of two."""


@dataclass(frozen=True)
class Part:
    """Some hosts and a time window; by default everything.

    Parameters
    ----------
    window
        The time window, in UTC unless rows are selected by local time.
    hosts
        Ids of the hosts; None for all rows, including those without a known host.
    """

    window: Window = ALWAYS
    hosts: frozenset[str] | None = None

    @property
    def is_all(self) -> bool:
        """Nothing is left out."""
        return self.hosts is None and self.window.holds_all()

    @property
    def called(self) -> str:
        """A short description; empty if nothing is left out."""
        bounds = [
            each.strftime("%Y-%m-%d %H:%M:%S") if each else ""
            for each in (self.window.start, self.window.end)
        ]
        time = (
            ""
            if self.window.holds_all()
            else f"{bounds[0] or 'its begin'} to {bounds[1] or 'its end'} {self.window.called}"
        )
        return ", ".join(filter(None, [time, *sorted(self.hosts or ())]))

    def of(self, other: Part) -> Part:
        """Return their intersection."""
        starts = [each for each in (self.window.start, other.window.start) if each]
        ends = [each for each in (self.window.end, other.window.end) if each]
        window = Window(max(starts, default=None), min(ends, default=None), self.window.tz)
        if window.start and window.end and window.start >= window.end:
            raise CaseError(f"nothing of {self.called} lies in {other.called}", "ask the whole case")
        if self.hosts is None or other.hosts is None:
            return Part(window, self.hosts if other.hosts is None else other.hosts)
        return Part(window, self.hosts & other.hosts)

    def rows(self, columns: Collection[str]) -> str:
        """Return the condition for rows of a relation, by the names of its columns."""
        said = [self.of_hosts(columns)]
        if span := _span(columns, local=self.window.is_local):
            said.append(self.within(*span))
            if not self.window.holds_all() and not self.window.is_local and "start_local" in columns:
                # Of which the offset from UTC is not known, it may lie anywhere.
                said.append(
                    f"NOT ({span[0]} IN ('-infinity') AND {span[1]} IS NULL AND start_local IS NOT NULL)"
                )
        elif self.window.is_local and not self.window.holds_all():
            raise CaseError("this has no local time", "name the zone that start and end are in: tz='UTC'")
        return " AND ".join(filter(None, said)) or "true"

    def of_hosts(self, columns: Collection[str]) -> str:
        """Return the condition for the hosts; empty if all are meant."""
        if self.hosts is None:
            return ""
        wanted = f"[{', '.join(map(literal, sorted(self.hosts)))}]::VARCHAR[]"
        there = [f"list_contains({wanted}, {name})" for name in HOSTS if name in columns]
        if "hosts" in columns:
            there.append(f"list_has_any(hosts, {wanted})")
        return f"({' OR '.join(f'coalesce({each}, false)' for each in there)})" if there else ""

    def within(self, begin: str, until: str = "") -> str:
        """Return the condition for rows that overlap the window.

        Parameters
        ----------
        begin, until
            SQL expressions of the start and the end (NULL if it continues); only ``begin``: a point in time.
        """
        said = []
        if self.window.end is not None:
            said.append(f"{begin} < {_moment(self.window.end)}")
        if self.window.start is not None:
            first = _moment(self.window.start)
            said.append(f"coalesce({until}, 'infinity') >= {first}" if until else f"{begin} >= {first}")
        return f"({' AND '.join(said)})" if said else ""


WHOLE = Part()
"""Nothing is left out."""


def _span(columns: Collection[str], *, local: bool) -> tuple[str, str] | None:
    """Return when a row of a relation starts and ends, by its columns; None if it has no time."""
    mark = "_local" if local else ""
    there = {name for name in columns if name.endswith("_local") == local}

    def has(*names: str) -> bool:
        return there.issuperset(f"{name}{mark}" for name in names)

    def of(name: str) -> str:
        return identifier(f"{name}{mark}")

    if has("start", "end"):
        # The start is NULL if it was before the first capture.
        return f"coalesce({of('start')}, '-infinity')", of("end")
    if has("first", "last"):
        return of("first"), of("last")
    if has("time", "end"):
        return of("time"), f"coalesce({of('end')}, {of('time')})"
    if has("time") and "start_local" in columns:
        # Of an interval, time is its end.
        return f"{of('time')} - (time_local - start_local)", of("time")
    for name in ("time", "_time", "t_first"):
        if has(name):
            return of(name), ""
    if has("ready", "last_sign"):
        told = "coalesce(asked, last_sign, gone_by, missed_since, started, ready)"
        return told, "coalesce(ready, started)"
    return None


def _moment(time: datetime) -> str:
    kind = "TIMESTAMPTZ" if time.tzinfo else "TIMESTAMP"
    return f"{kind} '{time.isoformat(sep=' ')}'"
