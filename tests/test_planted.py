"""Nothing that lies in a folder of captures is ever run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.planted import imported, make_case, names, plant, run

pytestmark = pytest.mark.complete

FOLDERS = ("multiprocessing", "concurrent", "pandas", "duckdb")
"""Cases of an inbox are folders, and a folder is a module, too."""


def test_there_are_enough_names():
    assert len(names()) >= 400
    assert {"multiprocessing", "runpy", "pandas", "ipykernel", "xelib"} <= {*names()}


def test_workers_and_kernels_import_nothing_of_the_case_that_they_work_in(tmp_path):
    case = make_case(tmp_path / "case")
    plant(case, tmp_path / "told")
    ended = run("report", ".", "--only", "overview", "--jobs", 2, here=case)
    assert (ended.returncode, imported(tmp_path / "told")) == (0, []), ended.stderr


def test_workers_of_a_batch_import_nothing_of_the_inbox(tmp_path):
    inbox = tmp_path / "inbox"
    for number in range(4):
        make_case(inbox / f"case{number}")
    plant(inbox, tmp_path / "told", as_folders=FOLDERS)
    words = ("batch", ".", "--out", tmp_path / "out", "--findings-only", "--jobs", 2)
    ended = run(*words, here=inbox)
    assert imported(tmp_path / "told") == [], ended.stderr
    assert (tmp_path / "out" / "case3" / "index.html").is_file()


@pytest.mark.parametrize("entry", [".", "lib", "CASE"])
def test_a_path_of_the_user_that_leads_into_a_case_is_not_followed_by_workers(tmp_path, entry):
    case = make_case(tmp_path / "case")
    (case / "lib").mkdir()
    planted = case / "lib" if entry == "lib" else case
    # The command itself has begun by then: what Python finds before that is the user's own doing.
    script = tmp_path / "command.py"
    script.write_text(COMMAND_SCRIPT)
    root = Path(__file__).parents[1]
    ended = subprocess.run(
        [sys.executable, script, planted, tmp_path / "told"],
        cwd=case,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([entry.replace("CASE", str(case)), str(root)])},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, imported(tmp_path / "told")) == (0, []), ended.stderr


COMMAND_SCRIPT = """
import sys
from pathlib import Path
import agtrace.cli
from tests.planted import plant

assert sys.argv[1] in sys.path
plant(*map(Path, sys.argv[1:]))
sys.argv[1:] = ["ingest", ".", "--jobs", "2"]
sys.exit(agtrace.cli.main())
"""


def test_python_m_agtrace_imports_nothing_that_is_not_imported_before_it(tmp_path):
    """What Python imports to find ``agtrace`` no program can hold; it is a handful, and known."""
    told = tmp_path / "told"
    case = make_case(tmp_path / "case")
    plant(case, told)
    first = "import runpy, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    held_by_none = subprocess.check_output([sys.executable, "-c", first], text=True).split()
    assert {"importlib", "warnings"} < {*held_by_none} < {*names(), "__main__", "_distutils_hack"}
    for name in held_by_none:
        (case / f"{name}.py").unlink(missing_ok=True)
    ended = subprocess.run(
        [sys.executable, "-m", "agtrace", "ingest", ".", "--jobs", "2"],
        cwd=case,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, imported(told)) == (0, []), ended.stderr


SCRIPT = """
import json, os, sys
import agtrace
from agtrace.engines import Processes, Task
from tests.engines import works

os.chdir(sys.argv[1])
sys.path[:0] = ["", sys.argv[1], "lib"]
tasks = [Task(str(n), n) for n in range(2)]
print(json.dumps([path for _task, path in Processes(2).map(works.import_path, tasks, id)]))
"""


def test_a_script_that_has_the_working_directory_on_its_path_hands_it_to_no_process(tmp_path):
    case = make_case(tmp_path / "case")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = Path(__file__).parents[1]
    ended = subprocess.run(
        [sys.executable, script, case],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    for path in json.loads(ended.stdout):
        assert str(root) in path
        assert not {"", "lib", str(case), str(tmp_path)} & {*path}
