"""What remains of the answer when only one kind of capture is there, and what must not be claimed."""

from __future__ import annotations

import shutil
import tomllib
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics.seeding import Seeding
from agtrace.history.seedings import Operation
from simulation.samples import seeding_compression
from tests.folded import folded

pytestmark = pytest.mark.complete

SAMPLES = Path(__file__).parents[1] / "sample_data"
CASES = ("direct_seeding", "seeding_compression")
XEL, DMV, LOG = ("*.xel",), ("dm_hadr_*.csv",), ("ERRORLOG*", "perfmon.csv")
INPUTS = {"everything": (*XEL, *DMV, *LOG), "XEL": XEL, "DMV exports": DMV, "ERRORLOG + perfmon": LOG}
TRUTH = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    """The seeding analysis of a sample case of which only some kinds of files are left."""
    opened = []

    @cache
    def give(case: str, kinds: str) -> Seeding:
        folder = tmp_path_factory.mktemp(case)
        for pattern in INPUTS[kinds]:
            for path in sorted((SAMPLES / case).glob(f"*/{pattern}")):
                target = folder / path.relative_to(SAMPLES / case)
                target.parent.mkdir(exist_ok=True)
                shutil.copy(path, target)
        opened.append(agtrace.open_case(folder))
        return Seeding(opened[-1].view)

    yield give
    for each in opened:
        each.close()


def apart(one: datetime | None, other: datetime | None) -> float:
    assert one is not None
    assert other is not None
    return abs((one - other).total_seconds())


def numbers(operation: Operation) -> tuple[float, float]:
    assert operation.copied_bytes is not None
    assert operation.bytes_per_s is not None
    return operation.copied_bytes, operation.bytes_per_s


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kinds", ["XEL", "DMV exports", "ERRORLOG + perfmon"])
def test_each_input_agrees_with_all_of_them(answer, case, kinds):
    full, part = answer(case, "everything").operations, answer(case, kinds).operations
    assert len(full) == len(part) == 2
    for whole, own in zip(full, part, strict=True):
        assert (own.database, own.outcome) == (whole.database, "completed")
        assert [s.host for s in own.sides] == [s.host for s in whole.sides]
        assert apart(own.copy_start, whole.copy_start) <= 5
        assert apart(own.copy_end, whole.copy_end) <= 5
        assert numbers(own) == pytest.approx(numbers(whole), rel=0.05)
        if kinds != "ERRORLOG + perfmon":  # which show the copy and not the request
            assert apart(own.start, whole.start) <= 5
            assert apart(own.end, whole.end) <= 5


def truths(case: str) -> list[dict]:
    runs = TRUTH[case]["truth"]["runs"].values()
    return sorted((r for r in runs if r["kind"] == "seeding"), key=lambda r: r["start"])


@pytest.mark.parametrize("case", CASES)
def test_the_full_answer_is_the_truth(answer, case):
    found = answer(case, "everything").study.seeded
    for each, truth in zip(found, truths(case), strict=True):
        operation = each.operation
        assert apart(operation.start, datetime.fromisoformat(truth["start"])) <= 5
        assert apart(operation.end, datetime.fromisoformat(truth["end"])) <= 5
        assert operation.copied_bytes == pytest.approx(truth["bytes"], rel=0.05)
        assert operation.bytes_per_s == pytest.approx(truth["bytes_per_s"], rel=0.05)
        assert each.compressed.wire_bytes == pytest.approx(truth["wire_bytes"], rel=0.05)
        assert each.compressed.verdict is truth["compressed"]
        assert each.compressed.trace_flag is truth["trace_flag_9567"]
        assert each.compressed.flag_says is False  # the column stays 0 throughout
        limit = {"network": ("network", ""), "source disk": ("disk", "source")}
        assert each.limiter.limit == limit.get(truth["limiter"])
        for host, percent in truth["cpu_copy"].items():
            role = "source" if host == TRUTH[case]["truth"]["source"] else "target"
            assert each.usage(role, "cpu").mean == pytest.approx(percent, rel=0.05)


