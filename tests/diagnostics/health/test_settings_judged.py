"""Settings that will hurt, judged to the last fact: what is set, what would be enough, where it stands."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import settings
from agtrace.diagnostics.health.rows import Replicas
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.diagnostics.health.cases import setting, told
from tests.folded import folded

LIMITS = Thresholds()
PLACE = "A/ERRORLOG line 3"


def judged(*rows, replicas=()):
    return settings.settings(told(), list(rows), [], list(replicas), LIMITS)


def of(found):
    return [(e.label, e.value, e.unit, e.source) for e in found.evidence]


def lease(lease, delay, threshold):
    rows = [setting("group", "AG", "LeaseTimeout", lease), setting("cluster", "C", "SameSubnetDelay", delay),
            setting("cluster", "C", "SameSubnetThreshold", threshold)]  # fmt: skip
    found = judged(*(row for row in rows if row.value is not None))
    return [each for each in found if each.said == "settings.lease"]


@folded(
    ("values", "enough"),
    [
        (("40000", "1000", "20"), 21), (("40000", "2000", "5"), 11), (("20000", "1000", "10"), 11),
        (("238000", "1000", "20"), 120), (("240000", "1000", "20"), None), (("200", "0", "10"), None),
        (("200", "1", "100"), 101), (("1", "0.5", "1"), 2),
    ],
)  # fmt: skip
def test_so_many_heartbeats_would_outlast_half_a_lease_as_far_as_a_cluster_can_have(values, enough):
    (found,) = lease(*values)
    lease_ms, delay, threshold = map(float, values)
    assert (found.severity, found.confidence) == ("warning", 0.9)
    assert found.facts == {
        "ag": "AG", "lease": lease_ms, "threshold": threshold, "delay": delay, "silent": delay * threshold,
        "half": lease_ms / 2, "enough": enough,
    }  # fmt: skip
    assert of(found) == [
        ("LeaseTimeout", lease_ms, "ms", PLACE),
        ("SameSubnetThreshold", threshold, "heartbeats", PLACE),
        ("SameSubnetDelay", delay, "ms", PLACE),
    ]


@pytest.mark.parametrize(
    "values", [("39999", "1000", "20"), (None, "1000", "20"), ("40000", None, "20"), ("40000", "1000", None)]
)
def test_a_lease_is_judged_against_both_settings_of_the_heartbeats(values):
    assert lease(*values) == []


def test_of_whom_a_setting_was_captured_may_not_be_known():
    rows = [setting("member", "N", "quorum_votes", "2"),
            setting("cluster", "C", "quorum_type", "NODE_MAJORITY", None)]  # fmt: skip
    probes = [setting("resource", "IP", "ProbePort", "59999", None),
              setting("resource", "IP", "SubnetMask", "255.255.255.0")]  # fmt: skip
    subnets = [setting("cluster", "C", "SameSubnetDelay", "2000", None),
               setting("cluster", "C", "CrossSubnetDelay", "1000")]  # fmt: skip
    assert [each.subject for each in judged(*rows, *probes, *subnets)] == [{"host": ""}] * 3


@folded(
    ("port", "mask", "n"),
    [
        ("59999", "255.255.255.0", 1), ("1", "255.255.255.0", 1), ("59999", "255.255.255.255", 0),
        ("0", "255.255.255.0", 0), ("many", "255.255.255.0", 0), (None, "255.255.255.0", 0),
        ("59999", None, 0), (None, None, 0), ("59999", "", 0), ("59999", "64", 0),
        ("many", "255.255.255.255", 0),
    ],
)  # fmt: skip
def test_a_probed_address_needs_the_mask_of_a_host(port, mask, n):
    rows = [setting("resource", "IP 1", name, value) for name, value in
            (("ProbePort", port), ("SubnetMask", mask)) if value is not None]  # fmt: skip
    elsewhere = [
        setting("role", "IP 2", "ProbePort", "59999"),
        setting("role", "IP 2", "SubnetMask", "255.0.0.0"),
    ]
    found = judged(*rows, *elsewhere)
    assert [(each.said, each.subject, each.facts) for each in found] == [
        ("settings.probe", {"host": "A"},
         {"host": "A", "name": "IP 1", "port": int(port) if n else 0, "mask": mask,
          "needed": "255.255.255.255"})
    ] * n  # fmt: skip
    assert [of(each) for each in found] == [
        [("ProbePort of IP 1", port, "", PLACE), ("SubnetMask of IP 1", mask, "", PLACE)]
    ] * n


def test_each_address_is_judged_by_its_own_mask():
    rows = [setting("resource", name, key, value)
            for name, mask in (("IP 1", "255.255.255.255"), ("IP 2", "255.255.255.0"))
            for key, value in (("ProbePort", "59999"), ("SubnetMask", mask))]  # fmt: skip
    assert [each.facts["name"] for each in judged(*rows)] == ["IP 2"]


def replica(name, mode, ag="AG", **more):
    return record(Replicas, ag=ag, replica=name, failover_mode=mode, content_id="log-A", line=3, **more)


@pytest.mark.parametrize(
    ("modes", "ready"),
    [("AUTOMATIC MANUAL", 1), ("MANUAL MANUAL", 0), ("AUTOMATIC AUTOMATIC", None),
     ("AUTOMATIC AUTOMATIC MANUAL", None), ("AUTOMATIC MANUAL MANUAL", 1), ("MANUAL", None)],
)  # fmt: skip
def test_a_group_needs_two_replicas_that_would_take_over(modes, ready):
    found = judged(replicas=[replica(name, mode) for name, mode in zip("ABC", modes.split(), strict=False)])
    assert [each.facts for each in found] == [
        {"ag": "AG", "ready": ready, "replicas": len(modes.split()),
         "modes": [f"{name} {mode}" for name, mode in zip("ABC", modes.split(), strict=False)]}
    ] * (ready is not None)  # fmt: skip


def test_a_group_of_which_a_mode_is_not_known_or_that_is_distributed_has_no_verdict():
    assert judged(replicas=[replica("A", "AUTOMATIC"), replica("B", None)]) == []
    distributed = [replica(name, "MANUAL", is_distributed=True) for name in "AB"]
    assert judged(replicas=distributed) == []
    assert [
        each.facts["ag"]
        for each in judged(replicas=[*distributed, *(replica(name, "MANUAL", "AH") for name in "AB")])
    ] == ["AH"]
