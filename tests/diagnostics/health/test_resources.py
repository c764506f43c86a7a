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
