"""Which two an entry about an endpoint is of, from rows of connections and entries."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.access import endpoints
from agtrace.diagnostics.access.handshakes import Failure, failure_of
from agtrace.diagnostics.access.pairs import Attempt, KnownConnections, attempts, is_consequence
from agtrace.diagnostics.access.rows import Attempts, Away, Connections, OwnEndpoints, Partners
from tests.diagnostics.access.cases import ADDRESS, CLOSED, EXPIRED, SILENT, denied
from tests.diagnostics.access.test_bounds import LOGIN, at, attempt
from tests.diagnostics.access.test_bounds import SILENT as UNANSWERED
from tests.diagnostics.asking import record
from tests.folded import folded


def link(seconds=0, is_connected=True, text="x"):
    return record(
        Connections,
        host_id="A",
        replica="B",
        replica_host_id="B",
        is_connected=is_connected,
        time=at(seconds),
        content_id="log",
        line=9,
        text=text,
    )


def pair(replica="B"):
    host = replica.partition("\\")[0]
    return record(Partners, host_id="A", replica=replica, replica_host_id=host, ag="AG")


ONE, TWO, NONE = (KnownConnections([pair()]), KnownConnections([pair(), pair("C")]), KnownConnections())


@folded(
    ("known", "text", "far"),
    [
        (ONE, CLOSED, ("B", "B", "", False)),
        (NONE, CLOSED, ("B", "B", "", False)),
        (ONE, EXPIRED, ("B", "B", ADDRESS, True)),
        (TWO, EXPIRED, (ADDRESS, ADDRESS, ADDRESS, False)),
        (NONE, EXPIRED, (ADDRESS, ADDRESS, ADDRESS, False)),
        (ONE, "nothing", ("", "", "", False)),
        (TWO, denied("CONTOSO\\C$"), ("C", "C", ADDRESS, False)),
        (TWO, denied("CONTOSO\\D$"), (ADDRESS, ADDRESS, ADDRESS, False)),
        (TWO, denied("CONTOSO\\C"), (ADDRESS, ADDRESS, ADDRESS, False)),
        (TWO, CLOSED + denied("CONTOSO\\C$"), ("B", "B", "", False)),
    ],
)
def test_the_far_end_is_the_one_that_an_entry_names_or_the_only_one_it_can_be(known, text, far):
    assert known.far_end("A", text) == far


def entry(number, text, seconds=0.0):
    return record(
        Attempts,
        host_id="A",
        number=number,
        text=text,
        n=3,
        first=at(seconds),
        last=at(seconds + 9),
        source="ERRORLOG",
        content_id="log",
        line=4,
        is_local=False,
    )


def test_entries_and_attempts_that_nobody_answered_are_told_in_order_of_time():
    links = [link(1, is_connected=False, text="y"), link(5, is_connected=False, text=None), link(6)]
    silent = failure_of(35201, "")
    assert attempts([entry(1474, SILENT, 3)], KnownConnections(connections=links)) == [
        Attempt("A", "B", "B", "", silent, 35201, "y", 1, at(1), at(1), "ERRORLOG", "log", 9),
        Attempt("A", "B", "B", "", UNANSWERED, 1474, SILENT, 3, at(3), at(12), "ERRORLOG", "log", 4),
        Attempt("A", "B", "B", "", silent, 35201, "", 1, at(5), at(5), "ERRORLOG", "log", 9),
    ]


AWAY = [record(Away, host_id=host, gone=at(-10), ready=at(10)) for host in ("A", "B")]


@pytest.mark.parametrize(
    ("one", "is_one"),
    [
        (attempt(failure=UNANSWERED), True),
        (attempt(failure=UNANSWERED, far="C"), True),
        (attempt(failure=UNANSWERED, host="C"), True),
        (attempt(failure=UNANSWERED, host="C", far="D"), False),
        (attempt(failure=UNANSWERED, far=""), False),
        (attempt(failure=LOGIN), False),
        (attempt(failure=None), False),
    ],
)
def test_what_the_network_shows_while_one_of_two_is_away_is_a_consequence(one, is_one):
    assert is_consequence(one, KnownConnections(away=AWAY)) is is_one


def test_a_connection_is_that_of_both_ends():
    known = KnownConnections(connections=[link(4, is_connected=False), link(5)])
    assert known.connected_after("B", "A", at(4)) == known.connections[1]
    assert known.connected_after("A", "B", at(5)) is None


# What is judged of a pair.


def judged(*own, known=None, theirs=(), kind="login", far="B"):
    (one,) = endpoints.judged([endpoints.Trouble("A", far, kind, own, theirs)], known or KnownConnections())
    return one


@pytest.mark.parametrize(
    ("kind", "text", "is_expired"),
    [("certificate", "has Expired", True), ("certificate", "x", False), ("login", "has expired", False)],
)
def test_a_certificate_alone_expires(kind, text, is_expired):
    assert judged(attempt(text=text, failure=Failure(kind, "peer")), kind=kind).facts["expired"] is is_expired


@pytest.mark.parametrize(
    ("stops", "stopped"),
    [([], False), ([("B", 5)], True), ([("B", 6)], False), ([("C", 1)], False), ([("C", 9), ("B", 1)], True)],
)
def test_an_endpoint_that_stopped_until_the_last_attempt_is_told(stops, stopped):
    rows = [record(OwnEndpoints, host_id=host, time=at(seconds)) for host, seconds in stops]
    assert judged(attempt(last=5.0), known=KnownConnections(stopped=rows)).facts["stopped"] is stopped


def test_names_of_hosts_are_those_of_their_replicas():
    known = KnownConnections([pair("B\\INST"), record(Partners, host_id="A", replica_host_id="A")])
    assert known.partners == {"A": {"B": known.pairs[0]}}
    assert known.ag("A", "B") == "AG"
    assert known.ag("A", "C") == ""
