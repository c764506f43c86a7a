"""How a notebook that came from outside is run in a kernel, and one of ours in this process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import nbformat.v4 as v4
import pytest

from agtrace.bundled import notebooks
from agtrace.errors import CaseError, NotebookError
from agtrace.report.execution import declared_parameters
from agtrace.report.kernel import COMMAND, SOCKET_PATH_BYTES, Kernels, run_in_kernel, transport
from agtrace.report.notebook import at, open_case
from agtrace.report.store_outputs import main
from tests.ingest import texts

pytestmark = pytest.mark.complete


@pytest.fixture
def notebook(tmp_path):
    def write(*sources, name="n"):
        cells = [v4.new_code_cell(source) for source in sources]
        cells[0].metadata["tags"] = ["parameters"]
        metadata = {"kernelspec": {"name": "gone", "language": "python", "display_name": "x"}}
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(v4.new_notebook(cells=cells, metadata=metadata), path)
        return path

    return write


@pytest.fixture
def kernels():
    with Kernels() as kernels:
        yield kernels


def printed(run):
    return "".join(
        o.text for c in run.notebook.cells for o in c.get("outputs", []) if o.output_type == "stream"
    )


def test_declared_parameters_are_those_of_the_tagged_cell(notebook):
    assert declared_parameters(notebook("case = None\nn = 3  # x", "other = 1")) == ["case", "n"]


def test_a_run_has_its_parameters_this_interpreter_and_an_empty_folder(notebook, kernels):
    path = notebook(
        "case = None\ncount = 1",
        "import os, sys; print(case, count * 2, os.listdir('.') == os.listdir(os.environ['IPYTHONDIR']), "
        "sys.executable)",
    )
    before = path.read_bytes()
    run = run_in_kernel(path, {"case": 'it\'s "{x}" \\ ü', "count": 21, "unknown": 1}, kernels)
    assert run.failure is None
    assert printed(run) == f'it\'s "{{x}}" \\ ü 42 True {sys.executable}\n'
    assert path.read_bytes() == before


def test_a_failing_cell_is_one_line_and_what_came_before_is_kept(notebook, kernels):
    path = notebook("case = None", "print('first')", "raise ValueError('no\\nmore')", "print('never')")
    run = run_in_kernel(path, {}, kernels)
    assert str(run.failure) == "notebook n failed: ValueError: no"
    assert printed(run) == "first\n"


def test_a_dying_kernel_is_a_failure_and_not_a_hang(notebook, kernels):
    run = run_in_kernel(notebook("case = None", "import os; os._exit(3)"), {}, kernels)
    assert str(run.failure).startswith("notebook n failed: DeadKernelError")


@pytest.mark.skipif(sys.platform == "win32", reason="no sockets with a path")
@pytest.mark.parametrize("length", [58, 65, 200])
def test_a_long_path_of_the_temporary_folder_is_no_obstacle(notebook, kernels, tmp_path, monkeypatch, length):
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as short:
        long = Path(short, "x" * (length - len(short) - 1))
        long.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(long))
        run = run_in_kernel(notebook("1", "print('reached')"), {}, kernels)
    assert (run.failure, printed(run)) == (None, "reached\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no sockets with a path")
def test_sockets_whose_path_is_too_long_become_ports_of_this_machine():
    fits = SOCKET_PATH_BYTES - len("/kernel-ipc-99")
    assert transport(Path("/" + "x" * (fits - 1), "kernel.json")) == "ipc"
    assert transport(Path("/" + "x" * fits, "kernel.json")) == "tcp"
    assert transport(Path("/" + "é" * (fits // 2 + 1), "kernel.json")) == "tcp"


def test_a_cell_that_never_ends_is_a_failure_in_one_line(notebook, kernels, monkeypatch):
    monkeypatch.setattr("agtrace.report.kernel.LONGEST_CELL_S", 2)
    run = run_in_kernel(notebook("1", "import time; time.sleep(60)"), {}, kernels)
    assert str(run.failure).startswith("notebook n failed: CellTimeoutError: A cell timed out")
    assert "\n" not in str(run.failure)


def test_a_kernel_that_never_answers_is_a_failure_in_one_line(notebook, monkeypatch):
    monkeypatch.setattr("agtrace.report.kernel.START_S", 2)
    silent = [each if each != "agtrace.report.kernel" else "tests.report.silent_kernel" for each in COMMAND]
    monkeypatch.setattr("agtrace.report.kernel.COMMAND", silent)
    with Kernels() as kernels:
        run = run_in_kernel(notebook("1"), {}, kernels)
    assert str(run.failure) == "notebook n failed: RuntimeError: Kernel didn't respond in 2 seconds"


def test_notebooks_run_side_by_side(notebook, kernels):
    paths = [notebook("n = 0", "print(n)", name=f"n{i}") for i in range(2)]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(run_in_kernel, paths, [{"n": 7}, {"n": 8}], [kernels] * 2))
    assert [(run.name, printed(run)) for run in runs] == [("n0", "7\n"), ("n1", "8\n")]


def test_stored_outputs_carry_no_trace_of_the_run(notebook, capsys):
    path = notebook("case = None", "import sys; print('x'); print('w', file=sys.stderr)", "1 + 1")
    assert main([str(path)]) == 0
    stored = nbformat.read(path, as_version=4)
    assert stored.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [c.metadata for c in stored.cells] == [{"tags": ["parameters"]}, {}, {}]
    assert [[o.output_type for o in c.outputs] for c in stored.cells] == [[], ["stream"], ["execute_result"]]
    first = path.read_bytes()
    assert main([str(path.parent)]) == 0
    assert path.read_bytes() == first


def test_a_failing_notebook_keeps_its_stored_outputs(notebook, capsys):
    path = notebook("case = None", "1 / 0")
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == "notebook n failed: ZeroDivisionError: division by zero\n"
    assert path.read_bytes() == before
    assert main([]) == 2


def test_times_given_as_parameters_are_utc_without_a_zone():
    assert at(None) is None
    assert at("2026-03-05T14:00:00").isoformat() == "2026-03-05T14:00:00+00:00"
    assert at("2026-03-05T14:00:00-05:00").isoformat() == "2026-03-05T19:00:00+00:00"
    with pytest.raises(CaseError, match="'noon' is not a time - write it as"):
        at("noon")


def test_without_a_case_the_sample_is_opened_in_a_temporary_store():
    with open_case(None) as case:
        assert case.folder.name == "log_send_queue"
        assert case.folder not in case.store.parents
        assert case.overview.captured.hosts == ["JBSAG1", "JBSAG2", "JBSAG3"]


@pytest.fixture
def papermilled(tmp_path):
    """Run the overview as ``papermill`` does on its own; give what its first cells showed."""
    import papermill

    def run(**parameters):
        notebook = nbformat.read(notebooks() / "overview.ipynb", as_version=4)
        # As far as the cell that opens the case.
        notebook.cells = notebook.cells[:3]
        nbformat.write(notebook, tmp_path / "n.ipynb")
        done = papermill.execute_notebook(
            str(tmp_path / "n.ipynb"), str(tmp_path / "out.ipynb"), parameters, kernel_name="python3",
            progress_bar=False
        )  # fmt: skip
        return str([cell.get("outputs") for cell in done.cells])

    return run


@pytest.fixture
def small_case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "log.csv").write_bytes(texts.perfmon())
    return str(folder)


BANNER = "This is the sample `log_send_queue`, not your captures"


def test_a_notebook_without_a_case_says_that_it_shows_the_sample(papermilled):
    assert BANNER in papermilled()


def test_a_notebook_with_a_case_does_not(papermilled, small_case):
    assert BANNER not in papermilled(case=small_case)


def test_a_mistyped_parameter_is_an_error_and_no_report(papermilled, small_case):
    from papermill.exceptions import PapermillExecutionError

    with pytest.raises(PapermillExecutionError, match="no parameter 'csae' - nearest: case"):
        papermilled(csae=small_case)


def test_a_kernel_ends_with_the_process_that_started_it(notebook):
    """However that one ends."""
    path = notebook("case = None", "open('begun', 'w').close(); import time; time.sleep(60)")
    script = (
        "from pathlib import Path; from agtrace.report.kernel import run_in_kernel; "
        f"run_in_kernel(Path({str(path)!r}), {{}})"
    )
    # Not in tmp_path: the path of a kernel's socket may have 104 characters.
    with tempfile.TemporaryDirectory() as temporary:
        environment = os.environ | {"TMPDIR": temporary}
        process = subprocess.Popen([sys.executable, "-c", script], env=environment)
        try:
            assert until(lambda: list(Path(temporary).glob("agtrace-kernel-*/begun")))
        finally:
            process.kill()
            process.wait()
        assert until(lambda: not list(Path(temporary).iterdir()))


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not (result := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return result


def test_kernels_that_are_ended_end_at_once_and_start_no_more(notebook):
    kernels = Kernels()
    path = notebook("case = None", "import time; time.sleep(60)")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_in_kernel, path, {}, kernels)
        assert until(lambda: kernels._folders)
        kernels.end()
        assert running.result(timeout=30).failure
    with pytest.raises(NotebookError, match="interrupted"):
        run_in_kernel(path, {}, kernels)
