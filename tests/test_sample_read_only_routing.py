"""The read-only routing case: the article's three tables, and what follows from them."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

import agtrace
from agtrace.history.trials.collect import typical
from simulation.samples.read_only_routing import readings, write_case
from simulation.samples.read_only_routing_load import LOADS, PRIMARY, READ, TPM
from tests.behind import behind, judged

pytestmark = pytest.mark.complete

FOLDER = Path(__file__).resolve().parent.parent / "sample_data" / "read_only_routing"
TEXT = (FOLDER.parent / "manifest.toml").read_text(encoding="utf-8")
MANIFEST = tomllib.loads(TEXT)["read_only_routing"]
ON, OFF = "Basic AG with read-only routing", "Basic AG"


@pytest.fixture(scope="module")
def case(sample_store):
    with agtrace.open_case(FOLDER, sample_store(FOLDER.name)) as opened:
        yield opened


@pytest.fixture(scope="module")
def found(case):
    return case.workload.findings()


def opened(tmp_path, **options):
    write_case(tmp_path / "case", **options)
    return agtrace.open_case(tmp_path / "case", tmp_path / "store")


def test_the_committed_files_are_those_of_the_generator_and_the_manifest(tmp_path):
    truth = write_case(tmp_path)
    assert truth.files == sorted(MANIFEST["sha256"])
    for file, expected in MANIFEST["sha256"].items():
        for folder in (FOLDER, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file
    assert sum((FOLDER / file).stat().st_size for file in truth.files) < 1e6


def test_the_counter_reads_the_articles_figures():
    for routing, figures in TPM.items():
        for place, figure in enumerate(figures):
            read = readings(routing, place)
            assert all(value % 6 == 0 for value in read)
            assert typical(tuple(map(float, read))) == figure


def test_everything_is_read(case):
    assert set(case.view.table("select status from captures")["status"].to_pylist()) == {"ingested"}
    assert case.view.table("select * from issues").num_rows == 0
    assert case.workload.missing() == []
    assert case.workload.say_missing() == ""


def table(case, metric, tool):
    frame = case.workload.tbl_loads()
    frame = frame[(frame["metric"] == metric) & frame["workload"].str.startswith(tool)]
    assert list(frame["load"]) == list(LOADS)
    assert set(frame["first"]) == {OFF}
    assert set(frame["second"]) == {ON}
    return frame


def test_the_three_tables_come_out_as_they_stand_in_the_article(case):
    truth = MANIFEST["truth"]
    by_tpm = table(case, "transactions per minute (TPM)", "HammerDB")
    by_time = table(case, "run time", "HammerDB")
    stress = table(case, "run time", "SQLQueryStress")
    for routing, column in (("off", "first_value"), ("on", "second_value")):
        assert list(by_tpm[column]) == truth["transactions_per_minute"][routing]
        assert list(by_time[column] / 60) == truth["run_time_minutes"][routing]
        assert list(stress[column]) == truth["stress_seconds"][routing]
    hosts = case.workload.tbl_hosts()
    hosts = hosts[hosts["workload"] == "SQLQueryStress"]
    total = hosts.groupby(["configuration", "load"])["disk"].sum()
    for routing, configuration in (("off", OFF), ("on", ON)):
        assert [round(total[configuration, load] / 1e6, 6) for load in LOADS] == truth["ssd_mb_per_s"][
            routing
        ]


def test_by_tpm_routing_is_slower_to_4_users_and_faster_from_8(case, found):
    by_tpm = table(case, "transactions per minute (TPM)", "HammerDB")
    assert list(by_tpm["faster"]) == ["first"] * 3 + ["second"] * 3
    (crossover,) = of(found, "workload.crossover", "HammerDB", "transactions per minute (TPM)")
    assert "The curves cross between 4 and 8 virtual users." in crossover.narrative


def test_by_run_time_they_cross_between_2_and_4_and_tie_at_8_and_12(case, found):
    by_time = table(case, "run time", "HammerDB")
    assert list(by_time["faster"]) == ["first", "first", "second", "tie", "second", "tie"]
    (crossover,) = of(found, "workload.crossover", "HammerDB", "run time")
    assert "The curves cross between 2 and 4 virtual users." in crossover.narrative
    assert "At 8 and 12 virtual users the difference is too small" in crossover.narrative


def test_sqlquerystress_is_faster_to_8_threads_and_slower_from_10(case, found):
    stress = table(case, "run time", "SQLQueryStress")
    assert list(stress["faster"]) == ["second"] * 4 + ["first"] * 2
    (crossover,) = of(found, "workload.crossover", "SQLQueryStress", "run time")
    assert "The curves cross between 8 and 10 threads." in crossover.narrative


def test_there_is_no_interval_at_one_trial_per_point(case, found):
    for finding in found:
        if finding.id == "workload.crossover":
            assert "n = 1 trial per point: no confidence interval." in finding.narrative
            assert finding.confidence == 0.5
    assert "no confidence interval" in case.workload.say_summary()


def test_the_contradictions_are_findings(found):
    contradictions = [f for f in found if f.id == "workload.contradiction"]
    assert [judged(f).said for f in contradictions] == [
        "contradiction.of_disks", "contradiction.of_metrics", "contradiction.of_workloads"
    ]  # fmt: skip
    rates = [each["rates"] for each in behind(contradictions[0])["points"]]
    assert [(round(of.second / 1e6), round(of.first / 1e6)) for of in rates] == [(658, 441), (848, 517)]


def test_a_basic_group_has_no_readable_secondary(found):
    (routing,) = [f for f in found if f.id == "workload.routing"]
    assert routing.severity == "warning"
    reads = {e.label: e.value for e in routing.evidence if e.unit == "B/s"}
    assert reads[f"disk reads: SQLQueryStress, SRV154, {ON}"] == 0
    assert reads[f"disk reads: SQLQueryStress, SRV153, {ON}"] == pytest.approx(433.5e6, rel=0.001)


def test_the_articles_table_stands_side_by_side(case):
    truth = MANIFEST["truth"]
    frame = case.workload.tbl_side_by_side().set_index("load")
    stress = frame[frame["workload"].str.startswith("SQLQueryStress")]
    assert set(stress["unit"]) == {"s"}
    test = frame[frame["workload"].str.contains("test driver")]
    assert set(test["unit"]) == {"min"}
    for routing, name in (("off", OFF), ("on", ON)):
        assert list(stress[f"{name}: time"]) == truth["stress_seconds"][routing]
        assert list(stress[f"{name}: all disks, MB/s"]) == truth["ssd_mb_per_s"][routing]
        assert list(stress[f"{name}: SRV154, MB/s"]) == [0.02] * 6
        assert list(test[f"{name}: time"]) == truth["run_time_minutes"][routing]
        assert list(test[f"{name}: TPM"]) == truth["transactions_per_minute"][routing]


def test_the_six_pictures_of_tpm_over_time(case):
    figure = case.workload.fig_progress()
    assert [a.text for a in figure.layout.annotations] == [
        "1 virtual user", *(f"{load} virtual users" for load in LOADS[1:])
    ]  # fmt: skip
    drawn = {(line.xaxis, line.name): line for line in figure.data}
    assert len(drawn) == 12
    assert list(drawn["x", OFF].x)[-1] == 3
    assert list(drawn["x", ON].x)[-1] == 5
    table = case.workload.tbl_progress()
    assert set(table["times"]) == {"of the counter"}
    for routing, name in (("off", OFF), ("on", ON)):
        own = table[table["configuration"] == name]
        assert list(own["minutes"]) == MANIFEST["truth"]["run_time_minutes"][routing]
        expected = [sum(readings(routing, place)) / 6 for place in range(6)]
        assert list(own["counted"]) == [round(value) for value in expected]


def test_the_course_shows_why_tpm_and_run_time_disagree(found):
    (finding,) = [f for f in found if judged(f).said == "contradiction.of_metrics"]
    assert [(e.value, e.unit) for e in finding.evidence[-2:]] == [(504_842, "n"), (368_621, "n")]


def test_memory_is_told_where_the_cache_is_suspected(tmp_path, found):
    told = [f for f in found if judged(f).said == "contradiction.of_disks"]
    assert ("max server memory of SRV153", 16_384) in [(e.label, e.value) for e in told[0].evidence]
    with opened(tmp_path, memory=False) as case:
        (finding,) = [f for f in case.workload.findings() if judged(f).said == "contradiction.of_disks"]
        assert behind(finding)["memory"]["hosts"] == []


def test_the_routing_list_is_read(tmp_path, found):
    (routing,) = [f for f in found if f.id == "workload.routing"]
    assert routing.evidence[-1].value == "SRV154\\SQLBAG"
    with opened(tmp_path, basic=False, routes=False) as case:
        (empty,) = [f for f in case.workload.findings() if f.id == "workload.routing"]
        assert behind(empty)["routes"].is_empty


def test_the_read_that_has_no_log_is_compared(case, found):
    (same,) = of(found, "workload.no_difference", READ, "run time")
    assert same.title.startswith(f"No difference between {OFF} and {ON[:20]}")
    assert [e.value for e in same.evidence] == [19, 19]


def test_the_build_of_the_database_is_a_run_of_writes(case):
    builds = case.workload.tbl_builds()
    assert list(zip(builds["host"], builds["minutes"], builds["warehouses"], strict=True)) == [
        ("SRV153", 18, 20),
        ("SRV154", 18, 20),
    ]
    assert list(builds["written_mb_per_s"]) == [74, 44.12]


def test_what_it_was_tested_on_is_a_table(case):
    setup = case.workload.tbl_setup()
    told = set(zip(setup["of"], setup["setting"], setup["value"], strict=True))
    assert {
        ("SRV153", "RAM (MB)", "131072"),
        ("SRV153", "sockets", "2"),
        ("SRV154", "model", "PowerEdge R730"),
        ("SRV153", "max server memory", "16,384 MB, from 2019-04-23 12:30:00 UTC on"),
        ("BAG", "basic", "yes"),
        ("BAG", "listener", "BAGL 10.0.0.50"),
        ("BAG", "port", "1433"),
        ("SRV154\\SQLBAG", "allow connections", "READ_ONLY"),
        ("SRV154\\SQLBAG", "seeding mode", "AUTOMATIC"),
        ("SRV153\\SQLBAG", "read only routing list", "SRV154\\SQLBAG"),
    } <= told


def test_without_the_statement_the_idle_secondary_decides(tmp_path):
    with opened(tmp_path, basic=False) as case:
        (routing,) = [f for f in case.workload.findings() if f.id == "workload.routing"]
    assert (behind(routing)["verdict"], behind(routing)["secondaries"]) == ("no reads", ["SRV154"])


def test_reads_that_did_move_are_seen(tmp_path):
    with opened(tmp_path, basic=False, reads_moved=True) as case:
        found = [f for f in case.workload.findings() if f.id == "workload.routing"]
    # HammerDB reads and writes: it stays on the primary.
    assert [(f.severity, behind(f)["verdict"]) for f in found] == [("warning", "no reads"), ("info", "shown")]


def test_the_primary_alone_shows_nothing(tmp_path):
    with opened(tmp_path, basic=False, only=(PRIMARY,)) as case:
        (routing,) = [f for f in case.workload.findings() if f.id == "workload.routing"]
    assert behind(routing)["verdict"] == "one side"


def of(found, wanted, tool, metric):
    return [
        f
        for f in found
        if (f.id, f.subject.get("workload"), f.subject.get("metric")) == (wanted, tool, metric)
    ]
