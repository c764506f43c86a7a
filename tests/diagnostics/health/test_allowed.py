"""What the cluster allows a group, as its settings and its counts of failures have it."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health.allowed import Cluster, counted, not_owned
from tests.diagnostics.health.cases import at, event, setting, told
from tests.diagnostics.health.standings import row, standing


def limit(name, value, item="ag", scope="group"):
    return setting(scope, item, name, value)


def cluster(*settings):
    return Cluster(settings=settings)


def test_a_setting_of_something_without_a_name_is_no_group_s():
    held = cluster(limit("FailoverThreshold", "2", item=None), limit("FailoverThreshold", "3"))
    assert held.setting("group", "", "FailoverThreshold").value == "2"
    assert held.setting("group", "Ag", "FailoverThreshold").value == "3"
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


MOVED = ("group moved", "move of group AG", "ERRORLOG of B, B/ERRORLOG line 7")
LIMIT = ("FailoverThreshold", "2", "A/ERRORLOG line 3")


def test_a_count_that_is_spent_is_told_with_what_the_cluster_allows():
    settings = [limit("FailoverThreshold", "2"), limit("FailoverPeriod", "3")]
    assert reasons(moved(100, 1.0), moved(300), settings=settings) == [
        ("spent", [MOVED, LIMIT], {"count": 2.0, "since": at(300), "hours": 3.0, "most": 2})
    ]


@pytest.mark.parametrize(("value", "most"), [("999", 999), ("1000", None)])
def test_a_failover_threshold_of_a_thousand_means_unlimited(value, most):
    assert cluster(limit("FailoverThreshold", value)).allowed("AG")[1] == most


def test_a_look_whose_time_is_not_known_is_held_against_no_count():
    assert reasons(reached(300), time=None) == []


def owners(names, node="B", **more):
    held = cluster(limit("owner_nodes", names, scope="resource"))
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
