"""A file that changes while it is read: what is kept is what the file holds, or nothing."""

from __future__ import annotations

import os
import shutil
import time

import pytest

import agtrace
from agtrace.ingest import discover, ingest
from agtrace.readers import readers
from agtrace.store import Store
from tests.ingest import texts
from tests.ingest.test_ingest import put, statuses


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    return folder


@pytest.fixture
def while_read(monkeypatch):
    """Do something each time the perfmon reader has begun to read."""
    reader = next(r for r in readers() if r.name == "pdh_text")
    real = reader.read

    def install(act):
        def read(source, options):
            act()
            yield from real(source, options)

        monkeypatch.setattr(reader, "read", read)

    return install


def long_ago(path) -> None:
    then = time.time() - 1000
    os.utime(path, (then, then))


def stored(case) -> list[float]:
    with agtrace.open_case(case, ingest=False) as opened:
        rows = opened.view.table("SELECT value FROM samples ORDER BY counter_no, tick")
    return rows["value"].to_pylist()


def once(act):
    done = []

    def acting():
        if not done:
            done.append(True)
            act()

    return acting


def test_a_file_that_is_replaced_while_it_is_read_is_read_again(case, while_read):
    put(case, perf__csv=texts.perfmon(2))
    put(case.parent, other__csv=texts.perfmon(3))
    while_read(once(lambda: shutil.move(case.parent / "other.csv", case / "perf.csv")))
    assert [(c.status, c.rows) for c in ingest(case).captures] == [("ingested", 6)]
    assert ingest(case).captures[0].seconds is None


def test_a_file_that_is_back_byte_for_byte_is_not_told_by_what_lay_there_meanwhile(case, while_read):
    """The other file has the same size and time; and the first comes back before reading ends."""
    perf, kept = case / "perf.csv", case.parent / "kept.csv"
    put(case, perf__csv=texts.perfmon(2))
    other = texts.perfmon(2).replace(b'"1000"', b'"2000"')
    assert len(other) == len(texts.perfmon(2))
    long_ago(perf)
    acts = []

    def swap():
        if not acts:
            acts.append("swapped")
            perf.rename(kept)
            perf.write_bytes(other)
            shutil.copystat(kept, perf)

    def back():
        if acts == ["swapped"]:
            acts.append("back")
            kept.replace(perf)

    reader = next(r for r in readers() if r.name == "pdh_text")
    real = reader.read

    def read(source, options):
        swap()
        yield from real(source, options)
        back()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "read", read)
        ingest(case)
    ingest(case)
    assert stored(case) == [0.0, 1.0, 0.0, 1000.0]


def test_a_file_that_is_moved_away_while_it_is_read_is_read_when_it_is_back(case, while_read):
    perf, away = case / "perf.csv", case.parent / "away.csv"
    put(case, perf__csv=texts.perfmon(2), ERRORLOG=texts.errorlog())
    long_ago(perf)
    while_read(once(lambda: perf.rename(away)))
    assert statuses(ingest(case))["perf.csv"] in ("failed", "unreadable")
    away.rename(perf)
    assert statuses(ingest(case))["perf.csv"] == "ingested"
    assert stored(case) == [0.0, 1.0, 0.0, 1000.0]


def test_a_file_that_never_holds_still_is_said_to_change(case, while_read):
    put(case, perf__csv=texts.perfmon(2))

    def grow():
        with (case / "perf.csv").open("ab") as file:
            file.write(b"\r\n")

    while_read(grow)
    (capture,) = ingest(case).captures
    assert (capture.status, capture.rows) == ("failed", 0)
    assert capture.reason.startswith("it changed while it was read - ingest again")


def test_a_new_file_rewritten_within_one_tick_of_the_clock_is_read_again(case, while_read):
    """Same size, number and times: only its bytes tell."""
    perf = case / "perf.csv"
    put(case, perf__csv=texts.perfmon(2))
    other = texts.perfmon(2).replace(b'"1000"', b'"2000"')

    with pytest.MonkeyPatch.context() as patch:
        now = (time.time_ns(), time.time_ns())
        patch.setattr(discover, "stamp_of", lambda status: (1, status.st_size, *now))
        while_read(once(lambda: perf.write_bytes(other)))
        ingest(case)
    assert stored(case) == [0.0, 1.0, 0.0, 2000.0]


def test_two_files_of_one_content_of_which_one_changes_are_both_read(case, while_read):
    put(case, a__csv=texts.perfmon(2), b__csv=texts.perfmon(2))
    while_read(once(lambda: put(case, a__csv=texts.perfmon(3))))
    assert [(c.path, c.status, c.rows) for c in ingest(case).captures] == [
        ("a.csv", "ingested", 6),
        ("b.csv", "ingested", 4),
    ]


def test_a_failure_is_tried_again_and_kept_once(case, monkeypatch):
    put(case, perf__csv=texts.perfmon(2))
    reader = next(r for r in readers() if r.name == "pdh_text")

    def broken(*_args):
        yield from ()
        raise OSError("the network drive has gone")

    with monkeypatch.context() as patch:
        patch.setattr(reader, "read", broken)
        for _ in range(2):
            report = ingest(case)
            assert (report.failed, report.captures[0].seconds is None) == (1, False)
        assert len(list((report.store / "parts").iterdir())) == 1
    assert statuses(ingest(case)) == {"perf.csv": "ingested"}


def test_a_failure_that_another_writer_keeps_from_being_tried_again_stops_nothing(case, monkeypatch):
    put(case, perf__csv=b'"(PDH-CSV 4.0) (","x"\r\n' + b"\0" * 50, ERRORLOG=texts.errorlog())
    reader = next(r for r in readers() if r.name == "pdh_text")

    def broken(*_args):
        yield from ()
        raise OSError("gone")

    monkeypatch.setattr(reader, "read", broken)
    first = ingest(case)
    with agtrace.store.Store(first.store).lock():
        again = ingest(case)
    assert statuses(again) == statuses(first)


def test_too_few_file_handles_fail_no_capture(case, monkeypatch):
    import errno

    put(case, perf__csv=texts.perfmon(2))
    reader = next(r for r in readers() if r.name == "pdh_text")

    def broken(*_args):
        yield from ()
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(reader, "read", broken)
        with pytest.raises(agtrace.errors.StoreError, match=r"too many files are open .*ulimit"):
            ingest(case)
    assert Store(case / ".agtrace").records() == {}
