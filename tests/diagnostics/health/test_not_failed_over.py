"""health.not_failed_over: an outage that no replica ended by taking over, and the reason that is shown."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import groups
from agtrace.diagnostics.health.not_failed_over import explained, not_failed_over
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import event, failover, findings, iso, state, told

LIMITS = Thresholds()
LOST = (
    state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
)


def look(replica, mode):
    return {"ag": "AG", "replica": replica, "failover_mode": mode, "content_id": "look", "line": 3}


def counted(seconds):
    return event(seconds, "B", "threshold_reached", ag="AG", value=3.0, after="2", text="Not failing over")


def movement(seconds, kind, replica):
    return event(seconds, "A", f"database_{kind}", ag="AG", database="Sales", replica=replica)


def judged(*events, looks=(), failovers=()):
    one = told(list(failovers), events=sorted([*LOST, *events], key=lambda e: e["time"]), last=900)
    return findings(not_failed_over, one, groups.no_primary(one, LIMITS), list(looks), LIMITS)


def test_a_role_that_failed_too_often_stays_where_it_is():
    (found,) = judged(counted(90))
    assert (found.id, found.severity, found.subject) == ("health.not_failed_over", "warning", {"ag": "AG"})
    assert found.window == {"start": iso(100), "end": iso(900)}
    assert_facts(
        found,
        group="AG",
        since="2024-03-05T12:01:40+00:00",
        seconds=800.0,
        why="threshold",
        most="2",
        count=3.0,
        kinds=["threshold"],
    )
    assert found.confidence == 0.9


def test_a_count_of_long_before_is_not_of_this_outage():
    assert judged(counted(100 - 301)) == []


def test_a_replica_that_refused_says_why():
    (found,) = judged(event(110, "B", "failover_refused", ag="AG", text="not synchronised"))
    assert_facts(
        found,
        by="B",
        group="AG",
        why="refused",
        since="2024-03-05T12:01:40+00:00",
        text="not synchronised",
        kinds=["refused"],
    )


def test_replicas_that_fail_over_by_hand_alone_do_not_take_over():
    (found,) = judged(looks=[look("A", "AUTOMATIC"), look("B\\SQL1", "MANUAL")])
    assert_facts(
        found,
        group="AG",
        since="2024-03-05T12:01:40+00:00",
        seconds=800.0,
        why="manual",
        replicas=["B\\SQL1"],
        kinds=["manual"],
    )
    assert found.confidence == 0.75


@pytest.mark.parametrize("looks", [[look("B", "AUTOMATIC")], [look("B", None)], [look("A", "MANUAL")]])
def test_a_replica_that_could_or_whose_mode_is_not_known_is_no_reason(looks):
    assert judged(looks=looks) == []


def test_a_primary_without_a_connected_partner_has_nobody_to_fail_over_to():
    (found,) = judged(movement(50, "disconnected", "B"))
    assert_facts(found, group="AG", since="2024-03-05T12:01:40+00:00", seconds=800.0, gone=["B"])
    assert judged(movement(50, "disconnected", "B"), movement(60, "connected", "B")) == []


def test_one_replica_that_was_connected_could_have_taken_over():
    assert judged(movement(50, "disconnected", "B"), movement(40, "connected", "C")) == []


def test_a_replica_that_was_not_watched_may_have_taken_over():
    """A group of which one node alone was captured; the cluster's own word counts all the same."""
    events = [LOST[0], LOST[1], movement(50, "disconnected", "B")]
    for more, n in (([], 0), ([counted(90) | {"host_id": "A"}], 1)):
        one = told(events=sorted([*events, *more], key=lambda e: e["time"]), watched={"A": 900},
                   members=({"ag": "AG", "replica": "A"}, {"ag": "AG", "replica": "B"}))  # fmt: skip
        losses = groups.no_primary(one, LIMITS)
        assert [loss.facts["unwatched"] for loss in losses] == [["B"]]
        assert len(findings(not_failed_over, one, losses, [], LIMITS)) == n


def test_without_a_reason_that_is_shown_nothing_is_said():
    assert judged() == []


