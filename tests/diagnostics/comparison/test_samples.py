"""The comparison of the samples, against the truth in their manifest."""

from __future__ import annotations

import tomllib
from unittest.mock import ANY

import pytest

import agtrace
from agtrace.diagnostics.comparison import Comparison
from tests.behind import assert_facts

pytestmark = pytest.mark.complete

MANIFEST = tomllib.loads(
    (agtrace.sample("direct_seeding").parent / "manifest.toml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def opened(sample_store):
    cases = {}

    def open_(name):
        if name not in cases:
            cases[name] = agtrace.open_case(agtrace.sample(name), store=sample_store(name))
        return cases[name]

    yield open_
    for case in cases.values():
        case.close()


def truth(name):
    return MANIFEST[name]["truth"]


def evidence(finding):
    return {each.label: each.value for each in finding.evidence}


# The database of 100 GB, three ways


def test_the_three_runs_are_found(opened):
    runs = opened("direct_seeding").comparison.study.runs
    known = truth("direct_seeding")["runs"]
    assert [(run.method, run.database, run.source, run.target) for run in runs] == [
        ("backup, restore and join", "GestionCom", "AGDS1", "AGDS2"),
        ("automatic seeding", "GestionCom", "AGDS1", "AGDS2"),
        ("automatic seeding", "GestionCom", "AGDS1", "AGDS2"),
    ]
    for run, name in zip(runs, ("backup_restore", "seeding", "seeding_9567"), strict=True):
        assert run.seconds == pytest.approx(known[name]["seconds"], abs=0.5)
        assert run.database_bytes == pytest.approx(known[name]["bytes"], rel=0.001)
        assert run.unseen == ()
    assert [dict(run.factors).get("compression") for run in runs] == [
        None, "trace flag 9567 off", "trace flag 9567 on"
    ]  # fmt: skip
    assert [run.compressed and run.compressed.verdict for run in runs] == [None, False, True]
    assert [run.compressed and run.compressed.flag_says for run in runs] == [None, False, False]


def test_the_step_table_is_that_of_the_article(opened):
    frame = opened("direct_seeding").comparison.tbl_steps()
    steps = frame[frame["run"] == 1]
    assert list(zip(steps["step"], steps["host"], steps["duration"], strict=True)) == [
        ("backup", "AGDS1", "06'55\""),
        ("restore", "AGDS2", "17'10\""),
        ("join", "AGDS2", "00'01\""),
        ("total", "", "24'06\""),
    ]
    seeding = frame[frame["run"] == 2]
    assert list(zip(seeding["step"], seeding["duration"], strict=True)) == [
        ("request", "00'01\""),
        ("wait for a slot", "00'51\""),
        ("copy", "06'28\""),
        ("catch-up", "00'39\""),
        ("total", "08'00\""),
    ]


def test_the_ratios_are_those_of_the_manifest(opened):
    comparison = opened("direct_seeding").comparison
    ratios = truth("direct_seeding")["ratios"]
    by_hand, _compressed, flag = comparison.study.pairs
    assert by_hand.speed.value == pytest.approx(ratios["seconds: backup and restore / seeding"], rel=0.05)
    assert flag.speed.value == pytest.approx(ratios["seconds: seeding / seeding with 9567"], rel=0.05)
    before, after = flag.wire.per_byte
    assert before / after == pytest.approx(ratios["wire bytes: seeding / seeding with 9567"], rel=0.05)
    first, _second, third = comparison.findings()
    whole = "CPU of AGDS1, mean over the whole run"
    told = evidence(first)
    assert told[f"run 2: {whole}"] / told[f"run 1: {whole}"] == pytest.approx(
        ratios["cpu of the primary over the run: seeding / backup and restore"], rel=0.05
    )
    told = evidence(third)
    assert told[f"run 3: {whole}"] / told[f"run 2: {whole}"] == pytest.approx(
        ratios["cpu of the primary over the run: seeding with 9567 / seeding"], rel=0.05
    )


def test_what_is_said_of_the_three(opened):
    findings = opened("direct_seeding").comparison.findings()
    assert [(f.id, f.title) for f in findings] == [
        ("compare.difference", ANY),
        ("compare.difference", ANY),
        ("compare.no_difference", ANY),
    ]
    assert_facts(findings[0], steps=2)
    assert_facts(findings[2], steps=2, streams=2)


def test_the_article_s_contradictions_are_shown(opened):
    shown = opened("direct_seeding").comparison.say_contradictions().split("\n\n")[1]
    assert shown.startswith("- Run 2: The disks of AGDS1 read 151 GB for 100 GB of the database")


def test_the_baseline_can_be_the_second_run(opened):
    chosen = Comparison(opened("direct_seeding").view, baseline="2")
    assert [pair.first.numbers for pair in chosen.study.pairs] == ["2", "2"]


# The database of 32 GB, without compression and with it


def test_compression_makes_it_three_times_as_fast(opened):
    comparison = opened("seeding_compression").comparison
    (finding,) = comparison.findings()
    assert finding.id == "compare.difference"
    assert_facts(finding, database="TestDatabase", steps=2)
    (pair,) = comparison.study.pairs
    ratios = truth("seeding_compression")["ratios"]
    assert pair.speed.value == pytest.approx(ratios["seconds: uncompressed / compressed"], rel=0.05)
    before, after = pair.wire.per_byte
    assert before / after == pytest.approx(ratios["wire bytes: uncompressed / compressed"], rel=0.05)


# The database of 100 GB, compressed, on 4 cores and on 8


def test_more_cores_gain_no_time_and_cost_no_more_work(opened):
    (finding,) = opened("direct_seeding_cores").comparison.findings()
    assert (finding.id, finding.severity) == ("compare.no_difference", "info")
    assert_facts(finding, database="GestionCom", steps=2)


@pytest.mark.parametrize("name", ["direct_seeding", "direct_seeding_cores", "seeding_compression"])
def test_processor_work_is_that_of_the_manifest(opened, name):
    frame = opened(name).comparison.tbl_per_byte().set_index(["host", "unit"])
    for place, known in enumerate(truth(name)["runs"].values(), 1):
        for host, expected in known["core_seconds_per_gb"].items():
            told = frame.loc[(host, "core-seconds per GB"), f"run {place}"]
            assert told == pytest.approx(expected, rel=0.02)


def test_both_hosts_spend_the_same_work_though_one_seems_twice_as_busy(opened):
    # 2 cores against 4: 68 and 33 %, both 3.4 core-seconds per GB.
    frame = opened("seeding_compression").comparison.tbl_per_byte().set_index(["host", "unit"])
    told = [frame.loc[(host, "core-seconds per GB"), "run 2"] for host in ("SEEDA", "SEEDB")]
    assert told == pytest.approx([3.35, 3.4], abs=0.06)


def test_the_network_of_the_restore_is_told_in_bits(opened):
    frame = opened("direct_seeding").comparison.tbl_resources()
    restore = frame[(frame["run"] == 1) & (frame["step"] == "restore") & (frame["host"] == "AGDS1")]
    (told,) = restore[restore["resource"] == "network sent"]["in_bits"]
    low, high = (int(part.removesuffix(" Mb/s")) for part in told.split(" to "))
    assert 135 <= low < high <= 174


# The samples that other pages compare


@pytest.mark.parametrize("name", ["backup_tuning", "read_only_routing", "log_send_queue"])
def test_other_samples_have_nothing_to_compare(opened, name):
    comparison = opened(name).comparison
    assert comparison.findings() == []
