"""Relations of what happened: computed when a query names them, once for each state of a case."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

import agtrace
from agtrace.errors import StoreError
from agtrace.history import makers, offering
from agtrace.ingest import ingest
from agtrace.resolve.opening import RESOLVED
from agtrace.store import CaseView, derived
from agtrace.store.derived import GRACE_S, Derived
from agtrace.store.lock import WriterLock
from agtrace.store.view import Query
from agtrace.tables.history import RELATIONS
from simulation.formats.errorlog import Log
from tests.folded import folded
from tests.ingest.test_ingest import put

NAMES = sorted(RELATIONS)


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    (folder / "SQL1").mkdir(parents=True)
    return folder


@pytest.fixture
def made(monkeypatch):
    """Note which relations are made."""
    found = []
    each = offering.makers()

    def watched():
        return tuple(replace(maker, make=lambda view, maker=maker: note(maker, view)) for maker in each)

    def note(maker, view):
        found.extend(maker.relations)
        return maker.make(view)

    monkeypatch.setattr(offering, "makers", watched)
    return found


def backup_log(count=1):
    log = Log(at("2024-03-05 12:00:00")).start()
    for number in range(count):
        log.backup(f"Sales{number}", 1000, "spid51")
    return log.windows()


def at(text: str) -> datetime:

    return datetime.fromisoformat(text)


def count(opened, relation="backups"):
    return opened.sql(f"select count(*) from {relation}").fetchall()[0][0]


def test_every_relation_has_a_maker_and_every_maker_a_schema():
    assert sorted(name for maker in makers() for name in maker.relations) == NAMES


@folded("name", NAMES)
def test_every_relation_and_every_column_says_what_it_means(name):
    assert RELATIONS[name].metadata[b"row"]
    assert [f.name for f in RELATIONS[name] if not (f.metadata or {}).get(b"meaning")] == []


@pytest.mark.complete
@folded("name", NAMES)
def test_a_relation_that_nothing_feeds_exists_with_all_its_columns_and_no_rows(case, name):
    (case / "notes.txt").write_text("nothing of interest")
    with agtrace.open_case(case) as opened:
        table = opened.sql(f"select * from {name}").to_arrow_table()
    assert table.schema.names == RELATIONS[name].names
    assert table.num_rows == 0


@pytest.mark.complete
def test_a_query_computes_what_it_names_and_nothing_else(case, made):
    put(case / "SQL1", ERRORLOG=backup_log(2))
    with agtrace.open_case(case) as opened:
        assert made == []
        opened.sql("select 'backups' as word")
        assert made == []
        assert count(opened) == 2
        assert count(opened, "Backups b where b.status = 'completed'") == 2
    assert made == ["backups", "zeroed_files", "reference_clock"]


@pytest.mark.complete
def test_a_script_and_a_query_with_parameters_compute_what_they_name(case, made):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        opened.view.run(
            "create table scratch.none (n int); create table scratch.first as select * from backups"
        )
        assert count(opened, "scratch.first") == 1
    with agtrace.open_case(case) as opened:
        query = "select count(*) as n from backups where database = $name"
        assert opened.view.table(query, {"name": "Sales0"}).to_pylist() == [{"n": 1}]


@pytest.mark.complete
def test_what_was_computed_once_is_read_by_the_next_opening(case, made):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        first = opened.sql("select * from backups").to_arrow_table()
    made.clear()
    with agtrace.open_case(case) as opened:
        assert opened.sql("select * from backups").to_arrow_table() == first
    assert made == []


@pytest.mark.complete
def test_another_log_another_state(case, made):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        assert count(opened) == 1
    put(case / "SQL1", ERRORLOG=backup_log(3))
    with agtrace.open_case(case) as opened:
        assert count(opened) == 3


@pytest.mark.complete
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agtrace.toml", "[thresholds]\ngrowing_minutes = 7\n"),
        ("hosts.toml", '[paths]\n"*" = "OTHER"\n'),
        ("runs.csv", "label,start,end\nnight,2024-03-05T11:00:00Z,2024-03-05T13:00:00Z\n"),
    ],
)
def test_settings_of_the_case_are_part_of_its_state(case, made, name, text):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        count(opened)
    (case / name).write_text(text)
    made.clear()
    with agtrace.open_case(case) as opened:
        count(opened)
    assert "backups" in made


def test_a_store_that_cannot_be_written_computes_and_keeps_nothing(case, monkeypatch):
    put(case / "SQL1", ERRORLOG=backup_log())
    ingest(case)

    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.write_table", full)
    monkeypatch.setattr("agtrace.store.view.CaseView.write", full)
    with agtrace.open_case(case) as opened:
        assert count(opened) == 1
        assert not list((opened.store / "derived").rglob("*.*"))


def test_states_that_nobody_reads_any_more_are_removed(tmp_path):
    old, recent, new = (Derived(tmp_path, key) for key in ("old", "recent", "new"))
    old.relations(("zeroed_files",), nothing)
    recent.relations(("zeroed_files",), nothing)
    long_ago = time.time() - GRACE_S - 60
    os.utime(old.folder, (long_ago, long_ago))
    new.relations(("zeroed_files",), nothing)
    assert sorted(path.name for path in (tmp_path / "derived").iterdir()) == ["new", "recent"]


def nothing():
    return {"zeroed_files": RELATIONS["zeroed_files"].empty_table()}


def test_of_several_that_want_a_relation_one_computes_it(tmp_path):
    made = []

    def slowly():
        made.append(1)
        time.sleep(0.3)
        return nothing()

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(Derived(tmp_path, "key").relations, ("zeroed_files",), slowly) for _ in range(4)]
        given = [each.result()["zeroed_files"] for each in asked]
    assert made == [1]
    path = tmp_path / "derived" / "key" / "zeroed_files.parquet"
    assert [each for each in given if isinstance(each, Path)] == [path] * 3
    assert list(path.parent.iterdir()) == [path]


def test_one_that_fails_to_compute_lets_the_next_try(tmp_path):
    kept = Derived(tmp_path, "key")
    with pytest.raises(ZeroDivisionError):
        kept.relations(("zeroed_files",), lambda: {"zeroed_files": 1 / 0})
    assert kept.relations(("zeroed_files",), nothing).keys() == {"zeroed_files"}


def test_nobody_waits_for_one_that_was_killed(tmp_path):
    folder = tmp_path / "derived" / "key"
    folder.mkdir(parents=True)
    dead = subprocess.Popen(["true"])
    dead.wait()
    owner = {"host": socket.gethostname(), "pid": dead.pid, "token": "its"}
    (folder / "zeroed_files.lock").write_text(json.dumps(owner))
    begun = time.monotonic()
    Derived(tmp_path, "key").relations(("zeroed_files",), nothing)
    assert time.monotonic() - begun < 1
    assert [path.name for path in folder.iterdir()] == ["zeroed_files.parquet"]


def test_nobody_waits_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(derived, "PATIENCE_S", 0.1)
    kept = Derived(tmp_path, "key")
    kept.folder.mkdir(parents=True)
    with WriterLock(kept.folder, "zeroed_files.lock"):
        assert not isinstance(kept.relations(("zeroed_files",), nothing)["zeroed_files"], Path)


def test_rows_of_a_query_that_is_kept_go_into_the_store(tmp_path):
    asked = Query("select 1 as n", is_kept=True)
    view = CaseView({}, {name: schema.empty_table() for name, schema in RESOLVED.items()})
    kept = Derived(tmp_path, "key")
    path = tmp_path / "derived" / "key" / "zeroed_files.parquet"
    for _ in range(2):
        found = kept.relations(("zeroed_files",), lambda: {"zeroed_files": asked}, view.write)
        assert found == {"zeroed_files": path}
    assert view.rows(f"select n from '{path}'") == [{"n": 1}]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_rows_that_cannot_be_written_are_asked_for_again(tmp_path):
    def write(_sql, _path):
        raise StoreError("the disk is full")

    asked = Query("select 1 as n", is_kept=True)
    kept = Derived(tmp_path, "key")
    given = kept.relations(("zeroed_files",), lambda: {"zeroed_files": asked}, write)
    assert given == {"zeroed_files": asked}
    assert list((tmp_path / "derived" / "key").iterdir()) == []


def test_pandas_frames_before_any_finding(case):
    put(case / "SQL1", ERRORLOG=backup_log(2))
    with agtrace.open_case(case) as opened:
        frame = opened.backups()
    assert list(frame["database"]) == ["Sales0", "Sales1"]
    assert str(frame["start"].dtype) == "datetime64[us, UTC]"
