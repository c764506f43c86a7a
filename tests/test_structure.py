"""The shape of the package: no circles, and questions that stay small enough to be read."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "agtrace" / "diagnostics"
EARLY = ("backup", "commit_latency", "comparison", "health", "overview", "seeding", "transport", "workload")
"""Questions that judged when the bound was set (percentiles, of 7, does not); later ones have 6 to 12."""
SINCE = (
    "seeding/by_hop.py", "health/families.py", "health/frozen.py", "health/logins.py", "health/role.py",
    "health/spanned.py", "health/unrecognised.py", "health/untimed.py", "health/chain.py",
    "health/group_card.py",
    "health/standing.py",
    "health/divergence.py", "health/outages.py",
    "transport/balance.py", "checks.py",
)  # fmt: skip
"""What was added to them for something new since then."""


def modules() -> dict[str, Path]:
    """Return each module of the package by its name."""
    found = {}
    for path in (ROOT / "agtrace").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def arrows(paths: dict[str, Path]) -> dict[str, set[str]]:
    """Return the imports of each module: as it loads, in functions, and for type checkers."""
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        named = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{each.name}" for each in node.names}
                named |= {each if each in paths else node.module for each in whole}
        found[name] = (named & paths.keys()) - {name}
    return found


def circle(of: dict[str, set[str]]) -> list[str]:
    """Return the modules left after repeatedly removing those without imports among the rest."""
    left = dict(of)
    while ends := [name for name, named in left.items() if not named & left.keys()]:
        for name in ends:
            del left[name]
    return sorted(left)


@pytest.mark.complete
def test_no_module_rests_on_itself_by_way_of_others():
    assert circle(arrows(modules())) == []


def test_a_circle_is_named():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


def lines(folder: Path, pattern: str) -> int:
    """Return how many lines of modules a pattern is found in."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    return sum(bool(re.search(pattern, line)) for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    ("pattern", "most"), [(r"\bEvidence\(", 30), (r"\bFinding\(", 10), (r"\b(?:plain|md)\(", 60)]
)
def test_questions_give_rows_and_leave_what_is_said_to_the_engine(pattern, most):
    assert lines(QUESTIONS, pattern) <= most


def test_few_places_are_not_formatted():
    assert lines(ROOT / "agtrace", r"# fmt: skip$") <= 150


def test_questions_have_no_more_modules_than_one_can_know():
    of = {
        folder.name: len([path for path in folder.glob("*.py") if path.name not in ("rows.py", "checks.py")])
        for folder in QUESTIONS.iterdir()
    }
    assert of["transport"] <= 23
    early = sum(of[name] for name in EARLY) + len(list(QUESTIONS.glob("*.py")))
    assert early - len(SINCE) <= 120


def test_written_times_are_parsed_in_one_module():
    """Columns of times are read at once, by the patterns of readers/written_times."""
    parse = re.compile(r"\.(?:fromisoformat|strptime)\(")
    found = {name for name, path in modules().items() if parse.search(path.read_text(encoding="utf-8"))}
    assert found == {"agtrace.moments"}


def test_one_module_looks_up_what_happened_near_a_moment():
    found = {
        name for name, path in modules().items()
        if name.startswith(("agtrace.history.", "agtrace.diagnostics."))
        and re.search(r"^from bisect import", path.read_text(encoding="utf-8"), re.MULTILINE)
    }  # fmt: skip
    assert found == {"agtrace.history.timed"}


def test_classes_and_functions_are_named_for_what_they_contain():
    bare = re.compile(r"^class (?:Told|Kind|Known)\b|^ *def told\b", re.MULTILINE)
    found = {name for name, path in modules().items() if bare.search(path.read_text(encoding="utf-8"))}
    assert found == set()


def test_how_often_a_log_was_sampled_is_measured_in_one_place():
    paths = (ROOT / "agtrace" / "measure").glob("*.sql")
    assert [path.name for path in paths if "lag(" in path.read_text() and "ticks" in path.read_text()] == [
        "log_steps.sql"
    ]


SAMPLES = re.compile(r"\b(?:from|join)\s+\"?(?:raw_)?samples\b", re.IGNORECASE)


def test_samples_of_perfmon_are_read_in_one_place():
    found = {
        path.relative_to(ROOT / "agtrace").as_posix()
        for path in (ROOT / "agtrace").rglob("*.*")
        if path.suffix in (".sql", ".py")
        and path.parts[len(ROOT.parts) + 1] != "readers"
        and path.parent.name != "recipes"  # what users ask
        and SAMPLES.search(path.read_text(encoding="utf-8"))
    }
    assert found == {
        "measure/sampled.sql",
        "store/views.sql",  # makes the relation
        "store/joined_samples.sql",  # and this, with the series of each value
        "resolve/overlap_perfmon.sql",  # decides which of two logs' rows it has
        "cli/sql.py",  # an example of what a user asks
    }


@pytest.mark.parametrize(
    ("query", "is_found"),
    [("from samples s", True), ('JOIN "raw_samples"', True), ("from scratch.sampled('w')", False)],
)
def test_a_reader_of_samples_is_found(query, is_found):
    assert bool(SAMPLES.search(query)) is is_found


COUNTED_AS_IT_GOES = re.compile(
    r"filter\s*\((?:[^()]|\([^()]*\))*\)\s*over\s*\([^()]*order by", re.IGNORECASE
)
"""DuckDB 2.0 takes the square of the rows for such an aggregate: a million of them take minutes."""


def test_no_window_counts_by_a_filter_in_order():
    queries = (ROOT / "agtrace").rglob("*.sql")
    assert [
        path.name for path in queries if COUNTED_AS_IT_GOES.search(path.read_text(encoding="utf-8"))
    ] == []


def test_a_window_that_counts_by_a_filter_in_order_is_found():
    assert COUNTED_AS_IT_GOES.search("count(*) FILTER (a > f(b))\n  OVER (PARTITION BY c ORDER BY d)")
    assert not COUNTED_AS_IT_GOES.search("max(a) filter (b) over (partition by c)")


RAW = re.compile(r"(?:raw_\w+|events_\w+|samples|ticks|errorlog|messages|facts)\Z", re.IGNORECASE)
"""Tables that hold what readers gave: what they mean is a relation of history."""
READ_IN_PYTHON = re.compile(
    r"\b(?:from|join)\s+\\?\"?(raw_\w+|events_\w+|samples|ticks|errorlog|messages|facts)\b", re.IGNORECASE
)


def tables(query: str) -> set[str]:
    """Return the tables that a query reads, without its common table expressions."""
    with duckdb.connect() as connection:
        (tree,) = connection.execute("select json_serialize_sql($1)", [query]).fetchone() or ("{}",)
    parsed = json.loads(tree)
    assert not parsed["error"], parsed
    read, own = set(), set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            own.update(each["key"].lower() for each in (node.get("cte_map") or {}).get("map", ()))
            if node.get("type") == "BASE_TABLE":
                read.add(".".join(filter(None, (node["schema_name"], node["table_name"]))).lower())
            for each in node.values():
                walk(each)
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(parsed)
    return read - own


@pytest.mark.parametrize("path", sorted(QUESTIONS.rglob("*.sql")), ids=lambda path: path.stem)
def test_a_query_of_a_question_reads_relations_only(path):
    read = tables(path.read_text(encoding="utf-8"))
    assert {name for name in read if RAW.match(name) or name.startswith("scratch.")} == set()


def test_queries_in_the_python_of_questions_read_relations_only():
    read = {
        path: READ_IN_PYTHON.findall(path.read_text(encoding="utf-8")) for path in QUESTIONS.rglob("*.py")
    }
    assert {path.relative_to(QUESTIONS): found for path, found in read.items() if found} == {}


def test_a_table_of_rows_as_read_is_found_behind_other_names():
    query = """with facts as (from samples s), x as (select (select max(time) from Events_a) from facts)
        from x, ticks"""
    assert tables(query) == {"samples", "events_a", "ticks"}
    assert {name for name in tables(query) if RAW.match(name)} == tables(query)
    assert READ_IN_PYTHON.findall('"select 1 " \n f"from messages m"') == ["messages"]


MOST_SUBSCRIPTS = 94
"""Of rows as dicts that are left, mostly rows that a caller passes in."""


def subscripts(path: Path, text: str) -> int:
    """Count subscripts with a literal string, aside from annotations and columns of pandas frames."""
    tree = ast.parse(text)
    if path.stem in ("figures", "tables", "shown"):
        return 0
    frames = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith(("tbl_", "fig_"))
    ]
    aside = {id(each) for frame in frames for each in ast.walk(frame)}
    return sum(
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
        and ast.unparse(node.value) != "Literal"
        and id(node) not in aside
        for node in ast.walk(tree)
    )


def test_rows_of_questions_are_records():
    paths = QUESTIONS.rglob("*.py")
    assert sum(subscripts(path, path.read_text(encoding="utf-8")) for path in paths) <= MOST_SUBSCRIPTS


@pytest.mark.parametrize(
    ("text", "n"),
    [('row["a"]["b"]', 2), ("row[0]", 0), ("x: Literal['a']", 0), ('def tbl_a():\n    row["a"]', 0)],
)
def test_string_subscripts_are_counted_where_no_frame_is_made(text, n):
    assert (subscripts(Path("judge.py"), text), subscripts(Path("figures.py"), text)) == (n, 0)
