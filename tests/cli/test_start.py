"""The command starts fast and explains itself."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import agtrace as package
from agtrace import sample
from agtrace.cli.group import VERBS
from tests.folded import folded

HEAVY = ("pandas", "pyarrow", "plotly", "duckdb", "papermill", "numpy", "nbconvert", "tqdm", "xelib")


def imported_by(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_agtrace_is_light():
    assert not imported_by("import agtrace") & {*HEAVY, "click"}


def test_help_imports_nothing_that_it_does_not_need():
    slow = {"csv", "difflib", "email", "hashlib", "http", "platformdirs", "secrets", "ssl"}
    assert not imported_by("from agtrace.cli import main\nassert main(['--help']) == 0") & slow


@pytest.mark.complete
@folded("words", [["--help"], *([verb, "--help"] for verb in VERBS)])
def test_help_is_light(words):
    code = f"from agtrace.cli import main\nassert main({words!r}) == 0"
    assert not imported_by(code) & set(HEAVY)


def test_help_lists_the_verbs_in_order(agtrace):
    ran = agtrace("--help")
    assert ran.status == 0
    listed = ran.out.partition("Commands:\n")[2].splitlines()[: len(VERBS)]
    assert tuple(line.split()[0] for line in listed) == VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_shows_an_example(agtrace, verb):
    ran = agtrace(verb, "-h")
    assert ran.status == 0
    assert f"\n  agtrace {verb} " in ran.out
    assert len(ran.out.splitlines()[0]) < 100


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_fits_a_screen(agtrace, verb):
    lines = agtrace(verb, "--help").out.splitlines()
    assert (len(lines) <= 40, [line for line in lines if "--no-\n" in line]) == (True, [])


def test_options_of_many_verbs_are_explained_once(agtrace):
    explained = agtrace("help", "options").out
    named = {
        name
        for verb in VERBS
        for name in re.findall(r"--[a-z-]+[a-z]", agtrace(verb, "--help").out.partition("Also: ")[2])
    }
    assert {"--store", "--jobs", "--verbose"} <= named
    assert [name for name in named if f"{name} " not in explained] == []


def test_help_of_a_verb_is_its_help(agtrace):
    assert agtrace("help", "info").out == agtrace("info", "--help").out


def test_help_of_what_is_no_verb_names_the_nearest(agtrace):
    assert agtrace("help", "reprot").err.startswith(
        "agtrace: No such command 'reprot'; did you mean 'report'?"
    )


@pytest.mark.parametrize("verb", ["report", "ingest", "findings"])
def test_verbs_that_open_a_case_take_a_store(agtrace, verb):
    assert "--store" in agtrace(verb, "--help").out


def test_version(agtrace):
    assert agtrace("--version").out == f"agtrace {package.__version__}\n"


def test_no_words_show_the_help(agtrace):
    ran = agtrace()
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("Usage: agtrace [OPTIONS] COMMAND")
    assert "\n  report    Write the report of a case" in ran.err


def test_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "agtrace", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.complete
def test_findings_of_a_case_with_nothing_new_import_no_pandas_and_no_reader_in_vain(tmp_path):
    asked = f"['findings', {str(sample('log_send_queue'))!r}, '--store', {str(tmp_path / 'store')!r}]"
    code = f"from agtrace.cli import main\nassert main({asked}) in (0, 1)"
    imported_by(code)
    script = f"{code}\nimport sys\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names = set(done.stdout.splitlines()[-1].split())
    assert not names & {"pandas", "plotly", "nbformat", "pyarrow.compute", "agtrace.readers.hammerdb"}
