"""What else a cluster runs: resources that failed, and addresses that a load balancer asks."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
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
    ("port", "mask", "n"),
    [
        ("59999", "255.255.255.0", 1),
        ("59999", "255.255.255.255", 0),
        ("0x", "255.255.255.0", 0),
        ("59999", "4294967295", 0),
        ("x", "255.255.255.0", 0),
    ],
)
def test_an_address_with_a_probe_port_needs_the_mask_of_a_host(port, mask, n):
    told = found(shown("AG_IP", ProbePort=port, SubnetMask=mask), id_="health.settings")
    assert len(told) == n
    assert all(each.subject == {"host": "A"} for each in told)
    assert all([each.value for each in one.evidence] == [port, mask] for one in told)


MODEL = "A | startup | 1 | system_model | {} | 0"


@pytest.mark.parametrize(
    ("mask", "facts", "expected"),
    [
        ("255.255.255.255", "", [("warning", 0.8)]),
        ("255.255.255.0", MODEL.format("Virtual Machine"), [("notice", 0.6)]),
        ("255.255.255.0", "", [("info", 0.5)]),
        ("255.255.255.0", MODEL.format("PowerEdge"), []),
    ],
)
def test_a_listener_address_without_a_probe_port_matters_behind_a_load_balancer(mask, facts, expected):
    rows = shown("AG_IP", ProbePort="0", SubnetMask=mask, owner_group="AG")
    own = shown("Cluster IP Address", ProbePort="0", SubnetMask=mask, owner_group="Cluster Group")
    told = Health(case(relations=f"{rows}\n{own}", facts=facts)).findings()
    told = [one for one in told if one.id == "health.settings"]
    assert [(one.severity, one.confidence) for one in told] == expected
    assert all("AG_IP" in one.title and "ProbePort" in one.recommendation for one in told)


def test_azure_is_shown_by_its_agent():
    agent = "A | 5 | os_events | source=WindowsAzureGuestAgent; event_id=1; level=Information; message=x"
    rows = shown("AG_IP", ProbePort="0", SubnetMask="255.255.255.0")
    assert [one.severity for one in found(rows, agent, id_="health.settings")] == ["warning"]


MEMBER = "A | 60 | cluster_settings | scope=member; item={}; setting={}; value={}"


def members(*down, votes=1):
    rows = [
        MEMBER.format(name, setting, value)
        for name in ("N1", "N2", "FSW")
        for setting, value in (("member_state", "DOWN" if name in down else "UP"), ("quorum_votes", votes))
    ]
    shown = Health(case(relations="\n".join(rows))).findings()
    return [(one.severity, len(one.evidence)) for one in shown if one.id == "health.node"]


def test_members_that_were_down_are_told_with_the_votes_that_they_cost():
    assert members() == []
    assert members("N2") == [("notice", 1)]
    assert members("N2", "FSW") == [("warning", 2)]
