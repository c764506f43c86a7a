"""One complete report of one sample, and its first page in a browser: what `make test` tests of reports."""

from __future__ import annotations

import json

import pytest

from agtrace.diagnostics import analyses
from tests.report import browser as browsers
from tests.report.looks import faults

pytestmark = pytest.mark.front


def test_everything_that_was_promised_is_written(sample_report):
    folder, names = sample_report.index.parent, list(sample_report.pages)
    written = [f"{name}{kind}" for name in names for kind in (".html", ".ipynb")]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [".agtrace-report", "findings.json", "index.html", "plotly.min.js", *written]
    )
    assert names[:2] == ["overview", "health"]
    assert sample_report.failures == []
    # Every question has either its page or what it lacks.
    assert sorted([*names, *sample_report.missing]) == sorted(analyses())


def test_findings_json_holds_the_findings_of_the_case(sample_report):
    stored = json.loads((sample_report.index.parent / "findings.json").read_text(encoding="utf-8"))
    assert [f["id"] for f in stored] == [f.id for f in sample_report.findings]
    assert set(stored[0]) == {
        "id", "severity", "severity_rank", "title", "narrative", "subject", "window", "evidence",
        "recommendation", "confidence",
    }  # fmt: skip
    assert stored[0]["severity"] == "critical"
    assert set(stored[0]["evidence"][0]) == {"label", "value", "unit", "source"}


def test_the_first_page_shows_a_picture_in_a_browser_without_a_complaint(sample_report, tmp_path):
    with browsers.browser(tmp_path / "profile") as started:
        assert list(faults(started, sample_report.index)) == []
