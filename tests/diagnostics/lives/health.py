"""Lives of the health of a group: whether it would fail over, and what surrounds it."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.health import Health
from tests.diagnostics.health import test_noted, test_readiness, test_resources, test_workers
from tests.diagnostics.lives.life import Life, asked, nothing, of
from tests.diagnostics.tiny import case

WELL = test_readiness.WELL
STATE = "{} | {} | timeline | kind=replica_state; ag=AG; before={}; after={}"
COVERED = "\n".join(
    f"{host} | - | coverage | source=ERRORLOG; first=2024-03-05T11:00:00Z; last=2024-03-05T12:15:00Z; "
    "records=9; captures=1"
    for host in "AB"
)
OUTAGE = (
    STATE.format("A", 10, "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    STATE.format("A", 100, "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    STATE.format("B", 101, "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
    COVERED,
)
COUNTED = "B | {} | timeline | kind=threshold_reached; ag=AG; value=3; after=2; text=Not failing over"
LOST = "A | 100 | connection | 35206 | ag=AG; replica=B"
BACK = "A | 500 | connection | 35202 | ag=AG; replica=B"
MANY = [*test_workers.look(100, "B", "C"), test_workers.STATE.format(640)]
WARNED = "The thread pool for Always On Availability Groups was unable to start a new worker thread."


def cluster(**values: Any) -> list[str]:
    return [
        f"A | 60 | cluster_settings | scope=cluster; item=CLU; setting={name}; value={value}"
        for name, value in values.items()
    ]


def lease(value: int) -> str:
    return f"A | 60 | cluster_settings | scope=group; item=AG; setting=LeaseTimeout; value={value}"


def voting(n: int) -> list[str]:
    return [
        *(
            f"A | 60 | cluster_settings | scope=member; item=N{at}; setting=quorum_votes; value=1"
            for at in range(n)
        ),
        *cluster(quorum_type="NODE_MAJORITY"),
    ]  # fmt: skip


def probed(**settings: Any) -> str:
    return test_resources.shown("AG_IP", **settings)


SPENT = (test_readiness.moved(500, 2), test_readiness.setting("group", "FailoverThreshold", 2))
OWNED = "A, X"
LOST_QUORUM = "B | {} | timeline | kind=quorum_lost; text=Lost quorum"
UNMONITORED = "{} | 110 | timeline | kind=monitor_failed; after=permission; text=ODBC Error"
HEARTBEATS = cluster(SameSubnetDelay=1000, SameSubnetThreshold=20)
HEALTH = (
    Life("health/not_failed_over", "health.not_failed_over", of(Health, *OUTAGE, COUNTED.format(90)),
         of(Health, *OUTAGE, COUNTED.format(-201)), of(Health, *OUTAGE)),
    Life("health/readiness", "health.readiness",
         of(Health, *WELL, test_readiness.database(name="Stock", state="SYNCHRONIZING")), of(Health, *WELL),
         of(Health, test_readiness.database(name="Stock", state="SYNCHRONIZING"))),
    Life("health/readiness", "health.readiness", of(Health, *WELL, COUNTED.format(500)),
         of(Health, *WELL, COUNTED.format(601)), of(Health, COUNTED.format(500))),
    Life("health/readiness", "health.readiness", of(Health, *WELL, *SPENT),
         of(Health, *WELL, test_readiness.moved(500, 1), SPENT[1]), of(Health, *WELL, SPENT[0])),
    Life("health/readiness", "health.readiness",
         of(Health, *WELL, test_readiness.setting("resource", "owner_nodes", OWNED)),
         of(Health, *WELL, test_readiness.setting("resource", "owner_nodes", f"{OWNED}, B")),
         of(Health, test_readiness.setting("resource", "owner_nodes", OWNED))),
    Life("health/not_failed_over", "health.not_failed_over", of(Health, *OUTAGE, LOST_QUORUM.format(95)),
         of(Health, *OUTAGE, LOST_QUORUM.format(-201)), of(Health, LOST_QUORUM.format(95))),
    Life("health/not_failed_over", "health.not_failed_over", of(Health, *OUTAGE, UNMONITORED.format("B")),
         of(Health, *OUTAGE, UNMONITORED.format("X")), of(Health, UNMONITORED.format("B"))),
    Life("health/disconnect", "health.disconnect", of(Health, messages=f"{LOST}\n{BACK}"),
         of(Health, messages=BACK), nothing(Health)),
    Life("health/workers", "health.workers", of(Health, *MANY),
         of(Health, *MANY[:-1], test_workers.STATE.format(641)), of(Health, MANY[-1])),
    Life("health/noted.not_started", "health.workers",
         asked(Health, lambda: test_noted.with_lines((60, 35217, WARNED))),
         asked(Health, lambda: test_noted.with_lines((60, 35218, WARNED))),
         asked(Health, lambda: case(messages=test_noted.GROUP.format("A")))),
    Life("health/resource", "health.resource",
         of(Health, test_resources.shown("DTC", resource_type=test_resources.DTC, state="Failed")),
         of(Health, test_resources.shown("DTC", resource_type=test_resources.DTC, state="Offline")),
         of(Health, test_resources.shown("DTC", resource_type=test_resources.DTC))),
    Life("health/settings.probe", "health.settings",
         of(Health, probed(ProbePort=59999, SubnetMask="255.255.255.0")),
         of(Health, probed(ProbePort=59999, SubnetMask="255.255.255.255")),
         of(Health, probed(ProbePort=59999))),
    Life("health/settings.lease", "health.settings", of(Health, *HEARTBEATS, lease(40_000)),
         of(Health, *HEARTBEATS, lease(39_999)), of(Health, lease(40_000))),
    Life("health/settings.subnets", "health.settings",
         of(Health, *cluster(SameSubnetDelay=2000, CrossSubnetDelay=1000)),
         of(Health, *cluster(SameSubnetDelay=1000, CrossSubnetDelay=1000)),
         of(Health, *cluster(SameSubnetDelay=2000))),
    Life("health/settings.votes", "health.settings", of(Health, *voting(2)), of(Health, *voting(3)),
         of(Health, *voting(2)[:-1])),
)  # fmt: skip