DONE, SLOT = "seeding.completed", "seeding.waiting_for_slot"
NETWORK, DISK = "seeding.network_limited", "seeding.disk_limited"
COMPRESSION, AGAINST = "seeding.compression", "seeding.contradiction"
ALL = {DONE, SLOT, NETWORK, DISK, COMPRESSION, AGAINST, "seeding.failed", "seeding.stalled",
       "quality.not_captured", "quality.time_zone_unknown"}  # fmt: skip

MUST = {
    # What appears from each input; every other finding must be absent.
    ("direct_seeding", "everything"): {DONE, SLOT, COMPRESSION, AGAINST},
    ("direct_seeding", "XEL"): {DONE, SLOT},
    ("direct_seeding", "DMV exports"): {DONE},
    ("direct_seeding", "ERRORLOG + perfmon"): {DONE, COMPRESSION, AGAINST},
    ("seeding_compression", "everything"): {DONE, NETWORK, DISK, COMPRESSION, AGAINST},
    ("seeding_compression", "XEL"): {DONE, NETWORK, DISK},
    ("seeding_compression", "DMV exports"): {DONE, NETWORK, DISK},
    # The network's limit needs waits; the disk's stands on a full disk alone.
    ("seeding_compression", "ERRORLOG + perfmon"): {DONE, DISK, COMPRESSION, AGAINST},
}


@folded(("case", "kinds"), MUST)
def test_findings_by_input(answer, case, kinds):
    found = {f.id for f in answer(case, kinds).findings()}
    assert found <= ALL
    assert found == MUST[case, kinds]


@folded("case", CASES)
@folded(
    ("kinds", "has_states", "has_waits"),
    [
        ("everything", True, True),
        ("XEL", True, True),
        ("DMV exports", False, True),
        ("ERRORLOG + perfmon", False, False),
    ],
)
def test_states_and_waits_by_input(answer, case, kinds, has_states, has_waits):
    shown = answer(case, kinds)
    states = shown.tbl_states()
    assert bool(len(states) and (states.layer == "seeding").any()) is has_states
    assert ("SEEDING" in shown.say_timeline()) is has_states
    assert bool(len(shown.tbl_waits())) is has_waits


def test_what_each_input_lacks_is_said(answer):
    said = {kinds: answer("direct_seeding", kinds).say_missing() for kinds in INPUTS}
    assert said["everything"] == ""
    assert "perfmon of AGDS1" in said["XEL"]
    assert "compression not decided" in said["DMV exports"]
    assert "waits of AGDS2" in said["ERRORLOG + perfmon"]
    (first, _second) = [f for f in answer("direct_seeding", "ERRORLOG + perfmon").findings() if f.id == DONE]
    assert "Only the copy was captured" in first.narrative


def test_the_flag_column_is_wrong_in_the_compressed_runs(answer):
    for case in CASES:
        (finding,) = [
            f
            for f in answer(case, "everything").findings()
            if f.id == COMPRESSION and "not compressed" not in f.title
        ]
        assert "The column is_compression_enabled says 0, which is wrong here" in finding.narrative
        assert "Trace flag 9567 was on at the source" in finding.narrative


def test_the_page_shows_that_the_article_exceeds_its_own_disk(answer):
    shown = answer("seeding_compression", "everything")
    (finding,) = [f for f in shown.findings() if f.id == AGAINST]
    assert "34 GB in 1 min 26 s" in finding.narrative
    assert "the disks of SEEDA delivered 21 GB" in finding.narrative
    assert "Figures that do not fit" in shown.say_summary()


def test_the_slot_is_that_of_the_other_backup(answer):
    shown = answer("direct_seeding", "everything")
    (finding,) = [f for f in shown.findings() if f.id == SLOT]
    truth = truths("direct_seeding")[0]["states"]["LIMIT_CONCURRENT_BACKUPS"]
    assert finding.evidence[0].value == pytest.approx(truth, abs=0.5)
    assert "backup of Archives" in finding.narrative
    (alone,) = [f for f in answer("direct_seeding", "XEL").findings() if f.id == SLOT]
    assert (alone.severity, alone.confidence) == ("info", 0.6)


def test_without_anything_saturated_nothing_is_the_limit(tmp_path):
    seeding_compression.write_case(tmp_path, limiter=None)
    with agtrace.open_case(tmp_path) as case:
        found = {f.id for f in Seeding(case.view).findings()}
    assert DONE in found
    assert not found & {NETWORK, DISK}
