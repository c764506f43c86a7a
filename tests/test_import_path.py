"""Where processes that are started look for modules."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agtrace import import_path

OWN = str(Path(__file__).parents[1])


@pytest.fixture(autouse=True)
def no_captures(monkeypatch):
    monkeypatch.setattr(import_path, "_captures", set())


def handed_on(monkeypatch, *entries):
    monkeypatch.setattr(sys, "path", [*map(str, entries), os.path.dirname(os.__file__)])  # noqa: PTH120
    said = import_path.variables()
    assert said["PYTHONSAFEPATH"] == "1"
    return said["PYTHONPATH"].split(os.pathsep)


def test_what_the_user_names_elsewhere_is_handed_on_in_its_order(tmp_path, monkeypatch):
    entries = [tmp_path / "b", tmp_path / "a", tmp_path / "b"]
    assert handed_on(monkeypatch, *entries) == [OWN, *map(str, entries[:2])]


def test_the_working_directory_is_handed_to_nobody(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert handed_on(monkeypatch, "", ".", "lib", tmp_path) == [OWN]


def test_neither_is_a_folder_of_captures_nor_what_lies_in_it_nor_where_it_lies(tmp_path, monkeypatch):
    case = tmp_path / "inbox" / "case"
    import_path.avoid(case)
    entries = [case, case / "lib", case.parent, tmp_path]
    assert handed_on(monkeypatch, *entries) == [OWN, str(tmp_path)]


def test_a_link_into_a_case_is_the_case(tmp_path, monkeypatch):
    (tmp_path / "cases" / "one").mkdir(parents=True)
    (tmp_path / "lib").symlink_to(tmp_path / "cases" / "one")
    import_path.avoid(tmp_path / "cases" / "one")
    assert handed_on(monkeypatch, tmp_path / "lib") == [OWN]


def test_a_relative_entry_means_nothing_any_more_that_python_has_made_absolute(tmp_path, monkeypatch):
    monkeypatch.setattr(import_path, "_relative", {str(tmp_path / "lib")})
    assert handed_on(monkeypatch, tmp_path / "lib") == [OWN]


def test_a_process_finds_this_package_wherever_it_lies(tmp_path, monkeypatch):
    monkeypatch.chdir(OWN)
    assert handed_on(monkeypatch, OWN) == [OWN]
    assert handed_on(monkeypatch) == [OWN]
