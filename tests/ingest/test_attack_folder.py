"""A folder of captures that was made to harm: nothing beside it changes, and the answer is the captures'."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.ingest import ingest
from agtrace.report.folder import ReportFolder
from agtrace.report.place import report_path
from agtrace.store import Store, open_store
from tests.ingest import texts
from tests.ingest.test_ingest import put, statuses

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")

LONG_AGO = time.time() - 100_000


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user whose secret nobody else has."""
    for name in ("data", "cache"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / "home" / name))
    return tmp_path / "home"


@pytest.fixture
def case(tmp_path, home):
    """A case beside which something precious lies."""
    folder = tmp_path / "work" / "case"
    folder.mkdir(parents=True)
    put(folder, perf__csv=texts.perfmon())
    precious = tmp_path / "work" / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("mine")
    for path in (precious, precious / "thesis.txt"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return folder


def beside(case: Path) -> dict[str, object]:
    """What lies beside the case: names, contents, times."""
    root = case.parent
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        if case in (path, *path.parents):
            continue
        content = path.read_bytes() if path.is_file() else None
        found[path.relative_to(root).as_posix()] = (content, path.lstat().st_mtime_ns)
    return found


def strangers_store(case: Path, marker: str = '{"format": 1}') -> Path:
    store = case / ".agtrace"
    store.mkdir()
    (store / ".agtrace-store").write_text(marker)
    return store


def link_parts(case):
    strangers_store(case)
    (case / ".agtrace" / "parts").symlink_to("../..")
    (case / ".agtrace" / "commits").mkdir()


def link_commits(case):
    strangers_store(case)
    (case / ".agtrace" / "parts").mkdir()
    (case / ".agtrace" / "commits").symlink_to("../../precious")


def link_store(case):
    (case / ".agtrace").symlink_to("../precious")


def link_store_to_nowhere(case):
    (case / ".agtrace").symlink_to("../not-there-yet")


def link_files(case):
    store = strangers_store(case)
    for name in ("parts", "commits"):
        (store / name).mkdir()
    for name in ("lock", "captures.json", "utc_offsets.json"):
        (store / name).symlink_to("../../precious/thesis.txt")


def link_report(case):
    (case / "agtrace-report").symlink_to("../precious")


def link_pages(case):
    report = case / "agtrace-report"
    report.mkdir()
    (report / ".agtrace-report").write_text('{"files": ["index.html", "../../precious/x.html"]}')
    for name in ("index.html", "findings.json", "overview.html"):
        (report / name).symlink_to("../../precious/thesis.txt")


def pipe_for_a_marker(case):
    (case / ".agtrace").mkdir()
    os.mkfifo(case / ".agtrace" / ".agtrace-store")


def file_for_a_store(case):
    (case / ".agtrace").write_text("no folder")


@pytest.mark.parametrize(
    "attack",
    [
        link_parts,
        link_commits,
        link_store,
        link_store_to_nowhere,
        link_files,
        link_report,
        link_pages,
        pipe_for_a_marker,
        file_for_a_store,
    ],
)
def test_nothing_beside_the_case_changes_and_the_captures_are_read(case, attack):
    attack(case)
    before = beside(case)
    for _ in range(2):
        assert statuses(ingest(case))["perf.csv"] == "ingested"
    report = ReportFolder(report_path(case))
    report.write("index.html", "page")
    report.finish()
    with agtrace.open_case(case) as opened:
        assert len(opened.view.table("SELECT * FROM samples")) == 12
    assert beside(case) == before


def forged(case: Path, part: str, file: str = "samples.parquet") -> Path:
    """A store that names its own content as what the capture holds."""
    put(case.parent, other__csv=texts.perfmon(3))
    made = ingest(case).store
    (record,) = (made / "commits").iterdir()
    content = json.loads(record.read_text())
    content["part"] = part
    content["files"]["samples"][0]["name"] = file
    record.write_text(json.dumps(content))
    return made


@pytest.mark.parametrize(
    ("part", "file"),
    [
        ("/etc", "samples.parquet"),
        ("../../..", "samples.parquet"),
        ("..", "samples.parquet"),
        ("", "samples.parquet"),
        (None, "../../precious/thesis.parquet"),
        (None, "/etc/passwd.parquet"),
        (None, "events/../../x.parquet"),
    ],
)
def test_a_record_names_nothing_outside_of_its_part(case, part, file):
    good = Store(ingest(case).store)
    (record,) = good.records().values()
    forged(case, record.part if part is None else part, file)
    assert good.records() == {}
    assert ingest(case).ingested == 1


def test_a_file_of_a_part_that_is_a_link_is_not_read(case):
    store = Store(ingest(case).store)
    (path,) = store.parts.glob("*/samples.parquet")
    moved = path.rename(case.parent / "samples.parquet")
    path.symlink_to(moved)
    assert store.records() == {}


def test_a_store_of_somebody_else_is_left_alone_said_and_read_anew(case, home, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "colleague"))
    theirs = ingest(case)
    before = {p: p.stat().st_mtime_ns for p in theirs.store.rglob("*")}
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    mine = ingest(case)
    assert mine.ingested == 1
    assert mine.store.parent == home / "cache" / "agtrace"
    assert "made by another user" in mine.notes[0]
    row = next(c for c in mine.captures if c.path == ".agtrace")
    assert (row.status, row.kind) == ("recognised", "agtrace store")
    assert {p: p.stat().st_mtime_ns for p in theirs.store.rglob("*")} == before
    assert ingest(case).skipped == 1


