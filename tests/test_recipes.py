"""The recipes of docs/recipes/: five of every relation, and all of them run on samples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agtrace
from agtrace.tables.history import RELATIONS

PAGES = Path(__file__).resolve().parent.parent / "docs" / "recipes"
SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.M | re.S)
SQL = re.compile(r"(?<=\n\n)((?: {4}\S.*\n)+)")
SAMPLES = ("log_send_queue", "failover_lease_cpu", "direct_seeding", "commit_redo")

pytestmark = pytest.mark.complete


def recipes() -> dict[str, list[str]]:
    texts = [page.read_text("utf-8") for page in PAGES.glob("*.md")]
    return {name: SQL.findall(text) for page in texts for name, text in SECTION.findall(page)}


def test_every_relation_has_five_and_each_asks_it():
    assert {name: len(each) for name, each in recipes().items()} == dict.fromkeys(RELATIONS, 5)
    assert [
        sql for name, each in recipes().items() for sql in each if not re.search(rf"\b{name}\b", sql)
    ] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_all_of_them_run(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        answered = [sql for each in recipes().values() for sql in each if case.sql(sql).fetchall()]
    assert len(answered) > 25
