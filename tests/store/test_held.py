"""What queries of a small case name is held as tables: the same rows, planned once."""

from __future__ import annotations

import pytest

import agtrace
from agtrace import opening
from tests.ingest import texts
from tests.ingest.test_ingest import put

QUERY = "select table_name, table_type from information_schema.tables where table_schema = 'main'"


@pytest.fixture
def folder(tmp_path):
    case = tmp_path / "case"
    case.mkdir()
    put(case, perf__csv=texts.perfmon(20), ERRORLOG=texts.errorlog(5))
    return case


def views(case) -> set[str]:
    """Name the relations that are views by now."""
    return {name for name, kind in case.view.connection.execute(QUERY).fetchall() if kind == "VIEW"}


def test_a_view_that_a_query_names_is_a_table_from_then_on(folder):
    with agtrace.open_case(folder) as case:
        assert {"errorlog", "facts"} <= views(case)
        case.sql("select count(*) from errorlog").fetchall()
        assert "errorlog" not in views(case)
        assert "facts" in views(case)


def test_a_case_of_many_rows_keeps_its_views(folder, monkeypatch):
    monkeypatch.setattr(opening, "HELD_ROWS", 1)
    with agtrace.open_case(folder) as case:
        case.sql("select count(*) from errorlog").fetchall()
        assert "errorlog" in views(case)


@pytest.mark.complete
@pytest.mark.parametrize("name", opening.HELD)
def test_both_hold_the_same_rows_in_the_same_order(sample_store, monkeypatch, name):
    sample, found = "failover_planned", []
    for most in (200_000, 1):
        monkeypatch.setattr(opening, "HELD_ROWS", most)
        with agtrace.open_case(agtrace.sample(sample), sample_store(sample)) as case:
            answer = case.sql(f"from {name}")
            found.append((answer.columns, list(map(str, answer.types)), answer.fetchall()))
    assert found[0] == found[1]
    assert found[0][2] or name.startswith("rowset")


def test_a_part_of_a_case_is_held_as_the_part_that_it_is(sample_store):
    sample, query = "failover_planned", "select min(time), max(time), count(*) from errorlog"
    with agtrace.open_case(agtrace.sample(sample), sample_store(sample)) as case:
        first, last, count = case.sql(query).fetchall()[0]
        part = case.window(start=first + (last - first) / 2)
        assert 0 < part.sql(query).fetchall()[0][2] < count
        assert case.sql(query).fetchall()[0][2] == count
