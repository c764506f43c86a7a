"""What is said of lost connections, and of what explains them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import connections
from agtrace.diagnostics.health.near import Near
from agtrace.diagnostics.health.rows import NearTransport
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import at, event, findings, iso, look, told

LIMITS = Thresholds()


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
        "before", "of the other end", "of another replica", "of another instance", "before it was lost again",
    ],
)  # fmt: skip
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


def test_a_database_that_is_back_within_a_minute_is_worth_no_word():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(130, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    assert findings(connections.lost_connections, told(events=events), LIMITS) == []


@pytest.mark.parametrize(
    ("kind", "stopped", "who", "severity"),
    [
        ("database_disconnected", 400, "A", "info"),
        ("database_disconnected", 400, "B", "info"),
        ("database_disconnected", 400, "C", "warning"),
        ("database_disconnected", 1000, "A", "warning"),
        ("connection_timeout", 400, "A", "warning"),
    ],
    ids=[
        "this end stopped",
        "the other end stopped",
        "another stopped",
        "stopped later",
        "a replica was lost",
    ],
)
def test_a_database_alone_is_lost_until_an_end_is_stopped(kind, stopped, who, severity):
    events = [
        event(100, "A", kind, replica="B", ag="AG", database="Sales"),
        event(stopped, who, "stop_requested"),
        event(900, "A", "connected", replica="B", ag="AG"),
    ]
    (found,) = findings(connections.lost_connections, told(events=sorted(events)), LIMITS)
    assert found.severity == severity


def test_what_a_stopped_end_had_lost_lasted_at_least_until_then():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(400, "B", "system_shutdown"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert (found.window["end"], found.evidence[0].value) == (iso(400), 300)
    assert_facts(found, ends_by="down", database="Sales")


NEAR = {"processors": 12.0, "processors_by": "perfmon", "disk_ms": 3.0, "tasks": 0}


def eliminated(of_a=None, of_b=None, *more, replicas=()):
    """Judge the loss beside what was seen of both ends."""
    made = told(events=[*LOSS, *more], watched={"A": 7200, "B": 7200})
    seen = {("A", at(100)): Near(**NEAR | (of_a or {})), ("B", at(100)): Near(**NEAR | (of_b or {}))}
    (found,) = findings(connections.lost_connections, made, LIMITS, lambda _moments: seen, replicas)
    return found


@pytest.mark.parametrize(
    ("near", "short"),
    [
        ({"processors": 95.0}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        ({"disk_ms": 1000.0}, {"short_of": 1, "times": 1, "ends_by": "back", "most": 20}),
        ({"tasks": 1}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        ({"threadpool_ms": 31_000.0}, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        (
            {
                "error": NearTransport(0, "9642", "log-B", 3, "ERRORLOG", "B")
            },
            {"short_of": 1, "ends_by": "back", "times": 1, "most": 20},
        ),
    ],
)  # fmt: skip
def test_what_an_end_was_short_of_comes_before_the_network(near, short):
    found = eliminated(None, near)
    assert_facts(found, **short)
    assert_facts(found, short_of=1, network="open", ends_by="back", times=1, database=None)
