"""Which replica does not reach the endpoint of another, or is refused there, and why."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.access import Access
from agtrace.diagnostics.access.handshakes import Failure, failure_of, far_end
from tests.behind import assert_facts
from tests.diagnostics.access.cases import (
    ADDRESS,
    BOTH,
    CLOSED,
    EXPIRED,
    MIRRORING,
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
    tell,
)
from tests.diagnostics.tiny import START
from tests.folded import folded

ALL_ALONG = range(60, 7200, 60)
CONNECTED = (
    "A | {} | connection | 35202 | ag=AG; from_replica=A; replica=B; event=established\n"
    "B | {} | connection | 35202 | ag=AG; from_replica=B; replica=A; event=established"
)
NEVER = "A | {} | connection | 35201 | replica=B; event=timeout_establishing"
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


def test_a_denied_login_is_granted_the_permission_by_its_own_name():
    (one,) = endpoints(life(every("A", ALL_ALONG, None, denied())))
    assert_facts(one, host="A", replica="B", reason="permission", account="CONTOSO\\sqlb", n=119)


def test_the_end_whose_certificate_expired_makes_a_new_one():
    peer, own = (endpoints(life(every("A", ALL_ALONG, None, text)))[0] for text in (EXPIRED, OWN))
    assert_facts(peer, host="A", replica="B", n=119, reason="peer", is_own=False)
    assert_facts(own, host="A", replica="B", n=119, reason="own", is_own=True)


def test_one_refused_handshake_is_enough():
    (one,) = endpoints(life([("A", 7000, None, denied())]))
    assert (one.evidence[0].value, one.severity) == (1, "warning")


def test_what_ended_with_a_connection_is_a_notice_that_says_when():
    made = life(every("A", range(60, 600, 60), None, denied()), f"{BOTH}\n{CONNECTED.format(620, 620)}")
    (one,) = endpoints(made)
    assert one.severity == "notice"
    assert_facts(one, ended="connected", n=9, reason="permission", back="2024-03-05T12:10:20+00:00")


def test_a_look_that_shows_the_two_connected_ends_it():
    shown = "A | 900 | replicas | ag=AG; replica=B; is_local=false; connected_state=CONNECTED"
    (one,) = endpoints(life(every("A", range(60, 600, 60), None, denied()), relations=PARTNERS + shown))
    assert (one.severity, one.evidence[-1].label) == ("notice", "connected")


def test_a_log_that_goes_on_without_a_word_shows_that_it_is_over_but_not_how():
    (one,) = endpoints(life(every("A", range(60, 600, 60), None, denied())))
    assert one.severity == "notice"
    assert_facts(one, n=9, reason="permission", ended="quiet")


def test_without_the_zone_of_its_host_it_is_not_known_whether_it_ended():
    made = life(every("A", [60], None, denied()))
    made.run("update errorlog set time = null")
    (one,) = endpoints(made)
    assert one.window == {"start": "2024-03-05T12:01:00", "end": "2024-03-05T12:01:00", "local": True}
    assert_facts(one, n=1, reason="permission")


def test_the_other_end_speaks_for_itself_where_it_was_captured():
    cut = (
        "Database mirroring connection error 4 'An error occurred while receiving data: '10054(An existing "
        "connection was forcibly closed by the remote host.)'.' for 'TCP://a.contoso.com:5022'."
    )
    made = life([*every("A", ALL_ALONG, None, denied()), *every("B", ALL_ALONG, 1474, cut)])
    (one,) = endpoints(made)
    assert one.evidence[2].label == "B wrote, 119 x"
    assert one.evidence[2].value.startswith("Database mirroring connection error 4")


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ({"A": 7200.0, "B": 7200.0}, {"replica": "B", "far": "B", "n": 119, "reason": "permission"}),
        ({"A": 7200.0}, {"replica": "B", "far": "B", "n": 119, "reason": "permission"}),
    ],
)
def test_what_the_other_end_does_not_say_is_told_apart_from_what_was_not_captured(until, said):
    (one,) = endpoints(life(every("A", ALL_ALONG, None, denied()), until=until))
    assert_facts(one, **said)


def test_what_both_ends_write_of_one_kind_is_one_finding():
    theirs = handshake("There is no compatible encryption algorithm.", 22, address="10.0.0.1")
    made = life([*every("A", ALL_ALONG, None, NO_CIPHER), *every("B", ALL_ALONG[:9], None, theirs)])
    (one,) = endpoints(made)
    assert one.subject == {"host": "A", "replica": "B", "kind": "algorithm"}
    assert one.evidence[-1].label == "B wrote, 9 x"


def test_an_attempt_that_a_refusal_explains_is_not_told_beside_it():
    never = "\n".join(NEVER.format(at).replace("A |", "B |").replace("=B", "=A") for at in ALL_ALONG)
    made = life(every("A", ALL_ALONG, None, denied()), f"{BOTH}\n{never}")
    (one,) = endpoints(made)
    assert one.subject["kind"] == "login"


def test_attempts_that_never_connected_are_a_time_out():
    never = "\n".join(NEVER.format(at) for at in ALL_ALONG)
    (one,) = endpoints(life(messages=f"{BOTH}\n{never}"))
    assert (one.subject["kind"], one.evidence[0].value) == ("timeout", 119)
    assert_facts(one, host="A", replica="B", n=119, reason="silent")


def test_attempts_after_a_connection_was_lost_are_told_as_the_lost_connection():
    lost = "A | 50 | connection | 35206 | replica=B; event=timeout"
    never = "\n".join(NEVER.format(at) for at in ALL_ALONG)
    assert endpoints(life(messages=f"{BOTH}\n{lost}\n{never}")) == []


@pytest.mark.parametrize("text", [CLOSED, SILENT])
def test_a_server_that_is_away_for_a_moment_is_no_finding(text):
    made = life(every("A", range(600, 720, 20), 1474, text), f"{BOTH}\n{CONNECTED.format(740, 740)}")
    assert endpoints(made) == []


def test_a_server_that_was_away_for_long_refuses_nobody_by_its_endpoint():
    made = life(every("A", range(600, 3000, 60), 1474, CLOSED))
    rows = [{"host_id": "B", "kind": "stopped", "asked": START, "gone_by": START, "gone_by_what": "x"}]
    ready = START.replace(hour=12, minute=55)
    tell(made, "restarts", [row | {"started": ready, "ready": ready} for row in rows])
    assert endpoints(made) == []


@pytest.mark.parametrize(("ahead", "n"), [(420, 0), (0, 1)])
def test_a_server_whose_clock_is_shifted_is_away_by_the_common_one(ahead, n):
    """B is away from 12:01 to 12:12; its own clock, 7 minutes ahead, has 12:08 to 12:19."""
    made = life(every("A", range(60, 660, 60), 1474, CLOSED), skew=(("B", "A", 1000.0 * ahead),))
    gone, ready = (START.replace(minute=minute) for minute in (8, 19))
    tell(made, "restarts", [{"host_id": "B", "kind": "stopped", "asked": gone, "started": ready,
                             "ready": ready}])  # fmt: skip
    assert len(endpoints(made)) == n


def test_attempts_of_a_host_whose_clock_is_shifted_are_told_by_the_common_one():
    made = life(every("A", (480, 540), None, EXPIRED), skew=(("A", "B", 420_000.0), ("B", "C", 0.0)))
    (found,) = endpoints(made)
    assert found.window == {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:02:00+00:00"}


def test_a_stopped_endpoint_of_the_far_end_is_said():
    stopped = "B | 30 | endpoint | 9691 | kind=Database Mirroring; event=stopped_listening"
    (one,) = endpoints(life(every("A", ALL_ALONG, 1474, CLOSED), f"{BOTH}\n{stopped}"))
    assert_facts(one, replica="B", far="B", n=119, reason="closed")


def test_of_several_partners_an_address_alone_names_none():
    (one,) = endpoints(life(every("A", ALL_ALONG, None, EXPIRED), relations=THREE))
    assert one.subject == {"host": "A", "replica": ADDRESS, "kind": "certificate"}
    assert one.severity == "notice"
    assert_facts(one, n=119, reason="peer", address="10.0.0.2", is_only=False)


def test_a_machine_account_names_its_machine():
    text = denied("CONTOSO\\B$")
    (one,) = endpoints(life(every("A", ALL_ALONG, None, text), relations=THREE))
    assert (one.subject["replica"], one.confidence) == ("B", 0.95)


def test_the_only_partner_is_named_with_less_confidence_than_one_that_the_entry_names():
    (one,) = endpoints(life(every("A", ALL_ALONG, None, EXPIRED)))
    assert one.confidence == 0.85
    assert_facts(one, host="A", replica="B", n=119, reason="peer")


def test_a_log_in_another_language_is_told_by_the_state_of_the_handshake():
    text = (
        "Fehler beim Anmeldeversuch für Datenbankspiegelung: 'Fehler beim Verbindungshandshake. "
        f"Status 84.'. [CLIENT: {ADDRESS}]"
    )
    (one,) = endpoints(life(every("A", ALL_ALONG, None, text)))
    assert (one.subject["kind"], one.confidence) == ("login", 0.6)
    assert_facts(one, n=119, reason="permission", by_text=False)


def test_an_error_of_windows_is_known_in_every_language():
    text = (
        "Fehler 2 bei der Datenbankspiegelungsverbindung: 'Fehler beim Verbindungsversuch: "
        "'10061(Es konnte keine Verbindung hergestellt werden.)'.' für 'TCP://b.contoso.com:5022'."
    )
    (one,) = endpoints(life(every("A", ALL_ALONG, 1474, text)))
    assert one.subject["kind"] == "refused"


def test_a_port_that_is_in_use_is_told_of_its_host_alone():
    text = (
        "The Database Mirroring endpoint cannot listen on port 5022 because it is in use by another process."
    )
    (one,) = endpoints(life([("A", 7000, 9692, text)]))
    assert one.subject == {"host": "A", "kind": "refused"}
    assert_facts(one, host="A", reason="port", n=1)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        # A scanner of ports, whoever comes from it.
        (9642, "An error occurred in a Service Broker/Database Mirroring transport connection endpoint, "
               "Error: "
               "8474, State: 11. (Near endpoint role: Target, far endpoint address: '')"),
        # The end of a connection that was there.
        (1474, failed("10054", "An existing connection was forcibly closed by the remote host.")),
        (None, f"{MIRRORING} failed with error: 'Connection handshake failed. Could not send a handshake "
               f"message "
               f"because the connection was closed by peer. State 41.'.  [CLIENT: {ADDRESS}]"),
        (None, denied().replace("Database Mirroring", "Service Broker")),
        (9692, "The Service Broker endpoint cannot listen on port 4022 because it is in use by another "
               "process."),
        (18456, f"Login failed for user 'x'. Reason: 84. [CLIENT: {ADDRESS}]"),
        (None, f"Login succeeded for user 'x'. [CLIENT: {ADDRESS}]"),
    ],
)  # fmt: skip
def test_what_fits_no_kind_is_none(number, text):
    assert endpoints(life(every("A", ALL_ALONG, number, text))) == []


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


def test_where_no_group_is_concerned_it_is_an_info():
    made = life([("A", 60, None, denied())], messages="", relations="", until={"A": 7200})
    (one,) = endpoints(made)
    assert (one.severity, one.subject) == ("info", {"host": "A", "replica": ADDRESS, "kind": "login"})


def test_nothing_is_said_of_quiet_logs():
    assert found(life()) == []


def test_without_a_capture_it_says_what_is_missing():
    (lacking,) = Access(life(messages="", relations="", until={})).missing()
    assert lacking.startswith("Nothing that tells of connections of replicas, of listeners or of routing")


def test_names_are_written_so_that_they_end_no_statement():
    (one,) = endpoints(life(every("A", ALL_ALONG, None, denied("CONTOSO\\b]; DROP x--"))))
    assert_facts(one, n=119, reason="permission", account="CONTOSO\\b]; DROP x--")


def test_the_far_end_is_read_from_a_url_an_address_or_a_client():
    assert far_end(CLOSED) == ("b.contoso.com", "")
    assert far_end(failed("10060", "x", "TCP://10.1.2.3:5022")) == ("", "10.1.2.3")
    assert far_end(EXPIRED) == ("", ADDRESS)
    assert far_end("nothing") == ("", "")


def test_the_text_counts_before_the_state():
    assert failure_of(None, handshake("There is no compatible encryption algorithm.", 84)) == Failure(
        "algorithm", "encryption"
    )


def test_the_last_sign_of_each_connection_is_a_row():
    made = life(messages=f"{BOTH}\n{CONNECTED.format(620, 630)}", relations=THREE)
    table = Access(made).tbl_connections()
    assert table[["host", "replica", "seen"]].values.tolist() == [
        ["A", "B", "connected"], ["A", "C", "looked at: connected"], ["B", "A", "connected"],
    ]  # fmt: skip


def test_the_figure_counts_by_whole_minutes():
    made = Access(life(every("A", range(70, 600, 12), None, denied())))
    (line,) = made.fig_attempts().data
    minutes = [str(moment)[11:19] for moment in line.x]
    assert minutes == [f"12:{minute:02d}:00" for minute in range(11)]
    assert list(line.y) == [0, *[5] * 9, 0]
