"""What several captures settle together is decided once for a state of a case, and read back whole."""

from __future__ import annotations

import shutil

import pytest

import agtrace
from agtrace.resolve import overlap
from agtrace.resolve.overlap import SETTLED
from tests.ready import copy_captures


@pytest.fixture
def folder(tmp_path):
    """Return a case in which each of the tables has rows."""
    folder = tmp_path / "case"
    copy_captures(agtrace.sample("log_send_queue"), folder)
    log = next(folder.rglob("ERRORLOG"))
    log.with_name("ERRORLOG.copy").write_bytes(log.read_bytes()[: log.stat().st_size // 4 * 2])
    again = log.with_name("ERRORLOG.again")
    again.write_bytes(log.read_bytes() + log.read_bytes().removeprefix(b"\xff\xfe"))
    perfmon = next(folder.rglob("*.csv"))
    header, *rows = perfmon.read_bytes().splitlines(keepends=True)
    perfmon.with_name("beside.csv").write_bytes(b"".join([header, *rows[::2]]))
    return folder


def tables(folder):
    with agtrace.open_case(folder) as case:
        return {name: case.view.table(f"select * from {name}") for name in SETTLED}


@pytest.mark.complete
def test_the_next_opening_reads_what_the_first_one_decided(folder, monkeypatch):
    first = tables(folder)
    assert [name for name, rows in first.items() if not rows.num_rows] == []
    monkeypatch.setattr(overlap, "prefer", None)
    assert tables(folder) == first


@pytest.mark.complete
def test_another_capture_is_another_state(folder):
    before = tables(folder)
    next(folder.rglob("ERRORLOG.copy")).unlink()
    after = tables(folder)
    assert after["superseded"].num_rows == before["superseded"].num_rows - 1


@pytest.mark.complete
def test_a_store_that_cannot_be_written_decides_anew(folder, monkeypatch):
    kept = tables(folder)
    monkeypatch.setattr("agtrace.store.derived.Derived._make_room", _refuse)
    shutil.rmtree(folder / ".agtrace" / "derived")
    assert tables(folder) == kept


@pytest.mark.complete
def test_damaged_files_are_decided_anew(folder):
    kept = tables(folder)
    for path in (folder / ".agtrace" / "derived").rglob("settled_*.parquet"):
        path.write_bytes(path.read_bytes()[:40])
    assert tables(folder) == kept


def _refuse(_self):
    raise PermissionError("read-only")
