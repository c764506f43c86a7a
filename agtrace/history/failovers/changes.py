"""When a group got a primary although it had one before, and since when that one was lost."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf, nextafter

from agtrace.history.failovers.event import PRIMARY, SECONDARY, STATE, Event, Events
from agtrace.history.failovers.left_out import LeftOut

LOOK_BACK_S = 60.0
"""Events this long before the other replicas logged the loss still belong to it."""

SOON_S = 60.0
"""By the logs, a replica may follow the new primary this long before the latter reports being in place: it
writes late, or the skew between their clocks is unknown."""

LATE_S = 1.0
"""A lease that had expired for longer than this was logged late."""

HEARTBEATS_S = 20.0
"""Heartbeats are missed at most this long before a node is removed."""

WAKES_S = 60.0
"""A primary that did not run logs the loss of its role this soon after it continues."""

FOLLOWS_S = 120.0
"""A replica connects to its primary this soon after it has become a secondary."""

EDGE_S = 1.0
"""Entries this shortly before a standstill ends come from the process that resumes first."""

CONNECTIONS = (
    "connected",
    "connection_timeout",
    "connection_failed",
    "database_connected",
    "database_disconnected",
)
LOSS_OF_PRIMARY = (
    "stop_requested", "system_shutdown", "process_exit", "lease_expired", "lease_lost", "lease_no_signal",
    "lease_stopped", "lease_not_valid", "not_alive", "server_died", "health_timeout", "health_error",
    "node_offline",
    "quorum_lost", "node_removed", "node_left", "fenced", "database_failed", "service_died",
)  # fmt: skip
"""Events on the primary that show that it is being lost."""


@dataclass(frozen=True, eq=False)
class Change:
    """A change of primary.

    Parameters
    ----------
    old
        Host that was primary; empty if unknown.
    start
        Time at which the old primary was lost.
    first
        The first event that shows the loss.
    departure
        The old primary's own entry that it lost the role; it may be late.
    is_exact
        Whether the entry of the new primary was captured, not only that the old one follows another.
    by_follower
        Whether only a replica that follows the new primary shows it.
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
    by_follower: bool = False

    @property
    def is_silent(self) -> bool:
        """Return whether the old primary logged nothing about its end before the new one is in place."""
        return self.departure is None or self.departure.at > self.end


def changes(ag: str, events: Events, left_out: LeftOut) -> Iterator[Change]:
    """Yield the changes of a group's primary.

    Parameters
    ----------
    left_out
        Gaps that collectors left in logs: a primary before a gap may not be the primary after it.
    """
    primary: str | None = None
    since = looked = -inf
    asked: tuple[str | None, float] = primary, since
    states = events.of(STATE, ag)
    captured = {one.host for one in states}
    own = events.states(ag)
    for one in states:
        gap = None
        if primary:
            looked = looked if asked == (primary, since) else since
            gap = left_out.unseen_end(primary, since, looked, one.at, own, captured)
            asked, looked = (primary, since), one.at
        if gap is not None:
            primary, since, asked = None, gap, (None, gap)
        if one.before == SECONDARY and primary is None:
            primary = _followed(one.host, one.at, events) or ""
        if one.before == PRIMARY and not primary:
            primary = one.host
        if gap is not None and primary is None:
            # There was a primary, but its name is unknown.
            primary = ""
        if one.after == SECONDARY and primary in (None, one.host):
            # A follower implies a leader.
            leader = _follows(one, events)
            if (not leader or leader in captured) and _takes_over_soon(one, leader, events):
                continue
            if primary == one.host and leader not in captured:
                yield _unseen(ag, one, leader, since, own, events)
            primary, since = leader, one.at
        elif one.after == SECONDARY and primary:
            leader = _leads_now(one, primary, captured, events)
            if leader and _may_have_left(primary, since, one.at, own, captured, events):
                yield _followed_on(ag, primary, one, leader, since, own, events)
                primary, since = leader, one.at
        if one.after == PRIMARY:
            if primary is not None and not (primary == one.host and _was_restarted(one, since, own, events)):
                yield _change(ag, primary, one, since, own, events)
            primary, since = one.host, one.at


def _followed(host: str, at: float, events: Events) -> str | None:
    """Return the host that a secondary was last connected to: only ever its primary."""
    named = [e for e in events.find(CONNECTIONS, at - 600, at + 5, host=host) if e.other]
    return named[-1].other if named else None


def _follows(one: Event, events: Events) -> str:
    """Return the host that a replica connects to after becoming a secondary."""
    named = events.find(
        ("connected", "database_connected"), one.at, one.at + FOLLOWS_S, host=one.host, ag=one.ag
    )
    return next((e.other for e in named if e.other), "")


def _leads_now(one: Event, primary: str, captured: Collection[str], events: Events) -> str:
    """Return the host that a replica follows after another one was primary; "" if its log was captured.

    Only connections that name the group count: other groups of the host have their own primaries.
    """
    named = events.find(("connected",), one.at, one.at + FOLLOWS_S, host=one.host, ag=one.ag)
    leader = next((e.other for e in named if e.other and e.ag), "") or ""
    return "" if leader in (primary, one.host) or leader in captured else leader


