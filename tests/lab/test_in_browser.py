"""The notebook of a case in JupyterLab, as a browser shows it."""

from __future__ import annotations

import pytest

from tests.ingest import texts
from tests.ingest.test_ingest import put
from tests.lab.jupyter import faults, lab
from tests.report.browser import browser


@pytest.mark.complete
def test_it_shows_its_figure_before_its_findings(tmp_path):
    case = tmp_path / "case"
    case.mkdir()
    put(case, perf__csv=texts.perfmon(5))
    with browser(tmp_path / "profile") as tab, lab(tab, case, tmp_path) as shown:
        cells = shown.run(shown.first)
    assert faults(cells) == []
    assert [cell["drawn"] for cell in cells if ".plot(" in cell["source"]] == [1]
