"""Relations of what happened: computed when a query names them, once for each state of a case."""

from __future__ import annotations

import os
import time
from datetime import datetime

import pytest

import agtrace
from agtrace.history import makers, offering
from agtrace.store.derived import GRACE_S, Derived
from agtrace.tables.history import RELATIONS
from tests.ingest.test_ingest import put
from tests.make.errorlog import Log

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
        return tuple(
            type(maker)(maker.relations, lambda view, maker=maker: note(maker, view))
            for maker in each
        )

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


@pytest.mark.parametrize("name", NAMES)
def test_every_relation_and_every_column_says_what_it_means(name):
    assert RELATIONS[name].metadata[b"row"]
    assert [f.name for f in RELATIONS[name] if not (f.metadata or {}).get(b"meaning")] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_relation_that_nothing_feeds_exists_with_all_its_columns_and_no_rows(case, name):
    (case / "notes.txt").write_text("nothing of interest")
    with agtrace.open_case(case) as opened:
        table = opened.sql(f"select * from {name}").to_arrow_table()
    assert table.schema.names == RELATIONS[name].names
    assert table.num_rows == 0


def test_a_query_computes_what_it_names_and_nothing_else(case, made):
    put(case / "SQL1", ERRORLOG=backup_log(2))
    with agtrace.open_case(case) as opened:
        assert made == []
        opened.sql("select 'backups' as word")
        assert made == []
        assert count(opened) == 2
        assert count(opened, "Backups b where b.status = 'completed'") == 2
    assert made == ["backups", "zeroed_files"]


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


def test_what_was_computed_once_is_read_by_the_next_opening(case, made):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        first = opened.sql("select * from backups").to_arrow_table()
    made.clear()
    with agtrace.open_case(case) as opened:
        assert opened.sql("select * from backups").to_arrow_table() == first
    assert made == []


def test_another_log_another_state(case, made):
    put(case / "SQL1", ERRORLOG=backup_log())
    with agtrace.open_case(case) as opened:
        assert count(opened) == 1
    put(case / "SQL1", ERRORLOG=backup_log(3))
    with agtrace.open_case(case) as opened:
        assert count(opened) == 3


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
    with agtrace.open_case(case):
        pass

    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.write_table", full)
    with agtrace.open_case(case) as opened:
        assert count(opened) == 1
        assert not list((opened.store / "derived").rglob("*.*"))


def test_states_that_nobody_reads_any_more_are_removed(tmp_path):
    table = RELATIONS["zeroed_files"].empty_table()
    old, recent, new = (Derived(tmp_path, key) for key in ("old", "recent", "new"))
    old.keep("zeroed_files", table)
    recent.keep("zeroed_files", table)
    long_ago = time.time() - GRACE_S - 60
    os.utime(old.folder, (long_ago, long_ago))
    new.keep("zeroed_files", table)
    assert sorted(path.name for path in (tmp_path / "derived").iterdir()) == ["new", "recent"]


def test_pandas_frames_before_any_finding(case):
    put(case / "SQL1", ERRORLOG=backup_log(2))
    with agtrace.open_case(case) as opened:
        frame = opened.backups()
    assert list(frame["database"]) == ["Sales0", "Sales1"]
    assert str(frame["start"].dtype) == "datetime64[us, UTC]"
