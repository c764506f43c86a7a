"""The notebooks keep their rules, and their test can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from agtrace import bundled
from agtrace.diagnostics import analyses
from agtrace.report.execution import declared_parameters
from agtrace.report.rules import CHECK, broken_rules
from tests.folded import folded

pytestmark = pytest.mark.complete

FOLDER = bundled.notebooks()
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.fixture
def altered(tmp_path):
    """Alter a copy of the overview, and give the rules that it then breaks."""

    def alter(change):
        notebook = nbformat.read(FOLDER / "overview.ipynb", as_version=4)
        change(notebook.cells)
        path = tmp_path / "overview.ipynb"
        nbformat.write(notebook, path)
        return broken_rules(path)

    return alter


def findings_cell(cells):
    return next(cell for cell in cells if "findings" in cell.metadata.get("tags", []))


def test_every_analysis_has_a_notebook_and_every_notebook_an_analysis():
    assert {path.stem for path in NOTEBOOKS} == set(analyses())


@folded("path", NOTEBOOKS)
def test_a_notebook_keeps_the_rules(path):
    assert broken_rules(path) == []


@folded("path", NOTEBOOKS)
def test_a_notebook_declares_what_the_report_sets(path):
    assert {"case", "store", "ingest"} <= set(declared_parameters(path))


def test_a_marked_cell_without_stored_output_is_refused(altered):
    broken = altered(lambda cells: findings_cell(cells).update(outputs=[]))
    assert broken == ["overview.ipynb: cell 7: it is marked and has no stored output"]


def test_a_notebook_without_a_marked_finding_cell_is_refused(altered):
    def unmark(cells):
        findings_cell(cells).metadata["tags"].remove(CHECK)

    assert altered(unmark) == ["overview.ipynb: it has no marked cell with the findings"]


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("case.sql('../other')", "it holds a path ('../other')"),
        ("agtrace.open_case('/data/case')", "it holds a path ('/data/case')"),
        ("agtrace.open_case(r'C:\\case')", "it holds a path ('C:\\\\case')"),
        ("pd.read_parquet(x)", "it reads a file (read_parquet)"),
        ("total = a + b", "it computes (BinOp); notebooks only call"),
        ("def f(): pass", "it computes (FunctionDef); notebooks only call"),
        ("# NBVAL_SKIP\nprint(1)", "it keeps its output from being checked"),
    ],
)
def test_code_beyond_calls_is_refused(altered, source, rule):
    broken = altered(lambda cells: cells.insert(3, nbformat.v4.new_code_cell(source)))
    assert f"overview.ipynb: cell 3: {rule}" in broken


def test_a_figure_without_words_is_refused(altered):
    def undescribe(cells):
        cells[:] = [cell for cell in cells if "describe(" not in cell.source or "import" in cell.source]

    assert any("no marked cell after it describes the figure" in rule for rule in altered(undescribe))


def test_a_stored_failure_or_local_path_is_refused(altered):
    def fail(cells):
        cells[3].outputs = [nbformat.v4.new_output("error", ename="E", evalue="", traceback=[])]
        cells[5].outputs = []
        findings_cell(cells).outputs = [nbformat.v4.new_output("stream", text="/home/me/case\n")]

    assert altered(fail) == [
        "overview.ipynb: cell 3: its stored output is a failure",
        "overview.ipynb: cell 7: its stored output names a local path",
    ]


def test_findings_do_not_come_before_a_figure(altered):
    def swap(cells):
        cells.insert(4, cells.pop(cells.index(findings_cell(cells))))

    assert altered(swap) == ["overview.ipynb: its findings come before its first figure"]


def test_tables_do_not_come_before_figures(altered):
    moved = altered(lambda cells: cells.insert(4, nbformat.v4.new_code_cell("case.overview.tbl_hosts()")))
    assert moved == ["overview.ipynb: a figure comes after a table"]


def test_a_section_may_have_its_table_before_the_figures_of_the_next(altered):
    def add(*calls):
        def change(cells):
            heads = ["## One", "## Two"]
            for head, call in zip(heads, calls, strict=True):
                cells.append(nbformat.v4.new_markdown_cell(head))
                cells.extend(nbformat.v4.new_code_cell(each) for each in call)

        return [text for text in altered(change) if "table" in text]

    assert add(["x.fig_a()", "x.tbl_a()"], ["x.figs_b()", "x.tbl_b()"]) == []
    broken = ["overview.ipynb: a figure comes after a table"]
    assert add(["x.fig_a()", "x.tbl_a()"], ["x.tbl_b()", "x.figs_b()"]) == broken


def run_nbval(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder),
        "--nbval-lax",
        "--nbval-current-env", "--nbval-sanitize-with", str(folder / "sanitize.cfg"), str(folder),
    ]  # fmt: skip
    # The same agtrace as here, however it came to be importable.
    path = os.pathsep.join([str(Path(bundled.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path.rstrip(os.pathsep)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=folder)


@pytest.fixture
def copies(tmp_path):
    for name in ("conftest.py", "sanitize.cfg", "overview.ipynb"):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path


def test_corrupting_one_stored_output_fails_the_run(copies):
    path = copies / "overview.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell = findings_cell(notebook.cells)
    cell.outputs[0].text = cell.outputs[0].text.replace("JBSAG3", "JBSAG4", 1)
    nbformat.write(notebook, path)
    run = run_nbval(copies)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "Cell 5: Cell outputs differ" in run.stdout
    assert "1 failed" in run.stdout


def test_a_run_refuses_a_notebook_that_breaks_a_rule(copies):
    path = copies / "overview.ipynb"
    notebook = nbformat.read(path, as_version=4)
    findings_cell(notebook.cells).outputs = []
    nbformat.write(notebook, path)
    run = run_nbval(copies)
    assert run.returncode == 2, run.stdout + run.stderr
    assert "it is marked and has no stored output" in run.stdout
