"""What is said of groups that flap, have no primary, or left a node."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import groups
from agtrace.diagnostics.health.rows import ClusterLogs, Members
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import event, failover, findings, iso, state, told

LIMITS = Thresholds()


def test_three_unplanned_failovers_in_a_row_are_flapping():
    rows = [failover(t, t + 10) for t in (100, 4000, 9000)]
    (found,) = findings(groups.flapping, told(rows), LIMITS)
    assert (found.id, found.severity, found.subject) == ("health.flapping", "warning", {"ag": "AG"})
    assert found.window == {"start": iso(100), "end": iso(9010)}
    assert found.evidence[0].value == 3


def test_planned_failovers_and_those_far_apart_are_not_flapping():
    planned = [failover(t, t + 10, mode="planned") for t in (100, 200, 300)]
    apart = [failover(t * 36_000, t * 36_000 + 10) for t in (1, 2, 3)]
    assert findings(groups.flapping, told([*planned, *apart]), LIMITS) == []


ENTERED = state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL")
RESIGNED = state(110, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
TAKEN = state(100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL")


@pytest.mark.parametrize("before", [[ENTERED], []])
def test_one_that_resigns_after_another_took_over_takes_no_primary(before):
    events = [*before, TAKEN, RESIGNED]
    assert findings(groups.no_primary, told(events=events, last=900), LIMITS) == []


R = "RESOLVING_NORMAL"
LOST = state(100, "A", "PRIMARY_NORMAL", R)


def test_a_replica_that_was_not_watched_is_named_and_may_be_the_primary():
    members = (Members("AG", "A"), Members("AG", "B\\I"))
    (found,) = findings(groups.no_primary, told(events=[LOST], last=900, members=members), LIMITS)
    assert (found.severity, found.confidence) == ("warning", 0.5)
    assert_facts(
        found,
        group="AG",
        states=1,
        since="2024-03-05T12:01:40+00:00",
        seconds=800.0,
        watched=True,
        unwatched=["B"],
    )
    assert [e.value for e in found.evidence if e.label == "not watched then"] == ["B"]


def test_a_secondary_alone_that_says_nothing_does_not_show_that_there_is_no_primary():
    events = [state(10, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"), LOST]
    one = told(events=events, watched={"A": 100, "B": 5000})
    assert findings(groups.no_primary, one, LIMITS) == []


def test_captures_that_end_soon_after_show_the_loss_and_not_what_followed():
    one = told(events=[LOST], last=100.2)
    (found,) = findings(groups.no_primary, one, LIMITS)
    assert (found.id, found.severity, found.confidence) == ("health.no_primary", "warning", 0.5)
    assert found.window == {"start": iso(100), "end": iso(100.2)}
    assert_facts(found, host="A", seconds=0.2, after=R)


@pytest.fixture
def left():
    """A group that left node A, by its cluster log alone."""
    return event(
        600,
        "A",
        "resource_left",
        "cluster log",
        ag="AG",
        after="ProcessingFailure",
        text="Online-->ProcessingFailure",
    )


LOGS = [ClusterLogs("A")]


def test_a_group_that_left_a_node_and_is_nowhere_seen_again_is_not_decided(left):
    noted = event(599, "A", "lease_lost", "cluster log", ag="AG", text="lease is no longer valid")
    (found,) = findings(groups.left, told([], [noted, left]), LOGS, LIMITS)
    assert (found.id, found.severity) == ("quality.not_captured", "notice")
    assert found.subject == {"ag": "AG", "host": "A"}
    assert found.window == {"start": iso(600), "end": iso(600)}
    assert [e.label for e in found.evidence] == ["resource left", "lease lost"]
    assert_facts(found, times=1, last=True, logs=["A"])


@pytest.mark.parametrize(
    ("failovers", "more"),
    [
        ([failover(600, 606)], []),
        ([], [state(601, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]),
        ([], [event(630, "A", "resource_online", "cluster log", ag="AG")]),
    ],
    ids=["a failover tells it", "a replica tells it", "it comes back at once"],
)  # fmt: skip
def test_nothing_is_said_of_a_node_where_something_else_tells_it(left, failovers, more):
    assert findings(groups.left, told(failovers, [left, *more]), LOGS, LIMITS) == []
