"""Load tests compared: crossovers, ties, contradictions, where reads went, on tiny cases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics.workload import Workload
from tests.behind import assert_facts
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, curves, trial

ONE = {1: (100.0,), 2: (200.0,), 4: (300.0,)}
BATCHES = "\\SQLServer:SQL Statistics\\Batch Requests/sec"
DISK = "\\LogicalDisk(D:)\\Disk Bytes/sec"
RECEIVED = "\\SQLServer:Database Replica(db)\\Log Bytes Received/sec"


def found(made, wanted):
    return [f for f in Workload(made).findings() if f.id == f"workload.{wanted}"]


# Crossovers


def test_the_loser_at_high_load_is_named_by_the_winner():
    made = curves(ONE, {1: (120.0,), 2: (190.0,), 4: (250.0,)})
    (crossover,) = found(made, "crossover")
    assert_facts(crossover, crossing="1 and 2 virtual users", n=1, course=2, winner="plain")


def test_ties_lie_between_and_do_not_count():
    made = curves(ONE, {1: (50.0,), 2: (201.0,), 4: (330.0,)})
    (crossover,) = found(made, "crossover")
    assert_facts(crossover, between="1 and 4 virtual users", n=1, course=3, ties="2 virtual users")
    assert_facts(crossover, to_test="2 and 3 virtual users")


def test_an_interval_needs_five_trials_per_point():
    first = dict.fromkeys((1, 5), (100.0, 101.0, 99.0, 102.0, 98.0))
    second = {1: (80.0, 81.0, 79.0, 82.0, 78.0), 5: (125.0, 126.0, 124.0, 127.0, 123.0)}
    (crossover,) = found(curves(first, second), "crossover")
    assert_facts(crossover, course=2, interval=[2.81671, 3.17972], n=5)
    assert crossover.confidence == 0.9
    fewer = {load: values[:4] for load, values in first.items()}
    (crossover,) = found(curves(fewer, second), "crossover")
    assert_facts(crossover, n=4, course=2)
    assert crossover.confidence == 0.6


# Contradictions


def test_two_metrics_that_disagree_and_cross_both():
    made = case()
    for load, tpm, run_s in ((4, 90.0, 240.0), (16, 120.0, 360.0)):
        trial(made, "plain", load, tpm=100.0, run_s=300.0)
        trial(made, "routing", load, tpm=tpm, run_s=run_s)
    (contradiction,) = found(made, "contradiction")
    assert_facts(contradiction, left=True, right=True, by=["slower", "faster"])


def stressed(first, second):
    """Two tests of a minute each; the disks of P and S deliver so much meanwhile."""
    made = case(f"P | {DISK} | 12x{first[0]}, {second[0]}\nS | {DISK} | 12x{first[1]}, {second[1]}", rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    return made


def test_slower_because_the_disks_deliver_less_is_no_contradiction():
    assert found(stressed((400e6, 41e6), (300e6, 41e6)), "contradiction") == []


def test_two_workloads_that_turn_in_opposite_directions():
    made = curves(ONE, {1: (50.0,), 2: (150.0,), 4: (330.0,)})
    for folder, values in (("plain", (3.0, 3.0)), ("routing", (2.7, 3.4))):
        for load, run_s in zip((8, 10), values, strict=True):
            trial(made, folder, load, run_s=run_s, tool="SQLQueryStress", work=1)
    (contradiction,) = found(made, "contradiction")
    assert_facts(contradiction, gains=True, loses=True)


# Where the reads went


def routed(with_routing, *, facts="", hosts=("P", "S"), received=True):
    """Two tests of a minute each; batch requests of P and S without and with routing."""
    rows = {"P": (100, with_routing[0]), "S": (1, with_routing[1])}
    perfmon = "".join(f"{host} | {BATCHES} | 12x{rows[host][0]}, {rows[host][1]}\n" for host in hosts)
    if received and "S" in hosts:
        perfmon += f"S | {RECEIVED} | 5000\n"
    made = case(perfmon, facts=facts, rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "with_routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    return made


def test_standard_edition_has_basic_groups_only():
    facts = (
        "P | startup | 0 | edition | Standard Edition (64-bit)\n"
        "S | startup | 0 | edition | Standard Edition (64-bit)"
    )
    (routing,) = found(routed((20, 80), facts=facts), "routing")
    assert_facts(
        routing,
        verdict="basic",
        tools="SQLQueryStress",
        went=1,
        routes=True,
        basic="Standard Edition in the ERRORLOG of P",
    )
    assert ("availability group", "basic") in [(e.label, e.value) for e in routing.evidence]


@pytest.mark.parametrize(
    ("options", "basic"),
    [("BASIC, DB_FAILOVER = ON", True), ("BASIC = OFF", False), ("DB_FAILOVER = ON", False)],
)
def test_the_statement_that_made_the_group_says_whether_it_is_basic(options, basic):
    made = routed((20, 80))
    made.events.add("events_alwayson_ddl_executed")
    made.connection.execute(
        "create table events_alwayson_ddl_executed (_content_id varchar, _time timestamptz, statement "
        "varchar)"
    )
    made.connection.execute(
        "insert into events_alwayson_ddl_executed values ('x', now(), $statement)",
        {"statement": f"CREATE AVAILABILITY GROUP [AG]\r\nWITH ({options})\r\nFOR DATABASE [BASIC]"},
    )
    (routing,) = found(made, "routing")
    assert (routing.severity == "warning") is basic


def test_one_replica_alone_shows_nothing():
    (routing,) = found(routed((20, 80), hosts=("P",)), "routing")
    assert_facts(routing, tools="SQLQueryStress", went=1, routes=True)


# Configurations and times


@pytest.mark.parametrize(
    ("host", "clocks", "start"), [("P", 1, "2024-03-05 12:00:00"), ("DRIVER", 1, None), ("DRIVER", 0, None)]
)
def test_local_time_becomes_utc_by_what_its_host_states(host, clocks, start):
    made = case(f"P | {BATCHES} | 10", rows=24)
    clock = {"capture_id": "perfmon-P", "content_id": "perfmon-P", "offset_minutes": -240}
    made.insert("clocks", [clock] * clocks)
    trial(made, "P", 1, run_s=55, tool="SQLQueryStress", work=1)
    made.connection.execute(
        "update facts set host_id = $host, time_local = $at", {"host": host, "at": START - timedelta(hours=4)}
    )
    workload = Workload(made)
    if start is not None:
        assert workload.tbl_trials()["start"][0] == start
        assert workload.say_missing() == ""
