"""The files of cases, stores and reports by the rules of Windows (tests/windows_files.py)."""

from __future__ import annotations

import sys
import threading
import time
from types import SimpleNamespace

import pyarrow as pa
import pytest

import agtrace
from agtrace import moving
from agtrace.batch import Options, batch
from agtrace.batch.places import Reports
from agtrace.convert import convert
from agtrace.errors import StoreError, in_one_line
from agtrace.export import export_case
from agtrace.ingest import ingest
from agtrace.report import report
from agtrace.store import files, long_paths, open_store
from agtrace.store.lock import WriterLock
from agtrace.store.parts import PartWriter, storage_error
from tests.folded import folded
from tests.ingest import texts
from tests.ingest.test_ingest import put
from tests.windows_files import illegal, is_legal, windows

__all__ = ["windows"]

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="what is open is asked of Linux; Windows has rules of its own",
)
SCAN_S = 0.03


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, ERRORLOG=texts.errorlog(20), perf__csv=texts.perfmon())
    return folder


@pytest.mark.complete
def test_what_is_new_is_read_and_exported_while_the_case_is_open_and_scanned(case, tmp_path, windows):
    windows.scans_s = SCAN_S
    with agtrace.open_case(case, jobs=1) as opened:
        assert opened.findings()
        held = opened.sql("select * from errorlog").arrow()
        (case / "perf.csv").write_bytes(texts.perfmon(50))
        assert ingest(case, jobs=1).ingested == 1
        with agtrace.open_case(case, jobs=1) as again:
            first = export_case(again, tmp_path / "exported").files
            assert export_case(again, tmp_path / "exported").files == first
        assert held is not None
    assert windows.refused != []
    assert illegal(tmp_path) == []


@pytest.mark.complete
def test_a_report_takes_the_place_of_the_one_before(case, tmp_path, windows):
    windows.scans_s = SCAN_S
    before = report(case, pages=False, jobs=1)
    after = report(case, pages=False, jobs=1)
    assert (before.failures, after.failures) == ([], [])
    assert after.index.is_file()
    assert illegal(tmp_path) == []


@pytest.mark.complete
def test_a_batch_is_done_again_while_its_results_are_read(case, tmp_path, windows):
    windows.scans_s = SCAN_S
    options = Options(jobs=1, pages=False)
    assert batch([case], tmp_path / "out", options, themselves=True).reported == ["case"]
    results = next((tmp_path / "out" / "results").rglob("*.parquet"))
    with results.open("rb"):
        options = Options(jobs=1, pages=False, again=True)
        assert batch([case], tmp_path / "out", options, themselves=True).reported == ["case"]
    assert illegal(tmp_path) == []


def test_a_conversion_replaces_what_was_converted_before(case, tmp_path, windows):
    windows.scans_s = SCAN_S
    convert(case / "perf.csv", tmp_path / "perf.parquet")
    assert convert(case / "perf.csv", tmp_path / "perf.parquet", force=True).rows == 12


def test_a_file_that_a_spreadsheet_has_open_is_named_in_one_line(tmp_path, windows, monkeypatch):
    monkeypatch.setattr(moving, "PATIENCE_S", 0.05)
    target = tmp_path / "findings.csv"
    files.write_atomically(target, "before")
    with target.open(encoding="utf-8"), pytest.raises(PermissionError) as raised:
        files.write_atomically(target, "after")
    line = f"{target}: open in another program - close it there (a spreadsheet, a viewer, another agtrace)"
    assert in_one_line(raised.value) == line
    assert str(storage_error(target, raised.value)) == line
    assert (target.read_text(encoding="utf-8"), list(tmp_path.iterdir())) == ("before", [target])


def test_whoever_looks_into_a_file_for_a_moment_is_waited_for(tmp_path, windows):
    target = tmp_path / "index.html"
    files.write_atomically(target, "before")
    looking = target.open(encoding="utf-8")
    threading.Timer(0.2, looking.close).start()
    files.write_atomically(target, "after")
    assert target.read_text(encoding="utf-8") == "after"


def test_what_is_not_ours_to_write_is_waited_for_nowhere_else_than_on_windows(tmp_path, monkeypatch):
    def refuse(*_words):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(moving.os, "replace", refuse)
    began = time.monotonic()
    with pytest.raises(PermissionError):
        moving.replace(tmp_path / "a", tmp_path / "b")
    assert time.monotonic() - began < 0.5


