"""Failovers of a primary that did not run: it logs late, or never, the events in that time."""

from __future__ import annotations

from math import inf

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import Event, Events
from agtrace.history.failovers.verdict import SLACK_S, Verdict

KIND = "standstill"
PAUSED = "machine paused"

LATE_S = 86_400.0
"""An expired lease is logged at most this late: few servers are paused for longer."""

EDGE_S = 15.0
"""A replica's session times out and the cluster misses heartbeats at least this long after the host
stopped."""

EDGE_AWAKE_S = 1.0
"""Entries this shortly before a host continues come from the process that resumes first."""

WOKE_S = 60.0
"""A primary that did not run logs its losses this soon after it continues."""

STARVED = "its processors were busy before: starved to a standstill stays possible"
WHICH = "no capture tells a machine that was paused from a process that was held"


def standstill(change: Change, events: Events) -> Event | None:
    """Return the longest standstill of the old primary that contains the moment of its loss."""
    if not change.old:
        return None
    # If the new primary was not captured, the loss is dated by the old one's entry, written after it
    # continued.
    before = EDGE_S if change.is_exact else WOKE_S
    found = [
        one
        for one in events.lasting(KIND, change.start - before, change.end, change.old)
        if one.after != "clock stepped" and one.at <= change.start + EDGE_S
    ]
    return max(found, key=lambda one: one.value or 0.0, default=None)


def woke(change: Change, events: Events) -> float:
    """Return when a suspended primary ran again after its successor was in place; else never."""
    still = standstill(change, events)
    end = still.until if still else None
    return end - EDGE_AWAKE_S if end is not None and end >= _lost_by(change) else inf


def _lost_by(change: Change) -> float:
    """Return the earliest end of the standstill that lost a primary; an uncaptured successor's entry is
    unknown.
    """
    return change.end if change.is_exact else change.start


def paused(change: Change, events: Events) -> Verdict | None:
    """Return the verdict that the old primary's machine was paused when it was lost."""
    still = standstill(change, events)
    if still is None or still.after != PAUSED:
        return None
    return Verdict(KIND, "automatic", 0.85, (still, *_removed(change, events)))


def silent(change: Change, events: Events) -> Verdict | None:
    """Return the verdict of a silent old primary, if the cluster's entries about it are missing."""
    still = standstill(change, events)
    if still is None or (still.until or still.at) < _lost_by(change):
        return None
    against = () if still.after == "SQL Server silent" else (WHICH,)
    return Verdict(KIND, "automatic", 0.6, (still, *_removed(change, events)), against)


def late_lease(change: Change, events: Events) -> list[Event]:
    """Return leases that expired before the new primary was in place and were logged after it."""
    if not change.old:
        return []
    noted = events.find(("lease_expired",), change.end, change.end + LATE_S, host=change.old, ag=change.ag)
    return [
        one for one in noted if one.value and change.start - 60 <= one.at - one.value <= change.end + SLACK_S
    ]


def _removed(change: Change, events: Events) -> list[Event]:
    """Return the cluster's entries on the node that was gone."""
    found = events.find(
        ("node_removed", "node_quarantined", "node_left"), change.start - 20, change.end + 60, host=change.old
    )
    found += events.find(("group_orphaned",), change.start - 20, change.end + 60, ag=change.ag)
    return sorted(found, key=lambda one: one.at)
