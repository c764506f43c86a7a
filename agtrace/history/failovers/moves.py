"""Changes of a group's primary recorded only by the cluster, not by SQL Server on the new primary."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from math import inf

from agtrace.history.failovers.changes import Change, first_witness
from agtrace.history.failovers.event import STATE, Event, Events
from agtrace.history.timed import Stretches

ONLINE_S = 900.0
"""A moved group is online at most this long after the move: bringing it online may be retried."""

SAME_S = 120.0
"""Moves of a group that are nearer to each other than this, and have no time online between them, are one."""

NEAR_S = 5.0
"""Two files may record the same group coming online this far apart, given skew and the order of writing."""

NOTHING = Events(())


def moves(ag: str, changes: Collection[Change], events: Events) -> Iterator[Change]:
    """Yield the changes of a group's primary that only the cluster logs show.

    Parameters
    ----------
    changes
        The changes recorded by its replicas.
    """
    told = {one.host for one in events.of(STATE, ag)}
    moved = list(_moved(ag, told, changes, events))
    yield from moved
    yield from _unmoved(ag, told, [*changes, *moved], events)


def _moved(ag: str, told: Collection[str], changes: Collection[Change], events: Events) -> Iterator[Change]:
    """Yield the moves that a cluster log shows: that of the node that decided them."""
    known = spans_of(changes)
    moved = [one for one in events.of("group_moved", ag) if one.other]
    for last, move, following in zip([None, *moved], moved, [*moved[1:], None], strict=False):
        until = following.at if following else inf
        target = move.other or ""
        if target in told or known.touching(move.at - SAME_S, move.at + SAME_S):
            continue
        entry = _online(ag, target, move.at, min(move.at + ONLINE_S, until), events)
        if entry is None and (target in events.movers or until - move.at <= SAME_S):
            continue  # It did not come online there.
        since = last.at if last else -inf
        end, old = entry or move, _owner(move, last)
        first = first_witness(ag, old, end, since, NOTHING, events)
        first = min(move, first, key=lambda e: e.at)
        yield Change(ag, old, target, first.at, end.at, first, end, None, entry is not None)


def _unmoved(ag: str, told: Collection[str], changes: Collection[Change], events: Events) -> Iterator[Change]:
    """Yield moves decided by a node without a log: offline on one node, then online on another."""
    known = spans_of(changes)
    own = [one for one in events.find(("resource_left", "resource_online"), -inf, inf, ag=ag) if one.ag == ag]
    for before, entry in pairwise(own):
        if before.kind != "resource_left" or entry.kind != "resource_online":
            continue
        if before.host == entry.host or entry.host in told or entry.at - before.at > ONLINE_S:
            continue
        if known.touching(entry.at - NEAR_S, entry.at + NEAR_S):
            continue
        first = first_witness(ag, before.host, entry, before.at - SAME_S, NOTHING, events)
        first = min(before, first, key=lambda one: one.at)
        yield Change(ag, before.host, entry.host, first.at, entry.at, first, entry, None)


def spans_of(changes: Collection[Change]) -> Stretches[Change]:
    """Return the spans of changes, indexed by time."""
    return Stretches((one.start, one.end, one) for one in changes)


def _online(ag: str, host: str, since: float, until: float, events: Events) -> Event | None:
    """Return the moment at which the cluster brought a group online on a host."""
    return events.first("resource_online", since, until, host=host, ag=ag)


def _owner(move: Event, before: Event | None) -> str:
    """Return the previous owner; for a node that is gone the cluster may name the new one."""
    if move.after != "NodeDown" or move.host != move.other:
        return move.host
    last = before.other if before else None
    return last if last and last != move.other else ""