def _may_have_left(
    primary: str, since: float, until: float, states: Events, captured: Collection[str], events: Events
) -> bool:
    """Return whether a host may have stopped being primary: it left its role, ended, or was not captured."""
    if primary not in captured:
        return True
    left = states.first(STATE, since, until, host=primary, before=PRIMARY)
    return left is not None or events.first("restart", nextafter(since, inf), until, host=primary) is not None


def _takes_over_soon(one: Event, leader: str, events: Events) -> bool:
    """Return whether the host that a replica follows soon becomes primary: any host, if none is named."""
    return any(
        s.after == PRIMARY and s.host != one.host and leader in ("", s.host)
        for s in events.find(("replica_state",), one.at, one.at + SOON_S, ag=one.ag)
    )


def _was_restarted(one: Event, since: float, states: Events, events: Events) -> bool:
    """Return whether an entry is the first online after the start of its instance."""
    behind = nextafter(since, inf)
    began = states.first(STATE, behind, one.at, host=one.host, before="NOT_AVAILABLE")
    return began is not None or events.first("ready", since, one.at, host=one.host) is not None


def _change(ag: str, old: str, entry: Event, since: float, states: Events, events: Events) -> Change:
    until = entry.at
    if old != entry.host:
        # Events of the old primary after its restart do not belong to this loss.
        behind = nextafter(entry.at, inf)
        later = states.first(STATE, behind, inf, host=old, after=PRIMARY)
        again = events.first("ready", behind, inf, host=old)
        until = min((one.at for one in (later, again) if one is not None), default=inf)
    pick = states.last if old == entry.host else states.first
    departure = pick(STATE, since, until, host=old, before=PRIMARY)
    if departure is not None and departure.at <= entry.at:
        return Change(ag, old, entry.host, departure.at, entry.at, departure, entry, departure)
    first = first_witness(ag, old, entry, since, states, events)
    return Change(ag, old, entry.host, min(first.at, entry.at), entry.at, first, entry, departure)


def first_witness(ag: str, old: str, entry: Event, since: float, states: Events, events: Events) -> Event:
    """Return the first evidence that a silent primary was lost."""
    resolving: dict[str, Event] = {}
    for one in states.find((STATE,), since, entry.at):
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
        # A node that went down stopped sending heartbeats before the cluster removed it.
        missed = events.find(("heartbeats_missed",), max(lo, earliest - HEARTBEATS_S), entry.at)
        seen += [one for one in missed if one.host and one.host != old]
    return min(seen, key=lambda one: one.at)


def _unseen(ag: str, one: Event, leader: str, since: float, states: Events, events: Events) -> Change:
    """Return a change that only the old primary shows: it became a secondary of another."""
    departure = states.last(STATE, since, one.at, host=one.host, before=PRIMARY)
    # Without an entry of its own, the role ended with its instance.
    ended = events.first("restart", nextafter(since, inf), one.at, host=one.host)
    first = departure or ended or one
    # A host that did not run logs late: others may have logged the event in time, and the primary was gone
    # meanwhile.
    for still in events.lasting("standstill", first.at - WAKES_S, first.at, one.host):
        woke = (still.until or still.at) - EDGE_S
        seen = events.find(LOSS_OF_PRIMARY, max(still.at, since), woke, host=one.host, ag=ag)
        first = min([first, *(seen or [still])], key=lambda each: each.at)
    late = _ran_out(ag, departure, since, events) if departure else None
    shown = _shown_by_others(ag, one.host, since, first.at, states, events)
    begun = (_silent_since(first), first)
    start, first = min([begun, *([late] if late else []), *shown], key=lambda each: each[0])
    return Change(ag, one.host, leader, start, one.at, first, one, departure, is_exact=False)


def _followed_on(
    ag: str, old: str, one: Event, leader: str, since: float, states: Events, events: Events
) -> Change:
    """Return a change shown only by another secondary that follows a new primary."""
    departure = states.last(STATE, since, one.at, host=old, before=PRIMARY)
    first = departure or first_witness(ag, old, one, since, states, events)
    return Change(ag, old, leader, min(first.at, one.at), one.at, first, one, departure, False, True)


def _silent_since(first: Event) -> float:
    """Return when a primary was certainly lost; after a standstill, the latest start of its silence."""
    if first.kind != "standstill" or first.until is None or not first.value:
        return first.at
    return max(first.at, first.until - first.value)


def _shown_by_others(
    ag: str, old: str, since: float, until: float, states: Events, events: Events
) -> Iterator[tuple[float, Event]]:
    """Yield when a primary that logged it late was lost: its group moved, or a replica followed another."""
    behind = nextafter(since, inf)
    for move in events.find(("group_moved",), behind, until, ag=ag):
        if move.ag == ag and move.other not in (None, old):
            yield move.at, move
            break
    for other in states.find((STATE,), behind, until):
        if other.host == old or other.after != SECONDARY or _follows(other, events) in ("", old):
            continue
        left = states.last(STATE, since, other.at, host=other.host, before=SECONDARY) or other
        yield left.at, left
        break


def _ran_out(ag: str, departure: Event, since: float, events: Events) -> tuple[float, Event] | None:
    """Return when the lease of a departing primary had expired, if it logged both late."""
    near = events.find(
        ("lease_expired",), departure.at - SOON_S, departure.at + 5, host=departure.host, ag=ag
    )
    told = [(one.at - one.value, one) for one in near if one.value and one.value >= LATE_S]
    return next((found for found in told if found[0] > since), None)
