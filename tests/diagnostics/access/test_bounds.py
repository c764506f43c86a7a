"""Where the rules of endpoints and listeners change their answer, each on both sides of its bound."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics.access import endpoints, names
from agtrace.diagnostics.access.handshakes import OF_ENDPOINTS, Failure, failure_of
from agtrace.diagnostics.access.pairs import Attempt, KnownConnections, attempts, is_consequence
from agtrace.diagnostics.access.rows import (
    Attempts,
    Away,
    Connections,
    GroupsOfHosts,
    ListenerEntries,
    Listeners,
    OwnEndpoints,
    Partners,
)
from agtrace.history.coverage import Coverage, Stretch
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOGIN, CLOSED, SILENT = (
    Failure("login", "permission"),
    Failure("refused", "closed"),
    Failure("timeout", "silent"),
)
LIMITS = Thresholds(disconnect_minutes=10.0)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def attempt(first=0.0, last=None, failure=LOGIN, host="A", far="B", text="x", **more) -> Attempt:
    """Return equal entries of A about B, by default one."""
    given = {"address": "", "number": None, "n": 1, "source": "ERRORLOG", "content_id": "log", "line": 4}
    until = first if last is None else last
    return Attempt(
        host, far, far, failure=failure, text=text, first=at(first), last=at(until), **given | more
    )


def known(covered: float | None = None, far: float | None = None, **more) -> KnownConnections:
    """Return what is known if the ERRORLOGs of A, and of B, end so many seconds after noon."""
    ends = {"A": covered, "B": far}
    stretches = [
        Stretch(host, None, "ERRORLOG", at(-60), at(end)) for host, end in ends.items() if end is not None
    ]
    return KnownConnections(coverage=Coverage(stretches), **more)


def connected(seconds):
    """Return a row of connections.sql: A and B are connected."""
    return record(
        Connections,
        host_id="A",
        replica="B",
        replica_host_id="B",
        is_connected=True,
        time=at(seconds),
        content_id="log",
        line=9,
    )


def found(*tried, **more):
    return [(each.host, each.kind) for each in endpoints.troubles(tried, known(**more), LIMITS)]


@pytest.mark.parametrize(("seconds", "how"), [(1800, "failing"), (1801, "quiet")])
def test_more_than_half_an_hour_without_a_word_shows_that_it_is_over(seconds, how):
    each = endpoints.Trouble("A", "B", "login", [attempt()])
    assert endpoints.ended(each, known(seconds)) == (how, None)


def test_an_attempt_failed_until_the_two_were_connected():
    tried = attempt(0, 60, failure=SILENT, number=1474)
    assert [len(found(tried, connections=[connected(seconds)])) for seconds in (599, 600)] == [0, 1]


@pytest.mark.parametrize(
    ("begin", "end", "kinds"),
    [
        (-2000, -600, ["login"]),
        (-2000, -601, ["timeout", "login"]),
        (610, 2000, ["login"]),
        (611, 2000, ["login", "timeout"]),
    ],
)
def test_what_the_network_shows_within_ten_minutes_of_a_refusal_follows_from_it(begin, end, kinds):
    tried = [attempt(0, 10), attempt(begin, end, failure=SILENT, number=1474)]
    assert [kind for _host, kind in found(*tried)] == kinds


@pytest.mark.parametrize(
    ("begin", "end", "n"), [(-90, -600, 1), (-9000, -601, 0), (610, 611, 1), (611, 612, 0)]
)
def test_the_far_end_is_heard_within_ten_minutes(begin, end, n):
    theirs = attempt(min(begin, end), end, failure=None, host="B", far="A")
    (each,) = endpoints.troubles([attempt(0, 10), theirs], known(), LIMITS)
    assert len(each.theirs) == n


def test_a_server_is_watched_by_a_log_that_covers_any_of_a_span():
    of = known(covered=100)
    spans = [(-90, -61), (-90, -60), (100, 110), (101, 110)]
    assert [of.is_watched("A", at(first), at(last)) for first, last in spans] == [False, True, True, False]


@pytest.mark.parametrize(
    ("number", "ends"), [(9691, ("B", "B")), (9692, ("", "")), (9693, ("", "")), (9694, ("B", "B"))]
)
def test_a_port_that_cannot_be_had_is_of_its_host_alone(number, ends):
    row = record(
        Attempts,
        host_id="A",
        text="'TCP://b:5022'",
        number=number,
        n=1,
        first=NOON,
        last=NOON,
        source="ERRORLOG",
        content_id="log",
        line=4,
        is_local=False,
    )
    (one,) = attempts([row], known())
    assert (one.far, one.replica) == ends


def judged(each, of):
    (one,) = endpoints.judged([each], of)
    return one


@pytest.mark.parametrize(
    ("failure", "far", "covered", "more", "sure"),
    [
        (LOGIN, "B", None, {}, 0.95),
        (LOGIN, "B", None, {"is_only": True}, 0.85),
        (LOGIN, "", None, {}, 0.85),
        (replace(LOGIN, by_text=False), "B", None, {}, 0.7),
        (CLOSED, "B", 60, {}, 0.8),
        (CLOSED, "B", None, {}, 0.6),
        (CLOSED, "", None, {}, 0.8),
    ],
)
def test_how_sure_it_is_follows_from_who_tells_it(failure, far, covered, more, sure):
    each = endpoints.Trouble("A", far, failure.kind, [attempt(failure=failure, far=far, **more)])
    assert judged(each, known(60, covered)).confidence == sure


STOP = record(OwnEndpoints, host_id="B", time=NOON, content_id="log", line=4, event="disabled")


@pytest.mark.parametrize(
    ("stop", "back", "stopped"),
    [
        ({}, None, True),
        ({"host_id": "C"}, None, False),
        ({"time": at(100)}, None, True),
        ({"time": at(101)}, None, False),
        ({}, record(Away, host_id="B", gone=NOON, ready=at(1)), False),
        ({}, record(Away, host_id="B", gone=NOON, ready=NOON), True),
        ({}, record(Away, host_id="C", gone=NOON, ready=at(1)), True),
    ],
)
def test_an_endpoint_is_stopped_from_its_stop_until_its_server_starts(stop, back, stopped):
    of = known(200, stopped=[STOP._replace(**stop)], away=[back] if back else [])
    each = endpoints.Trouble("A", "B", "refused", [attempt(0, 100, failure=CLOSED)])
    assert judged(each, of).facts["stopped"] is stopped


def test_the_last_of_several_stops_counts():
    stops = [
        STOP,
        STOP._replace(time=at(50)),
        STOP._replace(host_id="C", time=at(90)),
        STOP._replace(time=at(150)),
    ]
    of = known(200, stopped=stops, away=[record(Away, host_id="B", gone=NOON, ready=at(60))])
    each = endpoints.Trouble("A", "B", "refused", [attempt(0, 100, failure=CLOSED)])
    assert judged(each, of).facts["stopped"] is False


@pytest.mark.parametrize(("far", "platform"), [("B", "Linux"), ("", "Windows")])
def test_the_platform_is_that_of_the_far_end_where_there_is_one(far, platform):
    of = known(60, platforms={"A": "Windows", "B": "Linux"})
    each = endpoints.Trouble("A", far, "refused", [attempt(failure=CLOSED, far=far)])
    assert judged(each, of).facts["platform"] == platform


@pytest.mark.parametrize(("since", "lost"), [(59, True), (60, True), (61, False), (None, False)])
def test_an_attempt_after_the_two_were_connected_is_a_lost_connection(since, lost):
    never = attempt(60, failure=SILENT, number=35201)
    start = None if since is None else at(since)
    pairs = [record(Partners, host_id="A", replica_host_id="B", since=start)]
    assert is_consequence(never, known(pairs=pairs)) is lost
    assert not is_consequence(replace(never, number=1474), known(pairs=pairs))


# Numbers, as Microsoft's documentation has them.


@pytest.mark.parametrize("number", [1474, 28047, 28048, None])
def test_the_state_of_a_handshake_counts_in_entries_of_handshakes(number):
    assert failure_of(number, "'Status 84.'") == Failure("login", "permission", is_own=True, by_text=False)


def test_these_messages_are_about_endpoints():
    assert sorted(OF_ENDPOINTS) == [
        *(1418, 1456, 1474, 9642, 9692, 9693, 28024, 28025, 28027, 28031, 28034, 28035, 28036, 28037),
        *(28045, 28047, 28048, 28055, 28080),
    ]


def test_a_message_about_a_service_broker_port_is_none():
    assert [failure_of(number, "The Service Broker endpoint") for number in (9692, 9693)] == [None, None]
    assert failure_of(28034, "The Service Broker endpoint") is not None


@pytest.mark.parametrize("number", [19452, 19453, 19471])
def test_these_messages_give_the_name_of_the_listener(number):
    row = record(
        ListenerEntries,
        text="The listener with resource ID 'x-LSN' failed.",
        resource=None,
        source="ERRORLOG",
    )
    assert names.resource_of(row._replace(number=number)) == ("x-LSN", "")
    assert names.resource_of(row._replace(number=19456)) == ("", "")


OF_CLUSTER = record(ListenerEntries, resource=None, source="event log")


@pytest.mark.parametrize(
    ("number", "text", "resource", "role"),
    [
        (1069, "Cluster resource 'LSN' of type 'Network Name' in clustered role 'AG' failed.", "LSN", "AG"),
        (1069, "Cluster resource 'D' of type 'Physical Disk' in clustered role 'AG' failed.", "", ""),
        (1049, "Cluster IP address resource 'LSN' cannot be brought online, address '10.0.0.1'", "LSN", ""),
        (1069, "ResourceName: LSN; ResourceGroup: AG; ResourceTypeName: Network Name", "LSN", "AG"),
        (1069, "ResourceName: D; ResourceGroup: AG; ResourceTypeName: Physical Disk", "", ""),
        (1049, "ResourceName: D; ResourceGroup: AG; ResourceTypeName: Physical Disk", "D", "AG"),
        (1069, "ResourceName: LSN; ResourceGroup: AG", "LSN", "AG"),
    ],
)
def test_an_event_names_its_resource_and_its_role(number, text, resource, role):
    assert names.resource_of(OF_CLUSTER._replace(number=number, text=text)) == (resource, role)


def listeners(*looks):
    groups = [record(GroupsOfHosts, ag="AG", host_id="A")]
    return names.ListenerNames([record(Listeners, ag=ag, listener=name) for ag, name in looks], groups)


def test_a_resource_called_by_its_group_is_the_listener_of_that_name():
    own = listeners(("AG", "LSN.contoso.com"), ("AG", "OTHER"))
    assert own.find("AG_lsn", "", None) == ("AG", "LSN.contoso.com")
    assert own.find("AG_10.0.0.1", "", None) == ("AG", "")
    assert own.find("x", "AG", None) == ("AG", "x")
