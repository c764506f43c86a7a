"""Changes of a group's primary that only the cluster tells: nothing that SQL Server wrote on the new primary is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from agtrace.history.failovers.changes import Change, first_witness
from agtrace.history.failovers.event import Event, Events

ONLINE_S = 900.0
"""A group that was moved is online so long after it at most: bringing it online may be tried again."""

SAME_S = 120.0
"""Moves of a group that are nearer to each other than this, and have no time online between them, are one."""

NEAR_S = 5.0
"""So far apart two files may tell that a group came online: what skew leaves, and the order in which they write."""


def moves(
    ag: str, states: list[Event], changes: Collection[Change], events: Events
) -> Iterator[Change]:
    """Tell the changes of a group's primary that the cluster logs tell, and no replica of it.

    Parameters
    ----------
    states
        Changes of the states of its replicas, in order of time.
    changes
        The changes that these tell.
    """
    told = {one.host for one in states}
    moved = list(_moved(ag, told, changes, events))
    yield from moved
    yield from _unmoved(ag, told, [*changes, *moved], events)


def _moved(
    ag: str, told: Collection[str], changes: Collection[Change], events: Events
) -> Iterator[Change]:
    """Tell the changes whose move a cluster log tells: that of the node that decided it."""
    logs = {
        witness["host_id"]
        for one in (*events.of("resource_online"), *events.of("group_moved"))
        for witness in one.witnesses
        if witness["source"] == "cluster log"
    }
    moved = [one for one in events.of("group_moved") if one.ag == ag and one.other]
    for place, move in enumerate(moved):
        following = next((later.at for later in moved[place + 1 :]), float("inf"))
        target = move.other or ""
        if target in told or any(_is_same(move, one) for one in changes):
            continue
        entry = _online(ag, target, move.at, min(move.at + ONLINE_S, following), events)
        if entry is None and (target in logs or following - move.at <= SAME_S):
            continue  # It did not come online there.
        since = max((one.at for one in moved[:place]), default=float("-inf"))
        end, old = entry or move, _owner(move, moved[:place])
        first = min(move, first_witness(ag, old, end, since, [], events), key=lambda e: e.at)
        yield Change(ag, old, target, first.at, end.at, first, end, None, entry is not None)


def _unmoved(
    ag: str, told: Collection[str], changes: Collection[Change], events: Events
) -> Iterator[Change]:
    """Tell the changes that another node decided, whose log is not there: offline on one node, then online on another."""
    seen = events.find(("resource_left", "resource_online"), float("-inf"), float("inf"))
    own = [one for one in seen if one.ag == ag]
    for before, entry in pairwise(own):
        if before.kind != "resource_left" or entry.kind != "resource_online":
            continue
        if before.host == entry.host or entry.host in told or entry.at - before.at > ONLINE_S:
            continue
        if any(one.start - NEAR_S <= entry.at <= one.end + NEAR_S for one in changes):
            continue
        first = first_witness(ag, before.host, entry, before.at - SAME_S, [], events)
        first = min(before, first, key=lambda one: one.at)
        yield Change(ag, before.host, entry.host, first.at, entry.at, first, entry, None)


def _online(ag: str, host: str, since: float, until: float, events: Events) -> Event | None:
    """Give the moment at which the cluster brought a group online on a host."""
    online = events.find(("resource_online",), since, until, host=host, ag=ag)
    return next(iter(online), None)


def _owner(move: Event, before: list[Event]) -> str:
    """Give whom a group was moved from: of a node that is gone the cluster may name the new owner for the old one."""
    if move.after != "NodeDown" or move.host != move.other:
        return move.host
    last = before[-1].other if before else None
    return last if last and last != move.other else ""


def _is_same(move: Event, change: Change) -> bool:
    return change.start - SAME_S <= move.at <= change.end + SAME_S
