"""What else a cluster runs: resources that failed, and addresses that a load balancer asks."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.behind import assert_facts
from tests.diagnostics.tiny import case

DTC = "Distributed Transaction Coordinator"


def shown(item, *, at=60, **settings):
    return "\n".join(
        f"A | {at} | cluster_settings | scope=resource; item={item}; setting={name}; value={value}"
        for name, value in settings.items()
    )


def found(*rows, id_="health.resource"):
    return [each for each in Health(case(relations="\n".join(rows))).findings() if each.id == id_]


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        (DTC, "warning"),
        ("SQL Server", "warning"),
        ("Physical Disk", "warning"),
        ("File Share Witness", "warning"),
        ("Generic Service", "notice"),
    ],
)
def test_a_resource_that_stands_failed_is_told_with_what_it_means(kind, severity):
    (one,) = found(shown("Thing", resource_type=kind, owner_group="Role", state="Failed"))
    assert (one.subject, one.severity) == ({"host": "A", "resource": "Thing"}, severity)
    assert_facts(one, item="Thing")
    assert [each.value for each in one.evidence] == ["Failed", kind, "Role"]


@pytest.mark.parametrize("state", ["Online", "Offline", "OnlinePending"])
def test_one_that_did_not_fail_is_not(state):
    assert found(shown("Thing", resource_type=DTC, state=state)) == []


def test_what_came_online_since_is_not():
    failed = shown("Thing", resource_type=DTC, state="Failed")
    assert (
        found(failed, shown("Thing", at=600, resource_type=DTC, state="Online").replace("A |", "B |")) == []
    )


@pytest.mark.parametrize("kind", ["SQL Server Availability Group", "Network Name", "IP Address"])
def test_groups_and_listeners_are_told_elsewhere(kind):
    assert found(shown("Thing", resource_type=kind, state="Failed")) == []


def test_a_resource_whose_state_was_not_shown_is_not():
    assert found(shown("Thing", resource_type=DTC, owner_group="Role")) == []


@pytest.mark.parametrize(
    ("port", "mask", "n"),
    [
        ("59999", "255.255.255.0", 1),
        ("59999", "255.255.255.255", 0),
        ("0", "255.255.255.0", 0),
        ("59999", "4294967295", 0),
        ("x", "255.255.255.0", 0),
    ],
)
def test_an_address_with_a_probe_port_needs_the_mask_of_a_host(port, mask, n):
    told = found(shown("AG_IP", ProbePort=port, SubnetMask=mask), id_="health.settings")
    assert len(told) == n
    assert all(each.subject == {"host": "A"} for each in told)
    assert all([each.value for each in one.evidence] == [port, mask] for one in told)


def test_a_probe_port_whose_mask_was_not_captured_is_not_told():
    assert found(shown("AG_IP", ProbePort="59999"), id_="health.settings") == []
