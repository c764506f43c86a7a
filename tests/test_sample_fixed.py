"""The sample case before and after: what limited it, and that the same replicas keep up once it is mended."""

from __future__ import annotations

import hashlib
import html
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import agtrace
from agtrace.case import Case
from simulation.samples.log_send_queue_plain import Perfmon

pytestmark = pytest.mark.complete

ROOT = Path(__file__).resolve().parent.parent / "sample_data"
NAME = "log_send_queue_fixed"
MANIFEST = tomllib.loads((ROOT / "manifest.toml").read_text(encoding="utf-8"))[NAME]
QUEUE = "SQLServer:Database Replica(_Total)\\Log Send Queue"


@pytest.fixture(scope="module")
def case(sample_store: Callable[[str], Path]) -> Case:
    return agtrace.open_case(ROOT / NAME, store=sample_store(NAME))


def test_the_committed_files_are_those_of_the_manifest_and_small() -> None:
    for file, expected in MANIFEST["sha256"].items():
        assert hashlib.sha256((ROOT / NAME / file).read_bytes()).hexdigest() == expected, file
    assert sum((ROOT / NAME / file).stat().st_size for file in MANIFEST["sha256"]) < 3e6


def test_the_queue_grows_before_and_drains_within_two_minutes_after() -> None:
    before, after = (
        Perfmon(ROOT / NAME / window / "JBSAG3" / "DataCollector01.csv") for window in ("before", "after")
    )
    rising = before.present(QUEUE)
    assert rising[-1] > 2 * rising[0]
    falling = after.present(QUEUE)
    assert falling[0] > 800_000
    assert max(falling[24:]) < 5_000
    assert min(after.present("SQLServer:Database Replica(JBDB)\\Log Bytes Received/sec")) >= 0


def test_the_windows_are_far_enough_apart_to_be_judged_by_themselves() -> None:
    windows = MANIFEST["truth"]["windows"]
    ends = [datetime.fromisoformat(text) for name in windows for text in windows[name]]
    assert ends[2] - ends[1] > timedelta(minutes=30)


def test_the_window_limits_before_and_nothing_does_after(case: Case) -> None:
    told = [
        (f.id, f.severity, f.confidence, f.window["start"][11:16])
        for f in case.transport.findings()
        if f.subject.get("replica") == "JBSAG3" and not f.id.endswith(("rpo", "rto"))
    ]
    assert told == [
        ("transport.window_limited", "critical", 0.95, "13:30"),
        ("transport.healthy", "info", 0.9, "14:23"),
    ]


def test_settings_copies_and_handshakes_are_those_of_each_window(case: Case) -> None:
    limited, healthy = (
        {e.label: e.value for e in f.evidence}
        for f in case.transport.findings()
        if f.subject.get("replica") == "JBSAG3" and f.id.endswith(("limited", "healthy"))
    )
    level = "TCP receive window auto-tuning level on JBSAG3"
    assert (limited[level], healthy[level]) == ("disabled", "normal")
    scaling = "TCP window scaling in the handshake"
    assert (limited[scaling], healthy[scaling]) == ("not negotiated", "negotiated")
    copy = "bulk copy to the replica"
    assert (limited[copy], healthy[copy]) == (1_021_000, 22_870_000)


def test_the_comparison_page_compares_both_windows(case: Case) -> None:
    (found,) = [f for f in case.comparison.findings() if f.id.startswith("compare.")]
    assert found.id == "compare.difference"
    assert found.title.startswith("After differs from before: 20 min both, log send queue of JBSAG3")
    assert "log received of JBSAG3 736 KB/s to 1.6 MB/s" in found.narrative


def test_the_odd_settings_are_those_before(case: Case) -> None:
    odd = {
        (row["source"].split("/")[0], row["host"]): row["odd"]
        for row in case.transport.tbl_tcp_settings().to_dict("records")
    }
    both = {"autotuning_level", "rss_state"}
    assert {key for key, names in odd.items() if names} == {("before", "JBSAG1"), ("before", "JBSAG3")}
    assert set(odd["before", "JBSAG3"].split(", ")) == both
    assert "rss_state is disabled on JBSAG1 and JBSAG3" in html.unescape(case.transport.say_paths()).replace(
        "&#95;", "_"
    )


def test_the_percentiles_page_tells_the_windows_apart(case: Case) -> None:
    rows = case.percentiles.only(counter="Log Bytes Received/sec", host="JBSAG3").tbl_percentiles()
    assert set(rows["run"]) == {"before", "after"}