@pytest.mark.parametrize(("until", "n"), [(160, 1), (159, 0)])
def test_a_primary_that_came_back_in_place_after_long_is_such_an_outage(until, n):
    back = state(until, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL")
    one = told([failover(100, until, "A", "A")], events=[*LOST, back], last=900)
    found = findings(not_failed_over, one, [], [look("B", "MANUAL")], LIMITS)
    assert [f.window for f in found] == [{"start": iso(100), "end": iso(until)}] * n


def unmonitored(seconds, what, host="B"):
    return event(
        seconds, host, "monitor_failed", "cluster log", ag="AG", after=what, text="[hadrag] ODBC Error"
    )


@pytest.mark.parametrize(
    ("what", "why", "do"),
    [
        (
            "permission",
            {"what": "permission", "why": "monitor", "kinds": ["monitor"]},
            {"what": "permission", "why": "monitor", "kinds": ["monitor"]},
        ),
        (
            "login",
            {"what": "login", "why": "monitor", "kinds": ["monitor"]},
            {"what": "login", "why": "monitor", "kinds": ["monitor"]},
        ),
        (
            "encryption",
            {"what": "encryption", "why": "monitor", "kinds": ["monitor"]},
            {"what": "encryption", "why": "monitor", "kinds": ["monitor"]},
        ),
        (
            "driver",
            {"what": "driver", "why": "monitor", "kinds": ["monitor"]},
            {"what": "driver", "why": "monitor", "kinds": ["monitor"]},
        ),
        (
            "protocol",
            {"what": "protocol", "why": "monitor", "kinds": ["monitor"]},
            {"what": "protocol", "why": "monitor", "kinds": ["monitor"]},
        ),
        (
            "delay",
            {"what": "delay", "why": "monitor", "kinds": ["monitor"]},
            {"what": "delay", "why": "monitor", "kinds": ["monitor"]},
        ),
    ],
)
def test_a_replica_that_the_cluster_could_not_monitor_is_not_brought_online(what, why, do):
    (found,) = judged(unmonitored(110, what))
    assert_facts(found, failed="B", group="AG", why="monitor", since="2024-03-05T12:01:40+00:00")
    assert_facts(found, **why)
    assert_facts(found, **do)
    assert found.confidence == 0.9


def test_an_old_primary_that_is_not_monitored_is_no_reason():
    assert judged(unmonitored(110, "delay", "A")) == []


@pytest.mark.parametrize(("host", "n"), [("B", 1), ("X", 0)])
def test_what_names_no_group_counts_of_its_replicas_alone(host, n):
    assert len(judged(unmonitored(110, "permission", host) | {"ag": None})) == n


def test_replicas_by_hand_and_replicas_without_a_connection_are_named_apart():
    (found,) = judged(movement(50, "disconnected", "B"), looks=[look("B", "MANUAL"), look("C", "MANUAL")])
    assert_facts(found, why="manual", replicas=["B", "C"], gone=["B"], kinds=["manual", "apart"])


def test_a_node_without_quorum_runs_no_role():
    (found,) = judged(event(95, "B", "quorum_lost", "cluster log", text="Lost quorum"))
    assert_facts(found, group="AG", why="quorum", since="2024-03-05T12:01:40+00:00", seconds=800.0)
    assert found.confidence == 0.9


@pytest.mark.parametrize("host", ["A", "X"])
def test_quorum_that_the_old_primary_or_a_stranger_lost_is_no_reason(host):
    assert judged(event(95, host, "quorum_lost", "cluster log", text="Lost quorum")) == []


def unready(seconds, host="B", ag="AG"):
    return event(seconds, host, "failover_not_ready", "Extended Events", ag=ag, text="not all databases")


def test_a_replica_that_found_databases_unsynchronised_is_named():
    (found,) = judged(unready(110))
    assert_facts(
        found,
        unready="B",
        group="AG",
        since="2024-03-05T12:01:40+00:00",
        seconds=800.0,
        why="not_ready",
        kinds=["not_ready"],
    )


@pytest.mark.parametrize("one", [unready(110, "A"), unready(110, ag="AG2"), unready(100 - 301), unready(901)])
def test_validations_of_another_time_group_or_host_are_no_reason(one):
    assert judged(one) == []


def test_an_outage_whose_reason_is_told_asks_for_no_more():
    for events, is_explained in (((counted(90),), True), ((), False)):
        one = told(events=sorted([*LOST, *events], key=lambda e: e["time"]), last=900)
        losses = groups.no_primary(one, LIMITS)
        (found,) = findings(explained, losses, not_failed_over(one, losses, [], LIMITS))
        assert_facts(found, is_explained=is_explained)
