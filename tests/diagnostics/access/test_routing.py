"""Where connections with read intent end, and what the routing lists leave open."""

from __future__ import annotations

import pytest

from tests.behind import assert_facts
from tests.diagnostics.access.cases import PARTNERS, every, found, life

NOT_READ_ONLY = (
    "The target database ('Sales') is in an availability group and currently does not allow read only "
    "connections. For more "
    "information about application intent, see SQL Server Books Online."
)
NO_SECONDARY = (
    "Unable to access the 'Sales' database because no online secondary replicas are enabled for "
    "read-only access."
)
INTENT_NEEDED = (
    "The target database ('Sales') is in an availability group and is currently accessible for connections "
    "when the "
    "application intent is set to read only."
)
IN_A_CHANGE = (
    "Unable to access availability database 'Sales' because the database replica is not in the PRIMARY "
    "or SECONDARY role."
)
ROUTE = (
    "A | 1 | routing | ag=AG; replica={}; priority={}; routed_to={}; connections_allowed={}; "
    "routing_url=TCP://x:1433"
)
EACH = "\n".join([ROUTE.format("A", 1, "B", "READ_ONLY"), ROUTE.format("B", 1, "A", "ALL")])


def routing(made):
    return found(made, "access.routing")


@pytest.mark.parametrize(
    ("number", "text", "kind", "severity"),
    [
        (979, NOT_READ_ONLY, "on_primary", "warning"),
        (982, NO_SECONDARY, "no_secondary", "warning"),
        (978, INTENT_NEEDED, "without_intent", "notice"),
    ],
)
def test_each_refusal_is_one_finding_of_its_replica(number, text, kind, severity):
    (one,) = routing(life(every("A", range(60, 600, 60), number, text)))
    assert (one.subject, one.severity) == ({"ag": "AG", "host": "A", "kind": kind}, severity)
    assert (one.evidence[0].label, one.evidence[0].value) == ("connections that failed", 9)
    assert_facts(one, n=9, databases=["Sales"], routes=0, listed=False)


def test_databases_of_one_replica_are_told_together():
    entries = [("A", 60, 979, NOT_READ_ONLY), ("A", 90, 979, NOT_READ_ONLY.replace("Sales", "Stock"))]
    (one,) = routing(life(entries))
    assert one.evidence[0].value == 2
    assert_facts(one, n=2, databases=["Sales", "Stock"])


def test_a_log_in_another_language_is_told_by_its_number():
    text = 'Die Zieldatenbank ("Sales") befindet sich in einer Verfügbarkeitsgruppe.'
    (one,) = routing(life([("A", 60, 979, text)]))
    assert one.subject["kind"] == "on_primary"
    assert_facts(one, n=1, databases=["Sales"])


@pytest.mark.parametrize("number", [976, 988])
def test_a_database_that_nobody_may_read_refuses_everybody_and_that_is_none(number):
    assert routing(life(every("A", range(60, 600, 60), number, IN_A_CHANGE))) == []


@pytest.mark.parametrize(
    ("seconds", "n"),
    [(range(60, 361, 60), 1), (range(60, 360, 60), 0), ([60, 180, 240, 300, 330, 360], 1),
     ([60, 181, 302, 423], 0), ([60, 90, 3600, 3660], 0)],
    ids=["five minutes", "less", "at most two minutes apart", "with pauses", "two changes of role"],
)  # fmt: skip
def test_a_replica_that_stays_without_a_role_for_minutes_is_told(seconds, n):
    found = routing(life(every("A", seconds, 983, IN_A_CHANGE)))
    assert [(one.subject, one.severity) for one in found] == [
        ({"ag": "AG", "host": "A", "kind": "resolving"}, "notice")
    ] * n


def test_the_lists_of_the_replica_are_said_with_its_refusals():
    (one,) = routing(life([("A", 60, 979, NOT_READ_ONLY)], relations=f"{PARTNERS}{EACH}"))
    assert_facts(one, n=1, routes=1)
    assert (one.evidence[-1].label, one.evidence[-1].value) == (
        "read-only route of A, priority 1", "B (READ_ONLY)",
    )  # fmt: skip


def test_an_empty_list_is_told_apart_from_one_that_was_not_captured():
    (one,) = routing(
        life([("A", 60, 979, NOT_READ_ONLY)], facts="A | read_only_routing_list | 1 | routes | 0")
    )
    assert_facts(one, n=1, routes=0, listed=True)


def test_where_no_group_is_concerned_it_is_an_info():
    (one,) = routing(life([("A", 60, 979, NOT_READ_ONLY)], messages="", relations="", until={"A": 7200}))
    assert one.severity == "info"


def test_a_replica_without_a_list_keeps_read_intent_after_a_failover():
    (one,) = routing(life(relations=PARTNERS + ROUTE.format("A", 1, "B", "READ_ONLY")))
    assert (one.subject, one.severity) == ({"ag": "AG", "kind": "lists"}, "notice")
    assert_facts(one, without=["B"], other="A", first_without="B")
    assert (one.evidence[0].label, one.evidence[0].value) == ("read-only routes of B", 0)


def test_a_list_that_leads_to_closed_replicas_alone_leads_nowhere():
    closed = EACH.replace("READ_ONLY;", "NO;")
    (one,) = routing(life(relations=PARTNERS + closed))
    assert_facts(one, nowhere=["A"], closed=["B"])


def test_lists_of_every_replica_are_as_they_are_to_be():
    assert routing(life(relations=PARTNERS + EACH)) == []


def test_where_nobody_routes_nothing_is_said():
    assert routing(life()) == []


def test_of_routes_whose_replicas_no_look_lists_none_is_missing():
    assert routing(life(relations=ROUTE.format("A", 1, "B", "READ_ONLY"))) == []
