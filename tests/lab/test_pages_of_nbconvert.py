"""Pages that nbconvert makes of a lab's notebook: its figures are in them."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from plotly import graph_objects as go

import agtrace
from agtrace.lab import fallback
from agtrace.lab.notebook import write_notebook
from agtrace.report.cells import PLOTLY, blocks
from tests.report.browser import browser

pytestmark = pytest.mark.complete

NAME = "failover_planned"
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg .scatterlayer .trace').length"


@pytest.fixture(scope="module")
def notebook(sample_store, tmp_path_factory):
    """The notebook of a lab before any kernel has run it."""
    folder = tmp_path_factory.mktemp("lab")
    with agtrace.open_case(agtrace.sample(NAME), store=sample_store(NAME), ingest=False) as case:
        return write_notebook(case, folder)


@pytest.fixture(scope="module")
def executed(notebook):
    """The same, run, with a figure more."""
    read = nbformat.read(notebook, as_version=4)
    read.cells[-1].source = 'case.plot("Available MBytes", host="HASQL1")'
    NotebookClient(read, resources={"metadata": {"path": str(notebook.parent)}}).execute()
    path = notebook.with_name("executed.ipynb")
    nbformat.write(read, path)
    return path


def page_of(path):
    text, _resources = HTMLExporter().from_filename(str(path))
    page = path.with_suffix(".html")
    page.write_text(text, encoding="utf-8")
    return page


@pytest.mark.parametrize(("which", "figures"), [("notebook", 1), ("executed", 2)])
def test_each_figure_is_drawn_without_the_network(request, tmp_path, which, figures):
    page = page_of(request.getfixturevalue(which))
    with browser(tmp_path / "profile") as tab:
        tab.open(page)
        tab.wait(f"document.querySelectorAll('.js-plotly-plot .main-svg').length >= {figures}", 30)
        assert tab.run("document.querySelectorAll('.js-plotly-plot').length") == figures
        assert tab.run(DRAWN) >= 2
        titles = tab.run("[...document.querySelectorAll('.gtitle')].map((each) => each.textContent)")
        assert titles == ["% Processor Time", "Available MBytes"][:figures]


def test_the_script_of_figures_is_in_a_notebook_once_and_stays_out_of_a_report(executed):
    read = nbformat.read(executed, as_version=4)
    shown = [output.data for cell in read.cells for output in cell.get("outputs", []) if "data" in output]
    assert [fallback.ID in str(data.get("text/html")) and PLOTLY not in data for data in shown].count(
        True
    ) == 1
    assert [set(data) >= {PLOTLY, "text/html"} for data in shown].count(True) == 2
    assert [block.kind for block in blocks(read)].count("figure") == 2
    assert all(fallback.PACKED not in block.html for block in blocks(read))


def test_a_figure_is_the_same_bytes_in_every_run():
    figure = go.Figure(go.Scatter(y=[1, 2]), layout={"title": {"text": "</script><b>"}, "height": 300})
    text = fallback.figure_html(figure.to_dict())
    assert text == fallback.figure_html(figure.to_dict())
    assert text.startswith('<div style="height:300px">')
    assert "<b>" not in text


def test_a_figure_that_the_script_cannot_draw_says_so():
    text = fallback.figure_html(go.Figure(go.Scatter3d(x=[1], y=[1], z=[1])).to_dict())
    assert text == "<p>A figure of scatter3d: JupyterLab draws it.</p>"
