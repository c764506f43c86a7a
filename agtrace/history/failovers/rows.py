"""Changes of primary as rows of the relation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from agtrace.history.failovers.causes import cause
from agtrace.history.failovers.changes import Change, changes
from agtrace.history.failovers.event import STATE, Event, Events
from agtrace.history.failovers.left_out import LeftOut
from agtrace.history.failovers.moves import SAME_S, moves, spans_of
from agtrace.history.failovers.triggers import trigger

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CLUSTER = 0.7
"""Highest confidence of a failover recorded only by the cluster."""
MOST_REASONS = 50
"""Most reasons kept of one failover; of many of a kind the last ones."""


def failovers(
    told: Sequence[Event], roles: Iterable[str], gaps: Iterable[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return the rows of the relation, in time order.

    Parameters
    ----------
    told
        Events around state changes, in chronological order.
    roles
        Roles of the cluster that are availability groups, whether their replicas mention them or not.
    gaps
        Gaps in the ERRORLOG of a host (`agtrace.history.log_gaps`).
    """
    events = Events(told)
    ags = set(roles)
    for one in told:
        if one.kind == STATE and one.ag:
            ags.add(one.ag)
    left_out: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for gap in gaps:
        if gap["from_s"] is not None and gap["to_s"] is not None:
            left_out[gap["host_id"]].append((gap["from_s"], gap["to_s"]))
    hidden = LeftOut(left_out)
    found = []
    for ag in sorted(ags):
        told_by = list(changes(ag, events, hidden))
        seen = [one for one in told_by if not one.by_follower]
        seen += moves(ag, seen, events)
        seen += _unknown(told_by, seen)
        found += [row(change, events) for change in seen]
    found.sort(key=lambda one: (one["end"], one["ag"]))
    return [{"failover_id": number, **one} for number, one in enumerate(found, start=1)]


def _unknown(told_by: Iterable[Change], seen: Sequence[Change]) -> list[Change]:
    """Return the changes shown only by a follower, which may log late that it follows a known primary."""
    spans = spans_of(seen)
    found = []
    for one in told_by:
        if one.by_follower and not spans.touching(one.start - SAME_S, one.end + SAME_S):
            before = max(
                (each for each in seen if each.end < one.end), key=lambda each: each.end, default=None
            )
            if before is None or before.new != one.new:
                found.append(one)
    return found


def row(change: Change, events: Events) -> dict[str, Any]:
    """Return the row of a change."""
    verdict = trigger(change, events)
    root = cause(change, verdict, events)
    end, start = change.end, min(change.start, change.end)
    against = list(root.against)
    confidence = root.confidence
    if change.entry.kind != "replica_state":
        against.append("only the cluster tells of it: no capture of SQL Server on the new primary does")
        confidence = min(confidence, CLUSTER)
    if not change.is_exact:
        against.append("the new primary was not captured: its entry is no later than this")
        confidence = min(confidence, 0.6)
    return {
        "ag": change.ag,
        "from_host": change.old,
        "to_host": change.new,
        "mode": verdict.mode,
        "trigger": verdict.trigger,
        "cause": root.trigger,
        "start": _utc(start),
        "end": _utc(end),
        # The entry of a following replica does not show when the new primary was in place.
        "seconds_without_primary": round(end - start, 6) if change.is_exact else None,
        "start_source": _start_source(change),
        "confidence": confidence,
        "reasons": _reasons(change, root.reasons),
        "against": against,
    }


def _start_source(change: Change) -> str:
    if change.first is change.departure:
        return "state of the old primary"
    return f"{change.first.kind} on {change.first.host}"


def _reasons(change: Change, told: tuple[Event, ...]) -> list[dict[str, Any]]:
    always = [one for one in (change.first, change.departure, change.entry) if one is not None]
    rest = sorted({id(one): one for one in told if one not in always}.values(), key=lambda one: one.at)
    chosen = {id(one): one for one in [*always, *rest[-MOST_REASONS:]]}
    return [
        {
            "time": _utc(one.at),
            "own_time": _utc(one.at + one.skew_ms / 1000),
            "host_id": one.host,
            "kind": one.kind,
            "text": one.text,
            "source": one.witnesses[0]["source"] if one.witnesses else None,
            "content_id": one.witnesses[0]["content_id"] if one.witnesses else None,
            "line": one.witnesses[0]["line"] if one.witnesses else None,
        }
        for one in sorted(chosen.values(), key=lambda one: one.at)
    ]


def _utc(seconds: float) -> datetime:
    return EPOCH + timedelta(microseconds=round(seconds * 1e6))
