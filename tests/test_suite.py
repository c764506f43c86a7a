"""The rules that the test suite keeps about itself."""

from __future__ import annotations

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import platformdirs
import pytest

from tests import home
from tests.cost import LISTED_S, MOST_S
from tests.diagnostics.rendering import package, questions
from tests.folded import folded

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
MODULES = sorted(TESTS.rglob("*.py"))
MOST_LINES, MOST_LINES_OF_RULES = 96_000, 30_000
"""Lines of Python in tests/ and in tests/diagnostics: raised for new readers, rules and commands alone."""
RUN_OF_WORDS = 10
"""So many words of a sentence in a row are no accident; labels of evidence are shorter."""
OTHERS = {"convert"}
"""Tests of what says a sentence of its own, which a template says, too."""


def pytest_of(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in this project as somebody with another home would."""
    held = {name: value for name, value in os.environ.items() if name != home.RUN and "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:nbval", *words],
        cwd=folder,
        env=held | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_run_has_a_home_of_its_own():
    own = Path(os.environ[home.RUN])
    assert Path.home() == own
    for of in (platformdirs.user_data_path, platformdirs.user_cache_path, platformdirs.user_config_path):
        assert own in of("agtrace").parents


@pytest.mark.front
def test_a_run_touches_nothing_of_the_users(tmp_path):
    folders = {name: str(tmp_path / name) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    for folder in folders.values():
        Path(folder).mkdir()
    run = pytest_of(ROOT, "-q", "tests/test_case.py::test_no_bias_no_utc", **folders)
    assert run.returncode == 0, run.stdout
    assert sorted(path.name for path in tmp_path.rglob("*")) == list(folders)


def test_samples_are_copied_without_what_commands_left_beside_them():
    copying = re.compile(r"copytree\(\s*(?:[\w.]*\bsample\(|FIXED\b)")
    assert [path.name for path in MODULES if copying.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.front
def test_a_test_of_the_first_tier_that_costs_too_much_fails(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("tests.cost",)\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  complete\n  front\n")
    spin = "    end = time.process_time() + {}\n    while time.process_time() < end: pass\n"
    (tmp_path / "test_costs.py").write_text(
        "import time, pytest\n"
        "ran = []\n"
        f"def test_dear_once():\n    ran.append(1)\n    if ran[1:]: return\n{spin.format(MOST_S + 0.1)}"
        f"def test_dear():\n{spin.format(MOST_S + 0.2)}"
        f"def test_listed():\n{spin.format(LISTED_S + 0.2)}"
        f"def test_cheap():\n{spin.format(0.01)}"
        f"@pytest.mark.complete\ndef test_complete():\n{spin.format(MOST_S + 0.2)}"
    )
    run = pytest_of(tmp_path, PYTHONPATH=str(ROOT))
    assert re.findall(r"^ERROR test_costs.py::(\w+)", run.stdout, re.MULTILINE) == ["test_dear"]
    listed = re.findall(r"^cost \d\.\d CPU seconds .*::(\w+)$", run.stdout, re.MULTILINE)
    assert listed == ["test_dear", "test_dear_once", "test_listed"]


def test_make_test_runs_pytest_once_and_takes_options():
    made = subprocess.run(
        ["make", "-n", "test", "ARGS=-k seeding"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip("no make here")
    (command,) = (line for line in made.stdout.splitlines() if "-m pytest" in line)
    assert command.endswith("tests -k seeding")


def test_each_case_runs_and_all_that_fail_are_listed():
    seen = []

    @folded(("a", "b"), [(1, 1), (1, 2), (3, 4)])
    def equal(a, b):
        seen.append(a)
        assert a == b

    with pytest.raises(AssertionError, match=r"2 of 3 cases fail\n\(1, 2\): .*\n.*\n?.*\(3, 4\): "):
        equal()
    assert seen == [1, 1, 3]


def test_the_tests_stay_small():
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert sum(lines.values()) <= MOST_LINES
    assert sum(n for path, n in lines.items() if TESTS / "diagnostics" in path.parents) <= MOST_LINES_OF_RULES


# Words.


@functools.cache
def sentences() -> frozenset[str]:
    """Return each run of `RUN_OF_WORDS` words that stands in a template, between what is filled in."""
    folders = (resources.files(package(question)) / "said" for question in questions())
    files = (path for folder in folders for path in folder.iterdir() if path.is_file())
    texts = (re.sub(r"^#.*$", "{%%}", path.read_text(encoding="utf-8"), flags=re.MULTILINE) for path in files)
    parts = (part for text in texts for part in re.split(r"{[{%].*?[%}]}|\"+", text, flags=re.DOTALL))
    return frozenset(run for part in parts for run in runs(part))


def runs(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[n : n + RUN_OF_WORDS]) for n in range(len(words) - RUN_OF_WORDS + 1)]


@pytest.mark.front
def test_no_test_quotes_a_sentence_of_the_product():
    """Only said.snap does."""
    quoted = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and path.parent.name not in OTHERS
            ):
                found = [run for run in runs(node.value) if run in sentences()]
                quoted += [f"{path.relative_to(ROOT)}:{node.lineno} {found[0]}"] if found else []
    assert quoted == []


@pytest.mark.front
def test_one_word_of_a_title_is_changed_in_two_files(tmp_path):
    for name in ("agtrace", "tests", "simulation"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    template = tmp_path / "agtrace" / "diagnostics" / "readable" / "said" / "version_store.toml"
    text = template.read_text(encoding="utf-8")
    changed, n = re.subn(r'(title = "+[^"]*?\b)version store', r"\1row version store", text, count=1)
    assert n == 1
    template.write_text(changed, encoding="utf-8")
    words = ("-q", "tests/diagnostics/test_said.py", "-c", "/dev/null", "--rootdir", ".")
    assert pytest_of(tmp_path, *words).returncode == 1
    pytest_of(tmp_path, *words, "--snapshots")
    assert pytest_of(tmp_path, *words).returncode == 0
    files = (path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    changed = [
        path.as_posix()
        for path in files
        if not (ROOT / path).exists() or (ROOT / path).read_bytes() != (tmp_path / path).read_bytes()
    ]
    assert sorted(path for path in changed if "__pycache__" not in path) == [
        "agtrace/diagnostics/readable/said/version_store.toml",
        "tests/diagnostics/readable/said.snap",
    ]
