"""The examples of the README, docs/lab.md and docs/cookbook.md hold under `mypy --strict`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
TASK = re.compile(r"^## (\d+)\..*?(?=^## |\Z)", re.M | re.S)
METHOD = re.compile(r"^((?:`[^`]+`(?:, )?)+(?:, \.\.\.)?) \| ", re.M)
HEAD = """
from __future__ import annotations
from pathlib import Path
import pandas as pd
import pyarrow.parquet as pq
import agtrace
from tests.cookbook import Ran

"""
GIVEN = (
    "case: agtrace.Case, failover: agtrace.Case, folder: Path, work: Path, series: pd.Series[float], ran: Ran"
)
"""What the examples use without making it."""
OTHERS = ("pandas", "pyarrow", "plotly", "nbformat")
"""Packages without types, or with types in other packages."""


def functions() -> Iterator[str]:
    """Yield each example as a function."""
    for number, block in enumerate(FENCED.findall((ROOT / "README.md").read_text("utf-8"))):
        yield function(f"readme_{number}", "", block)
    for task in TASK.finditer((ROOT / "docs" / "cookbook.md").read_text("utf-8")):
        yield function(f"task_{task[1]}", GIVEN, "\n".join(FENCED.findall(task[0])))
    table = METHOD.findall((ROOT / "docs" / "lab.md").read_text("utf-8"))
    calls = [call for cells in table for call in re.findall(r"`([^`]+)`", cells) if is_call(call)]
    assert len(calls) > 25
    yield function("lab", GIVEN, "\n".join(calls))


def is_call(text: str) -> bool:
    return text.startswith(("case", "agtrace.")) and '("mine.disk", ..)' not in text


def function(name: str, parameters: str, body: str) -> str:
    ast.parse(body)
    return f"def {name}({parameters}) -> None:\n{textwrap.indent(body or 'pass', '    ')}\n"


def checked(folder: Path, text: str) -> list[str]:
    """Return what mypy says of a script."""
    script, settings = folder / "examples.py", folder / "mypy.ini"
    script.write_text(text, encoding="utf-8")
    missing = "".join(f"\n[mypy-{name}.*]\nignore_missing_imports = true\n" for name in OTHERS)
    strict = "[mypy]\nstrict = true\nfollow_imports = silent\nuntyped_calls_exclude = nbformat\n"
    settings.write_text(strict + missing, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", settings, "--no-error-summary", script],
        capture_output=True, text=True, check=False, env={"MYPYPATH": str(ROOT), "PATH": ""}, cwd=folder,
    )  # fmt: skip
    assert not ran.stderr, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.complete
def test_examples_hold_under_mypy_strict(tmp_path):
    assert checked(tmp_path, HEAD + "\n".join(functions())) == []


@pytest.mark.complete
def test_an_example_of_wrong_types_is_found(tmp_path):
    wrong = function("wrong", GIVEN, 'case.perfmon(5)\ncase.nope()\nagtrace.read_xel("a.xel", events=5)')
    lines = checked(tmp_path, HEAD + wrong)
    assert [re.search(r"\[([\w-]+)\]$", line)[1] for line in lines] == [
        "arg-type",
        "attr-defined",
        "arg-type",
    ]
