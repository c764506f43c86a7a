"""What is written as JSON is JSON: no NaN, no infinity, wherever a number comes from."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import agtrace
from agtrace.diagnostics import Evidence, Finding
from agtrace.report import findings_json
from agtrace.report.cells import embedded
from agtrace.strict_json import dumps

PACKAGE = Path(agtrace.__file__).parent
OF_OUR_OWN = {
    "answer_key.py", "code_state.py",
    "strict_json.py", "batch/places.py", "batch/remote.py", "batch/results.py", "ingest/job.py",
    "lab/kernel.py", "lab/start.py", "report/folder.py", "redact/secret.py",
    "redact/settings.py", "storage/urls.py",
    "store/derived.py", "store/layout.py", "store/lock.py", "store/owner.py", "store/remote.py",
    "store/remote_lock.py", "store/seals.py",
}  # fmt: skip
"""Modules that write markers, locks and records that agtrace alone reads, and no number of a capture."""


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_a_number_that_is_none_is_null_wherever_it_stands(number):
    given = {"a": [number, {"b": (1.5, number)}], "c": number}
    assert json.loads(dumps(given)) == {"a": [None, {"b": [1.5, None]}], "c": None}


def test_what_stands_for_a_value_that_json_lacks_is_json_too():
    assert dumps({"a": {1}}, default=lambda _set: [math.nan]) == '{"a": [null]}'


def test_finite_numbers_stay_exact():
    assert dumps([0.1, 1e308, 2**70, -0.0]) == "[0.1, 1e+308, 1180591620717411303424, -0.0]"


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400])
def test_evidence_without_a_number_says_none(value):
    finding = Finding("a.b", "info", "t", "n", evidence=(Evidence("l", value, "B", "s"),))
    assert finding.evidence[0].value is None
    assert json.loads(findings_json([finding]))[0]["evidence"][0]["value"] is None


def test_data_of_a_page_is_json():
    assert embedded({"y": [1.0, math.nan]}) == '{"y":[1.0,null]}'


def test_json_for_others_is_made_in_one_place():
    makes = re.compile(r"(?<!strict_)json\.dumps?\(")
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if makes.search(path.read_text(encoding="utf-8"))
    }
    assert found <= OF_OUR_OWN
