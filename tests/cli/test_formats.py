"""Formats that cannot be written are refused before anything is read."""

from __future__ import annotations

import pytest

from agtrace.bundled import sample
from agtrace.report import browser
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete


def test_a_report_that_cannot_be_printed_is_not_begun(agtrace, tmp_path, monkeypatch):
    monkeypatch.setenv(browser.NAMED, "/nowhere/chrome")
    put(tmp_path, perf__csv=texts.perfmon(5))
    ran = agtrace("report", tmp_path, "--format", "pdf")
    assert (ran.status, ran.out) == (1, "")
    assert "AGTRACE_BROWSER=/nowhere/chrome" in ran.err
    assert not (tmp_path / "agtrace-report").exists()


def test_a_format_that_nobody_knows_is_said(agtrace, tmp_path):
    ran = agtrace("report", tmp_path, "--format", "docx")
    assert ran.status == 2
    assert "neither html nor pdf" in ran.err


def test_an_export_in_a_format_that_nobody_knows_is_not_begun(agtrace, tmp_path):
    put(tmp_path, perf__csv=texts.perfmon(5))
    ran = agtrace("export", tmp_path, "--out", tmp_path / "out", "--format", "docx")
    assert (ran.status, ran.out) == (2, "")
    assert "csv, parquet, xlsx, png" in ran.err


def test_an_export_says_where_it_is(agtrace, tmp_path):
    (tmp_path / "case").mkdir()
    put(tmp_path / "case", perf__csv=texts.perfmon(5))
    ran = agtrace("export", tmp_path / "case", "--out", tmp_path / "out", "--only", "findings")
    assert ran.status == 0
    assert f"2 files: {tmp_path / 'out'}" in ran.out


def test_a_notebook_is_written_without_a_server(agtrace, tmp_path):
    (tmp_path / "case").mkdir()
    put(tmp_path / "case", perf__csv=texts.perfmon(5))
    ran = agtrace("lab", tmp_path / "case", "--out", tmp_path / "notes", "--no-server")
    assert ran.status == 0
    (written,) = (tmp_path / "notes").iterdir()
    assert f"Notebook: {written}" in ran.out
    inside = agtrace("lab", tmp_path / "case", "--out", tmp_path / "case" / "notes", "--no-server")
    assert inside.status == 2
    assert "lies in the case" in inside.err


@pytest.fixture
def planned(sample_store):
    """A sample and where it is stored, as words of a command line."""
    return (sample("failover_planned"), "--store", sample_store("failover_planned"))


def test_a_ticket_is_printed_and_nothing_else(agtrace, planned, tmp_path):
    ran = agtrace("export", *planned, "--ticket")
    assert ran.out.startswith("# SalesAG: planned failover from HASQL1 to HASQL2 at 2024-02-21 03:35:40 UTC")
    kept = agtrace("export", *planned, "--ticket", "-o", tmp_path / "ticket.md")
    assert (kept.status, kept.out) == (0, "")
    assert (tmp_path / "ticket.md").read_text(encoding="utf-8") == ran.out


def test_a_ticket_goes_where_a_file_can_be(agtrace, planned, tmp_path):
    ran = agtrace("export", *planned, "--ticket", "-o", tmp_path / "nowhere" / "ticket.md")
    assert ran.status == 1
    assert "ticket.md: No such file or directory" in ran.err


def test_an_export_is_all_of_it_or_a_ticket(agtrace, tmp_path):
    for given in (
        (),
        ("--ticket", "--out", tmp_path / "out"),
        ("--out", tmp_path / "out", "-o", tmp_path / "f"),
    ):
        assert agtrace("export", tmp_path, *given).status == 2
