"""docs/extend.md holds: its reader and diagnostic, built from its text, work in a copy and outside of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EVERY = dict(BLOCK.findall((ROOT / "docs" / "extend.md").read_text(encoding="utf-8")))
PACKAGE = "agtrace-contoso/"
FILES = {name: text for name, text in EVERY.items() if not name.startswith(PACKAGE)}
OUTSIDE = {name.removeprefix(PACKAGE): text for name, text in EVERY.items() if name.startswith(PACKAGE)}
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


def run(root: Path, *words: str, there: Path | None = None, also: Path | None = None) -> str:
    """Run Python in the copy, or in a folder of captures with the copy on its path, and give what it
    printed. ``also`` is on its path, too.
    """
    places = [str(root), *([str(also)] if also else [])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
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
    assert set(OUTSIDE) == {"pyproject.toml", "tests/test_contoso.py"}


def test_its_code_passes_the_linter(copy):
    python = [name for name in FILES if name.endswith(".py")]
    run(copy, "-m", "ruff", "check", "--no-cache", *python)
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", *python)


@pytest.mark.complete
def test_its_tests_pass(copy):
    folders = {str(Path(name).parent) for name in FILES if name.startswith("tests/")}
    tests = [*sorted(folders), "tests/readers/test_topics.py", "tests/diagnostics/test_needs.py"]
    assert "passed" in run(copy, "-m", "pytest", "-p", "no:cacheprovider", *tests)


@pytest.mark.complete
def test_what_they_declare_reaches_the_documents(copy):
    run(copy, "tools/document_topics.py")
    assert "## `w32tm`" in (copy / "docs" / "topics" / "facts_outputs.md").read_text(encoding="utf-8")
    run(copy, "tools/document_needs.py")
    assert "[Events per hour]" in (copy / "docs" / "capture.md").read_text(encoding="utf-8")


def written(case: Path) -> Path:
    """Write a case with what the page's reader and its diagnostic read."""
    (case / "JBSAG1").mkdir(parents=True)
    text = re.search(r'TEXT = """(.*?)"""', FILES["tests/readers/w32tm/small.py"], re.DOTALL)
    (case / "JBSAG1" / "w32tm.txt").write_text(text[1], encoding="utf-8")
    shutil.copy(ROOT / "sample_data" / "log_send_queue" / "JBSAG1" / "ERRORLOG", case / "JBSAG1")
    return case


def check_report(root: Path, case: Path, out: Path, *words: str) -> None:
    """Make the report of that case: both are in it."""
    run(root, "-m", "agtrace", "report", str(case), "--out", str(out),
        "--only", "overview,events_per_hour", *words, there=out.parent)  # fmt: skip
    assert "clock offsets (w32tm)" in (out / "overview.html").read_text(encoding="utf-8")
    assert "Events per hour" in (out / "events_per_hour.html").read_text(encoding="utf-8")
    assert isinstance(json.loads((out / "findings.json").read_text(encoding="utf-8")), list)


@pytest.mark.complete
def test_its_capture_is_read_and_its_page_is_in_the_report(copy, tmp_path):
    check_report(copy, written(tmp_path / "case"), tmp_path / "report")


def parts(home: Path, readers: str, diagnostics: str) -> None:
    """Put the folders of the page elsewhere, each notebook beside its diagnostic."""
    places = {"agtrace/readers/": readers, "agtrace/diagnostics/": diagnostics}
    for name, text in FILES.items():
        if name.startswith("notebooks/"):
            question = Path(name).stem
            path = home / diagnostics / question / f"{question}.ipynb"
        elif place := next((place for place in places if name.startswith(place)), None):
            path = home / places[place] / name.removeprefix(place)
        else:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.complete
def test_outside_in_a_folder_they_work_as_in_the_project(tmp_path):
    parts(tmp_path / "plugins", "readers", "diagnostics")
    words = ("--plugins", str(tmp_path / "plugins"))
    check_report(ROOT, written(tmp_path / "case"), tmp_path / "report", *words)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder into which the package of the page was installed, from a wheel that was built of it."""
    home = tmp_path_factory.mktemp("contoso")
    parts(home, "agtrace_contoso", "agtrace_contoso")
    (home / "agtrace_contoso" / "__init__.py").touch()
    for name, text in OUTSIDE.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    run(ROOT, "-m", "hatchling", "build", "-t", "wheel", there=home)
    (wheel,) = (home / "dist").glob("agtrace_contoso-1.0-*.whl")
    site = home / "site"
    # A wheel of Python alone is installed by unpacking it.
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


@pytest.mark.complete
def test_as_a_package_they_are_found_without_being_named(installed):
    assert run(ROOT, "-m", "agtrace", "--version", "-v", also=installed).splitlines()[1:] == [
        "the reader w32tm of agtrace-contoso 1.0",
        "the diagnostic events_per_hour of agtrace-contoso 1.0",
    ]


@pytest.mark.complete
def test_the_package_tests_itself(installed):
    tests = installed.parent / "tests"
    told = run(ROOT, "-m", "pytest", "-p", "no:cacheprovider", str(tests), also=installed, there=tests)
    assert "3 passed" in told


@pytest.mark.complete
def test_the_package_is_read_by_processes_and_is_in_the_report(installed, tmp_path):
    case = written(tmp_path / "case")
    (case / "JBSAG3").mkdir()
    for name in ("one", "two"):
        text = (case / "JBSAG1" / "w32tm.txt").read_text(encoding="utf-8")
        (case / "JBSAG3" / f"{name}.txt").write_text(
            f"{text}{text}" if name == "two" else text * 3, encoding="utf-8"
        )
    words = ("--jobs", "2", "--plugins", str(installed))
    check_report(ROOT, case, tmp_path / "report", *words)
