"""Questions over the results of many cases, while a run replaces them."""

from __future__ import annotations

import errno
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agtrace.batch import Reports, batch, open_results
from agtrace.batch.places import READ_FOR_S
from agtrace.errors import CaseError
from agtrace.store import store_at
from tests.batch.cases import FINDINGS_ONLY, make_case

QUERY = 'select sum(value)::bigint, count(*) from "numbers"'


def put(path, value: int) -> None:
    """Put a file into the place of another, as a run does: so many rows with the value."""
    beside = path.with_suffix(".new")
    pq.write_table(pa.table({"value": pa.array([value] * value)}), beside)
    beside.replace(path)


@pytest.fixture
def reports(tmp_path):
    made = Reports(tmp_path / "out")
    made.create()
    put(made.results / "numbers.parquet", 10)
    return made


def no_links(*_paths):
    raise OSError(errno.EXDEV, "another file system")


@pytest.mark.parametrize("link", [os.link, no_links], ids=["linked", "copied"])
def test_what_is_open_stays_as_it_was_whatever_takes_its_place(reports, monkeypatch, link):
    monkeypatch.setattr(os, "link", link)
    with open_results(reports.root) as results:
        # Planned over one file, and run when there is another.
        planned = results.sql(QUERY)
        put(reports.results / "numbers.parquet", 3000)
        assert planned.fetchall() == [(100, 10)]
        assert results.sql(QUERY).fetchall() == [(100, 10)]
    with open_results(reports.root) as results:
        assert results.sql(QUERY).fetchall() == [(9_000_000, 3000)]
    assert list(reports.reading.iterdir()) == []


@pytest.mark.parametrize(
    "query",
    [
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{file}'",
        "WITH a AS (COPY (SELECT 1) TO '{file}') SELECT * FROM a",
        "SELECT 1; COPY (SELECT 1) TO '{file}'",
        'DROP VIEW "numbers"',
    ],
)
def test_results_are_only_read(reports, query):
    with open_results(reports.root) as results:
        (pinned,) = reports.reading.iterdir()
        with pytest.raises(CaseError, match="not one query"):
            results.sql(query.format(file=(pinned / "numbers.parquet").as_posix()))
        assert results.sql(QUERY).fetchall() == [(100, 10)]
    assert pq.read_table(reports.results / "numbers.parquet").num_rows == 10


def test_results_of_others_are_opened_only_where_the_user_trusts_them(reports, tmp_path):
    shutil.copytree(reports.root, tmp_path / "copy")
    with pytest.raises(CaseError, match="made by another user"), open_results(tmp_path / "copy"):
        pass
    with open_results(tmp_path / "copy", trust_store=True) as results:
        assert results.sql(QUERY).fetchall() == [(100, 10)]


def test_an_error_of_the_one_who_asks_is_their_own(reports):
    with pytest.raises(BrokenPipeError), open_results(reports.root):
        raise BrokenPipeError
    assert list(reports.reading.iterdir()) == []


def test_what_a_reader_left_that_was_killed_goes_with_a_later_run(reports):
    for name, age_s in (("dead", READ_FOR_S + 60), ("alive", 60.0)):
        (reports.reading / name).mkdir(parents=True)
        then = (reports.reading / name).stat().st_mtime - age_s
        os.utime(reports.reading / name, (then, then))
    reports.remove_leftovers()
    assert [path.name for path in reports.reading.iterdir()] == ["alive"]


@pytest.mark.complete
def test_a_case_waits_for_whoever_is_about_to_leave_its_store(tmp_path, monkeypatch):
    make_case(tmp_path / "in" / "one")
    out = tmp_path / "out"
    batch([tmp_path / "in"], out, FINDINGS_ONLY)
    store = next((out / ".agtrace-cases" / "stores").iterdir())
    holder = store_at(store).lock()
    holder.__enter__()
    monkeypatch.setattr("agtrace.batch.work.time.sleep", lambda _s: holder.__exit__(None, None, None))
    (tmp_path / "in" / "one" / "ERRORLOG").write_bytes((tmp_path / "in/one/perf.csv").read_bytes())
    assert batch([tmp_path / "in"], out, FINDINGS_ONLY).reported == ["one"]
