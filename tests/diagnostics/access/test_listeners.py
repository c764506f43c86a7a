"""Which listener does not come online, and which has addresses that clients must know of."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.access.names import ListenerNames, resource_of
from agtrace.diagnostics.access.rows import GroupsOfHosts, ListenerEntries, Listeners
from tests.behind import assert_facts
from tests.diagnostics.access.cases import PARTNERS, found, life
from tests.diagnostics.asking import record
from tests.diagnostics.tiny import START

LOOK = (
    "A | {at} | listeners | ag=AG; listener=LSN; dns_name=LSN; port=1433; ip_address={ip}; "
    "subnet_mask={mask}; state={state}"
)


def look(*addresses, at=1):
    """Return a listener's snapshot: (address, mask, state) of each."""
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


def with_events(*events, relations=PARTNERS + ONE, **more):
    """Return a case of A with cluster events in its System log, as (seconds, number, text)."""
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


def clocks(at):
    local = START + timedelta(seconds=at)
    return {"time_local": local, "time": local.replace(tzinfo=UTC)}


def listeners(made):
    return found(made, "access.listener")


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


def test_an_address_resource_is_of_the_only_listener_of_its_group():
    whose = ListenerNames(
        [record(Listeners, ag="AG", listener="LSN"), record(Listeners, ag="AG_2", listener="OTHER")],
        [record(GroupsOfHosts, ag="AG", host_id="A")],
    )
    assert whose.find("AG_10.0.0.10", "", None) == ("AG", "LSN")
    assert whose.find("AG_2_10.0.0.11", "", None) == ("AG_2", "OTHER")
    assert whose.find("lsn.contoso.com", "", None) == ("AG", "LSN")
    assert whose.find("Cluster IP Address", "Cluster Group", None) is None


def test_of_other_resources_than_names_and_addresses_nothing_is_read():
    other = record(
        ListenerEntries,
        source="event log",
        number=1069,
        resource=None,
        text="ResourceName: AG; ResourceTypeName: Disk",
    )
    assert resource_of(other) == ("", "")
