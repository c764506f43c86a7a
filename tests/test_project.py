"""What holds for the project as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

import agtrace

ROOT = Path(__file__).resolve().parent.parent

MACHINE_PATH = re.compile(r"(?:^|[\s\"'`(=])/(?:work|root|farm|home/(?!me/)\w+|Users/(?!me/)\w+|tmp/\w+)/")
LITTLE = frozenset(
    [
        "__main__",
        "bundled",
        "extras",
        "globs",
        "import_path",
        "inputs",
        "interrupts",
        "memory",
        "moments",
        "moving",
        "notebook_format",
        "printable",
        "query_rows",
        "strict_json",
        "threads",
    ]
)
"""Layers that are one small module each, which any room may use."""
LINK = re.compile(r"!?\[[^\]]*\]\((?!https?://|#)([^)#\s]+)")


def project_files() -> list[Path]:
    """Return every file that is, or would be, in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str | None:
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", "replace")


def test_environment_yml_says_what_pyproject_says():
    tool = [sys.executable, ROOT / "tools" / "sync_environment.py", "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_environment_yml_leaves_nothing_out(tmp_path):
    """A changed pyproject.toml is noticed."""
    copy = tmp_path / "tools" / "sync_environment.py"
    copy.parent.mkdir()
    copy.write_text((ROOT / "tools" / "sync_environment.py").read_text(encoding="utf-8"))
    (tmp_path / "xelib").mkdir()
    for name in ("environment.yml", "xelib/Cargo.toml", "tools/advisories.toml", "requirements.lock"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    changed = project.replace("dependencies = [\n", 'dependencies = [\n    "rich>=13",\n', 1)
    (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
    done = subprocess.run([sys.executable, copy, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run `make lock`" in done.stderr
    subprocess.run([sys.executable, copy], check=True)
    assert '  - "rich>=13"\n' in (tmp_path / "environment.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["requirements.lock", "environment.yml", "environment-dev.yml", "pyproject.toml"]
)
def test_no_package_index_is_named(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"--?(index-url|extra-index-url|find-links|trusted-host)", text)


def test_lock_covers_every_dependency():
    import tomllib

    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text("utf-8"), re.M))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {re.match(r"[\w.-]+", requirement)[0] for requirement in wanted} - {"xelib", "agtrace"}
    assert names <= locked
    assert "xelib" not in locked


@pytest.mark.complete
def test_no_path_of_a_machine():
    named = [
        f"{path.relative_to(ROOT)}: {hit[0].strip()}"
        for path in project_files()
        if path.suffix not in (".svg", ".lock")
        and (text := text_of(path)) is not None
        and (hit := MACHINE_PATH.search(text))
    ]
    assert named == []


def test_links_between_documents_lead_somewhere():
    broken = []
    for path in project_files():
        if path.suffix == ".md":
            for link in LINK.findall(path.read_text(encoding="utf-8")):
                if not (path.parent / link).exists():
                    broken.append(f"{path.relative_to(ROOT)}: {link}")
    assert broken == []


def test_version_stands_in_the_changelog():
    assert f"## [{agtrace.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_page_of_the_rooms_names_every_layer():
    import tomllib

    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers = tool["importlinter"]["contracts"][0]["layers"]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {room for layer in layers for room in layer.split(" | ")} - LITTLE
    assert {room for room in rooms if not re.search(rf"`{room}/?`", page)} == set()
