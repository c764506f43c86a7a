"""The findings of each sample, without words: tests/sample_findings/<sample>.json, written by --snapshots."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import agtrace
from agtrace.say.finding import Finding
from tests.snapshots import check

pytestmark = pytest.mark.complete

FOLDER = Path(__file__).with_name("sample_findings")
SAMPLES = sorted(path.name for path in agtrace.sample("log_send_queue").parent.iterdir() if path.is_dir())
SAMPLES = [name for name in SAMPLES if name[0] not in "._"]


def without_words(findings: Iterable[Finding]) -> str:
    """Return findings as JSON, a line for each finding and for each entry of its evidence."""
    blocks = []
    for each in findings:
        head = [each.id, each.severity, each.confidence, each.subject, each.window]
        rows = [[entry.label, rounded(entry.value), entry.unit, entry.source] for entry in each.evidence]
        blocks.append(",\n  ".join(json.dumps(row, ensure_ascii=False) for row in (head, *rows)))
    return "[" + ",\n".join(f"[{block}]" for block in blocks) + "]\n"


def rounded(value: Any) -> Any:
    """Return a number to six digits: sums end in other digits where samples are added in another order."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_the_findings_that_are_recorded(name, sample_store, pytestconfig):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as case:
        check(pytestconfig, FOLDER / f"{name}.json", without_words(case.findings()))
