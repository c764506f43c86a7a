"""An inbox under watch: whole cases are reported once, and no report is wrong."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest

import agtrace.batch.work as work
from agtrace.batch import watch
from agtrace.batch.inbox import Settling, look, look_at
from agtrace.errors import CaseError
from tests.batch.cases import FINDINGS_ONLY, cases, make_quick_case, results, watching
from tests.cli.interrupting import started
from tests.ingest import texts

pytestmark = pytest.mark.complete


@pytest.fixture
def inbox(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_a_folder_copied_in_slowly_is_reported_once_and_whole(inbox, out):
    with watching(inbox, out, settle_s=0.8) as running:
        case = inbox / "slow"
        case.mkdir()
        for number in range(3):
            (case / f"{number}.csv").write_bytes(texts.perfmon(6, host=f"SQL{number}"))
            time.sleep(0.3)
        whole = texts.perfmon(400, host="SQL9")
        with (case / "grows.csv").open("wb") as file:
            for start in range(0, len(whole), len(whole) // 6):
                file.write(whole[start : start + len(whole) // 6])
                file.flush()
                time.sleep(0.3)
        running.wait_for("slow: reported")
        time.sleep(1.2)
    assert len(running.said("slow: reading")) == 1
    assert "slow: 4 captures read" in running.said("captures read")[0]
    assert (results(out, "cases")[0]["files"], cases(out)) == (4, {"slow": "reported"})


def test_two_at_once_and_one_that_grows_later(inbox, out):
    with watching(inbox, out) as running:
        make_quick_case(inbox / "one")
        make_quick_case(inbox / "two", rows=9)
        running.wait(lambda: len(running.said(": reported")) == 2)
        (inbox / "two" / "more.csv").write_bytes(texts.perfmon(3, host="OTHER"))
        running.wait_for("two: reported", times=2)
    # What was there before is not read again.
    assert running.said("two: 1 capture read, 1 unchanged")
    assert cases(out) == {"one": "reported", "two": "reported"}


def during_ingest(monkeypatch, act):
    """Run an action on a case while it is read, once."""
    whole = work.ingest
    left = [act]

    def ingest(case, *words, **named):
        done = whole(case, *words, **named)
        if left:
            left.pop()(case)
        return done

    monkeypatch.setattr(work, "ingest", ingest)


def test_a_folder_renamed_while_it_is_read_is_reported_under_its_new_name_alone(inbox, out, monkeypatch):
    during_ingest(monkeypatch, lambda case: case.rename(case.with_name("new")))
    make_quick_case(inbox / "old")
    with watching(inbox, out) as running:
        running.wait_for("new: reported")
    assert running.said("old: gone while it was read")
    assert cases(out) == {"new": "reported"}
    assert not (out / "old").exists()


def test_a_folder_deleted_while_it_is_read_has_no_report(inbox, out, monkeypatch):
    during_ingest(monkeypatch, shutil.rmtree)
    make_quick_case(inbox / "short")
    with watching(inbox, out) as running:
        running.wait_for("short: gone while it was read")
    assert not (out / "short").exists()


def test_a_folder_that_grows_while_it_is_read_waits_until_it_is_whole(inbox, out, monkeypatch):
    during_ingest(monkeypatch, lambda case: (case / "b.csv").write_bytes(texts.perfmon(3, host="B")))
    make_quick_case(inbox / "grows")
    with watching(inbox, out) as running:
        running.wait_for("grows: reported")
    assert running.said("grows: changed while it was read")
    assert [row["files"] for row in results(out, "cases")] == [2]


def test_what_changes_in_the_last_moment_leaves_the_report_before(inbox, out, monkeypatch):
    make_quick_case(inbox / "case")
    with watching(inbox, out) as running:
        running.wait_for("case: reported")
    before = (out / "case" / "index.html").read_bytes()
    (inbox / "case" / "perf.csv").write_bytes(texts.perfmon(12))
    whole = work.keep_rows

    def keep_rows(*words):
        kept = whole(*words)
        shutil.rmtree(inbox / "case")
        return kept

    monkeypatch.setattr(work, "keep_rows", keep_rows)
    with watching(inbox, out) as running:
        running.wait_for("case: gone while it was read")
        running.wait(lambda: "captures are not there any more" in (out / "index.html").read_text())
    assert (out / "case" / "index.html").read_bytes() == before


def test_a_report_that_failed_for_want_of_room_is_tried_again(inbox, out, monkeypatch):
    whole, left = work.keep_rows, [1, 2]

    def keep_rows(*words):
        if left:
            left.pop()
            raise OSError(28, "No space left on device")
        return whole(*words)

    monkeypatch.setattr(work, "keep_rows", keep_rows)
    make_quick_case(inbox / "case")
    with watching(inbox, out) as running:
        running.wait_for("case: reported")
    assert len(running.said("case: not reported: the disk is full")) == 2
    assert cases(out) == {"case": "reported"}


def test_it_goes_on_where_it_was_stopped(inbox, out):
    make_quick_case(inbox / "one")
    with watching(inbox, out) as running:
        running.wait_for("one: reported")
    make_quick_case(inbox / "two")
    with watching(inbox, out) as running:
        running.wait_for("two: reported")
    assert not running.said("one: ")
    assert cases(out) == {"one": "reported", "two": "reported"}


def test_an_inbox_that_is_away_for_a_while_loses_nothing(inbox, out):
    make_quick_case(inbox / "one")
    with watching(inbox, out) as running:
        running.wait_for("one: reported")
        inbox.rename(inbox.with_name("away"))
        running.wait_for("the inbox cannot be read")
        inbox.with_name("away").rename(inbox)
        make_quick_case(inbox / "two")
        running.wait_for("two: reported")
    assert len(running.said("the inbox cannot be read")) == 1
    assert len(running.said("one: reported")) == 1


def test_an_inbox_must_be_there(tmp_path, out):
    with pytest.raises(CaseError, match="no such folder"):
        watch(tmp_path / "none", out, FINDINGS_ONLY)
    assert not out.exists()


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM and SIGKILL")
def test_it_stops_on_sigterm_and_survives_a_kill(inbox, out, tmp_path):
    for number in range(3):
        make_quick_case(inbox / f"case{number}", rows=300)
    words = ("watch", inbox, "--out", out, "--findings-only", "--settle", "0.1")
    killed = started(*words, temporary=tmp_path / "tmp")
    end = time.monotonic() + 60
    while not (out / ".agtrace-cases" / "cases" / "case0.json").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    killed.kill()
    killed.communicate()
    stopped = started(*words, temporary=tmp_path / "tmp")
    while not (out / "results" / "cases.parquet").exists() or len(cases(out)) < 3:
        assert time.monotonic() < end
        time.sleep(0.05)
    begin = time.monotonic()
    stopped.send_signal(signal.SIGTERM)
    _out, err = stopped.communicate(timeout=30)
    assert (stopped.returncode, err) == (0, "")
    assert time.monotonic() - begin < 5
    assert not list((out / ".agtrace-cases").glob("lock*"))


def test_a_case_has_settled_when_nothing_changed_for_long_enough(inbox):
    case = make_quick_case(inbox / "case")
    settling = Settling(10)
    assert settling.update(look(inbox).cases, now=0) == []
    assert settling.update(look(inbox).cases, now=9) == []
    (case / "more.csv").write_text("x")
    assert settling.update(look(inbox).cases, now=10) == []
    assert settling.update(look(inbox).cases, now=19) == []
    (seen,) = settling.update(look(inbox).cases, now=20)
    assert (seen.path, seen.files) == (case, 2)


def test_an_empty_folder_and_a_hidden_one_are_no_cases(inbox):
    (inbox / "empty" / "inside").mkdir(parents=True)
    make_quick_case(inbox / ".partial")
    assert look(inbox).cases == {}


def test_the_time_of_a_file_counts_as_much_as_its_size(inbox):
    case = make_quick_case(inbox / "case")
    before = look_at(case)
    os.utime(case / "perf.csv", ns=(1, 1))
    assert look_at(case) != before
