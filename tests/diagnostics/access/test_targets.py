"""Where read-only routes lead: replicas whose databases do not move, and ports of endpoints."""

from __future__ import annotations

import pytest

from tests.behind import judged
from tests.diagnostics.access.routes import EACH, ROUTE, routing
from tests.diagnostics.tiny import case

STATE = (
    "A | 60 | database_states | ag=AG; replica={}; database=Sales; is_suspended={}; synchronization_state={}"
)


def kinds(*rows):
    return [
        (one.subject["kind"], one.severity)
        for one in routing(case(relations="\n".join(rows)))
        if one.subject["kind"] != "lists"
    ]


@pytest.mark.parametrize(
    ("is_suspended", "state", "told"),
    [
        ("true", "NOT SYNCHRONIZING", [("halted", "warning")]),
        ("false", "NOT SYNCHRONIZING", [("halted", "warning")]),
        ("false", "SYNCHRONIZING", []),
    ],
)
def test_a_route_to_a_database_that_does_not_move_is_told(is_suspended, state, told):
    assert kinds(EACH, STATE.format("B", is_suspended, state)) == told


def test_with_another_route_left_it_is_a_notice():
    other = ROUTE.format("A", 2, "C", "ALL")
    assert kinds(EACH, other, STATE.format("B", "true", "NOT SYNCHRONIZING")) == [("halted", "notice")]


def test_a_suspended_database_to_which_nothing_is_routed_is_not_told():
    assert kinds(EACH, STATE.format("C", "true", "NOT SYNCHRONIZING")) == []


def test_a_url_with_the_port_of_the_endpoint_is_a_warning():
    (one,) = routing(case(relations=EACH.replace("TCP://x:1433", "TCP://x:5022", 1)))
    assert judged(one).facts == {
        "ag": "AG", "replicas": ["B"], "port": "5022", "url": "TCP://x:5022", "right": "TCP://x:1433",
    }  # fmt: skip
