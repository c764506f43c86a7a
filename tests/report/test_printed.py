"""A report is printed page by page, and a printed page goes with its report."""

from __future__ import annotations

import pytest

from agtrace.errors import AgtraceError
from agtrace.report import browser, report
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete


def test_pages_are_printed_and_go_with_the_next_report(tmp_path):
    try:
        browser.find_browser()
    except AgtraceError as error:
        pytest.skip(str(error))
    (tmp_path / "case").mkdir()
    put(tmp_path / "case", perf__csv=texts.perfmon(5))
    out = tmp_path / "report"
    report(tmp_path / "case", out, pages=False, pdf=True)
    assert (out / "index.pdf").read_bytes().startswith(b"%PDF-")
    report(tmp_path / "case", out, pages=False)
    assert sorted(path.suffix for path in out.iterdir() if path.name[0] != ".") == [".html", ".json"]
