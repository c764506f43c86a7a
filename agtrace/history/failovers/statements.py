"""Failovers caused by a statement: planned, or forced with possible data loss.

If the statement was not captured, its effect on the other replicas shows the kind: after a forced failover
their databases are suspended until resumed by hand, after a planned one they continue.
"""

from __future__ import annotations

import re
from math import inf, nextafter

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import PRIMARY, SECONDARY, STATE, Event, Events
from agtrace.history.failovers.verdict import ABSENCE, SLACK_S, Verdict, orderly, sees_states

FORCED = re.compile(r"\bFORCE_FAILOVER_ALLOW_DATA_LOSS\b", re.IGNORECASE)
ASKED = re.compile(r"\bFAILOVER\b", re.IGNORECASE)

DEMOTED = re.compile(r"\bSET\s*\(\s*ROLE\s*=\s*SECONDARY\s*\)", re.IGNORECASE)
"""Statement that removes the primary role, before another replica receives it, in a group without a cluster
or a distributed one."""

SUSPENDED = "SUSPEND_FROM_PARTNER"
"""Reason of suspended data movement after a forced failover: SQL Server writes it so in every language."""

AFTER_S = 120.0
"""A replica suspends its databases at most this long after it follows the new primary."""

EITHER = (
    "no capture shows whether the failover was asked for or forced, with possible loss of data: both "
    "are possible"
)
UNSEEN = "no capture shows that the databases were synchronised when the old primary gave its role up"
LOOKED_S = 600.0
"""A snapshot of the databases this long before the switch still describes it."""
GONE = "the primary was gone before the statement: a forced failover is the likelier one"
GAVE_UP = (
    "the old primary had given its role up before the new one was asked: a group without a cluster is "
    "switched so, "
    "without loss, and no capture shows the statements"
)
ALONE = (
    "nothing was captured of the old primary: where it had been demoted first, as a group without a "
    "cluster is "
    "switched, nothing was lost"
)
WHOSE = "another group of the same server changed at that moment, too: the databases may be its own"


def statement(change: Change, events: Events) -> Verdict | None:
    """Return the verdict of a statement, or of the effects of one."""
    told = events.find(("ddl",), change.start - 30, change.end + 5, ag=change.ag)
    undone = {one.text for one in told if one.after == "rollback"}
    told = [one for one in told if one.text not in undone]
    forced = [one for one in told if FORCED.search(one.text)]
    if forced:
        lossless = _lossless(change, forced, undone, events)
        alone = () if change.old in events.hosts else (ALONE,)
        return lossless or Verdict("ddl_forced", "forced", 0.7 if alone else 0.95, tuple(forced), alone)
    asked = [one for one in told if ASKED.search(one.text)]
    if asked:
        return Verdict("ddl_failover", "planned", 0.95, tuple(asked))
    demoted = _demoted(change, change.end, undone, events)
    if demoted:
        # A replica that takes over from a demoted primary must be forced, and loses no data.
        return Verdict("ddl_forced", "planned", 0.7, tuple(demoted), (UNSEEN,))
    pending = _pending(change, events)
    if not pending and sees_states(change):
        return None
    held = _held(change, events) or (_looked(change, events) if pending else [])
    if held:
        whose = _whose(held, change, events)
        if _became_secondary(change, pending, events):
            # Without a primary to follow, only SET (ROLE = SECONDARY) makes a primary a secondary.
            return Verdict("ddl_forced", "planned", 0.6, (*pending, *held), (UNSEEN,))
        gave_up = (GAVE_UP,) if _gave_up(change, pending) else ()
        sure = 0.6 if whose or gave_up else 0.9 if pending else 0.75
        return Verdict("ddl_forced", "forced", sure, (*pending, *held), (*whose, *gave_up))
    if not pending:
        return None
    moving = _moving(change, events)
    if moving:
        return Verdict("ddl_failover", "planned", 0.75, (*pending, *moving))
    against = (EITHER,) if orderly(change, events) else (EITHER, GONE)
    return Verdict("ddl_failover", "open", ABSENCE, tuple(pending), against)


def _lossless(change: Change, forced: list[Event], undone: set[str], events: Events) -> Verdict | None:
    """Return the verdict for the documented switch without a cluster.

    The old primary is demoted, then the other replica is forced. If the databases were synchronised, no
    unsent log can be lost then.
    """
    demoted = _demoted(change, forced[0].at, undone, events)
    if not demoted:
        return None
    return Verdict("ddl_forced", "planned", 0.75, (*demoted, *forced), (UNSEEN,))


