"""What the tests make agtrace say is recorded, the same in every run, and two recordings are compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

from tools.compare_said import compare

ROOT = Path(__file__).parents[2]

SAYING = """
from functools import cache
from random import SystemRandom

import pandas as pd
import pytest

from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.failed import finding as failed
from agtrace.say.figures import Line, lines
from agtrace.say.finding import Evidence, Finding


class Small(Analysis):
    name = "small"

    def findings(self):
        self.say_more()
        found = Evidence("rate", 12.5, "MB/s", "counter")
        return [Finding("small.slow", "notice", "It is slow", f"In {self.view}.", {"host": "A"}, evidence=(found,))]

    def say_more(self):
        return "No more."

    def key_figures(self):
        return [Evidence("rate", 12.5, "MB/s", "counter")]

    def tbl_rates(self):
        return pd.DataFrame({"host": ["A"], "rate": [float("nan")]})

    def fig_rate(self):
        return lines([Line("A", [1, 2], [3.0, 5.0])], title="Rate", unit="MB/s")


@cache
def shared():
    return Small("nothing").tbl_rates()


@pytest.fixture(scope="module")
def asked():
    return Small("nothing").key_figures()


def test_one(tmp_path):
    shared()
    assert Small(f"{tmp_path} {SystemRandom().random()}").findings()


def test_two(asked):
    shared()
    assert Small(None).fig_rate()


def test_three():
    assert failed("small", ValueError())
"""  # noqa: E501

Recorded = Callable[..., list[dict]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("project")
    (folder / "tests").mkdir()
    (folder / "tests" / "__init__.py").touch()
    (folder / "tests" / "test_small.py").write_text(SAYING)

    def record(*options: str) -> list[dict]:
        said = folder / "said.jsonl"
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:nbval"]
        done = subprocess.run(
            [*run, "-p", "record_said", "--said", str(said), *options, "tests"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tools")])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in said.read_text(encoding="utf-8").splitlines()]

    return record


@pytest.mark.complete
def test_everything_that_an_analysis_gives_is_recorded_under_who_asked(recorded):
    told = {(line["test"], line["of"]): line["value"] for line in recorded()}
    finding = told.pop(("tests/test_small.py::test_one", "small.slow"))
    assert (finding["title"], finding["evidence"][0]["value"]) == ("It is slow", 12.5)
    assert finding["narrative"].startswith("In <temporary>")
    finding = told.pop(("tests/test_small.py::test_three", "quality.analysis_failed"))
    assert "ValueError" in str(finding)
    assert told == {
        ("tests.test_small.shared()", "small.tbl_rates"): {
            "columns": ["host", "rate"],
            "rows": [["A", None]],
        },
        ("tests/test_small.py::asked", "small.key_figures"): [
            {"label": "rate", "value": 12.5, "unit": "MB/s", "source": "counter"}
        ],
        ("tests/test_small.py::test_two", "small.fig_rate"): "Rate\nA: 2 points, 3 to 5 MB/s, 0 gaps",
    }


@pytest.mark.complete
def test_neither_the_order_nor_the_number_of_processes_shows(recorded):
    assert recorded("-n", "2") == recorded(
        *(f"tests/test_small.py::test_{each}" for each in ("three", "two", "one"))
    )


EVIDENCE = {"label": "rate", "value": 12.5, "unit": "MB/s", "source": "counter"}
FINDING = {
    "id": "small.slow",
    "severity": "notice",
    "title": "It is slow",
    "narrative": "By 1 of 2.",
    "window": {},
    "subject": {"host": "A"},
    "evidence": [EVIDENCE],
    "recommendation": "",
    "confidence": 1.0,
}
LINES = [
    {"test": "t", "kind": "finding", "of": "small.slow", "value": FINDING},
    {"test": "t", "kind": "say", "of": "small.say_more", "value": "No more."},
    {"test": "t", "kind": "table", "of": "small.tbl_rates", "value": {"columns": ["n"], "rows": [["A", 1]]}},
    {
        "test": "t",
        "kind": "figure",
        "of": "small.fig_rate",
        "value": "Rate\nA: 2 points, 3 to 5 MB/s, 0 gaps",
    },
]


def differing(change: Callable[[list[dict]], None]) -> tuple[list[str], list[str]]:
    changed = deepcopy(LINES)
    change(changed)
    difference, _about = compare(LINES, changed)
    return list(difference.facts), list(difference.words)


def test_equal_recordings_differ_in_nothing():
    assert differing(lambda lines: lines.reverse()) == ([], [])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[0]["value"].update(title="It's slow"), "finding small: small.slow (A) title: "),
        (lambda lines: lines[0]["value"]["evidence"][0].update(label="r"),
         "finding small: small.slow (A) labels 0: "),
        (lambda lines: lines[1].update(value="That is all."), "say small.say_more: "),
        (lambda lines: lines.pop(1), "say small.say_more: gone"),
        (lambda lines: lines[2]["value"].update(columns=["count"]), "table small.tbl_rates: headings 0: "),
        (lambda lines: lines[3].update(value=lines[3]["value"].replace("A:", "B:")),
         "figure small.fig_rate: "),
    ],
)  # fmt: skip
def test_what_is_said_differently_is_a_matter_of_words(change, told):
    facts, (words,) = differing(change)
    assert facts == []
    assert words.startswith(told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[0]["value"].update(severity="info"), "finding small: small.slow (A) severity: "),
        (lambda lines: lines[0]["value"].update(window={"start": "x"}),
         "finding small: small.slow (A) window"),
        (lambda lines: lines[0]["value"]["evidence"][0].update(value=12.6),
         "finding small: small.slow (A) evidence 0 0: "),
        (lambda lines: lines[0]["value"].update(subject={}), "finding small: small.slow (A) subject"),
        (lambda lines: lines.pop(0), "finding small: gone"),
        (lambda lines: lines[2]["value"].update(rows=[["A", 2]]), "table small.tbl_rates: numbers 0 0: "),
        (lambda lines: lines[3].update(value=lines[3]["value"].replace("5", "6")),
         "figure small.fig_rate: 0 2: "),
    ],
)  # fmt: skip
def test_what_is_judged_differently_is_a_matter_of_facts(change, told):
    (facts,), words = differing(change)
    assert words == []
    assert facts.startswith(told)


def test_what_a_test_is_told_may_be_told_to_another():
    assert differing(lambda lines: [line.update(test="u") for line in lines]) == ([], [])


def test_what_no_other_test_is_told_is_gone_with_its_test():
    (facts,), _words = differing(
        lambda lines: lines[0].update(test="u") or lines[0]["value"].update(confidence=0.5)
    )
    assert "gone" in facts
