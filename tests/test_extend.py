"""docs/extend.md holds: its reader and its diagnostic, built from its text, work in a copy."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = dict(BLOCK.findall((ROOT / "docs" / "extend.md").read_text(encoding="utf-8")))
COPIED = ("agtrace", "tests", "notebooks", "docs", "tools", "pyproject.toml")


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the project with the files of the page, and nothing else edited."""
    root = tmp_path_factory.mktemp("project")
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("images")
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, root / name)
    (root / "sample_data").symlink_to(ROOT / "sample_data")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), f"{name} is there already"
        path.write_text(text, encoding="utf-8")
    return root


def run(root: Path, *words: str, there: Path | None = None) -> str:
    """Run Python in the copy, or in a folder of captures with the copy on its path, and give what it
    printed.
    """
    environment = os.environ | {"PYTHONPATH": str(root)}
    # What one process has compiled of the copy the next ones need not.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *words], cwd=there or root, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_a_whole_reader_and_a_whole_diagnostic():
    assert {name.split("/")[0] for name in FILES} == {"agtrace", "tests", "notebooks"}
    assert {Path(name).suffix for name in FILES} == {".py", ".sql", ".toml", ".md", ".ipynb"}


def test_its_code_passes_the_linter(copy):
    python = [name for name in FILES if name.endswith(".py")]
    run(copy, "-m", "ruff", "check", "--no-cache", *python)
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", *python)


@pytest.mark.sample
def test_its_tests_pass(copy):
    folders = {str(Path(name).parent) for name in FILES if name.startswith("tests/")}
    tests = [*sorted(folders), "tests/readers/test_topics.py", "tests/diagnostics/test_needs.py"]
    assert "passed" in run(copy, "-m", "pytest", "-p", "no:cacheprovider", *tests)


def test_what_they_declare_reaches_the_documents(copy):
    run(copy, "tools/document_topics.py")
    assert "### `w32tm`" in (copy / "docs" / "topics.md").read_text(encoding="utf-8")
    run(copy, "tools/document_needs.py")
    assert "### Events per hour" in (copy / "docs" / "capture.md").read_text(encoding="utf-8")


@pytest.mark.notebook
def test_its_capture_is_read_and_its_page_is_in_the_report(copy, tmp_path):
    case = tmp_path / "case" / "JBSAG1"
    case.mkdir(parents=True)
    text = re.search(r'TEXT = """(.*?)"""', FILES["tests/readers/w32tm/small.py"], re.DOTALL)
    (case / "w32tm.txt").write_text(text[1], encoding="utf-8")
    shutil.copy(copy / "sample_data" / "log_send_queue" / "JBSAG1" / "ERRORLOG", case)
    out = tmp_path / "report"
    run(copy, "-m", "agtrace", "report", str(tmp_path / "case"), "--out", str(out),
        "--only", "overview,events_per_hour", there=tmp_path)  # fmt: skip
    assert "clock offsets (w32tm)" in (out / "overview.html").read_text(encoding="utf-8")
    assert "Events per hour" in (out / "events_per_hour.html").read_text(encoding="utf-8")
    assert isinstance(json.loads((out / "findings.json").read_text(encoding="utf-8")), list)
