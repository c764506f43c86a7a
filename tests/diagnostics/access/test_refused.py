"""Which refusals, roles and routing lists are told, from rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics.access import routing
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import Members, Refused, Resolving, Routes
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
KNOWN = KnownConnections(grouped=frozenset({"A"}))
AG = {"A": ["AG"]}


def refusal(number=979, seconds=0, n=1, host="A", database="Sales", is_local=False):
    first = NOON + timedelta(seconds=seconds)
    return record(
        Refused,
        source="ERRORLOG",
        host_id=host,
        number=number,
        database=database,
        n=n,
        first=first,
        last=first + timedelta(seconds=5),
        is_local=is_local,
        text="x",
        content_id="log",
        line=4,
    )


def route(replica="A", to="B", allowed="ALL", ag="AG", priority=1, time=NOON):
    return record(
        Routes,
        ag=ag,
        replica=replica,
        priority=priority,
        routed_to=to,
        connections_allowed=allowed,
        routing_url="u",
        time=time,
        content_id="list",
        line=2,
    )


def refused(*rows, routes=(), listed=False, groups=None):
    return routing.refused(rows, list(routes), listed, AG if groups is None else groups, KNOWN)


@pytest.mark.parametrize(
    ("number", "kind", "severity"),
    [(979, "on_primary", "warning"), (982, "no_secondary", "warning"), (978, "without_intent", "notice")],
)
def test_a_number_tells_what_was_refused(number, kind, severity):
    (one,) = refused(refusal(number))
    assert (one.said, one.severity, one.confidence) == (f"routing.{kind}", severity, 0.9)
    assert one.subject == {"ag": "AG", "host": "A", "kind": kind}


@pytest.mark.parametrize(
    ("groups", "subject"),
    [
        (AG, {"ag": "AG", "host": "A", "kind": "on_primary"}),
        ({"A": ["AG", "BG"]}, {"host": "A", "kind": "on_primary"}),
        ({}, {"host": "A", "kind": "on_primary"}),
    ],
)
def test_the_only_group_of_a_host_is_the_one_that_is_concerned(groups, subject):
    assert refused(refusal(), groups=groups)[0].subject == subject


def test_refusals_of_one_kind_are_added_up_and_those_of_others_stand_beside_them():
    rows = [refusal(n=2), refusal(seconds=9, n=3, database="Old"), refusal(978, database="")]
    told = [(one.facts["n"], one.facts["databases"], one.window["end"][11:19]) for one in refused(*rows)]
    assert told == [(5, ["Old", "Sales"], "12:00:14"), (1, [], "12:00:05")]


def test_a_host_that_is_not_known_is_called_so_and_of_no_group():
    (one,) = refused(refusal(host=""))
    assert one.facts["host"] == "an unknown host"
    assert one.evidence[0].source == "ERRORLOG of an unknown host"
    assert (one.severity, one.subject) == ("info", {"kind": "on_primary"})


@pytest.mark.parametrize(
    ("routes", "listed", "told"), [([], False, False), ([], True, True), ([route("B", "A")], False, True)]
)
def test_a_list_was_looked_at_where_it_says_so_or_has_routes(routes, listed, told):
    (one,) = refused(refusal(), routes=routes, listed=listed)
    assert (one.facts["listed"], one.facts["routes"]) == (told, 0)


@pytest.mark.parametrize(
    ("routes", "n", "closed"),
    [
        ([route()], 1, []),
        ([route(allowed="NO"), route(to="C", allowed="NO"), route(to="B", allowed="NO")], 3, ["B", "C"]),
        ([route(allowed="NO", ag="BG")], 0, []),
        ([route(allowed=None, ag="")], 1, []),
    ],
)
def test_routes_of_the_replica_are_counted_and_those_that_are_closed_named(routes, n, closed):
    (one,) = refused(refusal(), routes=routes)
    assert (one.facts["routes"], one.facts["closed"]) == (n, closed)


def test_what_a_route_allows_is_shown_as_far_as_it_is_known():
    (one,) = refused(refusal(), routes=[route(), route(to="C", allowed=None)])
    assert [each.value for each in one.evidence[2:]] == ["B (ALL)", "C"]


# Neither primary nor secondary.


def stretch(**more):
    return record(
        Resolving,
        source="ERRORLOG",
        host_id="A",
        n=7,
        first=NOON,
        last=NOON + timedelta(hours=1),
        is_local=False,
        databases=["Sales"],
        text="x",
        content_id="log",
        line=4,
    )._replace(**more)


def resolving(groups, **more):
    (one,) = routing.resolving([stretch(**more)], groups, KNOWN, Thresholds())
    return one


@pytest.mark.parametrize(
    ("groups", "subject"),
    [(AG, {"ag": "AG", "host": "A", "kind": "resolving"}), ({}, {"host": "A", "kind": "resolving"}),
     ({"A": ["AG", "BG"]}, {"host": "A", "kind": "resolving"})],
)  # fmt: skip
def test_a_role_that_is_neither_is_of_the_only_group_of_its_host(groups, subject):
    one = resolving(groups)
    assert (one.subject, one.confidence) == (subject, 0.9)
    assert one.facts == {"host": "A", "n": 7, "first": NOON, "last": NOON + timedelta(hours=1),
                         "databases": ["Sales"], "seconds": 3600.0}  # fmt: skip


def test_of_a_stretch_in_local_time_no_zone_is_told_and_of_no_databases_none():
    one = resolving(AG, is_local=True, databases=None)
    assert one.window == {"start": "2024-03-05T12:00:00", "end": "2024-03-05T13:00:00", "local": True}
    assert (one.facts["databases"], one.facts["first"]) == ([], NOON.replace(tzinfo=None))


@pytest.mark.parametrize(("host", "severity"), [("A", "notice"), ("X", "info")])
def test_without_a_group_of_its_host_it_is_an_info(host, severity):
    assert resolving({}, host_id=host).severity == severity


# Lists.


def lists(routes, *replicas):
    members = [record(Members, ag="AG", replica=name) for name in replicas]
    return [
        (one.facts["without"], one.facts["nowhere"], one.facts["closed"], one.facts["other"])
        for one in routing.lists(routes, members, KNOWN)
    ]


@folded(
    ("routes", "replicas", "told"),
    [
        ([], ["A", "B"], []),
        ([route()], ["A", "B"], [(["B"], [], [], "A")]),
        ([route(), route("B", "A")], ["A", "B"], []),
        ([route(allowed="NO"), route("B", "A")], ["A", "B"], [([], ["A"], ["B"], "B")]),
        ([route(allowed="NO"), route(to="C"), route("B", "A")], ["A", "B"], []),
        ([route(allowed="NO")], [], [([], ["A"], ["B"], "replica")]),
        ([route(allowed="NO")], ["A"], [([], ["A"], ["B"], "replica")]),
        ([route(allowed="NO")], ["A", "B"], [(["B"], ["A"], ["B"], "A")]),
    ],
)
def test_lists_that_lack_or_lead_nowhere_are_told(routes, replicas, told):
    assert lists(routes, *replicas) == told


def test_a_replica_without_a_list_has_no_route():
    (one,) = routing.lists(
        [route()], [record(Members, ag="AG", replica=name) for name in ("A", "B", "C")], KNOWN
    )
    assert [(each.label, each.value) for each in one.evidence] == [
        ("read-only routes of B", 0),
        ("read-only routes of C", 0),
        ("read-only route of A, priority 1", "B (ALL)"),
    ]


@pytest.mark.parametrize(
    ("times", "window"),
    [
        ([None], {}),
        ([NOON, None], {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:00:00+00:00"}),
        ([NOON, NOON + timedelta(seconds=9)],
         {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:00:09+00:00"}),
    ],
)  # fmt: skip
def test_lists_are_as_old_as_the_looks_at_them(times, window):
    (one,) = routing.lists(
        [route(time=time) for time in times], [record(Members, ag="AG", replica="B")], KNOWN
    )
    assert (one.window, one.confidence) == (window, 0.8)


@pytest.mark.parametrize(
    ("members", "subject"),
    [
        ([], {"kind": "lists"}),
        ([("AG", "A")], {"ag": "AG", "kind": "lists"}),
        ([("AG", "A"), ("BG", "A")], {"kind": "lists"}),
        ([("AG", "A"), ("BG", "B")], {"ag": "AG", "kind": "lists"}),
    ],
)
def test_a_list_without_a_group_is_of_the_only_one_that_has_its_replica(members, subject):
    rows = [record(Members, ag=ag, replica=replica) for ag, replica in members]
    (one,) = routing.lists([route(ag="", allowed="NO")], rows, KNOWN)
    assert one.subject == subject
