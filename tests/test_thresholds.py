"""Thresholds are declared once, documented, and settable by the case."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest

from agtrace import settings, thresholds
from agtrace.diagnostics.transport.confidence import Ground
from agtrace.thresholds import Thresholds

DOCS = Path(__file__).parents[1] / "docs" / "diagnostics"
PAGES = ("thresholds.md", "thresholds_tasks.md")
ROW = re.compile(r"^- `(\w+)` ([\w.+-]+) ?([^:\n]*): \S", re.M)


def documented_confidence() -> list[list[str]]:
    section = (DOCS / "confidence.md").read_text(encoding="utf-8").split("## Values\n")[1]
    rows = re.findall(r"^\|(.+)\|$", section, re.M)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def test_the_documented_tables_are_the_declared_ones():
    found = [row for page in PAGES for row in ROW.findall((DOCS / page).read_text(encoding="utf-8"))]
    declared = [
        (f.name, f"{f.default:g}", "" if f.metadata["unit"] == "ratio" else f.metadata["unit"])
        for f in fields(Thresholds)
    ]
    assert sorted(found) == sorted(declared)
    assert ("rpo_s", "60", "s") in found


def test_the_documented_confidence_is_the_declared_one():
    assert [row[:2] for row in documented_confidence()] == [
        [ground.documented, f"{ground.confidence:g}"] for ground in Ground
    ]


def test_defaults_without_settings():
    assert thresholds.of(object()) == Thresholds()
    assert thresholds.of(SimpleNamespace(settings={})) == Thresholds()


def test_a_case_overrides():
    view = SimpleNamespace(settings={"thresholds": {"rpo_s": 30}})
    assert thresholds.of(view).rpo_s == 30
    assert thresholds.of(view).rto_s == Thresholds().rto_s


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rpo": 30}, "no threshold is named 'rpo'"),
        ({"rpo_s": "30"}, "threshold rpo_s = '30' - give a positive number"),
        ({"rpo_s": True}, "threshold rpo_s = True"),
        ({"rpo_s": 0}, "threshold rpo_s = 0"),
        ({"rpo_s": float("nan")}, "threshold rpo_s = nan"),
        ({"rpo_s": 1_000_000_001}, "threshold rpo_s = 1000000001"),
        (5, "thresholds is not a table"),
    ],
)
def test_a_wrong_setting_is_named(given, message):
    assert message in settings.faults_of({"thresholds": given})[0]


def test_confidence_stays_within_bounds():
    assert Ground.NETWORK_SECONDARY_ONLY.lowered(-0.1) == 0.4
    assert Ground.NETWORK_SECONDARY_ONLY.lowered(-0.9) == 0.05


@pytest.mark.parametrize("value", [0.001, 1, 1_000_000_000])
def test_a_positive_number_up_to_a_thousand_million_is_a_threshold(value):
    assert thresholds.checked({"thresholds": {"rpo_s": value}}) == ({"rpo_s": value}, [])


def test_what_is_not_the_default_is_told_beside_it():
    usual = Thresholds().rpo_s
    assert thresholds.changed(Thresholds(rpo_s=usual + 1)) == [("rpo_s", usual + 1, usual, "s")]