def test_a_lock_is_given_back_although_another_writer_looks_at_it(tmp_path, windows):
    with WriterLock(tmp_path) as lock:
        looking = lock.path.open(encoding="utf-8")
        threading.Timer(0.2, looking.close).start()
    assert not lock.path.exists()


@folded(
    "name",
    ["con", "Aux.txt", "nul .log", "com1", "LPT9.x", "a:b", 'a"b', "a|b", "a?", "a.", "a ", "a\\b", "a\tb"],
)
def test_windows_takes_no_such_name(name):
    assert not is_legal(name)


@pytest.mark.parametrize("name", ["console", "com10", "aux_", "a b", "ä.log", ".agtrace", "events"])
def test_windows_takes_such_a_name(name):
    assert is_legal(name)


def test_a_case_called_as_a_device_has_a_report_all_the_same(tmp_path):
    reports = Reports(tmp_path)
    assert reports.name_of("s3://inbox/aux.zip") == "_aux.zip"
    assert reports.name_of("s3://inbox/a:b.") == "a_b_"
    assert all(is_legal(reports.name_of(f"s3://inbox/{each}")) for each in ("CON", "lpt1", "x ", "y?"))


def test_events_whose_names_are_one_to_windows_have_each_a_file_of_its_own(tmp_path):
    batch_of = pa.RecordBatch.from_pydict
    names = ["a b", "a_b", "A_B", "con", "x" * 200, "x" * 199 + "y"]
    with PartWriter(tmp_path, "0" * 64, "xel-1") as part:
        for number, name in enumerate(names):
            part.write(f"events/{name}", batch_of({"n": [number]}))
        part.finish()
        paths = [part.folder / part.files[f"events/{name}"][0].name for name in names]
        assert [pa.parquet.read_table(path)["n"].to_pylist() for path in paths] == [[n] for n in range(6)]
        assert illegal(tmp_path) == []
        assert len({str(path).casefold() for path in paths}) == 6


def test_nothing_in_a_store_is_longer_below_it_than_said(tmp_path):
    longest = 0
    with PartWriter(tmp_path / "parts", "0" * 64, "sqlquerystress-99") as part:
        for number in range(12):
            part.write("events/" + "x" * 200, pa.RecordBatch.from_pydict({"n": [number], f"m{number}": [1]}))
        part.finish()
        longest = max(len(str(path)) - len(str(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert longest <= long_paths.LONGEST_BELOW


@pytest.fixture
def short_paths(tmp_path, monkeypatch):
    """A Windows whose long paths are not switched on, and a cache folder that is near."""
    monkeypatch.setattr(long_paths, "is_limited", lambda: True)
    monkeypatch.setattr(long_paths, "LIMIT", len(str(tmp_path)) + 40 + long_paths.LONGEST_BELOW)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)


def test_a_case_far_down_has_its_store_in_the_cache(tmp_path, short_paths):
    near, far = tmp_path / "near", tmp_path / ("far" * 12)
    near.mkdir()
    far.mkdir()
    assert open_store(near).root == near / ".agtrace"
    assert open_store(far).root.parent == tmp_path / "agtrace"
    assert len(open_store(far).root.name) == 16


def test_a_place_that_is_too_long_is_said_before_anything_is_written(tmp_path, short_paths):
    place = tmp_path / ("x" * 60)
    with pytest.raises(StoreError, match=r"too long a path for Windows - use a shorter place"):
        open_store(tmp_path, place)
    assert not place.exists()


def test_an_error_of_a_path_that_is_too_long_says_what_to_do():
    error = FileNotFoundError(2, "The filename or extension is too long", "C:\\x")
    error.winerror = 206
    assert in_one_line(error).startswith("C:\\x: too long a path for Windows - use a shorter place")


def test_long_paths_are_asked_of_the_registry(monkeypatch):
    class Key:
        def __enter__(self):
            return self

        def __exit__(self, *_error):
            return None

    told = SimpleNamespace(HKEY_LOCAL_MACHINE=0, OpenKey=lambda *_w: Key(), QueryValueEx=lambda *_w: (1, 4))
    monkeypatch.setitem(sys.modules, "winreg", told)
    monkeypatch.setattr(long_paths.sys, "platform", "win32")
    assert long_paths.is_limited.__wrapped__() is False
    told.QueryValueEx = lambda *_w: (0, 4)
    assert long_paths.is_limited.__wrapped__() is True
