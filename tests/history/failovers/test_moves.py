"""Changes of primary that cluster logs alone tell, whoever's log is there."""

from __future__ import annotations

from agtrace.history.failovers.event import Event
from agtrace.history.failovers.rows import failovers


def on(seconds, kind, host, *, by=None, after=None, to=None):
    """Return an event of the group from a node's cluster log."""
    witness = {"source": "cluster log", "host_id": by or host, "content_id": "c", "line": 1, "time": None}
    return Event(float(seconds), None, host, "AG", kind, None, after, to, kind, 0.0, (witness,))


def told(*events):
    rows = failovers(sorted(events, key=lambda one: one.at), ["AG"])
    return [
        (r["from_host"], r["to_host"], r["seconds_without_primary"], r["trigger"], r["confidence"])
        for r in rows
    ]


ONLINE_A, LEFT_A = on(0, "resource_online", "A"), on(600, "resource_left", "A", after="ProcessingFailure")
ONLINE_B = on(606, "resource_online", "B")
LOST = on(599.5, "lease_lost", "A")
MOVED = on(601, "group_moved", "A", by="C", after="Failover", to="B")


def test_a_move_that_another_node_decided_is_told_by_both_ends():
    assert told(ONLINE_A, LOST, LEFT_A, ONLINE_B) == [("A", "B", 6.5, "lease_expired", 0.7)]


def test_where_the_deciding_node_tells_it_too_it_is_one_failover():
    assert told(ONLINE_A, LOST, LEFT_A, ONLINE_B, MOVED) == [("A", "B", 6.5, "lease_expired", 0.7)]


def test_the_old_node_alone_does_not_tell_where_it_went():
    assert told(ONLINE_A, LOST, LEFT_A) == []


def test_the_new_node_alone_does_not_tell_that_there_was_one_before():
    assert told(ONLINE_B) == []


def test_back_on_the_same_node_may_have_been_elsewhere_in_between():
    assert told(ONLINE_A, LEFT_A, on(640, "resource_online", "A")) == []


def test_long_after_another_node_may_have_had_it_in_between():
    assert told(ONLINE_A, LEFT_A, on(1600, "resource_online", "B")) == []


def test_two_in_a_row_are_two():
    again = [on(660, "resource_left", "B"), on(664, "resource_online", "C")]
    rows = told(ONLINE_A, LOST, LEFT_A, ONLINE_B, *again)
    assert [row[:2] for row in rows] == [("A", "B"), ("B", "C")]


def test_a_secondary_that_notes_late_whom_it_follows_adds_no_failover():
    def noted(seconds, kind, before=None, after=None, other=None):
        witness = {"source": "ERRORLOG", "host_id": "C", "content_id": "l", "line": 1, "time": None}
        return Event(float(seconds), None, "C", "AG", kind, before, after, other, kind, 0.0, (witness,))

    follows = [
        noted(1, "replica_state", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
        noted(2, "connected", other="A"),
        noted(900, "replica_state", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
        noted(901, "replica_state", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
        noted(902, "connected", other="B"),
    ]
    rows = told(ONLINE_A, LOST, LEFT_A, MOVED, *follows)
    assert [row[:2] for row in rows] == [("A", "B")]
