"""Each way in which readiness, worker threads, resources and outages are told, for words.txt beside this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.health import groups, readiness, resources, summary, workers
from agtrace.diagnostics.health.allowed import Cluster
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.not_failed_over import not_failed_over
from agtrace.diagnostics.health.readiness import Ready
from agtrace.diagnostics.health.workers import Most
from agtrace.thresholds import Thresholds
from tests.behind import behind
from tests.diagnostics.health.cases import event, failover, state, told
from tests.diagnostics.health.standings import database, row, standing
from tests.diagnostics.health.test_takes_over import CUT, LATE, MANUAL, failed, member

LIMITS = Thresholds()
BY_HAND = {"failover_mode": "EXTERNAL"}
WHYS = ("permission", "login", "encryption", "driver", "protocol")


def setting(name: str, value: str, scope: str = "group") -> dict[str, Any]:
    return {"scope": scope, "item": "AG", "setting": name, "value": value, "content_id": "log-A", "line": 3}


OWNERS, ALLOWED = setting("owner_nodes", "A, C", "resource"), setting("FailoverThreshold", "2")
REACHED = event(500, "B", "threshold_reached", ag="AG", value=3.0, text="Not failing over")
PAUSED = {"is_suspended": True}
BEHIND = {"synchronization_state": "SYNCHRONIZING", "log_send_queue_kb": 2048}


def counts(*values: float) -> list[dict[str, Any]]:
    return [event(500, "B", "group_moved", ag="AG", value=value, text="moved") for value in values]


def looked(
    one: Any, events: Any = (), cluster: Cluster | None = None, platform: str = "Windows", **more: Any
) -> list[Ready]:
    primary = more.pop("primary", standing("A", [database()]))
    case = told(more.pop("rows", []), list(events), platforms={"A": platform, "B": platform})
    return readiness.ready(case, [primary, one], cluster or Cluster(), LIMITS)


def looks() -> Iterator[list[Ready]]:
    well = standing("B", [database()])
    yield looked(well)
    yield looked(standing("B", [database()], **MANUAL))
    yield looked(standing("B", [database()], **LATE))
    yield looked(standing("B", [database()], knows=False))
    yield looked(well, cluster=Cluster(members=[member()]))
    for why in WHYS:
        yield looked(well, [failed(after=why)])
    for platform in ("Windows", "Linux"):
        yield looked(well, [failed(kind="online_failed", after=None)], platform=platform)
    yield looked(standing("B", [database(log_send_queue_kb=9)], **CUT))
    for more in (MANUAL, BY_HAND, LATE):
        yield looked(standing("B", [database("Sales", is_joined=False), database("Stock", **BEHIND)], **more))
    yield looked(standing("B", [database(**BEHIND), database("Stock", **BEHIND)]))
    lost = {"synchronization_state": "NOT SYNCHRONIZING"}
    yield looked(standing("B", [database(**lost)], **LATE))
    for reason in (None, "SUSPEND_FROM_USER", "SUSPEND_FROM_PARTNER", "SUSPEND_FROM_REDO"):
        yield looked(standing("B", [database(suspend_reason=reason, **PAUSED)]))
    yield looked(standing("B", synchronization_health="NOT_HEALTHY"))
    yield looked(well, [REACHED])
    yield looked(well, [REACHED], Cluster(settings=[setting("FailoverPeriod", "2")]))
    for value in (1.0, 2.0):
        allowed = [ALLOWED | {"value": str(int(value))}]
        yield looked(well, counts(value), Cluster(settings=allowed))
    yield looked(well, cluster=Cluster(settings=[OWNERS]))
    yield looked(standing("B", [database(**PAUSED)], **CUT), rows=[failover(690, 700)])
    by_hand = standing("A", [database()], primary=row("A", **MANUAL), **MANUAL)
    case = told()
    yield readiness.ready(case, [by_hand, well, standing("C", [database()])], Cluster(), LIMITS)
    forced, asked = looked(standing("B", [database(**BEHIND)]))[1], looked(well, [REACHED])[1]
    costs = (
        (None, 9.0, None),
        (2048.0, None, None),
        (None, None, 30.0),
        (0.0, 0.0, 0.0),
        (2048.0, 9.0, 30.0),
    )
    for unsent, behind_s, redo in costs:
        for one in (forced, asked):
            yield [replace(one, unsent_kb=unsent, behind_s=behind_s, redo_s=redo)]


def of_readiness() -> Iterator[Any]:
    for found in looks():
        yield from SAID.findings(readiness.readiness(told(), found))
        yield SAID.page("readiness", summary.readiness(told(), found, Cluster(), SAID))
    found = looked(standing("B", [database()]))
    for platform in ("Windows", "Linux"):
        case = told(platforms={"A": platform, "B": platform})
        for settings in ((), (OWNERS,), (ALLOWED,), (OWNERS, ALLOWED)):
            cluster = Cluster(settings=settings)
            yield SAID.page("readiness", summary.readiness(case, found, cluster, SAID))
    yield SAID.page("readiness", summary.readiness(told(), [], Cluster(), SAID))


def of_resources() -> Iterator[Any]:
    for kind in (*resources.MEANING, "Generic Service", None):
        for more in ({"role": None, "time": None}, {"role": "Role", "time": event(60, "A", "x")["time"]}):
            shown = {
                "item": "Thing",
                "type": kind,
                "state": "Failed",
                "host_id": "A",
                "content_id": "log-A",
                "line": 3,
            }
            yield from SAID.findings(resources.resources(told(), [shown | more]))


def of_workers() -> Iterator[Any]:
    ten = [database(f"D{n}") for n in range(10)]
    primary, secondary = standing("A", ten), standing("A", ten, ag="AH", primary=row("B"))
    one = [standing("A", ten[:1]), standing("A", ten[:1], ag="AH", primary=row("B"))]
    for standings in ([primary], [secondary], [primary, secondary], one):
        for how, created, version in (
            ("measured", 30, (15, 0)),
            ("configured", None, ()),
            ("computed", None, (16, 0)),
        ):
            for value in (41, 60):
                most = {("A", ""): Most(value, how, "x", created, version)}
                limits = Thresholds(group_workers_share=0.01)
                yield from SAID.findings(workers.workers(told(), standings, most, (), limits))


def of_outages() -> Iterator[Any]:
    lost = [
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
        state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
    ]
    whys = [event(110, "B", "monitor_failed", ag="AG", after=why, text="ODBC") for why in (*WHYS, "delay")]
    apart = event(50, "A", "database_disconnected", ag="AG", database="Sales", replica="B")
    hand = [{"ag": "AG", "replica": "B", "failover_mode": "MANUAL", "content_id": "log-A", "line": 3}]
    ways: list[tuple[list[dict[str, Any]], Any]] = [
        *(([event(90, "B", "threshold_reached", ag="AG", value=3.0, after=most, text="x")],
        ()) for most in ("2", None)),
        ([event(110, "B", "failover_refused", ag="AG", text="not synchronised")], ()),
        ([event(110, "B", "quorum_lost", "cluster log", text="lost")], ()),
        ([event(110, "B", "failover_not_ready", "cluster log", ag="AG", text="x")], ()),
        *(([each], ()) for each in whys), ([], hand), ([apart], ()), ([apart, whys[0]], hand),
    ]  # fmt: skip
    for events, looks_ in ways:
        rows = sorted([*lost, *events], key=lambda each: each["time"])
        case = told(events=rows, last=900)
        yield from SAID.findings(not_failed_over(case, groups.no_primary(case, LIMITS), looks_, LIMITS))


@pytest.mark.parametrize("ways", [of_readiness, of_resources, of_workers, of_outages])
def test_the_words_are_those_that_were_read(ways):
    assert list(ways())


@pytest.mark.parametrize(("platform", "is_linux"), [("Linux", True), ("Windows", False)])
def test_a_group_that_did_not_come_online_is_looked_into_with_what_its_system_has(platform, is_linux):
    found = looked(standing("B", [database()]), [failed(kind="online_failed", after=None)], platform=platform)
    (one,) = SAID.findings(readiness.readiness(told(), found))
    assert (behind(one)["platform"] == "Linux") == is_linux
