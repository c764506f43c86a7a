"""A distributed group is no ordinary one: what its groups do, it does with them, and by hand alone."""

from __future__ import annotations

from agtrace.diagnostics.health import Health
from tests.behind import assert_facts
from tests.diagnostics.tiny import case

STATE = "{} | {} | replica_state | 19406 | ag={}; old_state={}; new_state={}"
PRIMARY, RESOLVING, SECONDARY = "PRIMARY_NORMAL", "RESOLVING_NORMAL", "SECONDARY_NORMAL"
CONNECTED = [
    "SRV1 | 6 | connection | 35202 | ag=DAG; from_replica=AG1; replica=AG2",
    "SRV1 | 7 | connection | 35202 | ag=AG1; from_replica=SRV1; replica=SRV2",
]
MOVED = [
    ("SRV1", 0, "AG1", "PRIMARY_PENDING", PRIMARY), ("SRV1", 1, "DAG", "PRIMARY_PENDING", PRIMARY),
    ("SRV2", 2, "AG1", RESOLVING, SECONDARY), ("SRV3", 3, "AG2", "PRIMARY_PENDING", PRIMARY),
    ("SRV3", 4, "DAG", RESOLVING, SECONDARY), ("SRV4", 5, "AG2", RESOLVING, SECONDARY),
    ("SRV1", 600, "AG1", PRIMARY, RESOLVING), ("SRV1", 600.2, "DAG", PRIMARY, RESOLVING),
    ("SRV2", 605, "AG1", "PRIMARY_PENDING", PRIMARY), ("SRV2", 606, "DAG", "PRIMARY_PENDING", PRIMARY),
    ("SRV1", 620, "AG1", RESOLVING, SECONDARY), ("SRV1", 621, "DAG", RESOLVING, SECONDARY),
    ("SRV3", 900, "OTHER", "NOT_AVAILABLE", RESOLVING), ("SRV1", 900, "OTHER", "NOT_AVAILABLE", RESOLVING),
]  # fmt: skip
"""AG1 fails over from SRV1 to SRV2, and DAG with it; AG2 on SRV3 and SRV4 goes on."""


def life(relations=""):
    messages = "\n".join([*CONNECTED, *(STATE.format(*row) for row in MOVED)])
    return Health(case(messages=messages, relations=relations)).findings()


def test_the_group_that_failed_over_leads_and_the_distributed_one_moves_with_it():
    found = [f for f in life() if f.id == "health.failover"]
    assert [(f.subject["ag"], f.severity) for f in found] == [("AG1", "warning"), ("DAG", "notice")]
    assert_facts(found[0], route="from SRV1 to SRV2", named=2, mode="open", trigger="open")


def test_a_distributed_group_has_a_primary_as_long_as_its_group_has_one():
    assert [f for f in life() if f.id in ("health.no_primary", "health.two_primaries")] == []


def looked(ag, *replicas):
    return "\n".join(
        f"SRV1 | 60 | replicas | ag={ag}; replica={name}; failover_mode=MANUAL; session_timeout_s=10; "
        f"capture_id=look; line={n}"
        for n, name in enumerate(replicas)
    )


def test_that_a_distributed_group_is_switched_by_hand_alone_is_no_setting_that_hurts():
    assert [f for f in life(looked("DAG", "AG1", "AG2")) if f.id == "health.settings"] == []
    (found,) = [f for f in life(looked("AG1", "SRV1", "SRV2")) if f.id == "health.settings"]
    assert found.subject == {"ag": "AG1"}
