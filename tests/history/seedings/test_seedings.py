"""Seedings as relations, and the pipeline that makes them: forward only, on parts that nobody changes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import agtrace
from agtrace.history import seedings
from agtrace.history.seedings import pipeline
from agtrace.history.seedings.collect import captured
from agtrace.history.seedings.pipeline import operations
from agtrace.history.seedings.rows import load
from tests.diagnostics.seeding.cases import MB, after, copy, request
from tests.diagnostics.tiny import case
from tests.folded import folded

SAMPLES = Path(__file__).parents[3] / "sample_data"
FOLDER = Path(seedings.__file__).parent
PACKAGE = seedings.__name__
MODULES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(FOLDER.rglob("*.py"))
    if path.name != "__init__.py"
}
STEPS = (
    ("terms", ("operation", "clocks", "parts", "nearby", "copying")),
    (
        "collect",
        (
            "collect.captured", "collect.names", "collect.skews", "collect.servers",
            "collect.physical", "collect.automatic", "collect.logged", "collect.exported",
            "collect.measured",
        ),
    ),
    ("merge", ("combine.settling", "combine.exports", "combine.merging", "combine.blaming")),
    ("pair", ("combine.matching", "combine.pairing")),
    ("join", ("combine.joining",)),
    ("complete", ("combine.finishing",)),
    ("assemble", ("combine.outcomes", "combine.assembly")),
    ("tell", ("rows", "pipeline")),
    ("measure", ("compression", "rates", "slots")),
)  # fmt: skip
"""The modules of the package by step, in order: none imports from one after it, data goes one way."""
WAY = (
    "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 5 LIMIT_CONCURRENT_BACKUPS, 20 SEEDING, 121 CATCHUP, 130 "
    "COMPLETED"
)
EVENTS = (
    request("A", "source", WAY, success=True)
    + copy("A", "source", 20.5, 120.5, remote="B")
    + request("B", "target", "1 PENDING, 20 SEEDING", remote="r1", failure="215 Seeding")
    + copy("B", "target", 20.6, 120.8, guids="b a", remote="A", waits="300 400")
)


@pytest.fixture
def made():
    return case(events=EVENTS)


def only(made, query):
    (row,) = made.table(query).to_pylist()
    return row


def test_a_seeding_is_one_row_with_both_ends(made):
    row = only(made, "select * from seedings")
    assert (row["seeding_id"], row["database"], row["outcome"]) == (1, "Sales", "completed")
    assert (row["source_host"], row["target_host"]) == ("A", "B")
    times = ("start", "copy_start", "copy_end", "end", "source_copy_start", "target_copy_start")
    assert [after(row[name]) for name in times] == [0, 20.5, 120.8, 130, 20.5, 20.6]
    assert (row["copied_bytes"], row["target_disk_wait_ms"]) == (1000 * MB, 300)
    assert row["told_by"] == row["source_told_by"] == ["xel"]
    assert [(f["state"], f["text"], after(f["time"])) for f in row["failures"]] == [(215, "Seeding", 20)]


def test_an_end_that_nothing_tells_of_is_null():
    row = only(case(events=copy("A", "source", 20, 120)), "select * from seedings")
    assert (row["target_host"], row["target_told_by"], row["target_remote"]) == (None, None, None)
    assert (row["start"], row["source_start"]) == (row["copy_start"], None)


def test_a_state_is_one_row_with_its_end(made):
    rows = made.table(
        'select state, epoch(start - min(start) over ()) as begun, epoch("end" - start) as lasted '
        "from seeding_states where role = 'source' and layer = 'automatic' order by start"
    ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("PENDING", 0, 0.1), ("CHECK_IF_SEEDING_NEEDED", 0.1, 4.9), ("LIMIT_CONCURRENT_BACKUPS", 5, 15),
        ("SEEDING", 20, 101), ("CATCHUP", 121, 9), ("COMPLETED", 130, 0),
    ]  # fmt: skip
    layers = (
        "select layer, count(*) as n from seeding_states where role = 'target' group by all order by layer"
    )
    assert made.table(layers).to_pylist() == [{"layer": "automatic", "n": 2}, {"layer": "physical", "n": 3}]


def test_a_state_that_goes_on_has_no_end_and_is_seen_to_the_end_of_the_captures():
    events = request("A", "source", "0 PENDING, 5 LIMIT_CONCURRENT_BACKUPS")
    row = only(case(events=events), "select * from seeding_states where state = 'LIMIT_CONCURRENT_BACKUPS'")
    assert (after(row["start"]), row["end"], after(row["seen_until"])) == (5, None, 5)


def test_reports_of_both_ends_are_rows(made):
    rows = made.table(
        "select role, count(*) as n, max(transferred_bytes) as bytes from seeding_progress group by all "
        "order by role"
    ).to_pylist()
    assert rows == [
        {"role": "source", "n": 12, "bytes": 1000 * MB},
        {"role": "target", "n": 13, "bytes": 1000 * MB},
    ]


def test_what_is_read_from_the_relations_is_what_was_put_together(made):
    put_together, read = operations(made), load(made)
    assert read == put_together
    reports = [[side.progress for side in each.sides] for each in put_together]
    assert [[side.progress for side in each.sides] for each in read] == reports


@pytest.mark.complete
def test_a_fresh_case_answers_before_any_finding_and_the_next_opening_computes_nothing(tmp_path, monkeypatch):
    folder = SAMPLES / "direct_seeding"
    with agtrace.open_case(folder, tmp_path / "store") as opened:
        frame = opened.seedings()
        slot = opened.sql(
            'select role, round(epoch("end" - start)) from seeding_states '
            "where state = 'LIMIT_CONCURRENT_BACKUPS'"
        ).fetchall()
        first = load(opened.view)
    assert list(frame["outcome"]) == ["completed", "completed"]
    assert list(frame["database"]) == ["GestionCom", "GestionCom"]
    assert str(frame["start"].dtype) == "datetime64[us, UTC]"
    assert slot == [("source", 51.0)]

    def again(_view):
        raise AssertionError("it was put together again")

    monkeypatch.setattr(pipeline, "operations", again)
    with agtrace.open_case(folder, tmp_path / "store", ingest=False) as opened:
        assert load(opened.view) == first


def test_every_module_belongs_to_one_step():
    assert sorted(name for _step, names in STEPS for name in names) == sorted(MODULES)


def taken(tree):
    """Give each name that is imported from this package, with its module; None for a whole module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            inside = (node.module or "").removeprefix(PACKAGE).strip(".")
            for name in node.names:
                whole = f"{inside}.{name.name}".strip(".")
                yield (whole, None) if whole in MODULES else (inside, name.name)


