"""The notebook of a case: where it lies, what stands in it, and what cannot get into its kernel."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

import agtrace
from agtrace import import_path
from agtrace.errors import CaseError
from agtrace.lab.kernel import write_kernel
from agtrace.lab.notebook import FOLDER, notebook_folder, write_notebook
from agtrace.report.cells import PLOTLY
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete

HOSTILE = b"raise SystemExit('a stranger was here')\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "it's a 'case'\"; import os #"
    folder.mkdir()
    put(folder, perf__csv=texts.perfmon(20), pandas__py=HOSTILE, plotly__py=HOSTILE)
    put(tmp_path, pandas__py=HOSTILE)
    return folder


def sources(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_it_lies_in_the_users_folder_unless_they_say_otherwise(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "me"))
    assert notebook_folder(tmp_path / "case") == tmp_path / "me" / FOLDER
    assert notebook_folder(tmp_path / "case", tmp_path / "out").is_dir()


@pytest.mark.parametrize("out", [".", "agtrace-report/notes"])
def test_it_never_lies_in_the_case(folder, out):
    with pytest.raises(CaseError, match="lies in the case"):
        notebook_folder(folder, folder / out)
    assert not (folder / "agtrace-report").exists()


def test_a_folder_beside_the_working_directory_has_no_dots_in_its_path(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    assert notebook_folder(folder, Path("../nb")) == (tmp_path / "nb").resolve()


def test_not_even_by_a_link(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(CaseError, match="lies in the case"):
        notebook_folder(folder, tmp_path / "link" / "notes")


def test_a_folder_that_cannot_be_made_is_one_line(folder, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CaseError, match="cannot be made"):
        notebook_folder(folder, tmp_path / "file" / "notes")


def test_it_begins_with_the_case_then_a_figure_then_findings(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path, case_settings=False)
    title, parameters, opening, *rest = sources(path)
    assert title.startswith("# it&#39;s")
    given = {each.targets[0].id: ast.literal_eval(each.value) for each in ast.parse(parameters).body}
    assert given == {
        "case": str(folder.resolve()),
        "store": None,
        "ingest": False,
        "thresholds": {},
        "case_settings": False,
    }
    assert opening.endswith("case_settings=case_settings)\ncase")
    assert rest[0] == "case.plot('Log Send Queue', mark=\"roles\")"
    assert rest[1] == "case.findings()"


def test_it_opens_with_the_answer_and_its_figures_before_a_kernel_runs(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path)
        summary = case.summary()
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.endswith(f"\n\n{summary}")
    shown = {cell.source: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert PLOTLY in shown["case.plot('Log Send Queue', mark=\"roles\")"][0].data
    assert "text/html" in shown["case.findings()"][0].data


def test_one_that_is_there_is_left_as_it_is(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path)
        path.write_text("my work", encoding="utf-8")
        assert write_notebook(case, tmp_path) == path
    assert path.read_text(encoding="utf-8") == "my work"


def test_two_cases_of_one_name_have_a_notebook_each(folder, tmp_path):
    other = tmp_path / "elsewhere" / folder.name
    other.mkdir(parents=True)
    put(other, perf__csv=texts.perfmon(2))
    paths = []
    for each in (folder, other):
        with agtrace.open_case(each) as case:
            paths.append(write_notebook(case, tmp_path))
    assert len(set(paths)) == 2


@pytest.mark.complete
def test_it_runs_and_no_module_of_the_case_does_even_where_its_kernel_works_there(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("import sys\nprint(sys.path)"))
    import_path.avoid(folder)
    write_kernel(tmp_path / "data")
    manager = KernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(tmp_path / "data" / "kernels")]),
    )
    NotebookClient(notebook, km=manager, resources={"metadata": {"path": str(folder)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    kinds = [set(output.data) for cell in code for output in cell.outputs if "data" in output]
    assert {"text/html", "text/plain"} in kinds
    assert any(PLOTLY in kind for kind in kinds)
    figures = [o.data[PLOTLY] for c in code for o in c.outputs if PLOTLY in o.get("data", {})]
    assert [each["config"]["showSendToCloud"] for each in figures] == [False], "no upload"
    searched = ast.literal_eval(code[-1].outputs[0].text)
    here = {str(folder), str(folder.resolve()), str(tmp_path), "", "."}
    assert not here & set(searched)
