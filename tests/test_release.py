"""What a release consists of, and how it is made: the workflow runs what runs by hand, of what is pinned."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module

import pytest
import yaml

from tests.test_project import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
VOUCHED_BY_TAG = {"actions/attest-build-provenance"}
"""Actions of the release whose commit nobody here could vouch for."""


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module


def jobs(path=RELEASE):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def runs():
    return [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actionlint_finds_nothing(path):
    program = shutil.which("actionlint") or shutil.which("actionlint", path=str(ROOT / ".venv" / "bin"))
    if program is None:
        pytest.skip("actionlint is not installed: 'make workflows' does, where Go is")
    done = subprocess.run([program, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_actions_of_the_release_are_named_by_commit():
    used = {step["uses"] for job in jobs().values() for step in job["steps"] if "uses" in step}
    by_tag = {each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each)}
    assert {each.partition("@")[0] for each in by_tag} == VOUCHED_BY_TAG


def test_only_the_job_that_publishes_may_write_and_only_of_a_tag():
    may = {name: job["permissions"] for name, job in jobs().items() if "permissions" in job}
    assert may == {"publish": {"contents": "write", "id-token": "write", "attestations": "write"}}
    assert jobs()["publish"]["if"] == "github.ref_type == 'tag'"
    assert yaml.safe_load(RELEASE.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}
    assert "secrets." not in RELEASE.read_text(encoding="utf-8")


def test_xelib_is_built_for_each_system_and_processor():
    targets = [each["target"] for each in jobs()["xelib"]["strategy"]["matrix"]["include"]]
    assert targets == [
        "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin", "aarch64-apple-darwin",
        "x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("", []),
        ("x86_64-unknown-linux-gnu", ["--zig", "--compatibility", "manylinux_2_28"]),
        ("aarch64-unknown-linux-musl", ["--zig", "--compatibility", "musllinux_1_2"]),
        ("aarch64-apple-darwin", []),
        ("x86_64-pc-windows-msvc", []),
    ],
)
def test_a_wheel_for_linux_is_for_the_oldest_systems(tool, tmp_path, target, told):
    (build,) = tool("build_wheels").commands(tmp_path, target)["xelib"]
    asked = ["--target", target] if target else []
    assert build[build.index(tmp_path) + 1 :] == [*asked, *told]
    assert "--locked" in build


def test_the_workflow_calls_what_is_there():
    text = "\n".join(runs())
    assert [name for name in re.findall(r"tools/[\w./-]+", text) if not (ROOT / name).is_file()] == []
    made = set(re.findall(r"make ([\w-]+)", text))
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert {"sbom", "docs-site"} <= made <= targets


def test_the_site_that_is_handed_out_is_the_one_that_was_made():
    (made,) = re.findall(r"^site_dir: (\S+)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    (packed,) = re.findall(r"agtrace-docs\.tar\.gz -C (\S+) (\S+)", "\n".join(runs()))
    assert "/".join(packed) == made


def test_whatever_the_workflow_installs_is_held_to_hashes():
    installs = [each for each in runs() if "pip install" in each and "docker" not in each]
    assert len(installs) == 3
    assert [each for each in installs if "--require-hashes" not in each or "--only-binary" not in each] == []


def test_the_environments_that_are_tried_are_known(tool):
    tried = {
        name for each in jobs()["try"]["strategy"]["matrix"]["include"] for name in each["only"].split(",")
    }
    assert tried == set(tool("check_wheels").ENVIRONMENTS)


def test_what_builds_a_release_is_what_builds_here(tool):
    """Two lists name them; neither is to drift from the other."""
    here = {
        pin.name: pin.version for pin in tool("pins").pins((ROOT / "requirements.lock").read_text("utf-8"))
    }
    text = (ROOT / "tools" / "locked" / "release.txt").read_text(encoding="utf-8")
    there = {pin.name: pin.version for pin in tool("pins").pins(text)}
    assert {name: version for name, version in there.items() if name != "ziglang"}.items() <= here.items()


def test_the_notices_of_xelib_name_the_crates_that_are_linked():
    done = subprocess.run([sys.executable, ROOT / "tools" / "notices.py", "--check"], check=False)
    assert done.returncode == 0
    project = tomllib.loads((ROOT / "xelib" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "NOTICES"]
    assert (ROOT / "xelib" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_of_agtrace_holds_the_notice_of_plotly_js():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "agtrace/report/plotly/LICENSE"]
    assert "MIT License" in (ROOT / project["license-files"][1]).read_text(encoding="utf-8")


def test_the_bill_names_what_runs_and_nothing_that_only_developers_need(tool):
    bill = tool("sbom").bill()
    purls = [each["purl"] for each in bill["components"]]
    names = {each["name"] for each in bill["components"]}
    assert {"pandas", "xelib", "pyo3", "plotly.js-cartesian-dist-min", "s3fs"} <= names
    assert not {"pytest", "moto", "ruff"} & names
    assert len(set(purls)) == len(purls)
    assert [each["purl"] for each in bill["components"] if "licenses" not in each] == []
    assert json.dumps(bill) == json.dumps(tool("sbom").bill())


def test_a_notebook_in_the_wheel_has_no_outputs(tool):
    text = (ROOT / "notebooks" / "overview.ipynb").read_text(encoding="utf-8")
    bare = json.loads(tool("bare_notebooks").bare(text))
    assert [cell["outputs"] for cell in bare["cells"] if cell["cell_type"] == "code"][:2] == [[], []]
    assert [cell["source"] for cell in bare["cells"]] == [
        cell["source"] for cell in json.loads(text)["cells"]
    ]


def embeddable(path, paths="python313._pth"):
    """Write what looks like Python's embeddable package."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("python.exe", b"MZ")
        archive.writestr("python313.zip", b"PK")
        archive.writestr(paths, "python313.zip\r\n.\r\n#import site\r\n")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_python_of_windows_looks_into_the_library_of_the_bundle(tool, tmp_path):
    digest = embeddable(tmp_path / "embed.zip")
    version = tool("offline_bundle").embedded(tmp_path / "embed.zip", digest.upper(), tmp_path / "python")
    assert version == "3.13"
    written = (tmp_path / "python" / "python313._pth").read_bytes()
    assert written == b"python313.zip\r\n.\r\n..\\lib\r\nimport site\r\n"


