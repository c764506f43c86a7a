"""A report of the case that somebody works on, with what they found."""

from __future__ import annotations

import json

import pytest

import agtrace
from agtrace.errors import CaseError

MINE = agtrace.Evidence("latency of the array", 41.0, "ms", "storage team")


@pytest.mark.complete
def test_what_was_found_in_a_notebook_is_in_the_report(sample_store, tmp_path):
    name = "failover_planned"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as case:
        before = len(case.findings())
        case.add_finding("mine.array", "The array was <b>rebuilding", evidence=MINE, host="HASQL1")
        made = case.report(tmp_path / "out", only=["overview", "health"])
    assert made.index == tmp_path / "out" / "index.html"
    assert set(made.pages) == {"overview", "health"}
    assert (made.failures, made.missing) == ([], {})
    for page in (made.index, made.pages["overview"]):
        assert "The array was &lt;b&gt;rebuilding" in page.read_text(encoding="utf-8")
    listed = json.loads((tmp_path / "out" / "findings.json").read_text(encoding="utf-8"))
    assert [each["id"] for each in listed].count("mine.array") == 1
    assert "mine.array" in [finding.id for finding in made.findings]
    assert before >= 1


@pytest.mark.complete
def test_options_of_the_case_are_those_of_its_report(sample_store, tmp_path):
    name = "failover_planned"
    asked = {"thresholds": {"rpo_s": 9.0}, "case_settings": False}
    with agtrace.open_case(agtrace.sample(name), sample_store(name), ingest=False, **asked) as case:
        made = case.report(tmp_path / "out", pages=False)
    assert made.pages == {}
    assert "quality.own_settings" in [finding.id for finding in made.findings]
    assert "rpo_s = 9 s (default 60)" in made.index.read_text(encoding="utf-8")


def test_a_part_of_a_case_has_no_report(sample_store, tmp_path):
    name = "failover_planned"
    with agtrace.open_case(agtrace.sample(name), sample_store(name), ingest=False) as case:
        part = case.window(host="HASQL1")
        with pytest.raises(CaseError, match="a part of a case has no report"):
            part.report(tmp_path / "out")
    assert not (tmp_path / "out").exists()