def test_a_store_that_is_named_is_trusted(case, home, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "colleague"))
    theirs = ingest(case)
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    named = ingest(case, theirs.store)
    assert (named.skipped, named.notes) == (1, [])
    assert set(statuses(named)) == {"perf.csv"}


def test_a_store_of_an_older_version_is_read_anew(case):
    store = ingest(case).store
    (store / ".agtrace-store").write_text('{"format": 1}')
    assert ingest(case).ingested == 1


def test_the_marker_of_a_report_proves_no_store(case):
    ReportFolder(case / "agtrace-report").finish()
    marker = (case / "agtrace-report" / ".agtrace-report").read_text()
    strangers_store(case, marker)
    assert open_store(case).root != case / ".agtrace"


@pytest.mark.complete
def test_a_store_of_a_colleague_is_one_row_with_all_that_was_computed_in_it(case, monkeypatch, tmp_path):
    put(case, ERRORLOG=texts.errorlog())
    with agtrace.open_case(case) as opened:
        opened.findings()
    store = case / ".agtrace"
    assert list(store.glob("derived/*/*.json"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "theirs"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "theirs"))
    monkeypatch.setenv("HOME", str(tmp_path / "theirs"))
    found = ingest(case, tmp_path / "own")
    beside = [each.path for each in found.captures if each.path.startswith(".agtrace")]
    assert beside == [".agtrace"]


@pytest.mark.parametrize("marker", [".agtrace-store", ".agtrace-report"])
@pytest.mark.parametrize("content", ["", '{"format": 1}', "[" * 100_000])
def test_a_strangers_marker_hides_no_capture(case, marker, content):
    hidden = case / "logs"
    hidden.mkdir()
    put(hidden, ERRORLOG=texts.errorlog())
    (hidden / marker).write_text(content)
    found = ingest(case)
    assert statuses(found)["logs/ERRORLOG"] == "ingested"
    (row,) = [c for c in found.captures if c.path == "logs"]
    assert row.status == "recognised"
    assert "made by another user" in row.reason


def test_without_a_place_for_a_secret_the_store_lies_in_the_cache_and_that_is_said(case, home, monkeypatch):
    home.mkdir()
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    report = ingest(case)
    assert report.store.parent == home / "cache" / "agtrace"
    assert "cannot be written" in report.notes[0]
    assert ingest(case).skipped == 1


def test_a_report_of_somebody_else_is_not_overwritten(case, home, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "colleague"))
    theirs = ReportFolder(report_path(case))
    theirs.write("index.html", "theirs")
    theirs.finish()
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert report_path(case) == case / "agtrace-report-2"
    assert report_path(case, "x") == Path("x")
    mine = ReportFolder(report_path(case))
    mine.finish()
    assert report_path(case) == case / "agtrace-report-2"
    shutil.rmtree(case / "agtrace-report")
    assert report_path(case) == case / "agtrace-report"


def test_when_every_name_of_a_report_is_taken_out_is_asked_for(case):
    for number in range(1, 10):
        (case / ("agtrace-report" + (f"-{number}" if number > 1 else ""))).write_text("")
    with pytest.raises(CaseError, match="name another place with --out"):
        report_path(case)


def test_links_that_leave_the_case_are_named_and_not_read(case):
    (case.parent / "ERRORLOG").write_bytes(texts.errorlog())
    (case / "ERRORLOG").symlink_to("../ERRORLOG")
    (case / "again.csv").symlink_to("perf.csv")
    (case / "folder").symlink_to("../precious")
    os.mkfifo(case / "pipe")
    found = ingest(case)
    assert statuses(found) == {
        "ERRORLOG": "recognised",
        "again.csv": "ingested",
        "folder": "recognised",
        "perf.csv": "ingested",
        "pipe": "recognised",
    }
    reasons = {c.path: c.reason for c in found.captures if c.reason}
    assert reasons["ERRORLOG"] == (
        f"a link that leaves the case, to {case.parent / 'ERRORLOG'}; not read without --follow-links"
    )
    assert reasons["folder"] == "a link to a folder; not followed"
    assert statuses(ingest(case, follow_links=True))["ERRORLOG"] == "ingested"
