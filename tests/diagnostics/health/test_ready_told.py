"""What is told of a replica that would not take over, until when, and what it would cost if it did."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.diagnostics.health import readiness
from tests.diagnostics.health.cases import at, failover, iso, state, told
from tests.diagnostics.health.standings import database, standing
from tests.diagnostics.health.test_takes_over import CUT, LATE, failed, how, ready
from tests.folded import folded


@pytest.mark.parametrize(
    ("rows", "is_outdated"),
    [([failover(590, 600)], False), ([failover(590, 601)], True), ([failover(590, 601, ag="AH")], False),
     ([failover(590, 599), failover(700, 701)], True), ([], False)],
)  # fmt: skip
def test_a_later_failover_of_its_group_outdates_a_look(rows, is_outdated):
    cut = standing("B", [database()], **CUT)
    _, found = ready(standing("A"), cut, failovers=rows)
    assert found.is_outdated is is_outdated
    assert len(readiness.readiness(told(), [found])) == (not is_outdated)
    _, found = ready(standing("A"), standing("B", [database()], time=None), failovers=rows)
    assert found.is_outdated is False


NOW = datetime(2024, 3, 5, 12)


def cost(*databases, **more):
    one = standing("B", databases, commits={"Sales": NOW, "Stock": NOW}, **more)
    found = ready(standing("A"), one)[1]
    return found.unsent_kb, found.behind_s, found.redo_s


def behind(seconds, name="Sales", **more):
    return database(
        name,
        synchronization_state="SYNCHRONIZING",
        last_commit_local=NOW - timedelta(seconds=seconds),
        **more,
    )


@folded(
    ("databases", "more", "expected"),
    [
        ([], {}, (None, None, None)),
        ([database(log_send_queue_kb=5), database("Stock", log_send_queue_kb=7)], {}, (12.0, 0.0, None)),
        ([database(log_send_queue_kb=0)], {}, (0.0, 0.0, None)),
        ([database(log_send_queue_kb=5)], {"knows": False}, (None, None, None)),
        ([behind(30)], {}, (None, 30.0, None)),
        ([behind(30), behind(70, "Stock")], {}, (None, 70.0, None)),
        ([behind(-5)], {}, (None, 0.0, None)),
        ([behind(30, "Other")], {}, (None, None, None)),
        ([database(synchronization_state="SYNCHRONIZING")], {}, (None, None, None)),
        ([behind(30)._replace(synchronization_state="SYNCHRONIZED")], {}, (None, 0.0, None)),
        ([behind(30)._replace(synchronization_state="SYNCHRONIZED")], LATE, (None, 30.0, None)),
        ([behind(30), database("Stock")], {}, (None, 30.0, None)),
        ([database(redo_queue_kb=0)], {}, (None, 0.0, 0.0)),
        ([database(redo_queue_kb=0, redo_rate_kb_s=5)], {}, (None, 0.0, 0.0)),
        ([database(redo_queue_kb=90, redo_rate_kb_s=30)], {}, (None, 0.0, 3.0)),
        ([database(redo_queue_kb=90, redo_rate_kb_s=0)], {}, (None, 0.0, None)),
        ([database(redo_queue_kb=90)], {}, (None, 0.0, None)),
        ([database(redo_queue_kb=1, redo_rate_kb_s=1), database("Stock", redo_queue_kb=0)], {}, (None,
         0.0, 1.0)),
        ([database(redo_queue_kb=90, redo_rate_kb_s=30), database("Stock")], {}, (None, 0.0, None)),
        ([database(redo_queue_kb=90, redo_rate_kb_s=30), database("Stock", redo_queue_kb=100,
         redo_rate_kb_s=10)],
         {}, (None, 0.0, 10.0)),
    ],
)  # fmt: skip
def test_what_a_failover_costs_is_what_was_not_sent_how_far_it_is_behind_and_redo(databases, more, expected):
    assert cost(*databases, **more) == expected


# What is said of it.


def judged(one, **more):
    (found,) = readiness.readiness(told(), [ready(standing("A", [database()]), one, **more)[1]])
    return found


def test_a_replica_that_would_not_take_over_is_told_with_what_forbids_it_and_its_costs():
    rows = [behind(30, log_send_queue_kb=5, redo_queue_kb=90, redo_rate_kb_s=30, line=6),
            database("Stock", log_send_queue_kb=7, redo_queue_kb=0)]  # fmt: skip
    found = judged(standing("B", rows, commits={"Sales": NOW}))
    assert (found.severity, found.confidence, found.subject) == ("warning", 0.9, {"ag": "AG", "replica": "B"})
    assert found.window == {"start": iso(600), "end": iso(600)}
    place = "A/ERRORLOG line 4"
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("state of Sales", "SYNCHRONIZING", "A/ERRORLOG line 6"), ("databases synchronised", 1, place),
        ("log not sent", 12.0, place), ("last commit behind the primary's", 30.0, place),
        ("redo that is left", 3.0, place), ("looked at", "A", place),
    ]  # fmt: skip
    assert {name: value for name, value in found.facts.items() if value is not None} == {
        "group": "AG", "replica": "B", "at": at(600), "kinds": ["not_synchronised"],
        "why": "not_synchronised",
        "how": "forced", "is_meant": True, "is_synchronous": True, "is_itself": True, "is_outdated": False,
        "unsent": 12.0, "behind": 30.0, "redo": 3.0, "not_synchronised": ["Sales"], "of": 2,
    }  # fmt: skip


def test_a_replica_without_databases_in_a_look_of_no_zone_is_told_with_less():
    found = judged(standing("B", time=None, **CUT, **LATE))
    assert (found.severity, found.window["start"]) == ("notice", "2024-03-05T12:10:00")
    assert [e.label for e in found.evidence] == ["connected_state", "looked at"]
    assert (found.facts["is_meant"], found.facts["is_synchronous"], found.facts["is_itself"]) == (False,) * 3


def test_a_state_that_made_it_the_primary_before_the_look_is_no_obstacle():
    taken = state(550, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL")
    assert how(standing("B", [database()]), events=[failed(), taken]) == ("itself", [])
