"""A field of an event is what queries expect, whatever type a file declares for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agtrace.store.events import event_view
from agtrace.store.parquet import source
from agtrace.store.records import PartFile
from agtrace.tables.event_fields import EXPECTED

duckdb = pytest.importorskip("duckdb")


def shown(
    event: str, *columns: dict[str, str], rows: tuple[str, ...]
) -> tuple[list[tuple[object, ...]], list[str]]:
    """Show rows of an event whose files declare these columns."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE superseded (content_id VARCHAR)")
    for number, row in enumerate(rows):
        connection.execute(f"CREATE VIEW f{number} AS SELECT 'c{number}' AS content_id, {row}")
    files = [(Path(f"f{n}"), PartFile(f"f{n}", each)) for n, each in enumerate(columns)]
    statement, drifts = event_view(f"events/{event}", files)
    for number in range(len(rows)):
        statement = statement.replace(source([Path(f"f{number}")]), f"f{number}")
    connection.execute(statement)
    names = list(columns[0])
    listed = ", ".join(names)
    return connection.execute(
        f'SELECT {listed} FROM "events_{event}" ORDER BY _content_id'
    ).fetchall(), drifts


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("binary", "'a\\x00'::BLOB", "a\\x00"),
        ("uint32", "7", "7"),
        ("list<item: uint64>", "[1, 2]", "[1, 2]"),
        ("bool", "true", "true"),
        ("string", "'a'", "a"),
    ],
)
def test_text_is_text(kind, value, text):
    rows, drifts = shown("alwayson_ddl_executed", {"statement": kind}, rows=(f"{value} AS statement",))
    assert rows == [(text,)]
    told = [f"alwayson_ddl_executed.statement is declared as {kind}; shown as text"]
    assert drifts == ([] if kind == "string" else told)


@pytest.mark.parametrize(
    ("kind", "value", "number"),
    [
        ("binary", "'1'::BLOB", None),
        ("string", "'1480'", 1480),
        ("string", "'x'", None),
        ("double", "'nan'::DOUBLE", None),
        ("double", "1e300", None),
        ("uint64", "18446744073709551615::UBIGINT", None),
        ("int32", "1480", 1480),
    ],
)
def test_a_number_is_a_number_or_null(kind, value, number):
    rows, drifts = shown("error_reported", {"error_number": kind}, rows=(f"{value} AS error_number",))
    assert rows == [(number,)]
    assert bool(drifts) == (kind not in ("uint64", "int32"))


def test_files_that_declare_different_types_are_united_to_what_is_expected():
    rows, _drifts = shown(
        "error_reported",
        {"message": "binary"},
        {"message": "string"},
        rows=("'a'::BLOB AS message", "'b' AS message"),
    )
    assert rows == [("a",), ("b",)]


def test_other_fields_are_as_they_are_declared():
    rows, drifts = shown("error_reported", {"state": "binary"}, rows=("'a'::BLOB AS state",))
    assert rows == [(b"a",)]
    assert drifts == []


def test_every_event_that_a_query_reads_is_declared():
    import re

    import agtrace

    root = Path(agtrace.__file__).parent
    read = {
        name
        for path in root.rglob("*.sql")
        for name in re.findall(r"(?i)\b(?:from|join)\s+events_(\w+)", path.read_text(encoding="utf-8"))
    }
    assert read <= set(EXPECTED)
