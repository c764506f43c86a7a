"""What is said of lost connections, and of what explains them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import connections
from agtrace.diagnostics.health.near import Near
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, behind
from tests.diagnostics.health.cases import at, event, failover, findings, iso, state, still, told, watched

LIMITS = Thresholds()


def test_a_connection_is_lost_from_the_timeout_until_it_is_established():
    events = [
        event(100, "A", "connection_timeout", replica="B", text="timed out"),
        event(100.1, "A", "database_disconnected", replica="B", database="Sales"),
        event(130, "A", "connected", replica="B", ag="AG", text="established"),
        event(130.4, "A", "database_connected", replica="B", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert (found.id, found.severity) == ("health.disconnect", "notice")
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.window == {"start": iso(100), "end": iso(130)}
    assert found.evidence[0].value == 30


def test_a_connection_that_does_not_come_back_is_a_warning_until_the_captures_end():
    events = [event(100, "A", "connection_timeout", replica="B", ag="AG")]
    (found,) = findings(connections.lost_connections, told(events=events, last=900), LIMITS)
    assert (found.severity, found.window["end"]) == ("warning", iso(900))
    assert found.evidence[0].value is None


def look(seconds, host="A", replica="b"):
    return {"host_id": host, "replica": replica, "time": at(seconds), "content_id": "log-A", "line": 4}


@pytest.mark.parametrize(
    ("logged", "looked"), [("B", "b"), ("B", "b.contoso.com"), (r"b\Inst", r"B.CONTOSO.COM\INST")]
)
def test_a_look_that_shows_it_connected_bounds_a_loss_that_no_log_ends(logged, looked):
    events = [event(100, "A", "connection_timeout", replica=logged, ag="AG")]
    looks = tuple(look(seconds, replica=looked) for seconds in (50, 860, 880))
    made = replace(told(events=events, last=900), connected=looks)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert (found.severity, found.window["end"]) == ("notice", iso(860))
    assert (found.evidence[0].label, found.evidence[0].value) == ("time without a connection, at most", 760)
    assert_facts(found, ends_by="look", times=1, seconds=760.0, most=20)


@pytest.mark.parametrize(
    "connected",
    [(look(50),), (look(160, "B", "A"),), (look(160, "A", "C"),), (look(860, "A", r"B\INST"),), (look(160),)],
    ids=[
        "before",
        "of the other end",
        "of another replica",
        "of another instance",
        "before it was lost again",
    ],
)
def test_other_looks_bound_nothing(connected):
    events = [event(seconds, "A", "connection_timeout", replica="B", ag="AG") for seconds in (100, 300)]
    (found,) = findings(
        connections.lost_connections, replace(told(events=events, last=900), connected=connected), LIMITS
    )
    assert found.window["end"] == iso(900)


LOSS = [
    event(100, "A", "connection_timeout", replica="B", ag="AG"),
    event(900, "A", "connected", replica="B", ag="AG"),
]


def test_a_lost_connection_that_belongs_to_a_failover_is_none_of_its_own():
    assert findings(connections.lost_connections, told([failover(99, 105)], LOSS), LIMITS) == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            event(95, "B", "restart", after="stopped", end=120),
            {"ends_by": "back", "times": 1, "most": 20, "by": [["restart", "B"]]},
        ),
        (
            event(108, "B", "node_offline", text="41049"),
            {"ends_by": "back", "times": 1, "most": 20, "by": [["node_offline", "B"]]},
        ),
        (
            event(108, "B", "quorum_lost", "cluster log"),
            {"ends_by": "back", "times": 1, "most": 20, "by": [["quorum_lost", "B"]]},
        ),
        (
            event(108, "B", "node_removed", "cluster log"),
            {"ends_by": "back", "times": 1, "most": 20, "by": [["node_removed", "B"]]},
        ),
        (
            state(110, "A", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
            {"ends_by": "back", "times": 1, "most": 20, "by": [["role", "A"]]},
        ),
    ],
)
def test_a_lost_connection_beside_a_restart_the_node_or_quorum_of_either_end_is_explained(more, words):
    (found,) = findings(connections.lost_connections, told(events=[*LOSS, more]), LIMITS)
    assert found.severity == "info"
    assert_facts(found, **words)


def test_a_lost_connection_to_a_host_that_stood_still_is_explained():
    (found,) = findings(
        connections.lost_connections, replace(told(events=LOSS), standstills=(still("B", 80, 400),)), LIMITS
    )
    assert_facts(found, ends_by="back", times=1, most=20, by=[["standstill", "B"]])


def test_nothing_explains_a_loss_only_where_both_ends_were_watched():
    of_one = replace(told(events=LOSS), coverage=watched(A=7200))
    (found,) = findings(connections.lost_connections, of_one, LIMITS)
    assert_facts(found, ends_by="back", times=1, most=20, unseen=["B"])
    of_both = replace(told(events=LOSS), coverage=watched(A=7200, B=7200))
    (found,) = findings(connections.lost_connections, of_both, LIMITS)
    assert_facts(found, ends_by="back", times=1, most=20, short_of=[])


def test_what_both_ends_wrote_of_one_loss_counts_once():
    other = [
        event(103, "B", "connection_timeout", replica="A", ag="AG"),
        event(899, "B", "connected", replica="A", ag="AG"),
    ]
    (found,) = findings(connections.lost_connections, told(events=[*LOSS, *other]), LIMITS)
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.window == {"start": iso(100), "end": iso(900)}
    assert [e.label for e in found.evidence] == [
        "time without a connection",
        "lost",
        "lost, on B",
        "connected again",
    ]


def test_what_both_ends_wrote_counts_once_though_another_instance_of_them_lost_its_own_meanwhile():
    def of(at, host, kind, far, ag):
        return event(at, host, kind, replica=rf"{far}\{ag}", ag=ag)

    first = [of(100, "A", "connection_timeout", "B", "ONE"), of(270, "B", "connection_timeout", "A", "ONE")]
    first += [of(278, "A", "connected", "B", "ONE"), of(278, "B", "connected", "A", "ONE")]
    other = [of(135, "A", "connection_timeout", "B", "TWO"), of(190, "A", "connected", "B", "TWO")]
    found = findings(connections.lost_connections, told(events=[*first, *other]), LIMITS)
    assert [(f.subject["ag"], f.evidence[0].value) for f in found] == [("ONE", 178), ("TWO", 55)]


def test_a_database_that_is_disconnected_is_not_a_replica_that_is():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(708, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert (found.severity, found.subject["database"]) == ("info", "Sales")
    assert_facts(found, replica="B", database="Sales", host="A", times=1, most=20, ends_by="back")


def test_a_database_whose_replica_connects_anew_was_lost_with_it():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(172, "A", "connected", replica="B", ag="AG"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.severity == "notice"


def test_a_loss_is_no_longer_for_what_ends_after_the_replicas_are_connected_again():
    events = [
        event(100, "A", "connection_timeout", replica="B", ag="AG"),
        event(104, "A", "connected", replica="B", ag="AG"),
        event(118, "B", "database_disconnected", replica="A", ag="AG", database="Sales"),
        event(119, "B", "database_connected", replica="A", ag="AG", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert found.window == {"start": iso(100), "end": iso(104)}


def test_a_database_that_is_back_within_a_minute_is_worth_no_word():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(130, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    assert findings(connections.lost_connections, told(events=events), LIMITS) == []


def test_of_many_lost_connections_the_longest_are_told():
    events = []
    for n in range(50):
        events.append(event(100 * n, "A", "connection_timeout", replica="B", ag="AG"))
        events.append(event(100 * n + 1 + n, "A", "connected", replica="B", ag="AG"))
    found = findings(connections.lost_connections, told(events=events), LIMITS)
    assert len(found) == 20
    assert found[0].evidence[0].value == 31
    assert_facts(found[0], times=50, ends_by="back", most=20, short_of=[])


LEFT_OUT = ({"host_id": "A", "from_s": at(150).timestamp(), "to_s": at(5000).timestamp()},)


def lost_and_back(host="A", source="ERRORLOG"):
    return [
        event(100, host, "connection_timeout", source, replica="B", ag="AG"),
        event(6000, host, "connected", source, replica="B", ag="AG"),
    ]


def test_a_loss_does_not_last_across_what_the_log_leaves_out():
    made = replace(told(events=lost_and_back(), last=7200), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert_facts(found, times=1, most=20, time="2024-03-05T12:01:40+00:00", seconds=50.0)
    assert (found.severity, found.window["end"]) == ("notice", iso(150))
    assert (found.evidence[0].label, found.evidence[0].value) == ("time without a connection, at least", 50)
    assert len(found.evidence) == 2


def test_a_loss_behind_what_the_log_leaves_out_is_another():
    again = event(5900, "A", "connection_timeout", replica="B", ag="AG")
    made = replace(told(events=[*lost_and_back(), again]), left_out=LEFT_OUT)
    windows = [found.window for found in findings(connections.lost_connections, made, LIMITS)]
    assert windows == [{"start": iso(100), "end": iso(150)}, {"start": iso(5900), "end": iso(6000)}]


def test_a_log_that_does_not_tell_of_the_connection_again_leaves_its_end_open():
    made = replace(told(events=lost_and_back()[:1], last=7200), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert found.window["end"] == iso(150)


@pytest.mark.parametrize(
    "events",
    [lost_and_back("C"), lost_and_back(source="Extended Events")],
    ids=["of another host", "seen by a session"],
)
def test_what_a_log_leaves_out_ends_nothing_that_others_tell(events):
    made = replace(told(events=events), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert found.evidence[0].value == 5900


NEAR = {"processors": 12.0, "processors_by": "perfmon", "disk_ms": 3.0, "tasks": 0}


def eliminated(of_a=None, of_b=None, *more, replicas=()):
    """Judge the loss beside what was seen of both ends."""
    made = told(events=[*LOSS, *more], watched={"A": 7200, "B": 7200})
    seen = {("A", at(100)): Near(**NEAR | (of_a or {})), ("B", at(100)): Near(**NEAR | (of_b or {}))}
    (found,) = findings(connections.lost_connections, made, LIMITS, lambda _moments: seen, replicas)
    return found


def test_the_network_is_left_where_all_else_of_both_ends_is_ruled_out():
    found = eliminated()
    assert_facts(found, ruled_out=4, ends_by="back", times=1, most=20, network="left", database=None)
    assert ("processors of A, at most", 12.0) in [(e.label, e.value) for e in found.evidence]


@pytest.mark.parametrize(
    ("near", "short"),
    [
        ({"processors": 95.0}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        ({"disk_ms": 1000.0}, {"short_of": 1, "times": 1, "ends_by": "back", "most": 20}),
        ({"tasks": 1}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        ({"threadpool_ms": 31_000.0}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        (
            {
                "error": {
                    "source": "ERRORLOG",
                    "host_id": "B",
                    "content_id": "log-B",
                    "line": 3,
                    "text": "9642",
                }
            },
            {"short_of": 1, "ends_by": "back", "times": 1, "most": 20},
        ),
    ],
)
def test_what_an_end_was_short_of_comes_before_the_network(near, short):
    found = eliminated(None, near)
    assert_facts(found, **short)
    assert_facts(found, short_of=1, network="open", ends_by="back", times=1, database=None)


@pytest.mark.parametrize("near", [{"processors": 94.9}, {"disk_ms": 999.0}])
def test_a_load_below_its_bound_is_ruled_out(near):
    assert_facts(eliminated(None, near), network="left", ends_by="back", times=1, most=20)


def test_what_nothing_measured_is_not_seen_and_leaves_the_network_open():
    found = eliminated(None, {"processors": None, "disk_ms": None})
    assert_facts(found, not_seen=2, ends_by="back", times=1, most=20, network="open", database=None)


def test_an_end_without_a_log_or_a_measure_is_not_seen_at_all():
    (found,) = findings(connections.lost_connections, told(events=LOSS), LIMITS)
    assert_facts(found, not_seen=4, ends_by="back", times=1, most=20)


@pytest.mark.parametrize("seconds", [40, 160, 39, 161])
def test_heartbeats_that_the_cluster_missed_show_the_network(seconds):
    missed = event(seconds, "A", "heartbeats_missed", "cluster log", text="missed two-fifth")
    found = eliminated(None, None, missed)
    assert_facts(found, database=None, ends_by="back", times=1, most=20)


def test_workers_that_ran_out_are_named_once():
    found = eliminated(None, None, event(90, "B", "workers_exhausted", text="35217"))
    assert_facts(found, database=None, short_of=1, ends_by="back", times=1)


def test_the_session_timeout_of_the_replica_is_told():
    row = {"ag": "AG", "replica": "B", "session_timeout_s": 10, "content_id": "log-A", "line": 4}
    found = eliminated(replicas=[row])
    assert_facts(found, session=10, times=1, ends_by="back", most=20)
    assert ("session_timeout", 10) in [(e.label, e.value) for e in found.evidence]


@pytest.mark.parametrize(("ends", "seen"), [(519, False), (520, True)])
def test_a_log_rules_out_by_the_clock_of_its_own_host(ends, seen):
    """The clock of B is 7 minutes ahead: a log that ends at 519 s of it does not reach the loss at 100 s."""
    ahead = event(50, "B", "started", skew_ms=420_000.0)
    made = told(events=[*LOSS, ahead], watched={"A": 7200, "B": ends})
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert (not behind(found)["unseen"]) is seen
