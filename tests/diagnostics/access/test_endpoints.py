"""Which replica does not reach the endpoint of another, or is refused there, and why."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.access import Access
from agtrace.diagnostics.access.handshakes import far_end
from tests.behind import assert_facts
from tests.diagnostics.access.cases import (
    ADDRESS,
    BOTH,
    CLOSED,
    EXPIRED,
    NAMELESS,
    NO_CIPHER,
    NO_PROTOCOL,
    OWN,
    PARTNERS,
    SILENT,
    denied,
    every,
    failed,
    found,
    handshake,
    life,
)
from tests.folded import folded

ALL_ALONG = range(60, 7200, 60)
CONNECTED = (
    "A | {} | connection | 35202 | ag=AG; from_replica=A; replica=B; event=established\n"
    "B | {} | connection | 35202 | ag=AG; from_replica=B; replica=A; event=established"
)
THREE = PARTNERS + "A | 1 | replicas | ag=AG; replica=C; is_local=false; connected_state=CONNECTED"


def endpoints(made):
    return found(made, "access.endpoint")


@pytest.mark.complete
@folded(
    ("number", "text", "kind"),
    [
        (None, EXPIRED, "certificate"),
        (None, OWN, "certificate"),
        (None, denied(), "login"),
        (None, handshake("An OS call failed: (8009030c) 0x8009030c(The logon attempt failed).", 67), "login"),
        (None, NO_CIPHER, "algorithm"),
        (None, NO_PROTOCOL, "algorithm"),
        (1474, CLOSED, "refused"),
        (1474, SILENT, "timeout"),
        (1474, NAMELESS, "timeout"),
    ],
)
def test_each_kind_is_told_of_its_pair(number, text, kind):
    (one,) = endpoints(life(every("A", ALL_ALONG, number, text)))
    assert (one.id, one.subject, one.severity) == (
        "access.endpoint", {"host": "A", "replica": "B", "kind": kind}, "warning",
    )  # fmt: skip
    assert one.window == {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T13:59:00+00:00"}
    assert (one.evidence[0].label, one.evidence[0].value) == ("entries", 119)


def test_one_refused_handshake_is_enough():
    (one,) = endpoints(life([("A", 7000, None, denied())]))
    assert (one.evidence[0].value, one.severity) == (1, "warning")


def test_what_ended_with_a_connection_is_a_notice_that_says_when():
    made = life(every("A", range(60, 600, 60), None, denied()), f"{BOTH}\n{CONNECTED.format(620, 620)}")
    (one,) = endpoints(made)
    assert one.severity == "notice"
    assert_facts(one, ended="connected", n=9, reason="permission", back="2024-03-05T12:10:20+00:00")


@pytest.mark.parametrize(("last", "severity"), [(7259, "notice"), (7260, "warning")])
def test_refusals_of_two_hours_are_a_warning_though_they_ended(last, severity):
    made = life(every("A", (60, last), None, denied()), f"{BOTH}\n{CONNECTED.format(last + 20, last + 20)}")
    (one,) = endpoints(made)
    assert one.severity == severity


def test_what_both_ends_write_of_one_kind_is_one_finding():
    theirs = handshake("There is no compatible encryption algorithm.", 22, address="10.0.0.1")
    made = life([*every("A", ALL_ALONG, None, NO_CIPHER), *every("B", ALL_ALONG[:9], None, theirs)])
    (one,) = endpoints(made)
    assert one.subject == {"host": "A", "replica": "B", "kind": "algorithm"}
    assert one.evidence[-1].label == "B wrote, 9 x"


def test_attempts_of_a_host_whose_clock_is_shifted_are_told_by_the_common_one():
    made = life(every("A", (480, 540), None, EXPIRED), skew=(("A", "B", 420_000.0), ("B", "C", 0.0)))
    (found,) = endpoints(made)
    assert found.window == {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:02:00+00:00"}


def test_a_port_that_is_in_use_is_told_of_its_host_alone():
    text = (
        "The Database Mirroring endpoint cannot listen on port 5022 because it is in use by another process."
    )
    (one,) = endpoints(life([("A", 7000, 9692, text)]))
    assert one.subject == {"host": "A", "kind": "refused"}
    assert_facts(one, host="A", reason="port", n=1)


@pytest.mark.parametrize(
    ("inner", "kind"), [(28034, "login"), (28035, "certificate"), (28027, "algorithm"), (10061, "refused")]
)
def test_9642_is_told_by_the_error_inside_it(inner, kind):
    text = (
        f"An error occurred in a Service Broker/Database Mirroring transport connection endpoint, Error: "
        f"{inner}, "
        f"State: 3. (Near endpoint role: Target, far endpoint address: '{ADDRESS}')"
    )
    (one,) = endpoints(life(every("A", ALL_ALONG, 9642, text)))
    assert (one.subject["replica"], one.subject["kind"]) == ("B", kind)


@pytest.mark.complete
def test_a_session_tells_it_where_the_errorlog_is_not_there():
    events = "\n".join(
        f"A | {at} | error_reported | error_number=28034; message=Connection handshake failed. The login "
        "'CONTOSO\\B$' does not have CONNECT permission on the endpoint. State 84."
        for at in ALL_ALONG
    )
    (one,) = endpoints(life(events=events, until={}))
    assert (one.subject, one.evidence[0].source) == (
        {"host": "A", "replica": "B", "kind": "login"}, "Extended Events of A",
    )  # fmt: skip


def test_without_a_capture_it_says_what_is_missing():
    (lacking,) = Access(life(messages="", relations="", until={})).missing()
    assert lacking.startswith("Nothing that tells of connections of replicas, of listeners or of routing")


def test_the_far_end_is_read_from_a_url_an_address_or_a_client():
    assert far_end(CLOSED) == ("b.contoso.com", "")
    assert far_end(failed("10060", "x", "TCP://10.1.2.3:5022")) == ("", "10.1.2.3")
    assert far_end(EXPIRED) == ("", ADDRESS)
    assert far_end("nothing") == ("", "")


def test_the_last_sign_of_each_connection_is_a_row():
    made = life(messages=f"{BOTH}\n{CONNECTED.format(620, 630)}", relations=THREE)
    table = Access(made).tbl_connections()
    assert table[["host", "replica", "seen"]].values.tolist() == [
        ["A", "B", "connected"], ["A", "C", "looked at: connected"], ["B", "A", "connected"],
    ]  # fmt: skip
