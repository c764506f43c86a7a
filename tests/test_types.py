"""A user's script over the public API holds no Any, as far as other packages have types."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics import analyses
from agtrace.interactive import questions

SCRIPT = Path(__file__).with_name("user_script.py")
WITHOUT_TYPES = ("pandas", "pyarrow", "plotly")
"""Packages that come without types: what they give is Any to mypy unless their stubs are installed. Their
classes stand in here by name, so that what is held is agtrace's own part."""


@pytest.fixture(scope="module")
def checker(tmp_path_factory) -> Path:
    """A folder with the settings of mypy, the classes of others, and what it kept of the script before."""
    folder = tmp_path_factory.mktemp("checker")
    settings = "[mypy]\nstrict = true\ndisallow_any_expr = true\nfollow_imports = silent\n"
    (folder / "mypy.ini").write_text(settings, encoding="utf-8")
    write_stubs(folder / "stubs")
    return folder


def found(checker: Path, script: Path) -> list[str]:
    command = [sys.executable, "-m", "mypy", "--config-file", str(checker / "mypy.ini")]
    ran = subprocess.run(
        [*command, "--cache-dir", str(checker / "cache"), "--no-error-summary", str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={"MYPYPATH": f"{checker / 'stubs'}:{SCRIPT.parent.parent}", "PATH": ""},
        cwd=checker,
    )
    assert not ran.stderr, ran.stderr
    return ran.stdout.splitlines()


def write_stubs(folder: Path) -> None:
    """Write the classes of others that agtrace gives, and nothing of what they can do."""
    stubs = {
        "pandas/__init__.pyi": "class DataFrame: ...\nclass Series: ...\nclass Timedelta: ...\n",
        "pyarrow/__init__.pyi": "class Table: ...\nclass RecordBatch:\n    num_rows: int\n"
        "class RecordBatchReader: ...\nclass Schema: ...\nclass Field: ...\nclass DataType: ...\n",
        "plotly/__init__.pyi": "",
        "plotly/graph_objects.pyi": "class Figure: ...\n",
    }
    assert {name.partition("/")[0] for name in stubs} == set(WITHOUT_TYPES)
    for name, text in stubs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.complete
def test_no_expression_of_the_script_is_any(checker):
    assert found(checker, SCRIPT) == []


@pytest.mark.complete
def test_the_check_sees_an_any(checker, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import agtrace\nagtrace.nothing\nfound = agtrace.open_case(5)\n", encoding="utf-8")
    assert [line.partition(": ")[2][:40] for line in found(checker, script)] != []


@pytest.mark.complete
def test_a_name_that_a_case_does_not_have_is_an_error_of_types(checker, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import agtrace\nagtrace.open_case('case').nope\n", encoding="utf-8")
    (line,) = [each for each in found(checker, script) if "attr-defined" in each]
    assert '"Case" has no attribute "nope"' in line


def test_the_script_names_all_that_the_package_offers():
    text = SCRIPT.read_text(encoding="utf-8")
    assert [name for name in agtrace.__all__ if name not in text] == []
    public = {name for name in dir(agtrace.Case) if not name.startswith("_")}
    internal = {
        "adopt",
        "analysis",
        "answers",
        "say_settings",
        "close",
        "explore",
        "failures",
        "sql",
        "what_if",
        "explore_changes",
        "around_events",
        "join",
        "report",
    }
    assert sorted(name for name in public - internal if name not in text) == []


def test_the_package_says_that_it_has_types():
    assert (Path(agtrace.__file__).parent / "py.typed").exists()


def test_the_questions_of_a_case_are_told_with_their_types():
    text = Path(questions.__file__).read_text(encoding="utf-8")
    told = dict(re.findall(r"^        (\w+): (\w+)$", text, re.M))
    assert told == {name: each.__name__ for name, each in analyses().items()}