def does_something(module, name):
    return name is None or any(
        isinstance(node, ast.FunctionDef) and node.name == name for node in MODULES[module].body
    )


@folded("name", MODULES)
def test_no_module_imports_a_later_one(name):
    ordered = [module for _step, names in STEPS for module in names]
    place = {module: n for n, module in enumerate(ordered)}
    assert [each for each, _name in taken(MODULES[name]) if place[each] > place[name]] == []


CALLERS = [
    (step, name)
    for step, names in STEPS
    for name in names
    if name != "pipeline"  # it calls every step, one after the other
]


@folded(("step", "name"), CALLERS)
def test_a_step_takes_from_earlier_ones_what_they_give_and_nothing_that_they_do(step, name):
    at_hand = {module for its, modules in STEPS if its in (step, "terms") for module in modules}
    called = [(module, what) for module, what in taken(MODULES[name]) if does_something(module, what)]
    assert [(module, what) for module, what in called if module not in at_hand] == []


def scratch_tables(text):
    return set(re.findall(r"scratch\.(seeding_\w+)(?!\w*\()", text))


def test_what_one_module_leaves_for_others_is_made_before_them_all():
    made = case()
    captured.gather(made)
    gathered = {row["table_name"] for row in made.rows("select table_name from duckdb_tables()")}
    read = {path.stem: scratch_tables(path.read_text("utf-8")) for path in FOLDER.rglob("*.sql")}
    for table in set().union(*read.values()) - gathered:
        assert len([name for name, tables in read.items() if table in tables]) == 1, table


@folded("name", MODULES)
def test_parts_are_frozen_and_told_apart_by_what_they_hold(name):
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.Name):
            assert node.id != "id", "an identity is no key"
        if isinstance(node, ast.ClassDef):
            for made_by in node.decorator_list:
                assert ast.unparse(made_by) == "dataclass(frozen=True)"
