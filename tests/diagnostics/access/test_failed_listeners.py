"""Which listeners failed or are offline, from rows of entries, of looks and of the cluster's resources."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics.access import listener
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import (
    GroupsOfHosts,
    ListenerEntries,
    Listeners,
    NameSettings,
    Online,
    Resources,
)
from tests.diagnostics.asking import record
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
KNOWN = KnownConnections()
GROUPS = [record(GroupsOfHosts, ag="AG", host_id="A")]


def at(seconds):
    return NOON + timedelta(seconds=seconds)


def entry(number=1069, first=0, last=None, source="event log", resource="AG_LSN", text="x", n=1, **more):
    return record(
        ListenerEntries,
        source=source,
        host_id="A",
        number=number,
        resource=resource,
        text=text,
        n=n,
        first=at(first),
        last=at(first if last is None else last),
        is_local=False,
        content_id="log",
        line=7,
    )._replace(**more)


def look(state="ONLINE", ip="10.0.0.10", time=NOON, name="LSN", **more):
    return record(
        Listeners,
        ag="AG",
        listener=name,
        port=1433,
        ip_address=ip,
        subnet_mask="255.255.255.0",
        state=state,
        host_id="A",
        time=time,
        time_local=LOCAL,
        content_id="look",
        line=3,
    )._replace(**more)


def resource(name="AG_LSN", role="AG", state="Failed", time=NOON):
    return record(
        Resources,
        resource=name,
        role=role,
        state=state,
        host_id="A",
        time=time,
        time_local=LOCAL,
        content_id="list",
        line=5,
    )


def online(seconds, name="AG_LSN"):
    return record(Online, resource=name, time=at(seconds), content_id="cluster", line=9)


def judged(entries=(), looks=(), back=(), resources=(), groups=GROUPS):
    return listener.listeners(list(entries), list(looks), groups, list(back), KNOWN, list(resources))


def told(*args, **more):
    return [(one.said, one.subject.get("ag"), one.subject.get("listener")) for one in judged(*args, **more)]


FAILED, OFFLINE = ("listener.failed", "AG", "LSN"), ("listener.offline", "AG", "LSN")


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (entry(), [FAILED]),
        (entry(resource=None, source="event log", text="no name"), []),
        (entry(19456, resource=None, source="ERRORLOG"), [("listener.failed", "AG", None)]),
        (entry(resource="Cluster Name"), []),
        (entry(19471, resource=None, source="ERRORLOG", text="DNS name 'NEW'"),
         [("listener.failed", "AG", "NEW")]),
        (entry(1196, resource=None, text="network name resource 'NEW' failed"), []),
    ],
)  # fmt: skip
def test_an_entry_is_told_of_the_listener_that_it_names(row, found):
    assert told([row]) == found


@folded(
    ("given", "found"),
    [
        ({"looks": [look("OFFLINE")]}, [OFFLINE]),
        ({"looks": [look("ONLINE")]}, []),
        ({"looks": [look("online")]}, []),
        ({"looks": [look("OFFLINE"), look("ONLINE", "10.0.0.11")]}, []),
        ({"looks": [look(None)]}, []),
        ({"looks": [look(None), look("OFFLINE", "10.0.0.11")]}, [OFFLINE]),
        ({"looks": [look("OFFLINE")], "entries": [entry()]}, [FAILED]),
        ({"resources": [resource()]}, [OFFLINE]),
        ({"resources": [resource()], "entries": [entry()]}, [FAILED]),
        ({"resources": [resource()], "looks": [look("ONLINE")]}, []),
        ({"resources": [resource()], "looks": [look(None)]}, [OFFLINE]),
        ({"resources": [resource("Cluster Name", "Cluster Group")]}, []),
        ({"resources": [resource("LSN", "AG")]}, [OFFLINE]),
        ({"resources": [resource("LSN", None)], "looks": [look(None)]}, [OFFLINE]),
    ],
)
def test_what_stood_offline_is_told_where_no_entry_or_look_tells_more(given, found):
    assert told(**given) == found


@folded(
    ("given", "back"),
    [
        ({}, None),
        ({"back": [online(60)]}, None),
        ({"back": [online(61)]}, at(61)),
        ({"back": [online(70), online(80)]}, at(70)),
        ({"back": [online(70, "AG_OTHER")]}, None),
        ({"back": [online(70, "")]}, None),
        ({"back": [online(70, "Cluster Name")]}, None),
        ({"looks": [look(time=at(60))]}, None),
        ({"looks": [look(time=at(61))]}, at(61)),
        ({"looks": [look(time=None)]}, None),
        ({"looks": [look("OFFLINE", time=at(61))]}, None),
        ({"back": [online(90)], "looks": [look(time=at(61))]}, at(90)),
    ],
)
def test_a_failed_listener_is_back_when_it_comes_online_or_is_seen_so_afterwards(given, back):
    (one,) = judged([entry(first=0, last=60)], **given)
    assert (one.facts["back"], one.severity) == (back, "warning" if back is None else "notice")


def test_of_an_entry_without_a_resource_a_name_that_comes_online_tells_nothing():
    row = entry(19456, resource=None, source="ERRORLOG")
    (one,) = judged([row], back=[online(61, "")])
    assert one.severity == "warning"


def test_reasons_and_texts_are_told_by_what_says_most():
    rows = [
        entry(1069, 0, text="failed once"), entry(1069, 5, text="failed often", n=9),
        entry(1069, 4, text="failed as often", n=9), entry(1194, 9, text="account."),
    ]  # fmt: skip
    (one,) = judged(rows)
    assert one.facts["reasons"] == ["account"]
    assert one.facts["text"] == "account"
    assert [(e.label, e.value) for e in one.evidence] == [
        ("entries", 20), ("its text, 1 x", "account."), ("its text, 9 x", "failed as often"),
        ("its text, 9 x", "failed often"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hosts", "shown"), [(["B", "A"], ["A", "B"]), ([None, "A"], ["A"]), (["A", "A"], ["A"])]
)
def test_hosts_that_wrote_of_it_are_named_as_far_as_they_are_known(hosts, shown):
    (one,) = judged([entry(host_id=host) for host in hosts])
    assert one.facts["hosts"] == shown


@pytest.mark.parametrize(
    ("groups", "row", "resource", "confidence"),
    [
        (GROUPS, entry(), "AG_LSN", 0.9),
        ([], entry(19471, resource=None, source="ERRORLOG", text="DNS name 'L'"), "AG_listener", 0.9),
        (GROUPS, entry(19456, resource=None, source="ERRORLOG"), "AG_listener", 0.6),
    ],
)
def test_it_is_called_by_group_and_name_where_both_are_known(groups, row, resource, confidence):
    (one,) = judged([row], groups=groups)
    assert (one.facts["resource"], one.confidence) == (resource, confidence)


def test_an_address_or_a_state_that_is_not_shown_is_left_out():
    rows = [look("OFFLINE", None), look(None, "10.0.0.11"), look("OFFLINE", "10.0.0.12")]
    (one,) = judged(looks=rows)
    assert one.facts["states"] == ["10.0.0.12 OFFLINE"]
    assert [(e.label, e.value) for e in one.evidence[1:]] == [
        ("address 10.0.0.11", "state not shown"), ("address 10.0.0.12", "OFFLINE"),
    ]  # fmt: skip


WIDE = [look(), look("OFFLINE", "10.9.0.10")]


@pytest.mark.parametrize(
    ("item", "ttl"), [("ag_lsn", "300"), ("lsn", "300"), ("AG_OTHER", None), (None, None)]
)
def test_settings_of_the_listener_s_name_are_those_of_its_resource(item, ttl):
    (one,) = listener.clients(
        WIDE, [record(NameSettings, item=item, setting="HostRecordTTL", value="300")], KNOWN
    )
    assert one.facts == {"ag": "AG", "listener": "LSN", "subnets": 2, "all_registered": None, "ttl": ttl,
                         "resource": "AG_LSN"}  # fmt: skip


@pytest.mark.parametrize(
    ("addresses", "subnets"),
    [(["10.0.0.1", "10.0.0.2"], []), (["10.0.0.1", "10.9.0.1"], [2]), (["10.0.0.1", None], []),
     (["10.0.0.1", "10.9.0.1", "10.8.0.1", "x"], [3])],
)  # fmt: skip
def test_listeners_in_two_subnets_and_more_are_told(addresses, subnets):
    found = listener.clients([look(ip=ip) for ip in addresses], [], KNOWN)
    assert [one.facts["subnets"] for one in found] == subnets


def test_an_offline_listener_is_told_with_the_look_at_it():
    (one,) = judged(looks=[look("OFFLINE")])
    assert (one.severity, one.confidence) == ("warning", 0.85)
    assert one.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:00:00+00:00"}
