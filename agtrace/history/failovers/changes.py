"""When a group got a primary although it had one before, and since when that one was lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agtrace.history.failovers.event import PRIMARY, SECONDARY, Event, Events

LOOK_BACK_S = 60.0
"""What was seen so long before the other replicas noted the loss still belongs to it."""

SOON_S = 60.0
"""A replica may follow the new primary, by the letters of the logs, so long before that one says it is in
place: it writes late, or the skew between their clocks is not known."""

HEARTBEATS_S = 20.0
"""Heartbeats are missed so long before a node is given up at most."""

CONNECTIONS = (
    "connected", "connection_timeout", "connection_failed", "database_connected", "database_disconnected",
)  # fmt: skip
LOSS_OF_PRIMARY = (
    "stop_requested", "system_shutdown", "process_exit", "lease_expired", "lease_lost", "lease_no_signal",
    "lease_stopped", "lease_not_valid", "not_alive", "server_died", "health_timeout", "health_error", "node_offline",
    "quorum_lost", "node_removed", "node_left", "database_failed", "service_died",
)  # fmt: skip
"""What, happening to the primary, tells that it is being lost."""


@dataclass(frozen=True, eq=False)
class Change:
    """A change of primary.

    Parameters
    ----------
    old
        Host that was primary; empty where nothing names it.
    start
        When it was lost.
    first
        What tells so.
    departure
        The old primary's own word that it is none any more; it may come late.
    is_exact
        Whether the entry of the new primary was seen, not only that the old one follows another.
    """

    ag: str
    old: str
    new: str
    start: float
    end: float
    first: Event
    entry: Event
    departure: Event | None
    is_exact: bool = True

    @property
    def is_silent(self) -> bool:
        """Whether the old primary says nothing of its end before the new one is in place."""
        return self.departure is None or self.departure.at > self.end


Gaps = Mapping[str, Sequence[tuple[float, float]]]
"""What the logs of each host leave out, on the common clock."""


def changes(
    ag: str, states: list[Event], events: Events, left_out: Gaps | None = None
) -> Iterator[Change]:
    """Tell the changes of a group's primary.

    Parameters
    ----------
    states
        Changes of the states of its replicas, in order of time.
    left_out
        What a collector left out of logs: who was primary before that may be none behind it.
    """
    primary: str | None = None
    since = float("-inf")
    captured = {one.host for one in states}
    for one in states:
        gap = (
            _unseen_end(primary, since, one.at, states, left_out) if primary and left_out else None
        )
        if gap is not None:
            primary, since = None, gap
        if one.before == SECONDARY and primary is None:
            primary = _followed(one.host, one.at, events) or ""
        if one.before == PRIMARY and primary is None:
            primary = one.host
        if gap is not None and primary is None:
            # Somebody was primary, and nothing tells who.
            primary = ""
        if one.after == SECONDARY and primary in (None, one.host):
            # Whoever follows, follows somebody.
            leader = _follows(one, events)
            if leader in ("", *captured) and _takes_over_soon(one, leader, events):
                continue
            if primary == one.host and leader not in captured:
                yield _unseen(ag, one, leader, since, states, events)
            primary, since = leader, one.at
        if one.after == PRIMARY:
            if primary is not None and not (
                primary == one.host and _was_restarted(one, since, states, events)
            ):
                yield _change(ag, primary, one, since, states, events)
            primary, since = one.host, one.at


def _unseen_end(
    primary: str, since: float, until: float, states: list[Event], left_out: Gaps
) -> float | None:
    """Give the end of what the primary's log leaves out since it became it; None where it is seen through.

    A secondary that stays one, and whose own log is whole, has the same primary all the while.
    """
    for begin, end in left_out.get(primary, ()):
        if begin < since or end > until or _is_seen_through(primary, begin, end, states, left_out):
            continue
        return end
    return None


def _is_seen_through(
    primary: str, begin: float, end: float, states: list[Event], left_out: Gaps
) -> bool:
    last: dict[str, Event] = {}
    for one in states:
        if one.at <= begin:
            last[one.host] = one
        elif one.at < end:
            last.pop(one.host, None)
    return any(
        one.after == SECONDARY
        and host != primary
        and not any(a < end and b > begin for a, b in left_out.get(host, ()))
        for host, one in last.items()
    )


def _followed(host: str, at: float, events: Events) -> str | None:
    """Give the host that a secondary was connected to last: it has no connection but to its primary."""
    named = [e for e in events.find(CONNECTIONS, at - 600, at + 5, host=host) if e.other]
    return named[-1].other if named else None


def _follows(one: Event, events: Events) -> str:
    """Give the host that a replica connects to when it has become a secondary."""
    named = events.find(
        ("connected", "database_connected"), one.at, one.at + 120, host=one.host, ag=one.ag
    )
    return next((e.other for e in named if e.other), "")


def _takes_over_soon(one: Event, leader: str, events: Events) -> bool:
    """Tell whether whom a replica follows says a little later that it is in place: anybody, where none is named."""
    return any(
        s.after == PRIMARY and s.host != one.host and leader in ("", s.host)
        for s in events.find(("replica_state",), one.at, one.at + SOON_S, ag=one.ag)
    )


def _was_restarted(one: Event, since: float, states: list[Event], events: Events) -> bool:
    """Tell whether an entry is the first online after the start of its instance."""
    began = [
        s
        for s in states
        if s.host == one.host and since < s.at <= one.at and s.before == "NOT_AVAILABLE"
    ]
    return bool(began or events.find(("ready",), since, one.at, host=one.host))


def _change(
    ag: str, old: str, entry: Event, since: float, states: list[Event], events: Events
) -> Change:
    later = [s.at for s in states if s.host == old and s.after == PRIMARY and s.at > entry.at]
    # Nothing of the old primary belongs to this loss once it has started again.
    again = [e.at for e in events.of("ready") if e.host == old and e.at > entry.at]
    until = entry.at if old == entry.host else min([*later, *again, float("inf")])
    departures = [
        s for s in states if s.host == old and s.before == PRIMARY and since <= s.at <= until
    ]
    departure = departures[-1] if old == entry.host and departures else next(iter(departures), None)
    if departure is not None and departure.at <= entry.at:
        return Change(ag, old, entry.host, departure.at, entry.at, departure, entry, departure)
    first = first_witness(ag, old, entry, since, states, events)
    return Change(ag, old, entry.host, min(first.at, entry.at), entry.at, first, entry, departure)


def first_witness(
    ag: str, old: str, entry: Event, since: float, states: list[Event], events: Events
) -> Event:
    """Give what tells first that a primary is lost which is silent itself."""
    resolving: dict[str, Event] = {}
    for one in states:
        if one.at > entry.at or one.at < since:
            continue
        if one.before == SECONDARY and one.host != old:
            resolving[one.host] = one
        elif one.after == SECONDARY:
            resolving.pop(one.host, None)
    seen = list(resolving.values()) or [entry]
    earliest = min(one.at for one in seen)
    lo = max(since, earliest - LOOK_BACK_S)
    fine = events.find(("connected",), lo, entry.at, ag=ag)
    lo = max([lo, *(e.at for e in fine if e.at <= earliest)])
    if old:
        seen += events.find(LOSS_OF_PRIMARY, lo, entry.at, host=old, ag=ag)
        seen += [
            e
            for e in events.find(("resource_state",), lo, entry.at, host=old, ag=ag)
            if e.after in ("Failed", "OfflinePending", "Offline")
        ]
        timeouts = ("connection_timeout", "database_disconnected")
        seen += events.find(timeouts, lo, entry.at, ag=ag, other=old)
    seen += events.find(("resource_offline", "nodes_down"), lo, entry.at, ag=ag)
    if any(one.kind in ("nodes_down", "node_removed", "node_left") for one in seen):
        # A node that went down was silent before the cluster gave it up.
        missed = events.find(("heartbeats_missed",), max(lo, earliest - HEARTBEATS_S), entry.at)
        seen += [one for one in missed if one.host and one.host != old]
    return min(seen, key=lambda one: one.at)


def _unseen(
    ag: str, one: Event, leader: str, since: float, states: list[Event], events: Events
) -> Change:
    """Give a change that only the old primary tells: it became a secondary of somebody."""
    own = [s for s in states if s.host == one.host and since <= s.at <= one.at]
    departure = next((s for s in reversed(own) if s.before == PRIMARY), None)
    # Without a word it went with its instance.
    ended = [e for e in events.of("restart") if e.host == one.host and since < e.at <= one.at]
    first = departure or next(iter(ended), one)
    return Change(ag, one.host, leader, first.at, one.at, first, one, departure, is_exact=False)
