"""Folders of real captures: every file is read, or named with its reason."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.ingest import ingest
from tests.shared import CAPTURES, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]


@pytest.mark.parametrize("folder", ["perfmon", "errorlog", "errorlog_excerpts", "failover_2017"])
def test_every_file_is_read_or_named_with_its_reason(folder, tmp_path):
    report = ingest(CAPTURES / folder, tmp_path / "store")
    found = {capture.path for capture in report.captures if "!/" not in capture.path}
    assert found == {
        p.relative_to(CAPTURES / folder).as_posix() for p in (CAPTURES / folder).rglob("*") if p.is_file()
    }
    assert report.failed == 0
    for capture in report.captures:
        assert capture.status == "ingested" or capture.reason, capture.path


def test_perfmon_logs_are_read(tmp_path):
    report = ingest(CAPTURES / "perfmon", tmp_path / "store")
    assert {c.path for c in report.captures if c.status != "ingested"} == {"web_header_variants.txt"}


def test_look_alikes_of_the_errorlog_are_recognised(tmp_path):
    report = ingest(CAPTURES / "errorlog", tmp_path / "store")
    for capture in report.captures:
        name = capture.path.rsplit("__", 1)[-1]
        expected = "recognised" if name.startswith(("SQLAGENT", "FDLAUNCH")) else "ingested"
        assert capture.status == expected, capture.path


def test_excerpts_without_headers_are_not_understood(tmp_path):
    report = ingest(CAPTURES / "errorlog_excerpts", tmp_path / "store")
    not_understood = {c.path for c in report.captures if c.status == "not_understood"}
    assert {path for path in not_understood if path.endswith("noheader.txt")} == {
        p.name for p in (CAPTURES / "errorlog_excerpts").glob("*noheader.txt")
    }


def test_the_failover_case_is_resolved(tmp_path):
    with agtrace.open_case(CAPTURES / "failover_2017", tmp_path / "store") as case:
        hosts = case.view.table("SELECT host_id FROM hosts ORDER BY 1")["host_id"].to_pylist()
        assert hosts == ["ZE-2016-V1", "ZE-2016-V2"]
        assert case.view.table(
            "SELECT DISTINCT offset_minutes AS m FROM clocks WHERE source LIKE 'ERRORLOG%'"
        )["m"].to_pylist() == [-420]
        (skew,) = case.view.table("SELECT abs(ms) < 1000 AS small, n FROM skew").to_pylist()
        assert skew["small"]
        assert skew["n"] >= 10
        assert (
            case.view.table("SELECT count(*) AS n FROM captures WHERE superseded_by IS NOT NULL")["n"][
                0
            ].as_py()
            == 0
        )
