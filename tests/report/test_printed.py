"""A report is printed into one PDF, which goes with its report."""

from __future__ import annotations

import pytest
from pypdf import PdfReader

from agtrace.errors import AgtraceError
from agtrace.report import browser, report
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete


def test_a_report_is_printed_into_one_file_that_goes_with_the_next_report(tmp_path):
    try:
        browser.find_browser()
    except AgtraceError as error:
        pytest.skip(str(error))
    (tmp_path / "case").mkdir()
    put(tmp_path / "case", perf__csv=texts.perfmon(5))
    out = tmp_path / "report"
    report(tmp_path / "case", out, pages=False, pdf=True)
    assert [path.name for path in out.glob("*.pdf")] == ["report.pdf"]
    outline = PdfReader(out / "report.pdf").outline
    assert [each.title for each in outline] == ["case · agtrace"]
    report(tmp_path / "case", out, pages=False)
    assert sorted(path.suffix for path in out.iterdir() if path.name[0] != ".") == [".html", ".json"]
