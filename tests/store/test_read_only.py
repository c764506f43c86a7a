"""A query of a user is one statement that reads."""

from __future__ import annotations

import duckdb
import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.store.read_only import check_reads
from tests.ingest import texts
from tests.ingest.test_ingest import put

WRITING = [
    "COPY (SELECT 1) TO '{file}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{file}'",
    "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO '{file}'",
    "/* é 漢 */ explain /* (select */ analyze -- select\n copy (select 1) to '{file}'",
    "WITH a AS (COPY (SELECT 1) TO '{file}') SELECT * FROM a",
    "EXPLAIN ANALYZE WITH a AS (COPY (SELECT 1) TO '{file}') SELECT * FROM a",
    "WITH a AS (WITH b AS (SELECT 1 AS i) INSERT INTO t FROM b RETURNING i) SELECT * FROM a",
    "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
    "EXPLAIN ANALYZE DROP TABLE t",
    "EXPLAIN ANALYZE ANALYZE",
    "SELECT 1; COPY (SELECT 1) TO '{file}'",
    "COPY (SELECT 1) TO '{file}'; SELECT 1",
    "SELECT 1; SELECT 2",
    "SELECT 1\0; SELECT 2",
    "SET threads = 1",
    "PIVOT t ON i USING count(*)",
    "",
    "-- nothing",
]
READING = [
    "SELECT 1;",
    "-- two\n; ; FROM t",
    "WITH RECURSIVE a AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM a WHERE i < 3) SELECT * FROM a",
    "SELECT 'COPY (SELECT 1) TO ''x''; DROP TABLE t' AS \"insert\"",
    "SELECT * FROM t WHERE i = $host",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT '漢'",
    "/* 漢 */ EXPLAIN (ANALYZE, FORMAT json) (SELECT 1)",
    "EXPLAIN (SELECT 1)",
    "PIVOT t ON i IN (1, 2) USING count(*)",
    "UNPIVOT t ON i",
    "DESCRIBE t",
    "SUMMARIZE t",
    "SHOW TABLES",
    "VALUES (1)",
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE t (i INTEGER)")
        yield opened


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    put(folder, perf__csv=texts.perfmon(3))
    with agtrace.open_case(folder) as opened:
        yield opened


@pytest.mark.parametrize("query", WRITING)
def test_what_writes_or_is_no_single_statement_is_refused(connection, query):
    with pytest.raises(CaseError, match="not one query"):
        check_reads(connection, query.format(file="x.csv"))


@pytest.mark.parametrize("query", READING)
def test_a_single_statement_that_reads_passes(connection, query):
    check_reads(connection, query)


def test_a_query_that_is_not_sql_is_an_error_of_duckdb(connection):
    with pytest.raises(duckdb.ParserException):
        check_reads(connection, "SELECT FROM WHERE")


@pytest.mark.parametrize("query", WRITING)
def test_a_case_writes_nothing_not_even_in_its_store(case, query):
    file = case.store / "written"
    with pytest.raises(CaseError, match="not one query"):
        case.sql(query.format(file=file.as_posix()))
    assert not file.exists()


@pytest.mark.parametrize("query", WRITING[:6])
def test_cases_opened_together_write_nothing_in_a_store(case, query):
    file = case.store / "written"
    with agtrace.open_cases([case.folder]) as cases, pytest.raises(CaseError, match="not one query"):
        cases.sql(query.format(file=file.as_posix()))
    assert not file.exists()
