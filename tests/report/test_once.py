"""A report is made by several processes: what one of them has found out, no other finds out again."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

import agtrace
from agtrace.history import offering
from agtrace.report import report
from tests.report import made

pytestmark = [pytest.mark.notebook, pytest.mark.sample]

HERE = Path(__file__).parent
NOTEBOOKS = ("backup", "comparison", "seeding")


def test_a_report_makes_each_relation_once_whatever_the_number_of_notebooks(tmp_path, monkeypatch):
    case, store, notes = agtrace.sample("direct_seeding"), tmp_path / "store", tmp_path / "notes"
    agtrace.open_case(case, store).close()
    path = [str(HERE / "noting"), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    monkeypatch.setenv(made.NOTES, str(notes))
    monkeypatch.setattr(offering, "makers", offering.makers)
    made.note_makers()

    result = report(case, tmp_path / "out", store=store, only=NOTEBOOKS, jobs=len(NOTEBOOKS))

    assert sorted(result.pages) == sorted(NOTEBOOKS)
    assert result.failures == []
    noted = [line.split() for line in notes.read_text().splitlines()]
    assert set(Counter(relation for _pid, relation in noted).values()) == {1}
    assert {"backups", "seedings"} <= {relation for _pid, relation in noted}
