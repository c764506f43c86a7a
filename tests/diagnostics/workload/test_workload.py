"""Load tests compared: crossovers, ties, contradictions, where reads went, on tiny cases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics import analyses
from agtrace.diagnostics.workload import Workload
from agtrace.measures import by_name
from agtrace.say.figures import describe
from tests.behind import assert_facts, behind, texts
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, curves, trial, window

ONE = {1: (100.0,), 2: (200.0,), 4: (300.0,)}
BATCHES = "\\SQLServer:SQL Statistics\\Batch Requests/sec"
DISK = "\\LogicalDisk(D:)\\Disk Bytes/sec"
RECEIVED = "\\SQLServer:Database Replica(db)\\Log Bytes Received/sec"


def found(made, wanted):
    return [f for f in Workload(made).findings() if f.id == f"workload.{wanted}"]


def test_the_analysis_is_found_by_its_folder():
    assert analyses()["workload"] is Workload


def test_without_load_tests_it_says_what_to_capture():
    empty = Workload(case())
    (_said,) = empty.missing()
    assert empty.findings() == []
    assert_facts(texts(empty.say_summary)["summary.md"], tests=0)
    assert len(empty.tbl_loads()) == len(empty.tbl_hosts()) == len(empty.tbl_trials()) == 0
    assert describe(empty.fig_curves()) == describe(empty.fig_hosts()) == "nothing to draw"
    assert describe(empty.fig_reads()) == "nothing to draw"


# Crossovers


def test_one_configuration_overtakes_the_other():
    made = curves(ONE, {1: (50.0,), 2: (150.0,), 4: (330.0,)})
    assert Workload(made).missing() == []
    (crossover,) = found(made, "crossover")
    assert crossover.severity == "notice"
    assert_facts(
        crossover,
        crossing="2 and 4 virtual users",
        metric="transactions per minute (TPM)",
        tool="HammerDB",
        course=2,
        between="2 and 4 virtual users",
        workload="HammerDB, test driver, 50,000 transactions per user",
        first="plain",
    )
    assert crossover.subject == {
        "workload": "HammerDB",
        "metric": "transactions per minute (TPM)",
        "first": "plain",
        "second": "routing",
    }
    assert crossover.confidence == 0.5
    assert [(e.label, e.value, e.unit) for e in crossover.evidence][:2] == [
        ("transactions per minute (TPM) at 1 virtual user, plain", 100, "1/min"),
        ("transactions per minute (TPM) at 1 virtual user, routing", 50, "1/min"),
    ]


def test_a_shorter_run_time_is_the_faster_one():
    made = curves(ONE, {1: (120.0,), 2: (190.0,), 4: (250.0,)}, metric="run_s")
    (crossover,) = found(made, "crossover")
    assert_facts(crossover, n=1, course=2)


def test_the_loser_at_high_load_is_named_by_the_winner():
    made = curves(ONE, {1: (120.0,), 2: (190.0,), 4: (250.0,)})
    (crossover,) = found(made, "crossover")
    assert_facts(crossover, crossing="1 and 2 virtual users", n=1, course=2, winner="plain")


def test_ties_lie_between_and_do_not_count():
    made = curves(ONE, {1: (50.0,), 2: (201.0,), 4: (330.0,)})
    (crossover,) = found(made, "crossover")
    assert_facts(crossover, between="1 and 4 virtual users", n=1, course=3, ties="2 virtual users")


def test_run_times_tie_within_their_resolution():
    made = curves({1: (300.0,)}, {1: (340.0,)}, metric="run_s", elapsed_resolution_s=60)
    assert [f.id for f in Workload(made).findings()][:1] == ["quality.not_captured"]
    (same,) = found(made, "no_difference")
    assert_facts(same, metric="run time", first="plain", second="routing", tool="HammerDB")
    made = curves({1: (300.0,)}, {1: (360.0,)}, metric="run_s", elapsed_resolution_s=60)
    assert_facts(found(made, "difference")[0], at="1 virtual user", course=1, winner="plain")


def test_no_crossover_where_one_is_always_faster():
    made = curves(ONE, {1: (150.0,), 2: (250.0,), 8: (900.0,)})
    (difference,) = found(made, "difference")
    assert_facts(
        difference,
        at="1 and 2 virtual users",
        metric="transactions per minute (TPM)",
        tool="HammerDB",
        course=1,
    )
    assert found(made, "crossover") == []


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


def test_trials_that_scatter_tie():
    first = {1: (100.0, 140.0, 60.0), 2: (100.0, 101.0, 99.0)}
    second = {1: (110.0, 70.0, 150.0), 2: (120.0, 121.0, 119.0)}
    table = Workload(curves(first, second)).tbl_loads()
    assert list(table["faster"]) == ["tie", "second"]


def test_trials_with_failures_are_left_out():
    made = curves(ONE, {1: (50.0,), 2: (150.0,)})
    trial(made, "routing", 4, tpm=330.0, failed=2)
    (failed,) = found(made, "failed")
    assert_facts(failed, failed=1, n=6)
    assert failed.evidence[0].value == 2
    assert found(made, "crossover") == []


def test_another_amount_of_work_is_another_workload():
    made = curves(ONE, {})
    trial(made, "routing", 1, tpm=50.0, work=10_000)
    assert [f.id for f in Workload(made).findings()] == ["quality.not_captured"]
    assert_facts(
        texts(Workload(made).say_summary)["summary.md"],
        tests=4,
        compares=False,
        findings=1,
        configurations=["plain", "routing"],
    )


# Contradictions


def test_two_metrics_that_disagree():
    made = case()
    for folder, tpm, run_s in (("plain", 100.0, 300.0), ("routing", 90.0, 240.0)):
        trial(made, folder, 4, tpm=tpm, run_s=run_s)
    (contradiction,) = found(made, "contradiction")
    assert contradiction.severity == "warning"
    assert_facts(
        contradiction, at="4 virtual users", left=True, right=True, by=["slower", "faster"], is_fixed=True
    )
    assert [e.value for e in contradiction.evidence] == [100, 90, 300, 240]


def test_two_metrics_that_disagree_and_cross_both():
    made = case()
    for load, tpm, run_s in ((4, 90.0, 240.0), (16, 120.0, 360.0)):
        trial(made, "plain", load, tpm=100.0, run_s=300.0)
        trial(made, "routing", load, tpm=tpm, run_s=run_s)
    (contradiction,) = found(made, "contradiction")
    assert_facts(contradiction, left=True, right=True, by=["slower", "faster"])


def test_metrics_that_agree_are_no_contradiction():
    made = case()
    for folder, tpm, run_s in (("plain", 100.0, 300.0), ("routing", 120.0, 250.0)):
        trial(made, folder, 4, tpm=tpm, run_s=run_s)
    assert found(made, "contradiction") == []


def stressed(first, second):
    """Two tests of a minute each; the disks of P and S deliver so much meanwhile."""
    made = case(f"P | {DISK} | 12x{first[0]}, {second[0]}\nS | {DISK} | 12x{first[1]}, {second[1]}", rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    return made


def test_slower_although_the_disks_deliver_more():
    (contradiction,) = found(stressed((400e6, 41e6), (600e6, 58e6)), "contradiction")
    assert_facts(
        contradiction,
        second="routing",
        tool="SQLQueryStress",
        at="8 threads",
        points=1,
        more=1.57345,
        memory=True,
    )
    assert [(e.value, e.unit) for e in contradiction.evidence[:2]] == [
        (441_000_000, "B/s"),
        (658_000_000, "B/s"),
    ]


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


def test_reads_that_moved_to_the_secondary():
    (routing,) = found(routed((20, 80)), "routing")
    assert routing.severity == "info"
    assert_facts(routing, tools="SQLQueryStress", verdict="shown", went=1, routes=True)
    values = {e.label: e.value for e in routing.evidence}
    assert values["batch requests: SQLQueryStress, S, with_routing"] == 80


def test_no_read_activity_on_the_secondary():
    (routing,) = found(routed((100, 1)), "routing")
    assert routing.severity == "warning"
    assert_facts(routing, tools="SQLQueryStress", went=1, routes=True, verdict="no reads", secondaries=["S"])


def test_monitoring_of_the_secondary_is_no_routed_read():
    made = case(f"P | {BATCHES} | 100\nS | {BATCHES} | 10\nS | {RECEIVED} | 5000", rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "with_routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    (routing,) = found(made, "routing")
    assert_facts(routing, went=1, routes=True)


def test_the_busiest_host_is_the_primary_where_no_role_is_seen():
    (routing,) = found(routed((20, 80), received=False), "routing")
    assert_facts(routing, tools="SQLQueryStress", verdict="shown", went=1, routes=True)


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


def test_without_perfmon_nothing_is_shown():
    made = curves(ONE, ONE)
    assert found(made, "routing") == []
    (lacking,) = [f for f in Workload(made).findings() if f.id == "quality.not_captured"]
    assert (lacking.severity, lacking.confidence) == ("notice", 0.4)


# Configurations and times


def test_configurations_are_labelled_windows():
    made = case()
    for at in (0, 100):
        trial(made, "here", 1, tpm=100.0 + at, at=at, item=at)
    window(made, "off", '{"routing": "off", "users": "1"}', -1, 50)
    window(made, "on", '{"routing": "on", "users": "1"}', 99, 150)
    table = Workload(made).tbl_loads()
    assert list(zip(table["first"], table["second"], strict=True)) == [("off", "on")]
    assert table["faster"][0] == "second"


def test_windows_that_share_a_label_are_named_by_their_factors():
    made = case()
    for at in (0, 100):
        trial(made, "here", 1, tpm=100.0 + at, at=at, item=at)
    window(made, "test", '{"cache": "ON"}', -1, 50)
    window(made, "test", '{"cache": "OFF"}', 99, 150)
    table = Workload(made).tbl_loads()
    assert list(zip(table["first"], table["second"], strict=True)) == [("cache=OFF", "cache=ON")]


def test_files_of_one_folder_are_told_by_their_names():
    made = case()
    for name, tpm in (("bag.log", 100.0), ("bag_routing.log", 120.0)):
        trial(made, "logs", 1, tpm=tpm, name=name)
    table = Workload(made).tbl_loads()
    assert list(zip(table["first"], table["second"], strict=True)) == [("bag", "bag_routing")]


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


def test_the_console_takes_its_times_from_the_counters_own_log():
    made = case()
    trial(made, "P", 2, run_s=180, item=0)
    readings = [50, 100, 102, 98, 40]
    rows = [
        {"capture_id": c, "content_id": c, "topic": "hammerdb_count", "item": 0, "key": "tpm",
         "value": str(value), "line": n, "time": START + timedelta(seconds=10 * n) if timed else None,
         "time_local": START + timedelta(seconds=10 * n) if timed else None}
        for c, timed in (("P/console.txt", False), ("P/hdbtcount.log", True))
        for n, value in enumerate(readings, 1)
    ]  # fmt: skip
    made.insert("facts", rows)
    (row,) = Workload(made).tbl_trials().to_dict("records")
    assert (row["tpm"], row["run_time_s"], row["readings"]) == (100.0, 180.0, 5)
    assert (row["start"], row["end"]) == ("2024-03-05 12:00:00", "2024-03-05 12:00:50")


def test_a_log_without_an_end_takes_it_from_the_counter_beside_it():
    made = case()
    trial(made, "P", 2, at=5, item=0)
    readings = [0, 60, 100, 100, 30, 0, 0]
    made.insert(
        "facts",
        [
            {"capture_id": "c", "content_id": "c", "topic": "hammerdb_count", "item": 0, "key": "tpm",
             "value": str(value), "line": n, "time": START + timedelta(seconds=10 * n),
             "time_local": START + timedelta(seconds=10 * n)}
            for n, value in enumerate(readings)
        ],
    )  # fmt: skip
    (row,) = Workload(made).tbl_trials().to_dict("records")
    assert (row["run_time_s"], row["tpm"]) == (35.0, 80.0)


def test_a_timed_result_in_log_and_console_counts_once():
    made = case()
    trial(made, "P", 4, tpm=100.0, driver="timed", name="hammerdb.log", at=0)
    trial(made, "P", 4, tpm=100.0, driver="timed", name="console.txt")
    (row,) = Workload(made).tbl_trials().to_dict("records")
    assert (row["start"], row["source"]) == ("2024-03-05 12:00:00", "P/hammerdb.log, line 1")


def test_a_test_shorter_than_the_sampling_interval_has_no_rates():
    made = case(f"P | {DISK} | 1000", rows=24)
    trial(made, "P", 1, run_s=4, at=1, tool="SQLQueryStress", work=1)
    assert len(Workload(made).tbl_hosts()) == 0
    assert_facts(texts(Workload(made).say_missing)["missing.md"], blind=1, missing=[])


def test_what_two_instances_of_a_server_execute_adds_up():
    perfmon = r"""
        P | \SQLServer:SQL Statistics\Batch Requests/sec | 100
        P | \MSSQL$TWO:SQL Statistics\Batch Requests/sec | 20
        P | \Processor Information(_Total)\% Processor Time | 30
    """
    made = case(perfmon, rows=24)
    trial(made, "P", 1, run_s=60, at=0, tool="SQLQueryStress", work=1)
    (row,) = Workload(made).tbl_hosts().to_dict("records")
    assert (row["batches_per_s"], row["cpu_percent"]) == (120, 30)


def test_names_from_captures_are_escaped():
    made = curves(ONE, ONE)
    made.connection.execute("update captures set path = '<b>*x*</b>/console.txt' where path like 'routing%'")
    text = Workload(made).say_summary()
    assert "<b>" not in text
    assert_facts(
        texts(Workload(made).say_summary)["summary.md"],
        tests=6,
        findings=1,
        workloads=["HammerDB, test driver, 50,000 transactions per user"],
        configurations=["<b>*x*</b>", "plain"],
    )


def test_the_columns_of_every_table_are_measures_declared_once():
    declared = by_name(Workload.measures)
    workload = Workload(curves(ONE, ONE))
    made = (workload.tbl_loads(), workload.tbl_trials(), workload.tbl_hosts(), workload.tbl_builds())
    assert set().union(*(frame.columns for frame in made)) <= declared.keys()


@pytest.mark.parametrize(
    ("began", "basic"), [(-100, True), (-300, False)], ids=["Standard", "Enterprise by then"]
)
def test_the_edition_during_the_tests_decides_whether_groups_are_basic(began, basic):
    facts = f"""
    P | startup | 0 | edition | Standard Edition (64-bit) | {began}
    P@later | startup | 0 | edition | Enterprise Edition (64-bit) | {3000 if basic else -200}
    """
    (routing,) = found(routed((20, 80), facts=facts), "routing")
    assert (behind(routing)["verdict"] == "basic") == bool(basic)
