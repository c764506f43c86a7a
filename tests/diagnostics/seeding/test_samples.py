"""The seeding page of the samples, with the figures of the two articles."""

from __future__ import annotations

import hashlib
import tomllib

import pytest

import agtrace
from simulation.samples import direct_seeding_cores
from tests.behind import assert_facts

pytestmark = pytest.mark.complete

SAMPLES = agtrace.sample("direct_seeding").parent
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def opened(sample_store):
    cases = {}

    def open_(name):
        if name not in cases:
            cases[name] = agtrace.open_case(SAMPLES / name, store=sample_store(name))
        return cases[name]

    yield open_
    for case in cases.values():
        case.close()


def completed(case):
    found = [f for f in case.seeding.findings() if f.id == "seeding.completed"]
    return sorted(found, key=lambda f: f.window["start"])


def values(finding):
    return {each.label: each.value for each in finding.evidence}


def test_the_files_of_the_case_with_more_cores_are_those_of_the_generator(tmp_path):
    name = "direct_seeding_cores"
    made = direct_seeding_cores.write_case(tmp_path)
    assert made.files == sorted(MANIFEST[name]["sha256"])
    for file, expected in MANIFEST[name]["sha256"].items():
        for folder in (SAMPLES / name, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file


def test_seeding_of_100_gb(opened):
    second, third = completed(opened("direct_seeding"))
    assert_facts(second, sent=True, mean_on_the_wire=214465000.0)
    runs = MANIFEST["direct_seeding"]["truth"]["runs"]
    for finding, cores, run in ((second, 10.9, "seeding"), (third, 17.0, "seeding_9567")):
        told = values(finding)
        assert told["processor work of the source per GB of the database"] == pytest.approx(cores, abs=0.1)
        # The article has about 12 MB/s.
        assert told["redo after the copy"] == pytest.approx(runs[run]["redo_bytes_per_s"], rel=0.1)
        assert 11.5e6 < told["redo after the copy"] < 13.5e6
        assert told["parallel redo started"] == "2 workers"
    title = opened("direct_seeding").seeding.fig_redo().layout.title.text
    assert title.startswith("Mean redo while the target caught up, seeding 1: 13 MB/s with 2 threads")


def test_the_network_of_the_article_is_what_a_link_of_1_gb_carries(opened):
    case = opened("seeding_compression")
    (finding,) = [f for f in case.seeding.findings() if f.id == "seeding.network_limited"]
    assert_facts(finding, idle=2, card=True)


def test_compression_cost_no_processor_work_in_the_second_article(opened):
    case = opened("seeding_compression")
    (finding,) = [
        f
        for f in case.seeding.findings()
        if f.id == "seeding.compression" and f.recommendation.startswith("No action")
    ]
    assert (
        "processor work of SEEDA 3.4 core-seconds per GB instead of 9.4 (utilisation 33 % instead of 27 %, "
        "4 cores)"
    ) in (finding.narrative)


def test_the_cores_are_loaded_unevenly_under_compression(opened):
    case = opened("direct_seeding_cores")
    few, many = completed(case)
    assert_facts(few, cores=2)
    assert_facts(many, cores=2)
    title = case.seeding.fig_cores().layout.title.text
    assert "% in seeding 2, the least even" in title
    table = case.seeding.tbl_cores().set_index(["seeding", "host"])
    assert table.loc[(2, "AGDS1"), "mean_over_busiest"] < 0.75 < table.loc[(1, "AGDS1"), "mean_over_busiest"]


def test_cores_and_memory_of_the_hosts(opened):
    table = opened("direct_seeding_cores").overview.tbl_hosts().set_index("host")
    assert table.loc["AGDS1", ["cores", "memory_mb"]].tolist() == ["4, then 8", "4095"]
    table = opened("seeding_compression").overview.tbl_hosts().set_index("host")
    assert table["cores"].to_dict() == {"SEEDA": "4", "SEEDB": "2"}
