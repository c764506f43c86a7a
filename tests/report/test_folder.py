"""The report's folder: marked, its own, whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agtrace import interrupts
from agtrace.errors import CaseError
from agtrace.report.folder import MARKER, ReportFolder
from agtrace.report.place import STAGED, WRITTEN
from agtrace.store import owner
from agtrace.store.owner import REPORT_MARKER


def test_the_marker_is_the_one_that_discovery_skips():
    assert MARKER == REPORT_MARKER


def test_a_new_folder_is_marked_before_anything_is_in_it(tmp_path):
    ReportFolder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / MARKER).is_file()


def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.docx").write_text("mine")
    with pytest.raises(CaseError, match="not empty and not a report of agtrace - choose another --out"):
        ReportFolder(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.docx"]


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(CaseError, match="not a folder"):
        ReportFolder(tmp_path / "out")


def test_pages_of_an_earlier_report_go_and_other_files_stay(tmp_path):
    first = ReportFolder(tmp_path)
    first.write("old.html", "old")
    first.write("index.html", "1")
    first.finish()
    (tmp_path / "notes.txt").write_text("mine")
    second = ReportFolder(tmp_path)
    second.write("index.html", "2")
    second.finish()
    assert sorted(p.name for p in tmp_path.iterdir()) == [MARKER, "index.html", "notes.txt"]
    assert (tmp_path / "index.html").read_text() == "2"


def test_a_forged_marker_removes_nothing_outside(tmp_path):
    (tmp_path / "case.html").write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    (out / MARKER).write_text(json.dumps({"files": ["../case.html", "notes.txt", 7]}))
    ReportFolder(out).finish()
    assert (tmp_path / "case.html").exists()
    assert (out / "notes.txt").exists()


def test_a_failed_write_leaves_the_old_page(tmp_path):
    folder = ReportFolder(tmp_path)
    folder.write("index.html", "old")
    folder.finish()
    folder = ReportFolder(tmp_path)
    with pytest.raises(TypeError), folder:
        folder.write("index.html", 7)
    assert (tmp_path / "index.html").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == [MARKER, "index.html"]


def test_names_that_are_no_text_are_written(tmp_path):
    folder = ReportFolder(tmp_path)
    path = folder.write("index.html", "a\udcffb")
    folder.finish()
    assert path.read_text() == "a\\udcffb"


@pytest.fixture
def earlier(tmp_path):
    """A finished report of two files."""
    with ReportFolder(tmp_path / "report") as folder:
        folder.write("index.html", "1")
        folder.write("old.html", "old")
        folder.finish()
    return tmp_path / "report"


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*")}


def test_nothing_shows_until_the_report_is_whole(earlier):
    before = contents(earlier)
    with ReportFolder(earlier) as folder:
        folder.write("index.html", "2")
        assert (earlier / "index.html").read_text() == "1"
    assert contents(earlier) == before


def test_a_first_report_that_is_given_up_leaves_no_folder(tmp_path):
    with ReportFolder(tmp_path / "new") as folder:
        folder.write("index.html", "1")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_that_comes_while_pages_take_their_place_comes_too_late(earlier, monkeypatch):
    replace, calls = Path.replace, []

    def interrupted(self, target):
        replace(self, target)
        calls.append(target)
        if len(calls) == 3:
            raise KeyboardInterrupt

    folder = ReportFolder(earlier)
    for name in ("a.html", "b.html", "index.html"):
        folder.write(name, "2")
    monkeypatch.setattr(Path, "replace", interrupted)
    folder.finish()
    assert sorted(contents(earlier)) == [MARKER, "a.html", "b.html", "index.html"]
    assert (earlier / "index.html").read_text() == "2"


def test_what_a_killed_run_left_is_removed(earlier):
    killed = ReportFolder(earlier)
    killed.write("index.html", "2")
    WRITTEN.clear()
    with ReportFolder(earlier) as folder:
        folder.write("index.html", "3")
        folder.finish()
    assert sorted(contents(earlier)) == [MARKER, "index.html"]


def test_two_reports_at_the_same_time_are_both_whole_and_the_later_one_counts(tmp_path):
    first, second = ReportFolder(tmp_path / "r"), ReportFolder(tmp_path / "r")
    for number, report in enumerate((first, second)):
        report.write("index.html", f"index {number}")
        report.write(f"page{number}.html", f"page {number}")
    first.finish()
    assert sorted(p.name for p in (tmp_path / "r").glob("[!.]*")) == ["index.html", "page0.html"]
    second.finish()
    assert sorted(p.name for p in (tmp_path / "r").glob("[!.]*")) == ["index.html", "page1.html"]
    assert (tmp_path / "r" / "index.html").read_text() == "index 1"
    assert [path.name for path in (tmp_path / "r").glob(".*")] == [MARKER]


def test_a_report_that_is_given_up_takes_nothing_from_the_one_beside_it(tmp_path):
    given_up, other = ReportFolder(tmp_path / "r"), ReportFolder(tmp_path / "r")
    other.write("index.html", "whole")
    given_up.discard()
    other.finish()
    assert (tmp_path / "r" / "index.html").read_text() == "whole"
    assert owner.is_own(tmp_path / "r", "report")


def test_an_interrupt_takes_away_what_is_not_whole_whoever_ends_the_process(earlier, monkeypatch):
    monkeypatch.setattr(interrupts, "_arrived", threading.Event())
    with ReportFolder(earlier) as report:
        report.write("index.html", "new")
        interrupts.stop_all()
        assert list(earlier.glob(f"{STAGED}*")) == []
    assert (earlier / "index.html").read_text() != "new"


def test_what_another_process_writes_stays_and_what_an_ended_one_wrote_goes(earlier):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine = ReportFolder(earlier)
    (name,) = [path.name for path in earlier.glob(f"{STAGED}*")]
    names = [
        name.replace(f"{os.getpid():x}-", f"{pid:x}-")[:-8] + "abcdefgh"
        for pid in (os.getppid(), ended.pid, os.getpid())
    ]
    for each in names:
        (earlier / each).mkdir()
    ReportFolder(earlier).discard()
    assert {path.name for path in earlier.glob(f"{STAGED}*")} == {name, names[0]}
    mine.discard()
