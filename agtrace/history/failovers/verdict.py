"""The result of a rule for a failover, and helpers shared by rules."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import Event, Events

SLACK_S = 1.0
"""Remaining skew after correction, and the order in which a server writes."""

CUT_OFF_S = 60.0
"""A node may have logged this long before its groups go offline that it is cut off."""

ABSENCE = 0.5
"""Highest confidence of a conclusion from absence alone."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The trigger of a failover, with confidence and evidence."""

    trigger: str
    mode: str
    confidence: float
    reasons: tuple[Event, ...] = ()
    against: tuple[str, ...] = ()


def orderly(change: Change, events: Events) -> list[Event]:
    """Return the evidence that the old primary went offline on request."""
    if not change.old or change.departure is None or change.departure.at > change.end:
        return []
    at = change.departure.at
    # A node that was cut off takes its groups offline by the same steps without a request.
    if events.find(("node_offline", "quorum_lost"), at - CUT_OFF_S, at - 0.001, host=change.old):
        return []
    told = events.find(
        ("preparing_resolving", "lease_stopped"), at - 10, at + 0.5, host=change.old, ag=change.ag
    )
    told += [
        one
        for one in events.find(("resource_state",), at - 10, at + 0.5, host=change.old, ag=change.ag)
        if one.after == "OfflinePending"
    ]
    return sorted(told, key=lambda one: one.at)


def sees_states(change: Change) -> bool:
    """Return whether SQL Server's log on the new primary shows its replica's states."""
    return change.is_exact and any(
        w["source"] in ("ERRORLOG", "Extended Events") for w in change.entry.witnesses
    )
