"""What a primary that stood still tells of its failover: it notes late, or never, what happened meanwhile."""

from __future__ import annotations

from math import inf

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import Event, Events
from agtrace.history.failovers.verdict import SLACK_S, Verdict

KIND = "standstill"
PAUSED = "machine paused"

LATE_S = 86_400.0
"""A lease that had run out is noted so late at most: longer than that its server was not paused."""

EDGE_S = 15.0
"""The session of a replica times out, and the cluster misses heartbeats, so long after the host stopped at
least.
"""

EDGE_AWAKE_S = 1.0
"""What is written so shortly before a host goes on is written by whoever wakes first."""

WOKE_S = 60.0
"""A primary that stood still notes what it lost so soon after it goes on."""

STARVED = "its processors were busy before: starved to a standstill stays possible"
WHICH = "no capture tells a machine that was paused from a process that was held"


def standstill(change: Change, events: Events) -> Event | None:
    """Give the standstill in which the old primary was lost: the longest that holds the moment."""
    if not change.old:
        return None
    # Where the new primary was not captured, the loss is known by when the old one noted it: once it went on.
    before = EDGE_S if change.is_exact else WOKE_S
    found = [
        one
        for one in events.lasting(KIND, change.start - before, change.end, change.old)
        if one.after != "clock stepped" and one.at <= change.start + EDGE_S
    ]
    return max(found, key=lambda one: one.value or 0.0, default=None)


def woke(change: Change, events: Events) -> float:
    """Give when a primary went on that stood still until the new one was in place; never where none did."""
    still = standstill(change, events)
    end = still.until if still else None
    return end - EDGE_AWAKE_S if end is not None and end >= _lost_by(change) else inf


def _lost_by(change: Change) -> float:
    """Give up to when a primary stood still at least, if that lost it: the entry of a new one that was not
    captured is not known.
    """
    return change.end if change.is_exact else change.start


def paused(change: Change, events: Events) -> Verdict | None:
    """Tell a failover by the machine of the old primary, which was paused when it was lost."""
    still = standstill(change, events)
    if still is None or still.after != PAUSED:
        return None
    return Verdict(KIND, "automatic", 0.85, (still, *_removed(change, events)))


def silent(change: Change, events: Events) -> Verdict | None:
    """Tell a failover by the silence of the old primary, where nothing tells what the cluster noted of it."""
    still = standstill(change, events)
    if still is None or (still.until or still.at) < _lost_by(change):
        return None
    against = () if still.after == "SQL Server silent" else (WHICH,)
    return Verdict(KIND, "automatic", 0.6, (still, *_removed(change, events)), against)


def late_lease(change: Change, events: Events) -> list[Event]:
    """Give the leases that had run out before the new primary was in place, and were noted only after it."""
    if not change.old:
        return []
    noted = events.find(("lease_expired",), change.end, change.end + LATE_S, host=change.old, ag=change.ag)
    return [
        one for one in noted if one.value and change.start - 60 <= one.at - one.value <= change.end + SLACK_S
    ]


def _removed(change: Change, events: Events) -> list[Event]:
    """Give what the cluster wrote of the node that was gone."""
    found = events.find(
        ("node_removed", "node_quarantined", "node_left"), change.start - 20, change.end + 60, host=change.old
    )
    found += events.find(("group_orphaned",), change.start - 20, change.end + 60, ag=change.ag)
    return sorted(found, key=lambda one: one.at)
