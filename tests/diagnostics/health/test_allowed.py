"""What the cluster allows a group, as its settings and its counts of failures have it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics.health.allowed import Cluster, counted, not_owned
from tests.diagnostics.health.cases import at, event, told
from tests.diagnostics.health.standings import row, standing
from tests.folded import folded

HOUR = 3600


def setting(name, value, item="ag", scope="group"):
    return {"scope": scope, "item": item, "setting": name, "value": value, "content_id": "log-A", "line": 3}


def cluster(*settings):
    return Cluster(settings=settings)


@folded(
    ("threshold", "period", "expected"),
    [
        (None, None, (None, timedelta(hours=6))),
        (None, "2", (None, timedelta(hours=2))),
        ("2", None, (2, timedelta(hours=6))),
        ("999", "1", (999, timedelta(hours=1))),
        ("1000", "0", (None, timedelta(hours=6))),
        ("many", "long", (None, timedelta(hours=6))),
        ("0", "2000", (0, timedelta(hours=1000))),
        ("4294967295", "999", (None, timedelta(hours=999))),
    ],
)
def test_a_threshold_below_a_thousand_is_set_and_a_period_is_hours_unless_it_is_six(
    threshold, period, expected
):
    rows = [setting(name, value) for name, value in
            (("FailoverThreshold", threshold), ("FailoverPeriod", period)) if value is not None]  # fmt: skip
    limit, most, counts = cluster(*rows).allowed("AG")
    assert (most, counts) == expected
    assert (limit and limit["value"]) == threshold


def test_a_setting_of_something_without_a_name_is_no_group_s():
    held = cluster(setting("FailoverThreshold", "2", item=None), setting("FailoverThreshold", "3"))
    assert held.setting("group", "", "FailoverThreshold")["value"] == "2"
    assert held.setting("group", "Ag", "FailoverThreshold")["value"] == "3"
    assert held.setting("resource", "AG", "FailoverThreshold") is None


def reasons(*events, settings=(), **look):
    one = standing(**look)
    return [
        (each.kind, [(e.label, e.value, e.source) for e in each.evidence], dict(each.facts))
        for each in counted(one, cluster(*settings), told(events=events))
    ]


def reached(seconds, value=3.0, ag="AG"):
    return event(seconds, "B", "threshold_reached", ag=ag, value=value, text="Not failing over")


def moved(seconds, value=2.0, ag="AG"):
    return event(seconds, "B", "group_moved", ag=ag, value=value, text="move of group AG")


REACHED = ("threshold reached", "Not failing over", "ERRORLOG of B, B/ERRORLOG line 7")
MOVED = ("group moved", "move of group AG", "ERRORLOG of B, B/ERRORLOG line 7")
LIMIT = ("FailoverThreshold", "2", "A/ERRORLOG line 3")


def test_the_last_word_of_the_cluster_that_it_counted_too_many_counts_before_a_count():
    found = reasons(
        reached(100, 2.0), moved(200), reached(300), reached(601), reached(400, ag="OTHER"),
        settings=[setting("FailoverThreshold", "2")],
    )  # fmt: skip
    assert found == [("threshold", [REACHED], {"count": 3.0, "since": at(300), "hours": 6.0})]


@pytest.mark.parametrize(("seconds", "n"), [(600, 1), (601, 0), (600 - 6 * HOUR, 1), (599 - 6 * HOUR, 0)])
def test_the_cluster_counts_for_six_hours_before_the_look(seconds, n):
    assert len(reasons(reached(seconds))) == n


@pytest.mark.parametrize(("value", "threshold", "n"), [(2.0, "2", 1), (3.0, "2", 1), (1.9, "2", 0),
                                                       (None, "0", 1), (None, "1", 0), (9.0, None, 0),
                                                       (9.0, "1000", 0)])  # fmt: skip
def test_a_count_that_reaches_the_threshold_is_spent(value, threshold, n):
    settings = [setting("FailoverThreshold", threshold)] if threshold else []
    assert [kind for kind, *_ in reasons(moved(300, value), settings=settings)] == ["spent"] * n


def test_a_count_that_is_spent_is_told_with_what_the_cluster_allows():
    settings = [setting("FailoverThreshold", "2"), setting("FailoverPeriod", "3")]
    assert reasons(moved(100, 1.0), moved(300), settings=settings) == [
        ("spent", [MOVED, LIMIT], {"count": 2.0, "since": at(300), "hours": 3.0, "most": 2})
    ]


def test_a_look_whose_time_is_not_known_is_held_against_no_count():
    assert reasons(reached(300), time=None) == []


def owners(names, node="B", **more):
    held = cluster(setting("owner_nodes", names, scope="resource"))
    return [
        (each.kind, [(e.label, e.value, e.source) for e in each.evidence], dict(each.facts))
        for each in not_owned(standing(**more), node, held, told())
    ]


def test_a_node_that_is_no_owner_is_told_with_those_that_are():
    assert owners("A, C") == [
        ("not_owner", [("possible owners of AG", "A, C", "A/ERRORLOG line 3")],
         {"owner": "B", "owners": ["A", "C"]})
    ]  # fmt: skip
    assert owners("a.contoso.lan , b.contoso.lan") == []


@pytest.mark.parametrize(
    ("primary", "n"),
    [
        (row("A"), 1),
        (row("X", node="A"), 1),
        (row("A", node=None), 1),
        (row("A", node="X"), 0),
        (row("X", node=None), 0),
        (None, 0),
    ],
)
def test_owners_count_where_the_node_of_the_primary_is_one_of_them(primary, n):
    assert len(owners("A", primary=primary)) == n


def test_without_owners_that_were_captured_nobody_is_none_of_them():
    assert list(not_owned(standing(), "B", cluster(), told())) == []
