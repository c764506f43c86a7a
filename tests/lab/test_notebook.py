"""The notebook of a case: where it lies, what stands in it, and what cannot get into its kernel."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import nbformat
import papermill
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
from tests.ready import copy_captures

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
    assert "papermill NOTEBOOK.ipynb out.ipynb -p case FOLDER" in title
    given = {each.targets[0].id: ast.literal_eval(each.value) for each in ast.parse(parameters).body}
    assert given == {
        "case": str(folder.resolve()),
        "store": None,
        "ingest": None,
        "thresholds": {},
        "case_settings": False,
    }
    assert f"known={ {str(folder.resolve()): None}!r}" in opening
    assert opening.endswith("title(case)")
    assert rest[0] == "case"
    assert rest[1].splitlines()[1].startswith('case.plot(counter, mark="roles")')
    assert rest[2] == "case.findings()"


def test_it_opens_with_the_answer_and_its_figures_before_a_kernel_runs(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path)
        summary = case.summary()
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    shown = {cell.source: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    (opening,) = (source for source in shown if source.startswith("import agtrace"))
    assert shown[opening][-1].data["text/markdown"].endswith(f"\n\n{summary}")
    (drawn,) = (source for source in shown if "case.plot(" in source)
    assert PLOTLY in shown[drawn][0].data
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


@pytest.mark.parametrize("other", ["backup_tuning", "endpoint_certificate"])
def test_papermill_runs_it_on_any_other_case_by_its_folder_alone(tmp_path, sample_store, other):
    """The store of its own case stays out of it, and new files are read."""
    name = "failover_planned"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        path = write_notebook(case, tmp_path)
    folder = copy_captures(agtrace.sample(other), tmp_path / "case-1234")
    ran = papermill.execute_notebook(
        path, tmp_path / "out.ipynb", {"case": str(folder)}, kernel_name="python3"
    )
    shown = [output for cell in ran.cells for output in cell.get("outputs", [])]
    assert not [each for each in shown if each["output_type"] == "error"]
    titles = [each["data"]["text/markdown"] for each in shown if "text/markdown" in each.get("data", {})]
    assert titles[0].startswith("# case&#45;1234\n\n")
    assert (folder / ".agtrace").is_dir()


def test_a_case_without_counters_and_findings_has_a_notebook(tmp_path):
    folder = tmp_path / "case"
    (folder / "A").mkdir(parents=True)
    shutil.copy(agtrace.sample("log_send_queue") / "JBSAG3" / "netsh.txt", folder / "A" / "netsh.txt")
    with agtrace.open_case(folder) as case:
        path = write_notebook(case, tmp_path)
    texts = [str(output) for cell in nbformat.read(path, 4).cells for output in cell.get("outputs", [])]
    assert any("No counters were captured." in text for text in texts)
