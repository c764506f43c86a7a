"""Our notebooks run in the process of the report: what they show is what a kernel would have sent."""

from __future__ import annotations

import sys

import nbformat
import nbformat.v4 as v4
import pandas as pd
import pytest

import agtrace
from agtrace.bundled import notebooks
from agtrace.report.here import run_here
from agtrace.report.kernel import run_in_kernel


@pytest.fixture
def ran(tmp_path):
    """Run cells here."""

    def run(*sources, case=None, **parameters):
        cells = [v4.new_code_cell(source) for source in sources]
        cells[0].metadata["tags"] = ["parameters"]
        path = tmp_path / "n.ipynb"
        nbformat.write(v4.new_notebook(cells=cells), path)
        folder = tmp_path / "shell"
        folder.mkdir(exist_ok=True)
        return run_here(path, parameters, folder, case)

    return run


def outputs(run):
    return [list(map(dict, cell.outputs)) for cell in run.notebook.cells if cell.cell_type == "code"]


def test_a_parameter_that_it_declares_is_set_and_another_is_left_out(ran):
    run = ran("n = 1", "print(n)", n=7, other=8)
    assert outputs(run)[-1] == [{"output_type": "stream", "name": "stdout", "text": "7\n"}]


def test_outputs_stand_in_the_order_in_which_they_were_made(ran):
    run = ran("1", "print('a'); print('b'); display('shown'); print('c'); 'value'")
    assert [(each["output_type"], each.get("text")) for each in outputs(run)[1]] == [
        ("stream", "a\nb\n"), ("display_data", None), ("stream", "c\n"), ("execute_result", None)
    ]  # fmt: skip


def test_a_failing_cell_is_one_line_and_what_came_before_is_kept(ran):
    run = ran("1", "print('first')", "raise ValueError('no\\nmore')", "print('never')")
    assert str(run.failure) == "notebook n failed: ValueError: no"
    assert [each["text"] for cell in outputs(run) for each in cell if each["output_type"] == "stream"] == [
        "first\n"
    ]


def test_a_cell_that_is_no_python_is_a_failure(ran):
    assert str(ran("1", "def").failure).startswith("notebook n failed: SyntaxError")


def test_an_interrupt_ends_the_report(ran):
    with pytest.raises(KeyboardInterrupt):
        ran("1", "raise KeyboardInterrupt")


def state():
    rows = pd.get_option("display.max_rows")
    return list(sys.path), sys.modules["__main__"], sys.stdout, sys.displayhook, rows


def test_the_process_is_afterwards_as_it_was(ran):
    before = (
        list(sys.path),
        sys.modules["__main__"],
        sys.stdout,
        sys.displayhook,
        pd.get_option("display.max_rows"),
    )
    ran("1", "from agtrace.report.notebook import open_case; open_case('gone')")
    ran("1", "import pandas; pandas.set_option('display.max_rows', 3)")
    assert state() == before


def test_a_report_can_be_made_in_a_notebook(ran):
    """The shell of whoever asks is the one that runs, before and afterwards."""
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()
    outer = InteractiveShell.instance()
    try:
        run = ran("1", "get_ipython() is not None and id(get_ipython())")
        assert outputs(run)[1][0]["data"]["text/plain"] != str(id(outer))
        assert InteractiveShell.instance() is outer
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.complete
def test_a_notebook_asks_the_case_that_the_report_has_opened(ran, read_sample):
    with agtrace.open_case(read_sample, ingest=False) as case:
        run = ran(
            "case = None",
            "from agtrace.report.notebook import open_case; print(id(open_case(case)))",
            case=case,
        )
    assert outputs(run)[1][0]["text"] == f"{id(case)}\n"


@pytest.mark.complete
@pytest.mark.parametrize("name", ["overview", "transport"])
def test_a_page_shows_what_it_would_show_from_a_kernel(name, read_sample, tmp_path):
    path, given = notebooks() / f"{name}.ipynb", {"case": str(read_sample), "ingest": False}
    with agtrace.open_case(read_sample, ingest=False) as case:
        here = run_here(path, given, tmp_path, case)
    assert outputs(here) == outputs(run_in_kernel(path, given))
