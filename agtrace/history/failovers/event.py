"""Rows of the timeline around changes of state, and how they are looked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from agtrace.resolve.replicas import HostNames

_OF_SERVER = ("ERRORLOG", "Extended Events")
_OF_HEALTH = ("component_state", "resource_state")
PRIMARY, SECONDARY = "PRIMARY_NORMAL", "SECONDARY_NORMAL"


@dataclass(frozen=True, eq=False)
class Event:
    """A row of the timeline.

    Parameters
    ----------
    at
        Seconds since 1970 on the common clock.
    until
        The same of its end, where it lasts.
    other
        Host of the replica that it names.
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
    witnesses: tuple[dict[str, Any], ...]
    value: float | None = None


def event(row: dict[str, Any], names: HostNames) -> Event:
    """Make an event of a row."""
    return Event(
        row["time"].timestamp(),
        _seconds(row["end"]),
        row["host_id"] or "",
        row["ag"],
        row["kind"],
        row["before"],
        row["after"],
        names.host_id(row["replica"]) if row["replica"] else None,
        row["text"] or "",
        row["skew_ms"] or 0.0,
        tuple(row["witnesses"] or ()),
        row["value"],
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


class Events:
    """Events in order of time, looked up by kind."""

    def __init__(self, found: Iterable[Event]) -> None:
        self._by_kind: dict[str, list[Event]] = defaultdict(list)
        self.hosts: set[str] = set()
        """Hosts of which something was captured that SQL Server wrote."""
        self.tells_health = False
        """Whether captures tell the cluster's health checks: its log, or what they were given."""
        for one in sorted(found, key=lambda one: one.at):
            self._by_kind[one.kind].append(one)
            self.hosts.update(w["host_id"] for w in one.witnesses if w["source"] in _OF_SERVER)
            self.tells_health |= one.kind in _OF_HEALTH or any(
                w["source"] == "cluster log" for w in one.witnesses
            )
        self._at = {kind: [one.at for one in rows] for kind, rows in self._by_kind.items()}

    def of(self, kind: str) -> list[Event]:
        """Give all events of a kind."""
        return self._by_kind.get(kind, [])

    def later(self, kind: str, since: float) -> Iterator[Event]:
        """Give the events of a kind after a moment, in order."""
        rows = self.of(kind)
        return islice(rows, bisect_right(self._at.get(kind, []), since), None)

    def find(
        self,
        kinds: Collection[str],
        since: float,
        until: float,
        *,
        host: str | None = None,
        ag: str | None = None,
        other: str | None = None,
    ) -> list[Event]:
        """Give the events of some kinds in a stretch of time, in order.

        Parameters
        ----------
        host
            Those of one host.
        ag
            Those that name this group or none.
        other
            Those that name this host as the other one.
        """
        found = []
        for kind in kinds:
            at = self._at.get(kind)
            if at is None:
                continue
            rows = self._by_kind[kind]
            found += rows[bisect_left(at, since) : bisect_right(at, until)]
        return sorted(
            (
                one
                for one in found
                if (host is None or one.host == host)
                and (ag is None or one.ag is None or one.ag == ag)
                and (other is None or one.other == other)
            ),
            key=lambda one: one.at,
        )
