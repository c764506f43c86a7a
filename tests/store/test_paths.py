"""A path is only a name: where a case or its store lies changes nothing of what is read."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import agtrace
from agtrace.batch.results import SCHEMAS
from agtrace.store import CaseView
from agtrace.store.connection import connect
from agtrace.tables import CONTENT_TABLES, ISSUES
from agtrace.tables.history import RELATIONS
from tests.readers.small import small_captures

pytestmark = pytest.mark.complete

COLUMNS = sorted(
    {"content_id", "capture_id", "host_id", "counter_id", "path", "case", "_content_id", "_seq"}
    | {
        name
        for schema in (*CONTENT_TABLES.values(), ISSUES, *RELATIONS.values(), *SCHEMAS.values())
        for name in schema.names
    }
)
CHAINS = 3
"""A path may have 4,096 bytes."""

AS_FOLDERS = ["/".join(f"{name}=7" for name in COLUMNS[i::CHAINS]) for i in range(CHAINS)]
STRANGE = [
    "[a]", "[!x]", "a[b", "**", "*?", "%", "%20", "100%", "?a=b", "#part", "it's", 'a "b"', "{a,b}",
    "a;b", "a\nb", "~", "$HOME", "a&b=c", "x=*", "file:", "a::b", "back\\slash",
]  # fmt: skip
"""Names that mean something to somebody who takes a path for a pattern, a URL or a query."""


def put_captures(case: Path) -> Path:
    """A capture of each kind: rows in as many tables as small captures fill."""
    case.mkdir(parents=True)
    for number, small in enumerate(small_captures()):
        folder = case / f"{number}"
        folder.mkdir()
        (folder / small.name).write_bytes(small.data)
    return case


def told(view: CaseView) -> dict[str, list[str]]:
    """Every row of every relation, and what the settings of the rows are."""
    named = view.connection.execute(
        "select table_name from information_schema.tables where table_schema = 'main'"
    ).fetchall()
    names = sorted({name for (name,) in named if not name.startswith("raw_")} | set(RELATIONS))
    rows = {}
    for name in names:
        table = view.sql(f'select * from "{name}"')
        rows[name] = [repr(table.columns), *sorted(map(repr, table.fetchall()))]
    return rows


def answers(case: Path, store: Path | None = None) -> tuple[object, object]:
    """Findings and rows of a case, first read and then once more from what is kept."""
    with agtrace.open_case(case, store) as opened:
        found, rows = [each.to_dict() for each in opened.findings()], told(opened.view)
    with agtrace.open_case(case, store, ingest=False) as opened:
        assert told(opened.view) == rows
    return found, rows


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What a case says whose path means nothing."""
    return answers(put_captures(tmp_path_factory.mktemp("plain") / "case"))


@pytest.mark.parametrize("folders", AS_FOLDERS, ids=range(len(AS_FOLDERS)))
def test_a_folder_that_is_named_as_a_column_is_none(tmp_path, plain, folders):
    assert answers(put_captures(tmp_path / folders / "case")) == plain


def test_the_path_of_a_store_gives_no_column(tmp_path, plain):
    case = put_captures(tmp_path / "case")
    assert answers(case, tmp_path / "content_id=x" / "tick=3" / "value=7" / "store") == plain


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_patterns_urls_or_queries_to_somebody_are_names(tmp_path, plain):
    place = tmp_path / "/".join(STRANGE[:-1])
    # Beside it lies what the patterns match.
    for other in ("a", "y", "ab", "b"):
        (tmp_path / other).mkdir()
    assert answers(put_captures(place / "case")) == plain


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["[!x]", "*"])
def test_a_case_whose_name_is_a_pattern_is_not_mixed_with_its_neighbours(tmp_path, plain, name):
    for other in ("y",):
        agtrace.open_case(put_captures(tmp_path / other)).close()
    assert answers(put_captures(tmp_path / name)) == plain


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["back\\[slash", "caf\udce9"])
def test_a_path_that_no_query_can_name_has_its_store_in_the_cache(tmp_path, plain, monkeypatch, name):
    for folder in ("data", "cache"):
        monkeypatch.setenv(f"XDG_{folder.upper()}_HOME", str(tmp_path / "home" / folder))
    assert answers(put_captures(tmp_path / name / "case")) == plain


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_what_memory_does_not_hold_goes_to_a_folder_of_any_name(tmp_path):
    spill = tmp_path / "a=[*]?#%20 'b'"
    connection = connect(spill)
    connection.execute("set memory_limit = '60MB'")
    sorted_ = "select count(*) from (select random()::text t from range(1500000) order by t)"
    assert connection.execute(sorted_).fetchall() == [(1_500_000,)]


def test_parquet_is_read_in_one_place():
    reading = {"read_parquet", "parquet_scan", "read_table", "ParquetFile", "ParquetDataset"}
    root = Path(agtrace.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_named = isinstance(node, ast.Attribute) and node.attr in reading
            is_said = (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and any(f"{word}(" in node.value for word in reading)
            )
            if is_named or is_said:
                found.add(path.relative_to(root).as_posix())
    found |= {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.sql")
        if "parquet" in path.read_text(encoding="utf-8")
    }
    assert found == {"store/parquet.py"}
