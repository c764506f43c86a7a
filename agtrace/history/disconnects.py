"""Times without a connection between two replicas, as each end wrote them, and of both ends as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Generic, Protocol, TypeVar

from agtrace.resolve.names import host_name

LOST = ("connection_timeout", "database_disconnected")
BACK = ("connected", "database_connected")
STOPPED = ("stop_requested", "system_shutdown")
KINDS = (*LOST, *STOPPED, *BACK)
EVENTS = "Extended Events"
NEAR = timedelta(seconds=60)
"""Two ends log the loss of one connection at most this far apart."""
Stop = Callable[[str, datetime, datetime], datetime | None]
"""Returns the first gap in the log of a host within a span."""


class Noted(Protocol):
    """A record of the timeline."""

    @property
    def time(self) -> datetime:
        """When it was noted."""

    @property
    def kind(self) -> str:
        """Kind of the event."""

    @property
    def host_id(self) -> str | None:
        """The end that noted it."""

    @property
    def replica(self) -> str | None:
        """The other end."""

    @property
    def ag(self) -> str | None:
        """Group, if named in the entry."""

    @property
    def database(self) -> str | None:
        """Database, if named in the entry."""

    @property
    def sources(self) -> list[str]:
        """Kinds of captures that show it."""


N = TypeVar("N", bound=Noted)


@dataclass
class Stretch(Generic[N]):
    """A time without a connection, from the entries of one end or both.

    Parameters
    ----------
    database
        The only database whose connection was terminated, if the replica itself was not lost.
    other_ends
        The first entries of the other end about the same loss.
    """

    ag: str
    host: str
    replica: str
    start: datetime
    lost: list[N] = field(default_factory=list)
    back: N | None = None
    stop: datetime | None = None
    """Time of the first gap in the log before the end, or of the shutdown of an end (`is_stopped`)."""
    is_stopped: bool = False
    """Whether an end was stopped on request, long after the connection of a database had ended: the replicas
    were disconnected only then."""
    other_ends: list[N] = field(default_factory=list)

    @property
    def far(self) -> str:
        """Host of the other end."""
        return host_name(self.replica) or self.replica

    @property
    def end(self) -> datetime | None:
        """When it was connected again."""
        return self.back.time if self.back else None

    @property
    def seconds(self) -> float | None:
        return (self.back.time - self.start).total_seconds() if self.back else None

    @property
    def least(self) -> float | None:
        """Least duration in seconds, if a gap in the log hides the end."""
        return (self.stop - self.start).total_seconds() if self.stop else None

    @property
    def database(self) -> str | None:
        # Replicas that connect again (35202) were disconnected, whether a timeout was logged or not.
        if self.back and self.back.kind == "connected":
            return None
        if any(row.kind == "connection_timeout" for row in [*self.lost, *self.other_ends]):
            return None
        return next((row.database for row in self.lost if row.database), None)


def stretches(told: Sequence[N], left_out: Stop) -> list[Stretch[N]]:
    """Return each pair's times without a connection, as each end logged them, in time order.

    Parameters
    ----------
    told
        Rows of the timeline, in chronological order.
    """
    ags = _groups_of_pairs(told)
    open_: dict[tuple[str, str], Stretch[N]] = {}
    found = []
    events = (row for row in told if row.kind in KINDS)
    for event in sorted(events, key=lambda row: (row.time, KINDS.index(row.kind))):
        if event.kind in STOPPED:
            _end_by_stop(open_, event)
            continue
        if not event.host_id or not event.replica:
            continue
        pair = (event.host_id, event.replica)
        if pair in open_ and (stop := _stop(open_[pair], event, left_out)):
            open_.pop(pair).stop = stop
        if event.kind in LOST:
            if pair not in open_:
                ag = event.ag or ags.get(pair, "")
                open_[pair] = Stretch(ag, *pair, event.time)
                found.append(open_[pair])
            open_[pair].lost.append(event)
        elif pair in open_:
            open_.pop(pair).back = event
    for one in open_.values():
        one.stop = _stop(one, None, left_out)
    return found


def _end_by_stop(open_: dict[tuple[str, str], Stretch[N]], event: N) -> None:
    """End losses of single databases when an end is stopped; other losses that it explains continue."""
    for pair, one in list(open_.items()):
        is_of_database = all(row.kind == "database_disconnected" for row in one.lost)
        if is_of_database and event.host_id in (one.host, one.far) and event.time - one.start > NEAR:
            one.stop, one.is_stopped = event.time, True
            del open_[pair]


def merged(found: list[Stretch[N]]) -> list[Stretch[N]]:
    """Merge the entries of both ends about one loss; the end that logged it first counts."""
    kept: list[Stretch[N]] = []
    # Of each pair of hosts the last of each group: instances of two hosts lose each other by themselves.
    last: dict[tuple[str, str], dict[str, Stretch[N]]] = defaultdict(dict)
    for one in sorted(found, key=lambda each: each.start):
        theirs = [each for each in last[one.far, one.host].values() if one.ag in ("", each.ag) or not each.ag]
        other = max(theirs, key=lambda each: each.start, default=None)
        if other is not None and _is_same(other, one):
            other.other_ends.append(one.lost[0])
            if other.back is None or (
                # An interval that starts after the reconnection does not extend the one before.
                one.back and one.start <= other.back.time < one.back.time
            ):
                other.back, other.stop = (one.back or other.back, one.stop if one.back is None else None)
            continue
        kept.append(one)
        last[one.host, one.far][one.ag] = one
    return kept


def _is_same(first: Stretch[N], second: Stretch[N]) -> bool:
    until = first.back.time if first.back else first.stop
    if second.start - first.start <= NEAR:
        return True
    return until is None or second.start <= until


def _stop(one: Stretch[N], event: N | None, left_out: Stop) -> datetime | None:
    """Return when the log has a gap between a loss and the pair's next event, if there is one.

    Events of a session on both sides of the gap are not affected.
    """
    if EVENTS in one.lost[-1].sources and (event is None or EVENTS in event.sources):
        return None
    lost, until = one.lost[-1].time, event.time if event else datetime.max.replace(tzinfo=UTC)
    return left_out(one.host, lost, until)


def _groups_of_pairs(told: Sequence[Noted]) -> dict[tuple[str, str], str]:
    """Return the group of each connection: 35206 does not name it, 35202 does."""
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    of_host: dict[str, set[str]] = defaultdict(set)
    for event in told:
        if event.ag and event.host_id:
            of_host[event.host_id].add(event.ag)
            if event.replica:
                named[event.host_id, event.replica].add(event.ag)
    pairs = {(e.host_id, e.replica) for e in told if e.kind in KINDS and e.host_id and e.replica}
    found = {}
    for pair in pairs:
        own = named.get(pair) or of_host.get(pair[0], set())
        if len(own) == 1:
            (found[pair],) = own
    return found
