"""health.not_failed_over: an outage that no replica ended by taking over, and the reason that is shown."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import groups
from agtrace.diagnostics.health.not_failed_over import explained, not_failed_over
from agtrace.diagnostics.health.rows import Replicas
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.asking import record
from tests.diagnostics.health.cases import event, findings, state, told

LIMITS = Thresholds()
LOST = (
    state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
)


def look(replica, mode):
    return record(Replicas, ag="AG", replica=replica, failover_mode=mode, content_id="look", line=3)


def counted(seconds):
    return event(seconds, "B", "threshold_reached", ag="AG", value=3.0, after="2", text="Not failing over")


def judged(*events, looks=(), failovers=()):
    one = told(list(failovers), events=sorted([*LOST, *events], key=lambda e: e.time), last=900)
    return findings(not_failed_over, one, groups.no_primary(one, LIMITS), list(looks), LIMITS)


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


def unmonitored(seconds, what, host="B"):
    return event(
        seconds, host, "monitor_failed", "cluster log", ag="AG", after=what, text="[hadrag] ODBC Error"
    )


@pytest.mark.parametrize(("host", "n"), [("B", 1), ("X", 0)])
def test_what_names_no_group_counts_of_its_replicas_alone(host, n):
    assert len(judged(unmonitored(110, "permission", host)._replace(ag=None))) == n


def test_an_outage_whose_reason_is_told_asks_for_no_more():
    for events, is_explained in (((counted(90),), True), ((), False)):
        one = told(events=sorted([*LOST, *events], key=lambda e: e.time), last=900)
        losses = groups.no_primary(one, LIMITS)
        (found,) = findings(explained, losses, not_failed_over(one, losses, [], LIMITS))
        assert_facts(found, is_explained=is_explained)
