"""Rows of the timeline around state changes, and their lookup."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from math import inf
from typing import Any

import pyarrow as pa

from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.timed import Instants, Stretches
from agtrace.resolve.replicas import HostNames
from agtrace.tables.values import values_of

_OF_SERVER = ("ERRORLOG", "Extended Events")
_OF_HEALTH = ("component_state", "resource_state")
PRIMARY, SECONDARY = "PRIMARY_NORMAL", "SECONDARY_NORMAL"
STATE = "replica_state"
"""Kind of the events of a replica's state changes."""


@dataclass(eq=False, slots=True)
class Event:
    """A row of the timeline.

    Parameters
    ----------
    at
        Seconds since 1970.
    until
        The same for its end, if it has a duration.
    other
        Host of the replica named in it.
    skew_ms
        How far the clock of its first witness is ahead of the reference clock.
    value
        The number that it carries: of an expired lease the seconds since it had run out.
    """

    at: float
    until: float | None
    host: str
    ag: str | None
    kind: str
    before: str | None
    after: str | None
    other: str | None
    text: str
    skew_ms: float
    witnesses: Sequence[dict[str, Any]]
    value: float | None = None


def events_of(table: pa.Table, names: HostNames) -> list[Event]:
    """Return the events of events.sql; a group that is a replica of a distributed one is not a host."""
    hosts: dict[str | None, str | None] = {None: None, "": None}
    groups = {str(ag).casefold() for ag in table["ag"].unique().to_pylist() if ag}
    for replica in table["replica"].unique().to_pylist():
        is_host = replica and replica.casefold() not in groups
        hosts[replica] = names.host_id(replica) if is_host else None
    columns = {name: values_of(table[name]) for name in table.column_names}
    columns["replica"] = [hosts[replica] for replica in columns["replica"]]
    return [Event(*row) for row in zip(*columns.values(), strict=True)]


def stood_still(rows: Iterable[dict[str, Any]], clock: ReferenceClock) -> list[Event]:
    """Return an event of each standstill; ``value`` is its least length."""
    found = []
    for row in rows:
        low, high = row["seconds_low"], row["seconds_high"]
        seconds = f"{low:.1f} s" if high - low < 1 else f"{low:.1f} to {high:.1f} s"
        found.append(
            Event(
                row["start"].timestamp(),
                row["end"].timestamp(),
                row["host_id"],
                None,
                "standstill",
                None,
                row["kind"],
                None,
                f"did not run for {seconds}: {row['kind']}",
                clock.ahead.get(row["host_id"], timedelta()).total_seconds() * 1000,
                tuple(
                    {
                        "source": one["source"],
                        "host_id": one["host_id"],
                        "content_id": one["content_id"],
                        "line": one["line"],
                    }
                    for one in row["witnesses"] or ()
                ),
                low,
            )
        )
    return found


class _Kind:
    """Events of one kind in chronological order, with indexes by named objects."""

    def __init__(self) -> None:
        self.rows: list[Event] = []
        self._indexes: dict[tuple[str, ...], dict[tuple[str | None, ...], Instants[int]]] = {}

    def named(self, asked: Mapping[str, str]) -> list[Instants[int]]:
        """Return the indexes of the events that match the names."""
        fields = tuple(asked)
        of_fields = self._indexes.get(fields)
        if of_fields is None:
            places: dict[tuple[str | None, ...], list[tuple[float, int]]] = defaultdict(list)
            for place, one in enumerate(self.rows):
                places[tuple(getattr(one, field) for field in fields)].append((one.at, place))
            of_fields = self._indexes[fields] = {key: Instants(own) for key, own in places.items()}
        keys: list[tuple[str | None, ...]] = [tuple(asked.values())]
        if "ag" in asked:
            keys.append(tuple(None if field == "ag" else asked[field] for field in fields))
        return [of_fields[key] for key in keys if key in of_fields]


class Events:
    """Events in chronological order, looked up by kind, time and named objects.

    Filters are fields of `Event`: ``host``, ``ag``, ``other``, ``before``, ``after``. An event without a
    group is found with every group.
    """

    def __init__(self, found: Iterable[Event]) -> None:
        self._kinds: dict[str, _Kind] = {}
        self._lasting: dict[str, dict[str, Stretches[Event]]] = {}
        self._states: dict[str, Events] = {}
        self.hosts: set[str] = set()
        """Hosts with captures written by SQL Server."""
        self.tells_health = False
        """Whether the captures contain the cluster's health checks: its log, or their input."""
        for one in sorted(found, key=lambda one: one.at):
            self._kinds.setdefault(one.kind, _Kind()).rows.append(one)
            self.hosts.update(w["host_id"] for w in one.witnesses if w["source"] in _OF_SERVER)
            self.tells_health |= one.kind in _OF_HEALTH or any(
                w["source"] == "cluster log" for w in one.witnesses
            )

    def find(self, kinds: Collection[str], since: float, until: float, **asked: str | None) -> list[Event]:
        """Return the events of some kinds in a window, in order; None matches anything."""
        found: list[Event] = []
        for kind in kinds:
            places: list[int] = []
            for own in self._named(kind, asked):
                places += own.between(since, until)
            found += [self._kinds[kind].rows[place] for place in sorted(places)]
        return sorted(found, key=lambda one: one.at)

    def first(self, kind: str, since: float, until: float, **asked: str) -> Event | None:
        """Return the first event of a kind in a window."""
        found = []
        for own in self._named(kind, asked):
            found += own.first(since, until)
        return self._kinds[kind].rows[min(found)] if found else None

    def last(self, kind: str, since: float, until: float, **asked: str) -> Event | None:
        """Return the last event of a kind in a window."""
        found = []
        for own in self._named(kind, asked):
            found += own.last(since, until)
        return self._kinds[kind].rows[max(found)] if found else None

    def lasting(self, kind: str, since: float, until: float, host: str) -> list[Event]:
        """Return events of a kind and host that start by ``until`` and last until ``since``."""
        if kind not in self._lasting:
            hosts: dict[str, list[tuple[float, float, Event]]] = defaultdict(list)
            for one in self._kinds[kind].rows if kind in self._kinds else ():
                hosts[one.host].append((one.at, one.until or one.at, one))
            self._lasting[kind] = {name: Stretches(found) for name, found in hosts.items()}
        own = self._lasting[kind].get(host)
        return own.touching(since, until) if own else []

    def of(self, kind: str, ag: str) -> list[Event]:
        """Return all events of a kind that name a group."""
        return [one for one in self.find((kind,), -inf, inf, ag=ag) if one.ag is not None]

    def states(self, ag: str) -> Events:
        """Return the changes of the states of a group's replicas."""
        if ag not in self._states:
            self._states[ag] = Events(self.of(STATE, ag))
        return self._states[ag]

    @cached_property
    def movers(self) -> set[str]:
        """Return the hosts whose cluster log records groups that are moved or brought online."""
        return {
            witness["host_id"]
            for kind in ("resource_online", "group_moved")
            for one in self.find((kind,), -inf, inf)
            for witness in one.witnesses
            if witness["source"] == "cluster log"
        }

    def _named(self, kind: str, asked: Mapping[str, str | None]) -> list[Instants[int]]:
        if kind not in self._kinds:
            return []
        return self._kinds[kind].named({k: v for k, v in asked.items() if v is not None})
