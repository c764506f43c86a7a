"""The trigger of a failover: rules on the events until the new primary was in place.

A consequence is not a cause: later entries of the old primary did not trigger it.
"""

from __future__ import annotations

from agtrace.history.failovers.changes import Change
from agtrace.history.failovers.event import Event, Events
from agtrace.history.failovers.standstills import late_lease, paused, silent, woke
from agtrace.history.failovers.statements import statement, suspended
from agtrace.history.failovers.verdict import ABSENCE, SLACK_S, Verdict, orderly, sees_states

BEFORE_S = 60.0
"""A failure that the cluster acts on is logged at most this long before the loss."""

ISOLATED_S = 60.0
"""A node that is cut off logs it at most this long after the others have taken over."""

SHUTDOWN_S = 240.0
"""Time that a node takes to shut down after its groups have moved away."""

UNASKED = 0.4
"""Confidence if a group went offline in order without a recorded request."""

LEASE = ("lease_expired", "lease_lost", "lease_no_signal", "lease_no_cluster_signal", "lease_not_valid")


def trigger(change: Change, events: Events) -> Verdict:
    """Return the trigger of the cluster's action."""
    for rule in _RULES:
        verdict = rule(change, events)
        if verdict is not None:
            return verdict
    return _open(change, events)


def _stopped(change: Change, events: Events) -> Verdict | None:
    if not change.old:
        return None
    told = events.find(("stop_requested", "system_shutdown"), change.start - 10, change.end, host=change.old)
    left = change.departure.at if change.departure else change.end
    first = [one for one in told if one.at <= left + SLACK_S]
    in_order = orderly(change, events)
    if not first or (in_order and first[0].kind == "system_shutdown"):
        return None
    return Verdict("instance_stopped", "automatic", 0.95, tuple(first))


def _database(change: Change, events: Events) -> Verdict | None:
    return _noted(("database_failed",), "database_failed", change, events, 0.9)


def _health(change: Change, events: Events) -> Verdict | None:
    for kind in ("health_error", "health_timeout"):
        found = _noted((kind,), kind, change, events, 0.9)
        if found:
            return found
    if _noted(LEASE, "lease_expired", change, events, 0.9):
        return None
    errors = _on_old(("component_state",), change, events, BEFORE_S)
    failing = tuple(one for one in errors if one.after == "error")
    return Verdict("health_error", "automatic", 0.75, failing) if failing else None


def _quorum(change: Change, events: Events) -> Verdict | None:
    if not change.old or orderly(change, events):
        return None
    since, until = change.start - BEFORE_S, change.end + ISOLATED_S
    # A host that did not run finds on resuming that others removed its node: a consequence.
    until = min(until, woke(change, events))
    own = events.find(("quorum_lost",), since, until, host=change.old)
    gone = events.find(("node_offline",), since, until, host=change.old)
    if own:
        return Verdict("quorum_lost", "automatic", 0.9, (*own, *gone))
    lease = _on_old(LEASE, change, events, BEFORE_S)
    if gone and _left_before(gone[0], change, events):
        return None
    if gone and not (lease and lease[0].at < gone[0].at - SLACK_S):
        return Verdict("quorum_lost", "automatic", 0.75, tuple(gone))
    return None


def _left_before(gone: Event, change: Change, events: Events) -> bool:
    """Return whether a node left after its group without a prior loss of connection, also in a shutdown."""
    if change.departure is None or gone.at <= change.departure.at:
        return False
    since, left = change.start - BEFORE_S, change.departure.at
    lost = events.find(("connection_timeout",), since, left, ag=change.ag)
    return not any(change.old in (one.host, one.other) for one in lost)


def _lease(change: Change, events: Events) -> Verdict | None:
    found = _on_old((*LEASE, "not_alive"), change, events, BEFORE_S)
    expired = tuple(one for one in found if one.kind in LEASE or one.after == "LEASEEXPIRED")
    if expired:
        return Verdict("lease_expired", "automatic", 0.9, expired)
    late = tuple(late_lease(change, events))
    return Verdict("lease_expired", "automatic", 0.85, late) if late else None


def _resource_host(change: Change, events: Events) -> Verdict | None:
    """Judge a restart of the process that hosts the group's resource: another resource in it hung."""
    found = _on_old(("resource_host_deadlock",), change, events, BEFORE_S)
    return Verdict("resource_host", "automatic", 0.85, tuple(found)) if found else None


def _died(change: Change, events: Events) -> Verdict | None:
    found = _on_old(("server_died", "not_alive", "service_died"), change, events, BEFORE_S)
    dead = tuple(one for one in found if one.kind != "not_alive" or one.after == "SERVERDIED")
    if not dead:
        return None
    restarts = events.lasting("restart", change.start, change.end + SHUTDOWN_S, change.old)
    if restarts and restarts[0].after == "open":
        why = "the log that would tell a stop from a death was not captured"
        return Verdict("open", "automatic", ABSENCE, dead, (why,))
    return Verdict("instance_died", "automatic", 0.9, dead)


def _node(change: Change, events: Events) -> Verdict | None:
    since, until = change.start - 20, change.end + SLACK_S
    found = events.find(("node_removed", "node_left", "fenced"), since, until, host=change.old or None)
    found += events.find(("nodes_down",), since, until)
    found += [
        one for one in events.find(("group_moved",), since, until, ag=change.ag) if one.after == "NodeDown"
    ]
    found = [one for one in found if not _is_own_word(one, change)]
    if not found:
        return None
    back = _died_and_back(change, events)
    power = events.find(("power_lost",), change.start - 600, change.end + 3600, host=change.old or None)
    # Pacemaker promotes a replica only once the node is known to be off.
    fenced = any(one.kind == "fenced" for one in found)
    if change.old and (back or power or fenced):
        return Verdict("node_down", "automatic", 0.85, (*found, *back, *power))
    if change.departure is not None and change.departure.at > change.end + SLACK_S:
        why = "the old primary left its role itself, later: its node was cut off or stood still, and not down"
        return Verdict("open", "automatic", ABSENCE, tuple(found), (why,))
    why = "of the old primary nothing was captured that tells a node that is down from one that is cut off"
    return Verdict("node_down", "automatic", ABSENCE, tuple(found), (why,))


