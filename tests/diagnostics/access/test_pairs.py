"""Which two an entry about an endpoint is of, from rows of links, looks and entries."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.access import endpoints
from agtrace.diagnostics.access.handshakes import Failure, failure_of
from agtrace.diagnostics.access.pairs import Attempt, Known, attempts, is_consequence
from agtrace.resolve.replicas import HostNames
from tests.diagnostics.access.cases import ADDRESS, CLOSED, EXPIRED, SILENT, denied
from tests.diagnostics.access.test_bounds import LOGIN, at, attempt, connected
from tests.diagnostics.access.test_bounds import SILENT as UNANSWERED
from tests.folded import folded


def link(host="A", replica="B", ag="AG", kind="connected", seconds=0, text="x"):
    return {"kind": kind, "ag": ag, "host_id": host, "replica": replica, "time": at(seconds),
            "content_id": "log", "line": 9, "text": text}  # fmt: skip


def look(host="A", replica="B", ag="AG", is_connected=True):
    return {"ag": ag, "host_id": host, "replica": replica, "is_connected": is_connected, "time": at(0),
            "content_id": "look", "line": 2}  # fmt: skip


BOTH = {"A": {"B": ("B", "AG")}, "B": {"A": ("A", "AG")}}


@folded(
    ("looks", "links", "partners"),
    [
        ([], [], {}),
        ([look()], [], BOTH),
        ([], [link()], BOTH),
        ([look(replica="A")], [], {}),
        ([look(ag=None)], [], {"A": {"B": ("B", "")}, "B": {"A": ("A", "")}}),
        ([look(ag=None)], [link()], BOTH),
        ([look()], [link(ag="OTHER")], BOTH),
        ([look(replica="b")], [], {"A": {"B": ("b", "AG")}, "B": {"A": ("A", "AG")}}),
        ([look(), look("B", "a.contoso.com")], [],
         {"A": {"B": ("B", "AG")}, "B": {"A": ("a.contoso.com", "AG")}}),
    ],
)  # fmt: skip
def test_who_is_listed_or_connected_beside_a_host_is_its_partner(looks, links, partners):
    assert Known(looks=looks, links=links).partners == partners


ONE, TWO, NONE = Known(looks=[look()]), Known(looks=[look(), look(replica="C")]), Known()


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


@pytest.mark.parametrize(
    ("grouped", "looks", "is_grouped"),
    [((), [], False), (("A",), [], True), ((), [look()], True), ((), [look("B", "A")], True)],
)
def test_a_host_is_of_a_group_that_lists_it_or_connects_it(grouped, looks, is_grouped):
    assert Known(grouped=frozenset(grouped), looks=looks).is_grouped("A") is is_grouped


def entry(number, text, seconds=0.0):
    return {"host_id": "A", "number": number, "text": text, "n": 3, "first": at(seconds),
            "last": at(seconds + 9), "source": "ERRORLOG", "content_id": "log", "line": 4,
            "is_local": False}  # fmt: skip


def test_entries_and_attempts_that_nobody_answered_are_told_in_order_of_time():
    links = [link(kind="connection_failed", seconds=5, text=None), link(seconds=6), link(
        kind="connection_failed", seconds=1, text="y")]  # fmt: skip
    silent = failure_of(35201, "")
    assert attempts([entry(1474, SILENT, 3)], Known(links=links)) == [
        Attempt("A", "B", "B", "", silent, 35201, "y", 1, at(1), at(1), "ERRORLOG", "log", 9),
        Attempt("A", "B", "B", "", UNANSWERED, 1474, SILENT, 3, at(3), at(12), "ERRORLOG", "log", 4),
        Attempt("A", "B", "B", "", silent, 35201, "", 1, at(5), at(5), "ERRORLOG", "log", 9),
    ]


AWAY = [{"host_id": host, "gone": at(-10), "ready": at(10)} for host in ("A", "B")]


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
    assert is_consequence(one, Known(away=AWAY)) is is_one


@pytest.mark.parametrize(
    ("kind", "since"), [("connected", True), ("connection_timeout", True), ("connection_failed", False)]
)
def test_two_were_connected_from_any_sign_on_but_of_an_attempt_that_failed(kind, since):
    assert (("A", "B") in Known(links=[link(kind=kind)]).known_since) is since


@pytest.mark.parametrize(
    ("kind", "is_sign"),
    [("connected", True), ("database_connected", True), ("database_disconnected", False),
     ("connection_timeout", False)],
)  # fmt: skip
def test_two_signs_show_that_two_are_connected(kind, is_sign):
    back = Known(links=[link(kind=kind, seconds=5)]).connected_after("B", "A", at(0))
    assert (back is not None) is is_sign


def test_a_clock_that_is_not_shifted_is_not_shifted_at_all():
    assert Known(skews={"B": 5.0})._ahead("A").total_seconds() == 0


# What is judged of a pair.


def judged(*own, known=None, theirs=(), kind="login", far="B"):
    (one,) = endpoints.judged([endpoints.Trouble("A", far, kind, own, theirs)], known or Known())
    return one


@pytest.mark.parametrize(
    ("far", "address", "known", "is_named"),
    [
        ("B", "", NONE, True),
        ("B", ADDRESS, ONE, True),
        (ADDRESS, ADDRESS, ONE, False),
        (ADDRESS, ADDRESS, NONE, False),
    ],
)
def test_a_far_end_that_is_an_address_alone_is_named_by_nothing(far, address, known, is_named):
    one = judged(attempt(far=far, address=address), known=known, far=far)
    assert one.facts["is_named"] is is_named
    told = "warning" if is_named else "notice"
    assert one.severity == (told if known is ONE else "info")


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
    rows = [{"host_id": host, "time": at(seconds)} for host, seconds in stops]
    assert judged(attempt(last=5.0), known=Known(stopped=rows)).facts["stopped"] is stopped


@pytest.mark.parametrize(
    ("ours", "theirs", "port"),
    [([], [], ""), (["5022"], [], "5022"), ([], ["5023"], "5023"), (["5022", "5023"], ["5023"], "5023")],
)
def test_the_port_is_the_one_that_most_entries_name(ours, theirs, port):
    def entries(ports, host):
        return [attempt(host=host, text=f"TCP://b.contoso.com:{each}") for each in ports]

    assert judged(attempt(), *entries(ours, "A"), theirs=entries(theirs, "B")).facts["port"] == port


def test_a_connection_afterwards_is_told_with_its_time():
    one = judged(attempt(), known=Known(links=[connected(60)]))
    assert (one.facts["ended"], one.facts["back"], one.severity) == ("connected", at(60), "notice")
    assert judged(attempt()).facts["back"] is None


@pytest.mark.parametrize(("is_local", "ends"), [(True, "open"), (False, "failing")])
def test_where_the_last_entry_is_in_local_time_its_end_is_open(is_local, ends):
    one = judged(attempt(is_local=is_local))
    assert one.facts["ended"] == ends
    assert ("local" in one.window) is is_local


def test_names_of_hosts_are_those_of_their_replicas():
    known = Known(names=HostNames(()), looks=[look(replica="B\\INST")])
    assert known.partners["A"] == {"B": ("B\\INST", "AG")}
    assert known.ag("A", "B") == "AG"
    assert known.ag("A", "C") == ""
