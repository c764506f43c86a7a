"""A query of an assistant sees the relations of the case, and nothing of the machine."""

from __future__ import annotations

import pytest

from agtrace.mcp import query
from tests.folded import folded


def test_rows_come_with_the_types_of_their_columns(ask):
    data, cut = ask("sql", query="select host_id, count(*) as n from errorlog group by all order by 1")
    assert data["columns"] == ["host_id VARCHAR", "n BIGINT"]
    assert [row["host_id"] for row in data["rows"]] == ["HASQL1", "HASQL2"]
    assert cut is None


def test_more_rows_than_asked_for_are_cut_and_it_says_so(ask):
    data, cut = ask("sql", query="select line from errorlog order by line", most=3)
    assert [row["line"] for row in data["rows"]] == sorted(row["line"] for row in data["rows"])
    assert (len(data["rows"]), cut["rows"], cut["of"]) == (3, 3, None)
    assert cut["why"] == "there are more rows than asked for"


def test_rows_that_are_too_long_are_cut(ask):
    data, cut = ask("sql", query="select repeat('x', 100000) as text, range as n from range(1000)", most=1000)
    assert 5 < len(data["rows"]) < 20
    assert data["rows"][0]["text"].endswith("… (100,000 characters)")
    assert cut["why"] == "the answer would be too long"


@folded(
    ("asked", "said"),
    [
        ("selec", "the query: syntax error"),
        ("select 1; select 2", "not one query"),
        ("drop table roles", "the query: "),
        ("copy roles to 'x.csv'", "the query: "),
        ("explain select 1", "the query: "),
        ("select * from role", "no relation is called role - nearest: roles"),
        ("select * from raw_errorlogs", "no relation is called raw_errorlogs - nearest: errorlog"),
        ("select * from '/etc/passwd'", "no relation is called /etc/passwd"),
        ("select * from read_text('/etc/passwd')", "the function read_text is refused"),
        ("select * from glob('*')", "the function glob is refused"),
        ("from duckdb_settings()", "the function duckdb_settings is refused"),
        ("from duckdb_views", "no relation is called duckdb_views"),
        ("select * from information_schema.views", "no relation is called information_schema.views"),
        ("select current_setting('temp_directory')", "the function current_setting is refused"),
        ("with x as (select getenv('HOME') h) select (select h from x)", "the function getenv is refused"),
        ("select 1 where exists (from duckdb_settings())", "the function duckdb_settings is refused"),
        ("with roles2 as (select 1) from main.roles2", "no relation is called main.roles2 - nearest: roles"),
        ("select host_ids from roles", "no column is called 'host_ids' - nearest: host_id"),
    ],
)
def test_what_is_no_query_of_relations_is_refused(refused, asked, said):
    assert refused("sql", query=asked).startswith(said)


@folded(
    "asked",
    [
        "with r as (select 1 as x) select x from r",
        "select unnest([1, 2])",
        "select * from (values (1), (2)) v, lateral (select 1)",
        "select count(*) from ROLES r join main.hosts h using (host_id)",
        "select id, severity from findings where severity >= 'info'",
    ],
)
def test_queries_of_relations_are_answered(ask, asked):
    assert ask("sql", query=asked)[0]["rows"]


def test_a_query_that_takes_too_long_is_stopped(refused, ask, monkeypatch):
    monkeypatch.setattr(query, "SECONDS", 0.3)
    endless = "select count(*) from range(1000000000) a, range(1000000000) b where a.range % 7 = b.range % 5"
    assert refused("sql", query=endless) == "the query took longer than 0.3 s - ask for less"
    assert ask("sql", query="select 1 as x")[0]["rows"] == [{"x": 1}]


def test_an_error_while_rows_are_on_their_way_is_one_line(refused):
    said = refused("sql", query="select cast(repeat('x', 3) as int) from range(3)")
    assert said.startswith("the query: ")
    assert "\n" not in said


@pytest.mark.parametrize("name", ["raw_errorlog", "drifts"])
def test_internal_tables_are_no_relations(refused, name):
    assert refused("relations", name=name).startswith(f"no relation is called {name!r}")
