"""Many cases in one run: each has its report, and the results hold the rows of all."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import shutil
import signal
import zipfile

import pytest

import agtrace.batch.results as merging
import agtrace.batch.work as work
from agtrace.batch import Reports, batch
from agtrace.batch.places import STATE
from agtrace.case import Case
from agtrace.errors import AgtraceError, CaseError, StoreError
from agtrace.store import owner
from tests.batch.cases import FINDINGS_ONLY, cases, make_quick_case, results
from tests.ingest import texts

pytestmark = pytest.mark.complete


def findings_of(out):
    return sorted((row["case"], row["id"]) for row in results(out, "findings"))


def page_of(out, name=""):
    return (out / name / "index.html").read_text(encoding="utf-8")


def make_inbox(folder):
    make_quick_case(folder / "one")
    make_quick_case(folder / "two", rows=9)
    return folder


@pytest.fixture
def inbox(tmp_path):
    return make_inbox(tmp_path / "in")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def run(inbox, out, log=None, **options):
    told = log.append if log is not None else lambda _line: None
    return batch([inbox], out, dataclasses.replace(FINDINGS_ONLY, **options), told)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """An inbox that a run has reported, and what the run left."""
    folder = tmp_path_factory.mktemp("first")
    run(make_inbox(folder / "in"), folder / "out")
    shutil.copytree(folder, folder.with_name("kept"))
    return folder


@pytest.fixture
def reported(first_run):
    """The inbox and the reports as they were after the run, in the same place: a case is its path."""
    shutil.rmtree(first_run)
    shutil.copytree(first_run.with_name("kept"), first_run)
    return first_run / "in", first_run / "out"


def test_results_hold_relations_but_not_every_sample():
    assert {"backups", "log_entries"} <= set(merging.SCHEMAS)
    assert "counter_values" not in merging.SCHEMAS


def test_each_folder_has_its_report_and_the_results_name_the_case(inbox, out):
    done = run(inbox, out)
    assert (done.reported, done.broken, done.postponed) == (["one", "two"], {}, {})
    assert cases(out) == {"one": "reported", "two": "reported"}
    for name in ("one", "two"):
        ids = [finding["id"] for finding in json.loads((out / name / "findings.json").read_text())]
        assert [(name, each) for each in sorted(ids)] == [f for f in findings_of(out) if f[0] == name]
        assert f'href="{name}/index.html"' in page_of(out)


@pytest.mark.complete
def test_pages_that_were_left_out_are_made_when_they_are_asked_for(reported):
    inbox, out = reported
    assert not (out / "one" / "overview.html").exists()
    shutil.rmtree(inbox / "two")
    assert run(inbox, out, pages=True, jobs=2).reported == ["one"]
    assert (out / "one" / "overview.html").exists()
    assert 'href="overview.html"' in page_of(out, "one")
    assert run(inbox, out).unchanged == 1


def test_nothing_is_written_where_the_cases_lie(inbox, out):
    before = sorted(str(path) for path in inbox.rglob("*"))
    for folder in (*inbox.iterdir(), inbox):
        folder.chmod(0o555)
    try:
        assert run(inbox, out).reported == ["one", "two"]
        assert sorted(str(path) for path in inbox.rglob("*")) == before
    finally:
        for folder in (inbox, *inbox.iterdir()):
            folder.chmod(0o755)


def test_a_run_goes_on_where_it_was(reported):
    inbox, out = reported
    (inbox / "two" / "perf.csv").write_bytes(texts.perfmon(12))
    again = run(inbox, out)
    assert (again.reported, again.unchanged) == (["two"], 1)


def test_a_case_that_was_reported_again_replaces_its_rows(reported):
    inbox, out = reported
    before = findings_of(out)
    assert before
    run(inbox, out, again=True)
    assert findings_of(out) == before
    # And those of the first time lie nowhere any more.
    assert [len(list(folder.iterdir())) for folder in (out / STATE / "rows").iterdir()] == [1, 1]


def test_a_broken_case_says_so_and_stops_no_other(inbox, out):
    (inbox / "b <b>").mkdir()
    (inbox / "b <b>" / "<script>.txt").write_text("no capture")
    done = run(inbox, out)
    assert done.reported == ["one", "two"]
    assert list(done.broken) == ["b _b_"]
    assert cases(out)["b _b_"] == "broken"
    page = page_of(out, "b _b_")
    assert "could not be reported" in page
    assert "nothing in it is a capture" in page
    assert "<script>.txt" not in page
    assert "&lt;script&gt;.txt" in page
    # It is not tried again until it changes, and is told again.
    again = run(inbox, out)
    assert (again.unchanged, list(again.broken)) == (3, ["b _b_"])


def test_an_unforeseen_error_breaks_its_case_alone(inbox, out, monkeypatch):
    whole = work.ingest

    def ingest(case, *words, **named):
        if case.name == "one":
            raise KeyError("surprise")
        return whole(case, *words, **named)

    monkeypatch.setattr(work, "ingest", ingest)
    done = run(inbox, out)
    assert done.reported == ["two"]
    assert done.broken["one"].startswith("internal error: KeyError: 'surprise'")


def test_on_error_stop_ends_at_the_first_broken_case(inbox, out):
    (inbox / "a").mkdir()
    (inbox / "a" / "x.txt").write_text("no capture")
    with pytest.raises(AgtraceError, match="nothing in it is a capture"):
        run(inbox, out, on_error="stop")
    assert cases(out) == {"a": "broken"}
    assert run(inbox, out).reported == ["one", "two"]


def test_an_archive_is_a_case(inbox, out):
    with zipfile.ZipFile(inbox / "three.zip", "w") as archive:
        archive.writestr("SQL1/perf.csv", texts.perfmon(6))
    (inbox / "notes.txt").write_text("not a case")
    log = []
    assert run(inbox, out, log).reported == ["one", "three.zip", "two"]
    assert "in/notes.txt is no folder and no archive, and not read" in log


def test_two_cases_of_one_name_are_not_mixed_up(tmp_path, out):
    make_quick_case(tmp_path / "a" / "case")
    make_quick_case(tmp_path / "b" / "CASE", rows=9)
    roots = [tmp_path / "b", tmp_path / "a"]
    batch(roots, out, FINDINGS_ONLY)
    named = {row["case"]: row["source"] for row in results(out, "cases")}
    assert named == {"CASE": str(roots[0] / "CASE"), "case-2": str(roots[1] / "case")}
    assert batch(roots[::-1], out, FINDINGS_ONLY).unchanged == 2


def test_a_root_can_be_a_case_itself(inbox, out):
    assert batch([inbox / "one"], out, FINDINGS_ONLY, themselves=True).reported == ["one"]
    with pytest.raises(CaseError, match="no case is in it"):
        batch([inbox / "one"], out, FINDINGS_ONLY)


def test_a_report_that_lies_in_a_case_is_no_case(inbox, out):
    report = inbox / "one" / "agtrace-report"
    report.mkdir()
    (report / "index.html").write_text("a page")
    (report / owner.REPORT_MARKER).write_text(json.dumps(owner.mark(report, "report")))
    with pytest.raises(CaseError, match="give --cases when it is a case itself"):
        batch([inbox / "one"], out, FINDINGS_ONLY)


def test_stores_beyond_those_to_keep_are_removed(inbox, out):
    run(inbox, out, keep_stores=1)
    assert [store.name[:4] for store in (out / STATE / "stores").iterdir()] == ["two-"]
    assert page_of(out).count(">removed<") == 1
    # A case without its store is read anew when it grows.
    (inbox / "one" / "more.csv").write_bytes(texts.perfmon(3, host="OTHER"))
    assert run(inbox, out, keep_stores=0).reported == ["one"]
    assert list((out / STATE / "stores").iterdir()) == []


def test_a_full_disk_leaves_what_was_reported_and_is_no_fault_of_the_case(reported, monkeypatch):
    inbox, out = reported
    before = (page_of(out, "one"), findings_of(out))

    def full(*_words, **_named):
        raise OSError(errno.ENOSPC, "No space left on device", str(out))

    with monkeypatch.context() as patch:
        patch.setattr(work, "keep_rows", full)
        log = []
        done = run(inbox, out, log, again=True)
    assert list(done.postponed) == ["one", "two"]
    assert "the disk is full" in done.postponed["one"]
    assert [line for line in log if line.startswith("one: not reported: ")]
    assert (page_of(out, "one"), findings_of(out)) == before
    assert run(inbox, out).unchanged == 2


def test_files_that_the_system_cuts_off_leave_no_half_report(inbox, out):
    """Not simulated: whatever grows beyond the limit fails as it does on a full disk (EFBIG)."""
    resource = pytest.importorskip("resource", reason="limits of file size are POSIX")
    shutil.rmtree(inbox / "two")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, hard))
    try:
        done = run(inbox, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert list(done.postponed) == ["one"]
    assert "free some" in done.postponed["one"]
    assert not (out / "one" / "index.html").exists()
    assert run(inbox, out).reported == ["one"]
    assert page_of(out, "one").rstrip().endswith("</html>")


def test_a_full_disk_under_the_results_leaves_those_before(reported, monkeypatch):
    inbox, out = reported
    before = results(out, "cases")
    (inbox / "two" / "perf.csv").write_bytes(texts.perfmon(12))
    whole = merging.pq.ParquetWriter

    class Full(whole):
        def write_table(self, *words, **named):
            if "results" in str(self.where):
                raise OSError(errno.ENOSPC, "No space left on device")
            super().write_table(*words, **named)

    with monkeypatch.context() as patch:
        patch.setattr(merging.pq, "ParquetWriter", Full)
        log = []
        assert run(inbox, out, log).reported == ["two"]
        assert [line for line in log if "no space left on the disk" in line]
    assert results(out, "cases") == before
    assert not list((out / "results").glob("*.tmp"))
    # The next run puts them together, although no case has changed.
    assert run(inbox, out).unchanged == 2
    old, new = before[1]["bytes"], results(out, "cases")[1]["bytes"]
    assert new > old


@pytest.mark.parametrize("damage", ["rows", "file"])
def test_a_case_whose_rows_are_damaged_is_reported_again(reported, damage):
    inbox, out = reported
    before = findings_of(out)
    (kept,) = (out / STATE / "rows" / "one").iterdir()
    if damage == "rows":
        shutil.rmtree(kept)
    else:
        (kept / "findings.parquet").write_bytes(b"PAR1 cut short")
    (out / STATE / "merged.json").unlink()
    log = []
    done = run(inbox, out, log)
    assert [line for line in log if line.startswith("one: its rows ")]
    assert findings_of(out) == before
    assert [*done.reported, *run(inbox, out).reported] == ["one"]
    assert findings_of(out) == before


def test_a_relation_that_fails_costs_that_relation_alone(inbox, out, monkeypatch):
    whole = Case.sql

    def sql(self, query, *words):
        if '"backups"' in query:
            raise KeyError("surprise")
        return whole(self, query, *words)

    monkeypatch.setattr(Case, "sql", sql)
    assert run(inbox, out).reported == ["one", "two"]
    reasons = [row["reason"] for row in results(out, "cases")]
    assert all("relation backups: internal error: KeyError" in reason for reason in reasons)
    assert findings_of(out)


@pytest.mark.parametrize("place", ["in/reports", ".", "in"])
def test_reports_and_cases_do_not_lie_in_one_another(inbox, place):
    with pytest.raises(CaseError, match="lie in one another"):
        batch([inbox], inbox.parent / place, FINDINGS_ONLY)


def test_a_folder_of_others_is_not_written_into(inbox, out):
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(CaseError, match="not empty and not a folder of reports"):
        run(inbox, out)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_one_run_at_a_time_writes_there(inbox, out):
    reports = Reports(out)
    reports.create()
    with reports.lock(), pytest.raises(StoreError, match="in use by process"):
        run(inbox, out)


def test_what_a_killed_run_left_goes_and_what_it_had_not_recorded_is_done_again(reported):
    inbox, out = reported
    # Killed between the report and its record.
    (out / STATE / "cases" / "one.json").unlink()
    (out / STATE / "rows" / "one" / "0123").mkdir()
    (out / "results" / "findings.parquet.1.tmp").write_text("half")
    (out / "one" / "index.html").write_text("half")
    before = results(out, "findings")
    again = run(inbox, out)
    assert (again.reported, again.unchanged) == (["one"], 1)
    assert results(out, "findings") == before
    assert not (out / STATE / "rows" / "one" / "0123").exists()
    assert not list((out / "results").glob("*.tmp"))
    assert page_of(out, "one").rstrip().endswith("</html>")


def test_a_case_that_was_begun_again_and_again_is_done_last_into_a_new_store(inbox, out):
    reports = Reports(out)
    reports.create()
    for _ in range(3):
        reports.begin("one")
    store = reports.store("one", inbox / "one")
    store.mkdir(parents=True)
    (store / "strange").write_text("damaged")
    log = []
    assert run(inbox, out, log).reported == ["two", "one"]
    assert "one: begun 3 times and never ended; its store is made anew" in log
    assert reports.tried("one") == 0


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_links_are_named_and_followed_on_demand(tmp_path, inbox, out):
    (inbox / "linked").symlink_to(make_quick_case(tmp_path / "elsewhere"))
    log = []
    assert run(inbox, out, log).reported == ["one", "two"]
    assert "in/linked is a link, not read without --follow-links" in log
    assert run(inbox, out, follow_links=True).reported == ["linked", "one", "two"]
