"""The recipes: five queries of every relation, and each returns rows of a sample or a made-up case."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agtrace
from agtrace.cli import main
from agtrace.errors import CaseError
from agtrace.interactive import recipes as package
from agtrace.interactive.named import relations
from agtrace.interactive.recipes import recipes, recipes_of
from tests.history.reference_clock.two_hosts import two_hosts
from tests.rare_rows import rare
from tests.store.test_paths import put_captures

SAMPLES = (
    "log_send_queue", "direct_seeding", "commit_network", "backup_tuning", "failover_lease_cpu",
    "read_only_routing", "secondary_lost", "endpoint_certificate",
)  # fmt: skip


def test_every_relation_has_five_and_each_asks_it():
    counted = {name: [each.query for each in recipes() if each.relation == name] for name in relations()}
    assert {name: len(queries) for name, queries in counted.items()} == dict.fromkeys(relations(), 5)
    assert len(recipes()) == 5 * len(relations())
    assert [q for name, queries in counted.items() for q in queries if not re.search(rf"\b{name}\b", q)] == []
    assert [each.relation for each in recipes()][:10] == [*["samples"] * 5, *["counters"] * 5]


def test_nothing_in_the_files_is_passed_over():
    files = Path(package.__file__).parent.glob("*.sql")
    lines = [line for path in files for line in path.read_text("utf-8").splitlines() if line]
    read = [line for each in recipes() for line in each.query.splitlines()]
    assert len([line for line in lines if not line.startswith("-- ")]) == len(read)
    assert len([line for line in lines if re.match(r"-- [^#]", line)]) == len(recipes())


def test_recipes_of_an_unknown_relation_name_the_nearest(capsys):
    with pytest.raises(CaseError, match="no relation is called 'sampels' - nearest: samples"):
        recipes_of("sampels")
    assert main(["sql", "--recipes", "sampels"]) == 2
    assert "nearest: samples" in capsys.readouterr().err


def test_recipes_are_printed_without_a_case(capsys):
    assert main(["sql", "--recipes", "samples"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("-- samples: ") == 5
    assert all(f"{each.query};" in printed for each in recipes_of("samples"))


def test_a_case_lists_them_as_a_frame(sample_store):
    name = "log_send_queue"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        asked = case.recipes("counters")
        assert asked.columns.tolist() == ["relation", "task", "query"]
        assert all(case.sql(query).fetchall() for query in asked["query"][:2])


@pytest.mark.complete
def test_each_returns_rows(sample_store, tmp_path):
    """Also where it asks for what is rare: then of a made-up case."""
    left = list(recipes())

    def ask(rows):
        left[:] = [each for each in left if not rows(each)]

    for name in SAMPLES:
        with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
            ask(lambda each, case=case: case.sql(each.query).fetchall())
    with agtrace.open_case(put_captures(tmp_path / "small")) as case:
        ask(lambda each: case.sql(each.query).fetchall())
    made = two_hosts(0.0)
    ask(lambda each: made.rows(each.query))
    with rare(tmp_path / "spill") as connection:
        ask(lambda each: connection.execute(each.query).fetchall())
    assert {f"{each.relation}: {each.task}" for each in left} == set()
