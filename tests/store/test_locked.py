"""SQL over an opened case: it reads and writes nothing outside of the store."""

from __future__ import annotations

import duckdb
import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.tables.history import RELATIONS
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "it's a case"
    folder.mkdir()
    put(folder, perf__csv=texts.perfmon(3))
    with agtrace.open_case(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO '{beside}/x.csv'",
        "ATTACH '{beside}/x.db'",
        "EXPORT DATABASE '{beside}/x'",
        "SELECT * FROM read_text('{beside}/secret.txt')",
        "SELECT * FROM read_csv('{beside}/secret.txt')",
        "SELECT * FROM '{beside}/secret.txt'",
        "SELECT * FROM glob('{beside}/*')",
        "SELECT * FROM read_text('{store}/../../secret.txt')",
        "INSTALL httpfs",
        "LOAD httpfs",
        "LOAD '{beside}/x.duckdb_extension'",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "SET temp_directory = '{beside}'",
        "RESET lock_configuration",
    ],
)
def test_a_query_reaches_nothing_outside_of_the_store(case, tmp_path, query):
    (tmp_path / "secret.txt").write_text("mine")
    before = sorted(tmp_path.iterdir())
    text = query.format(beside=tmp_path, store=case.store)
    with pytest.raises((duckdb.Error, CaseError)):
        case.sql(text).fetchall()
    with pytest.raises(duckdb.Error):
        case.view.connection.cursor().sql(text).fetchall()
    assert sorted(tmp_path.iterdir()) == before


def test_relations_and_the_store_are_within_reach(case):
    assert case.sql("SELECT count(*) FROM samples").fetchall() == [(6,)]
    assert len(case.perfmon("Log*")) == 3
    case.view.run(f"COPY (SELECT 1 AS n) TO '{str(case.store).replace(chr(39), chr(39) * 2)}/kept'")
    assert (case.store / "kept").is_file()


@pytest.mark.complete
def test_a_writable_connection_is_one_call_away(case, tmp_path):
    connection = case.writable_connection()
    connection.execute(f"COPY (SELECT * FROM samples) TO '{tmp_path}/x.csv'")
    connection.execute("SET threads = 1")
    assert (tmp_path / "x.csv").read_text().count("\n") == 7
    connection.close()
    assert case.sql("SELECT count(*) FROM samples").fetchall() == [(6,)]


@pytest.mark.complete
def test_a_writable_connection_has_every_relation(case):
    with case.writable_connection() as connection:
        for name in sorted(RELATIONS):
            connection.execute(f"SELECT count(*) FROM {name}")


def test_a_large_sort_may_still_spill(case):
    rows = case.view.table(
        "SELECT count(*) AS n FROM (SELECT range, random() AS r FROM range(20000) ORDER BY r)"
    )
    assert rows["n"].to_pylist() == [20000]
