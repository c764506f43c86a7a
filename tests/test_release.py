"""A release is whole or is refused: version, changelog, wheels; workflows name their actions by commit."""

from __future__ import annotations

import datetime as dt
import io
import re
import subprocess
import sys
import tarfile
import zipfile
from importlib import import_module, metadata

import pytest

import agtrace
from tests.test_project import ROOT

TODAY = dt.date(2026, 3, 14)
CHANGELOG = (
    "# Changelog\n\n## [1.2.0] - 2026-03-14\n\n### Added\n\n- A page.\n\n## [1.1.0] - 2026-01-01\n\n- Old.\n"
)


@pytest.fixture
def release(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module("check_release")


@pytest.mark.parametrize(
    ("text", "fragments", "fault"),
    [
        (CHANGELOG, [], None),
        (CHANGELOG.replace("1.2.0", "1.1.9"), [], "its first version is not 1.2.0"),
        (CHANGELOG.replace(" - 2026-03-14", ""), [], "1.2.0 has no date"),
        (CHANGELOG.replace("2026-03-14", "2026-03-15"), [], "1.2.0 has no date, or a later one"),
        (CHANGELOG.replace("- A page.\n", ""), [], "1.2.0 has no entry"),
        (CHANGELOG.replace("- A page.\n", "- A page.\n" * 150), [], "has 155 lines, more than 150"),
        (CHANGELOG, ["+queue.added.md"], r"changes/ has \+queue.added.md"),
    ],
)
def test_the_changelog_must_have_the_version(release, text, fragments, fault):
    told = list(release.changelog_faults(text, "1.2.0", fragments, TODAY))
    assert len(told) == (fault is not None)
    assert fault is None or re.search(fault, told[0])


def stated(name: str, version: str, *lines: str) -> bytes:
    return "\n".join([f"Name: {name}", f"Version: {version}", *lines, ""]).encode()


def wheel(folder, file: str, text: bytes) -> None:
    with zipfile.ZipFile(folder / file, "w") as made:
        made.writestr(f"{'-'.join(file.split('-')[:2])}.dist-info/METADATA", text)


def sources(folder, name: str, version: str) -> None:
    text = stated(name, version)
    with tarfile.open(folder / f"{name}-{version}.tar.gz", "w:gz") as made:
        entry = tarfile.TarInfo(f"{name}-{version}/PKG-INFO")
        entry.size = len(text)
        made.addfile(entry, io.BytesIO(text))


@pytest.fixture
def dist(tmp_path):
    """Wheels and sources of agtrace 1.2.0 with xelib 1.0.0."""
    wheel(tmp_path, "agtrace-1.2.0-py3-none-any.whl", stated("agtrace", "1.2.0", "Requires-Dist: xelib>=1"))
    wheel(tmp_path, "agtrace_samples-1.2.0-py3-none-any.whl", stated("agtrace-samples", "1.2.0"))
    wheel(tmp_path, "xelib-1.0.0-cp311-abi3-win_amd64.whl", stated("xelib", "1.0.0"))
    sources(tmp_path, "agtrace", "1.2.0")
    sources(tmp_path, "xelib", "1.0.0")
    return tmp_path


def test_wheels_and_sources_of_one_version_are_a_release(release, dist):
    assert list(release.dist_faults(dist, "1.2.0", "1.0.0")) == []


def test_a_missing_wheel_is_named(release, dist):
    (dist / "xelib-1.0.0-cp311-abi3-win_amd64.whl").unlink()
    (fault,) = release.dist_faults(dist, "1.2.0", "1.0.0")
    assert "xelib-1.0.0-cp311-abi3-*.whl is missing" in fault


def test_a_wheel_of_another_version_is_named(release, dist):
    wheel(dist, "agtrace-1.1.0-py3-none-any.whl", stated("agtrace", "1.1.0"))
    (fault,) = release.dist_faults(dist, "1.2.0", "1.0.0")
    assert fault.endswith("agtrace-1.1.0-py3-none-any.whl: not of this release")


def test_a_wheel_that_needs_a_folder_of_this_machine_is_refused(release, dist):
    text = stated("agtrace", "1.2.0", "Requires-Dist: xelib @ file:///clone/xelib")
    wheel(dist, "agtrace-1.2.0-py3-none-any.whl", text)
    (fault,) = release.dist_faults(dist, "1.2.0", "1.0.0")
    assert "it needs xelib @ file:///clone/xelib" in fault


def test_metadata_of_another_version_than_the_name_is_refused(release, dist):
    wheel(dist, "agtrace_samples-1.2.0-py3-none-any.whl", stated("agtrace-samples", "1.1.0"))
    (fault,) = release.dist_faults(dist, "1.2.0", "1.0.0")
    assert "it is agtrace-samples 1.1.0" in fault


def test_the_version_stands_in_one_place():
    lines = {
        path.relative_to(ROOT).as_posix()
        for path in (*ROOT.glob("*.toml"), *ROOT.glob("sample_data/*.toml"), *(ROOT / "agtrace").glob("*.py"))
        if f'"{agtrace.__version__}"' in path.read_text(encoding="utf-8")
    }
    assert lines == {"agtrace/__init__.py"}


def test_the_installed_decoders_are_those_that_agtrace_asks_for():
    (asked,) = (each for each in metadata.requires("agtrace") or [] if each.startswith("xelib"))
    version = metadata.version("xelib")
    assert asked.startswith("xelib @ file:") or version.split(".")[0] in re.findall(r">=(\d+)", asked)


@pytest.mark.parametrize(
    ("environment", "asked"), [({}, "xelib @ file:"), ({"AGTRACE_RELEASE": "1"}, "xelib>=1")]
)
def test_a_clone_builds_its_own_decoders_and_a_release_fetches_them(monkeypatch, environment, asked):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    monkeypatch.delenv("AGTRACE_RELEASE", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = {"dependencies": ["click", "xelib>=1,<2"]}
    import_module("own_decoders").OwnDecoders(str(ROOT), {}).update(found)
    assert found["dependencies"][0] == "click"
    assert found["dependencies"][1].startswith(asked)


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_actions_are_named_by_commit(name):
    text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    assert [each for each, note in used if not re.search(r"@[0-9a-f]{40}$", each) or "# v" not in note] == []


@pytest.mark.complete
def test_files_of_changes_become_a_section_of_the_changelog(tmp_path):
    """towncrier reads pyproject.toml as it is."""
    towncrier = ROOT / ".venv" / "release" / "bin" / "towncrier"
    if not towncrier.exists():
        pytest.skip("make changelog was not run here: .venv/release is missing")
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "+queue.added.md").write_text("A page about queues.\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n<!-- changes -->\n\n## [1.0.0]\n", encoding="utf-8"
    )
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), encoding="utf-8")
    command = [towncrier, "build", "--yes", "--keep", "--version", "1.1.0", "--date", "2026-03-14"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [1.1.0] - 2026-03-14\n\n### Added\n\n- A page about queues.\n" in text
    assert text.index("[1.1.0]") < text.index("[1.0.0]")


def test_what_is_wrong_has_status_1(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "check_release.py", tmp_path],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "agtrace_samples-" in done.stderr