def _is_own_word(one: Event, change: Change) -> bool:
    """Return whether only the old primary reports it, about hosts that it no longer sees."""
    return bool(change.old) and all(w["host_id"] == change.old for w in one.witnesses)


def _moved(change: Change, events: Events) -> Verdict | None:
    since, until = change.start - 30, change.end + SLACK_S
    moves = events.find(("group_moved", "move_asked"), since, until, ag=change.ag)
    kinds = {one.after for one in moves}
    in_order = orderly(change, events)
    if not in_order and not kinds & {"Drain", "Manual"}:
        return None
    old = change.old or None
    away = (
        events.find(("node_offline", "cluster_stopped"), change.start - 5, change.end + 60, host=old)
        if old
        else []
    )
    down = (
        events.find(
            ("system_shutdown", "shutdown_asked"), change.start - 30, change.end + SHUTDOWN_S, host=old
        )
        if old
        else []
    )
    if "Drain" in kinds or (in_order and away) or (in_order and down):
        sure = 0.9 if "Drain" in kinds or (away and down) else 0.75
        return Verdict("node_drained", "planned", sure, (*in_order, *moves, *away, *down))
    if "Manual" in kinds and sees_states(change):
        return Verdict("cluster_move", "planned", 0.9, (*moves, *in_order))
    asked = [one for one in moves if one.kind == "move_asked"]
    if asked:
        if sees_states(change):
            return Verdict("cluster_move", "planned", 0.7, (*moves, *in_order))
        why = "no capture of the new primary tells a statement, even a forced one, from a move in the cluster"
        return Verdict("cluster_move", "planned", ABSENCE, (*moves, *in_order), (why,))
    pending = any(one.kind == "resource_state" for one in in_order)
    if pending and sees_states(change) and events.tells_health:
        # The cluster requested its resource to go offline; a failed resource or failed checks would be
        # logged.
        return Verdict("cluster_move", "planned", 0.7, tuple(in_order))
    # A failed health check, lost quorum and a restarted resource host take a group offline in order, too.
    why = "the group went offline in order, and no capture shows who asked for it"
    return Verdict("open", "open", UNASKED, (*moves, *in_order), (why,))


def _gone(change: Change, events: Events) -> Verdict | None:
    """Judge a log of the old primary that ends without a shutdown message and starts again later."""
    back = _died_and_back(change, events)
    if not back:
        return None
    late = events.find(
        ("connection_timeout",), change.start - BEFORE_S, change.end, other=change.old, ag=change.ag
    )
    failed = _resource_failed(change, events)
    if failed:
        return Verdict("instance_died", "automatic", 0.75, (*failed, *late, *back))
    what = "node_down" if late else "instance_died"
    why = (
        "the log of the old primary ends without a word: an instance that died and a node that went down "
        "look alike"
    )
    return Verdict(what, "automatic", ABSENCE, (*late, *back), (why,))


def _resource_failed(change: Change, events: Events) -> list[Event]:
    """Return the evidence that the group's resource failed on a node which the cluster kept."""
    since, until = change.start - 20, change.end + SLACK_S
    gone = events.find(("node_removed", "node_left", "nodes_down"), since, change.end + ISOLATED_S)
    failed = [one for one in events.find(("resource_failed",), since, until, ag=change.ag) if one.ag]
    return [] if gone else failed


def _open(change: Change, events: Events) -> Verdict:
    late = events.find(("connection_timeout",), change.start - BEFORE_S, change.end, ag=change.ag)
    late = [one for one in late if not change.old or one.other == change.old]
    alive = change.old in events.hosts
    against = []
    if alive and change.is_silent:
        against.append("the old primary wrote nothing of its end before the new one was in place")
    if not alive:
        against.append("nothing was captured of the old primary")
    moves = events.find(("group_moved",), change.start - 30, change.end + SLACK_S, ag=change.ag)
    failed = [one for one in moves if one.after == "Failover"]
    if failed:
        return Verdict("open", "automatic", ABSENCE if alive else 0.4, (*late, *failed), tuple(against))
    if late or (alive and change.is_silent and change.departure is not None):
        return Verdict("open", "automatic", ABSENCE if alive else 0.4, tuple(late), tuple(against))
    return Verdict("open", "open", 0.3, (), tuple(against))


def _noted(
    kinds: tuple[str, ...], what: str, change: Change, events: Events, confidence: float
) -> Verdict | None:
    found = tuple(_on_old(kinds, change, events, BEFORE_S))
    return Verdict(what, "automatic", confidence, found) if found else None


def _on_old(kinds: tuple[str, ...], change: Change, events: Events, before: float) -> list[Event]:
    """Return entries about the old primary before the new one was in place."""
    if not change.old:
        return []
    return events.find(kinds, change.start - before, change.end, host=change.old, ag=change.ag)


def _died_and_back(change: Change, events: Events) -> list[Event]:
    """Return the restart of the old primary's instance that follows its last sign of life."""
    return [
        one
        for one in events.lasting("restart", change.start, change.end, change.old)
        if one.after == "died" and (one.until or one.at) > change.start
    ]


_RULES = (
    statement, _stopped, paused, _database, _health, _quorum, _lease, _resource_host, _died,
    silent, _node, suspended, _moved,
    _gone
)  # fmt: skip