def test_a_python_of_windows_that_is_not_the_named_one_is_refused(tool, tmp_path):
    embeddable(tmp_path / "embed.zip")
    with pytest.raises(SystemExit, match=r"embed\.zip: its SHA-256 is [0-9a-f]{64}, not 00"):
        tool("offline_bundle").embedded(tmp_path / "embed.zip", "00", tmp_path / "python")


def test_what_is_no_embeddable_package_is_refused(tool, tmp_path):
    digest = embeddable(tmp_path / "embed.zip", "readme.txt")
    with pytest.raises(SystemExit, match="is no embeddable package of Python"):
        tool("offline_bundle").embedded(tmp_path / "embed.zip", digest, tmp_path / "python")


def test_a_bundle_is_held_to_sums_and_keeps_its_programs(tool, tmp_path):
    folder = tmp_path / "bundle"
    (folder / "lib").mkdir(parents=True)
    (folder / "agtrace").write_bytes(b"#!/bin/sh\n")
    (folder / "agtrace").chmod(0o755)
    (folder / "lib" / "a.py").write_bytes(b"")
    tool("offline_bundle").sums(folder)
    assert (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines() == [
        f"{hashlib.sha256(b'#!/bin/sh' + bytes([10])).hexdigest()}  agtrace",
        f"{hashlib.sha256(b'').hexdigest()}  lib/a.py",
    ]
    tool("offline_bundle").packed(folder, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        modes = {each.filename: oct(each.external_attr >> 16) for each in archive.infolist()}
    assert modes == {"bundle/SHA256SUMS": "0o644", "bundle/agtrace": "0o755", "bundle/lib/a.py": "0o644"}
