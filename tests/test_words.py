"""Words that tests are told are noted once, and held to be whole only where all tests of a question ran."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import words
from tests.words import Told

FILES = {("small", "test_a.py"), ("small", "test_b.py")}
TESTS = {("small", "test_a.py::test_one"), ("small", "test_b.py::test_two")}


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "FOLDER", tmp_path)
    (tmp_path / "small").mkdir()
    for _question, name in FILES:
        (tmp_path / "small" / name).touch()


def run_of(**more):
    told = Told()
    vars(told).update({"files": FILES, "asked": TESTS, "ran": TESTS} | more)
    return told.whole()


def test_all_tests_that_ran_are_the_whole(small):
    assert run_of() == ["small"]


@pytest.mark.parametrize(
    "less",
    [
        {"ran": set(list(TESTS)[:1])},
        {"files": set(list(FILES)[:1])},
        {"partly": {("small", "test_three")}},
        {"partly": {("", "tests/diagnostics/small/test_a.py::test_one")}},
    ],
    ids=["one failed", "a file was not asked", "one was deselected", "one was asked by its name"],
)
def test_less_than_all_tests_is_not_the_whole(small, less):
    assert run_of(**less) == []


def test_what_words_ask_themselves_shows_in_theirs_alone():
    told, said = Told(), SimpleNamespace(_folder=Path("diagnostics/small/said"))
    part = told.noting(lambda _said, name: f"a {name}", words._entry)
    whole = told.noting(lambda said, _name: f"{part(said, 'part')} of it", words._entry)
    whole(said, "page.md")
    assert told.now == {("small", "page.md\n  a part of it")}
    part(said, "part")
    assert ("small", "part\n  a part") in told.now


def test_an_entry_has_no_empty_line():
    assert words._entry("page.md", "one\n\ntwo", "") == "page.md\n  one\n  .\n  two\n  -"