def _demoted(change: Change, until: float, undone: set[str], events: Events) -> list[Event]:
    """Return the statements that demoted the old primary, unless databases were not synchronised."""
    if not change.old:
        return []
    asked = events.find(("ddl",), change.start - 30, until, host=change.old, ag=change.ag)
    looks = events.find(("look_database",), change.start - LOOKED_S, change.start, ag=change.ag)
    if any(one.after != "SYNCHRONIZED" for one in looks):
        return []
    return [one for one in asked if DEMOTED.search(one.text) and one.text not in undone]


def suspended(change: Change, events: Events) -> Verdict | None:
    """Return the verdict of a forced failover by its suspended databases, without a statement shown."""
    held = _held(change, events)
    if not held:
        return None
    why = "the new primary shows no statement: it was never in the state RESOLVING_PENDING_FAILOVER"
    whose = _whose(held, change, events)
    return Verdict("ddl_forced", "forced", ABSENCE if whose else 0.6, tuple(held), (why, *whose))


def _gave_up(change: Change, pending: list[Event]) -> bool:
    """Return whether the old primary left its role before the statement on the new one began."""
    left = change.departure
    return bool(left and pending and left.at < pending[0].at - SLACK_S)


def _became_secondary(change: Change, pending: list[Event], events: Events) -> bool:
    """Return whether the old primary was a secondary before the new one was asked to take over."""
    if not (change.old and pending and change.departure):
        return False
    since, until = change.departure.at, pending[0].at - SLACK_S
    seen = events.find((STATE,), since, until, host=change.old, ag=change.ag)
    return any(one.after == SECONDARY for one in seen)


def _pending(change: Change, events: Events) -> list[Event]:
    """Return the replica state that only a statement on the new primary causes."""
    seen = events.find(("replica_state",), change.start - 30, change.end, host=change.new, ag=change.ag)
    return [one for one in seen if one.after == "RESOLVING_PENDING_FAILOVER"]


def _held(change: Change, events: Events) -> list[Event]:
    """Return the databases that were suspended when their replica began to follow the new primary."""
    found: dict[int, Event] = {}
    for joined in _states(change, events):
        for one in events.find(("movement_suspended",), joined.at - 5, joined.at + AFTER_S, host=joined.host):
            if one.after == SUSPENDED:
                found[id(one)] = one
    return sorted(found.values(), key=lambda one: one.at)


def _looked(change: Change, events: Events) -> list[Event]:
    """Return snapshots of the group's databases suspended so while the new primary was in place."""
    looks = events.find(("look_database",), change.end, _until(change, events), ag=change.ag)
    return [one for one in looks if one.ag and SUSPENDED in one.text]


def _moving(change: Change, events: Events) -> list[Event]:
    """Return a replica's restored database connections once it follows the new primary."""
    return [
        one
        for joined in _states(change, events)
        if joined.after == SECONDARY
        for one in events.find(("database_connected",), joined.at, joined.at + AFTER_S, host=joined.host)
        if one.other in (None, change.new)
    ]


def _states(change: Change, events: Events) -> list[Event]:
    """Return the first state of each replica with the new primary: in place, or following it.

    A later state may follow the next primary, which may be in no captured log.
    """
    found: dict[str, Event] = {}
    for one in events.find(("replica_state",), change.start, _until(change, events), ag=change.ag):
        if one.after == (PRIMARY if one.host == change.new else SECONDARY):
            found.setdefault(one.host, one)
    return list(found.values())


def _until(change: Change, events: Events) -> float:
    """Return when the group got its next primary."""
    behind = nextafter(change.end, inf)
    later = events.states(change.ag).first(STATE, behind, inf, after=PRIMARY)
    return later.at if later else inf


def _whose(held: list[Event], change: Change, events: Events) -> tuple[str, ...]:
    """Return the doubts about databases being the group's; the message does not name it."""
    for one in held:
        near = events.find(("replica_state",), one.at - AFTER_S, one.at + 5, host=one.host)
        if one.ag is None and any(e.ag != change.ag and e.after in (PRIMARY, SECONDARY) for e in near):
            return (WHOSE,)
    return ()
