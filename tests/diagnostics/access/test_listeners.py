"""Which listener does not come online, and which has addresses that clients must know of."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.access.names import Listeners, resource_of
from tests.behind import assert_facts
from tests.diagnostics.access.cases import BOTH, PARTNERS, found, life
from tests.diagnostics.tiny import START

LOOK = (
    "A | {at} | listeners | ag=AG; listener=LSN; dns_name=LSN; port=1433; ip_address={ip}; "
    "subnet_mask={mask}; state={state}"
)


def look(*addresses, at=1):
    """Give a look at the listener: (address, mask, state) of each."""
    return "\n".join(LOOK.format(at=at, ip=ip, mask=mask, state=state) for ip, mask, state in addresses)


ONE = look(("10.0.0.10", "255.255.255.0", "ONLINE"))
TWO = look(("10.0.0.10", "255.255.255.0", "ONLINE"), ("10.9.0.10", "255.255.255.0", "OFFLINE"))

DNS = (
    "Cluster network name resource 'AG_LSN' failed registration of one or more associated DNS name(s) for "
    "the following "
    "reason: DNS operation refused. Ensure that the network adapters associated with dependent IP address "
    "resources are "
    "configured with at least one accessible DNS server."
)
ACCOUNT = (
    "Cluster network name resource 'AG_LSN' failed to create its associated computer object in domain "
    "'contoso.com' during: "
    "Resource online. The text for the associated error code is: Access is denied."
)
DUPLICATE = (
    "Cluster IP address resource 'AG_10.0.0.10' cannot be brought online because a duplicate IP address "
    "'10.0.0.10' was "
    "detected on the network. Please ensure all IP addresses are unique."
)
FAILED = "Cluster resource 'AG_LSN' of type 'Network Name' in clustered role 'AG' failed."
EVTX = "ResourceName: AG_LSN; ResourceGroup: AG; ResTypeDll: clusres.dll; ResourceTypeName: Network Name"


def with_events(*events, relations=PARTNERS + ONE, **more):
    """Give a case of A whose System event log holds events of the cluster, as (seconds, number, text)."""
    made = life(relations=relations, **more)
    made.run("delete from os_events")
    made.insert(
        "os_events",
        [
            {"content_id": "system", "line": place, "host_id": "A", "event_id": number, "message": text,
             "source": "Microsoft-Windows-FailoverClustering", "log": "System", **clocks(at)}
            for place, (at, number, text) in enumerate(events, 1)
        ],
    )  # fmt: skip
    return made


def with_cluster_log(*entries, relations=PARTNERS + ONE):
    """Give a case of A whose cluster log holds entries, as (seconds, level, resource, text)."""
    made = life(relations=relations)
    made.run("delete from cluster_log")
    made.insert(
        "cluster_log",
        [
            {"content_id": "cluster", "line": place, "host_id": "A", "level": level, "resource": resource,
             "text": text, **clocks(at)}
            for place, (at, level, resource, text) in enumerate(entries, 1)
        ],
    )  # fmt: skip
    return made


def clocks(at):
    local = START + timedelta(seconds=at)
    return {"time_local": local, "time": local.replace(tzinfo=UTC)}


def listeners(made):
    return found(made, "access.listener")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1196, DNS),
        (1194, ACCOUNT),
        (1049, DUPLICATE),
        (1069, FAILED),
        (1069, EVTX),
        (
            1077,
            "Health check for IP interface 'AG_10.0.0.10' (address '10.0.0.10') failed (status is '1168').",
        ),
    ],
)
def test_an_event_of_the_cluster_about_a_listener_is_a_warning(number, text):
    (one,) = listeners(with_events((60, number, text)))
    assert (one.subject, one.severity) == ({"ag": "AG", "listener": "LSN"}, "warning")
    assert one.window == {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:01:00+00:00"}


def test_all_that_failed_of_a_listener_is_one_finding_headed_by_what_says_most():
    (one,) = listeners(with_events((60, 1069, FAILED), (61, 1194, ACCOUNT), (62, 1069, FAILED)))
    assert_facts(one, n=3, reasons=["account", "failed"])
    assert (one.evidence[0].label, one.evidence[0].value) == ("entries", 3)


@pytest.mark.parametrize(
    "text",
    [
        "Cluster network name resource 'Cluster Name' failed registration of one or more associated DNS "
        "name(s) for the "
        "following reason: DNS bad key.",
        "Cluster resource 'SQL Server (PROD)' of type 'SQL Server' in clustered role 'SQL Server (PROD)' "
        "failed.",
        "Cluster resource 'AG' of type 'SQL Server Availability Group' in clustered role 'AG' failed.",
        "Cluster resource 'SQL Network Name (SQLFCI)' of type 'Network Name' in clustered role 'SQL Server "
        "(PROD)' failed.",
    ],
)  # fmt: skip
def test_names_of_the_cluster_itself_and_other_resources_are_no_listener(text):
    assert listeners(with_events((60, 1196 if "DNS" in text else 1069, text))) == []


def test_a_name_that_came_online_afterwards_is_a_notice():
    online = "[RCM] TransitionToState(AG_LSN) OnlinePending-->Online."
    failed = "[RES] Network Name <AG_LSN>: Failed to bring the name online, error 5"
    (one,) = listeners(with_cluster_log((60, "ERR", "AG_LSN", failed), (90, "INFO", None, online)))
    assert one.severity == "notice"
    assert_facts(one, ag="AG", listener="LSN", n=1, back="2024-03-05T12:01:30+00:00")


def test_a_later_look_that_shows_it_online_ends_it():
    later = look(("10.0.0.10", "255.255.255.0", "ONLINE"), at=900)
    (one,) = listeners(with_events((60, 1069, FAILED), relations=f"{PARTNERS}{ONE}\n{later}"))
    assert one.severity == "notice"


def test_a_name_that_is_not_in_dns_is_not_there_because_it_is_online():
    later = look(("10.0.0.10", "255.255.255.0", "ONLINE"), at=900)
    (one,) = listeners(with_events((60, 1196, DNS), relations=f"{PARTNERS}{ONE}\n{later}"))
    assert one.severity == "warning"


def test_what_a_cluster_log_notes_of_a_name_without_an_error_is_none():
    closing = "[RES] Network Name <AG_LSN>: Close - Resource name AG_LSN."
    assert listeners(with_cluster_log((60, "INFO", "AG_LSN", closing))) == []


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (
            19471,
            (
                "The WSFC cluster could not bring the Network Name resource with DNS "
                "name 'LSN' online. The DNS name may have been taken."
            ),
        ),
        (19476, "The attempt to create the network name and IP address for the listener failed."),
        (
            19456,
            (
                "None of the IP addresses configured for the availability group listener "
                "can be hosted by the server 'A'."
            ),
        ),
        (
            19453,
            (
                "The availability group listener (network name) with resource ID "
                "'5e8f2a3c-1111-2222-3333-444455556666', DNS name 'LSN', port 1433 "
                "failed to start with this error: 5."
            ),
        ),
        (
            19486,
            (
                "The configuration changes to the availability group listener were "
                "completed, but the TCP provider of the instance of SQL Server failed to "
                "listen on the specified port [10.0.0.10:1433]."
            ),
        ),
    ],
)
def test_a_message_of_the_server_is_of_its_only_listener(number, text):
    made = life([("A", 60, number, text)], relations=PARTNERS + ONE)
    (one,) = listeners(made)
    assert one.subject == {"ag": "AG", "listener": "LSN"}
    assert_facts(one, ag="AG", listener="LSN", n=1)


def test_without_a_look_the_listener_has_no_name_and_the_group_of_its_host():
    text = "The attempt to create the network name and IP address for the listener failed."
    (one,) = listeners(life([("A", 60, 19476, text)]))
    assert (one.subject, one.confidence) == ({"ag": "AG"}, 0.6)
    assert_facts(one, n=1, reasons=["created"])


def test_a_listener_of_which_no_address_is_online_is_a_warning():
    off = look(("10.0.0.10", "255.255.255.0", "OFFLINE"), ("10.9.0.10", "255.255.255.0", "FAILED"))
    (one,) = listeners(life(relations=PARTNERS + off))
    assert one.severity == "warning"
    assert [(e.label, e.value) for e in one.evidence[1:]] == [
        ("address 10.0.0.10", "OFFLINE"), ("address 10.9.0.10", "FAILED"),
    ]  # fmt: skip


def test_one_address_online_of_several_is_as_it_is_to_be():
    assert listeners(life(relations=PARTNERS + TWO)) == []


def test_only_the_last_look_counts():
    off = look(("10.0.0.10", "255.255.255.0", "OFFLINE"), at=0)
    assert listeners(life(relations=f"{PARTNERS}{off}\n{ONE}")) == []


def test_a_look_that_shows_no_state_says_nothing():
    bare = "A | 1 | listeners | ag=AG; listener=LSN; dns_name=LSN; port=1433"
    assert found(life(relations=PARTNERS + bare)) == []


def test_several_subnets_are_told_with_what_clients_need():
    (one,) = found(life(relations=PARTNERS + TWO), "access.clients")
    assert (one.severity, one.subject) == ("info", {"ag": "AG", "listener": "LSN"})
    assert_facts(one, all_registered=None, resource="AG_LSN")


def test_a_name_of_which_one_address_is_registered_is_told_as_such():
    settings = "\n".join(
        f"A | 1 | cluster_settings | scope=resource; item=AG_LSN; setting={name}; value={value}"
        for name, value in (("RegisterAllProvidersIP", 0), ("HostRecordTTL", 300))
    )
    (one,) = found(life(relations=f"{PARTNERS}{TWO}\n{settings}"), "access.clients")
    assert_facts(one, all_registered="0", ttl="300")
    assert [(e.label, e.value) for e in one.evidence[-2:]] == [
        ("RegisterAllProvidersIP", "0"), ("HostRecordTTL", "300"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "addresses",
    [
        (("10.0.0.10", "255.255.255.0", "ONLINE"), ("10.0.0.11", "255.255.255.0", "OFFLINE")),
        (("10.0.0.10", "255.255.255.0", "ONLINE"),),
        (("no address", "255.255.255.0", "ONLINE"), ("10.0.0.10", "no mask", "OFFLINE")),
    ],
)
def test_addresses_of_one_subnet_need_nothing_of_clients(addresses):
    assert found(life(relations=PARTNERS + look(*addresses)), "access.clients") == []


def test_names_are_written_so_that_they_end_no_command():
    hostile = TWO.replace("LSN", "L'; rm x")
    (one,) = found(life(relations=PARTNERS + hostile.replace("; rm", " rm")), "access.clients")
    assert_facts(one, resource="AG_L' rm x")


def test_an_address_resource_is_of_the_only_listener_of_its_group():
    whose = Listeners(
        [{"ag": "AG", "listener": "LSN"}, {"ag": "AG_2", "listener": "OTHER"}], [{"ag": "AG", "host_id": "A"}]
    )
    assert whose.find("AG_10.0.0.10", "", None) == ("AG", "LSN")
    assert whose.find("AG_2_10.0.0.11", "", None) == ("AG_2", "OTHER")
    assert whose.find("lsn.contoso.com", "", None) == ("AG", "LSN")
    assert whose.find("Cluster IP Address", "Cluster Group", None) is None


def test_of_other_resources_than_names_and_addresses_nothing_is_read():
    other = {
        "source": "event log",
        "number": 1069,
        "resource": None,
        "text": "ResourceName: AG; ResourceTypeName: Disk",
    }
    assert resource_of(other) == ("", "")


def test_quiet_logs_of_a_group_say_nothing_of_its_listener():
    assert listeners(life(messages=BOTH, relations=PARTNERS + ONE)) == []


def test_a_message_names_a_listener_that_no_look_shows():
    text = "The WSFC cluster could not bring the Network Name resource with DNS name 'LSN' online."
    (one,) = listeners(life([("A", 60, 19471, text)]))
    assert (one.subject, one.confidence) == ({"ag": "AG", "listener": "LSN"}, 0.9)


RESOURCE = """
A | 1 | cluster_settings | scope=resource; item={0}; setting=state; value={1}
A | 1 | cluster_settings | scope=resource; item={0}; setting=resource_type; value={2}
A | 1 | cluster_settings | scope=resource; item={0}; setting=owner_group; value=AG
"""


def test_a_name_that_failed_in_the_list_of_resources_is_a_listener_that_is_not_online():
    (one,) = listeners(life(relations=PARTNERS + RESOURCE.format("AG_LSN", "Failed", "Network Name")))
    assert one.subject == {"ag": "AG", "listener": "LSN"}


@pytest.mark.parametrize(
    ("name", "state", "kind"),
    [
        ("AG_LSN", "Online", "Network Name"),
        ("AG_10.9.0.10", "Offline", "IP Address"),
        ("AG", "Failed", "SQL Server Availability Group"),
    ],
)
def test_other_resources_and_names_that_are_online_are_none(name, state, kind):
    assert listeners(life(relations=PARTNERS + RESOURCE.format(name, state, kind))) == []
