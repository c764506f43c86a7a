"""Where what the project is built of comes from: pinned, held to hashes, known to be sound, free to use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.folded import folded

ROOT = Path(__file__).resolve().parent.parent

LISTS = [
    "requirements.lock",
    *(f"tools/locked/{each}.txt" for each in ("uv", "rust", "audit", "docs", "release")),
]
NPM = ["azurite", "axe"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def tool(monkeypatch):
    """Import a tool as it finds its neighbours itself: beside it."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module


@pytest.mark.parametrize("name", LISTS)
def test_each_pinned_package_is_held_to_hashes(tool, name):
    pinned = tool("pins").pins(text_of(name))
    assert pinned
    assert [pin.name for pin in pinned if not pin.hashes] == []


@folded("name", [*LISTS, *(f"tools/locked/{each}/package-lock.json" for each in NPM)])
def test_no_list_says_where_packages_are_fetched(name):
    assert not re.search(r"--?(index-url|extra-index-url|find-links|trusted-host)", text_of(name))
    assert '"resolved"' not in text_of(name)
    assert not re.search(r"registry\.|/simple|pypi|pythonhosted", text_of(name).replace("# via", ""))


@pytest.mark.parametrize("name", NPM)
def test_each_package_from_npm_is_held_to_its_hash(name):
    (wanted,) = json.loads(text_of(f"tools/locked/{name}/package.json"))["dependencies"].values()
    packages = json.loads(text_of(f"tools/locked/{name}/package-lock.json"))["packages"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", wanted)
    assert [
        path for path, each in packages.items() if path and "sha512-" not in each.get("integrity", "")
    ] == []


def test_each_crate_is_held_to_its_hash():
    crates = tomllib.loads(text_of("xelib/Cargo.lock"))["package"]
    assert [each["name"] for each in crates if "checksum" not in each] == ["xelib"]


def test_nothing_is_installed_but_by_hash_or_from_this_folder():
    makefile = re.sub(r"\\\n\s*", " ", text_of("Makefile")).replace("$(LOCKED)", "--require-hashes")
    lines = [line for line in makefile.splitlines() if re.search(r"pip install|\$\(INSTALL\)", line)]
    recipes = [line for line in lines if line.startswith("\t")]
    assert len(recipes) == 8
    # The folder of the wheel holds what was built here.
    known = re.compile(r"--require-hashes|--no-build-isolation|--no-deps .*\$\(VENV\)/wheel/xelib-\*\.whl$")
    assert [line for line in recipes if not known.search(line)] == []
    assert re.search(
        r"rm -rf \$\(VENV\)/wheel\n.*maturin build .*--out \$\(VENV\)/wheel ", makefile, re.DOTALL
    )
    assert not re.search(r"npm (install|i) (?!.*--package-lock-only)", makefile)
    assert re.search(r"npm ci \$\(NPM\)", makefile)
    assert re.search(r"^NPM := .*--ignore-scripts", makefile, re.M)


def test_xelib_is_built_of_the_crates_that_are_pinned():
    assert tomllib.loads(text_of("xelib/pyproject.toml"))["tool"]["maturin"]["locked"] is True
    assert re.findall(r"cargo (?:build|clippy|test|run)(?! --locked)", text_of("Makefile")) == []


@pytest.mark.parametrize("project", [".", "xelib"])
def test_what_builds_is_pinned(tool, project):
    """Builds run without isolation: what they need is that of requirements.lock."""
    packaging = import_module("packaging.requirements")
    pinned = {pin.name: pin.version for pin in tool("pins").pins(text_of("requirements.lock"))}
    for wanted in tomllib.loads(text_of(f"{project}/pyproject.toml"))["build-system"]["requires"]:
        requirement = packaging.Requirement(wanted)
        assert pinned[requirement.name] in requirement.specifier


def test_no_version_that_is_known_to_be_vulnerable_is_pinned_or_allowed():
    tool = [sys.executable, ROOT / "tools" / "audit.py", "--recorded"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FIXED = {"jinja2": ["3.1.6", "CVE-2025-27516"]}


def test_a_lower_bound_below_the_first_sound_version_is_found(tool):
    audit = tool("audit").Audit({})
    tool("audit").recorded(audit, FIXED, {"jinja2": "3.1", "click": "8"}, [])
    assert audit.vulnerable == ["pyproject.toml allows jinja2 3.1: CVE-2025-27516; fixed in 3.1.6"]


def test_a_pinned_version_below_the_first_sound_one_is_found(tool):
    audit = tool("audit").Audit({})
    tool("audit").recorded(audit, FIXED, {}, tool("pins").pins("jinja2==3.1.5 \\\n    --hash=x\n"))
    assert audit.vulnerable == ["jinja2 3.1.5 is pinned: CVE-2025-27516; fixed in 3.1.6"]


HOLE = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["3.1.6"], "description": ""}


def stand_in(tmp_path: Path, printed: str = "", error: str = "") -> list[str]:
    """Return the command of a program that prints the output of a database's client."""
    program = tmp_path / "client.py"
    program.write_text(
        f"import sys\nsys.stdout.write({printed!r})\nsys.exit({error!r} or None)\n", encoding="utf-8"
    )
    return [sys.executable, str(program)]


def asked_python(tool, command, accepted=()):
    audit = tool("audit").Audit(dict(accepted))
    tool("audit").ask_python(audit, command, {"pinned": [("jinja2", "3.1.5")]})
    return audit


def test_what_the_database_of_python_packages_knows_is_told(tool, tmp_path):
    answer = {"dependencies": [{"name": "jinja2", "version": "3.1.5", "vulns": [HOLE]}]}
    audit = asked_python(tool, stand_in(tmp_path, json.dumps(answer)))
    assert audit.vulnerable == ["jinja2 3.1.5 (pinned): PYSEC-1, CVE-1; fixed in 3.1.6"]
    assert audit.unchecked == []


def test_what_is_accepted_is_told_with_its_reason_and_is_no_error(tool, tmp_path, capsys):
    answer = {"dependencies": [{"name": "jinja2", "version": "3.1.5", "vulns": [HOLE]}]}
    audit = asked_python(tool, stand_in(tmp_path, json.dumps(answer)), {"CVE-1": "not reached"})
    assert audit.vulnerable == []
    assert capsys.readouterr().out == "accepted: jinja2 3.1.5 (pinned): CVE-1: not reached\n"


def test_a_package_that_the_database_does_not_know_was_not_checked(tool, tmp_path):
    """pip-audit ends well and says that no vulnerability is known."""
    answer = {"dependencies": [{"name": "jinja2", "skip_reason": "not found"}], "fixes": []}
    audit = asked_python(tool, stand_in(tmp_path, json.dumps(answer)))
    assert audit.unchecked == ["1 Python packages (pinned): the database knows nothing of jinja2"]


def test_a_database_that_cannot_be_reached_is_one_line(tool, tmp_path):
    audit = asked_python(tool, stand_in(tmp_path, error="ConnectionError: no such host"))
    assert audit.unchecked == ["1 Python packages (pinned): ConnectionError: no such host"]


def test_a_client_that_is_not_installed_is_one_line(tool, tmp_path):
    audit = asked_python(tool, [str(tmp_path / "pip-audit")])
    assert audit.unchecked == ["1 Python packages (pinned): pip-audit is not installed"]


def test_two_versions_of_a_package_are_asked_for_one_after_the_other(tool):
    listed = [("numpy", "2.4"), ("numpy", "2.5"), ("pandas", "3.1")]
    asked = list(tool("audit")._layers(listed))
    assert asked == [{"pandas": "3.1", "numpy": "2.4"}, {"numpy": "2.5"}]


def test_what_the_database_of_crates_knows_is_told(tool, tmp_path):
    hole = {
        "advisory": {"id": "RUSTSEC-1", "aliases": []},
        "package": {"name": "memchr", "version": "2.8.3"},
        "versions": {"patched": [">=2.8.4"]},
    }
    answer = {"vulnerabilities": {"found": True, "count": 1, "list": [hole]}}
    audit = tool("audit").Audit({})
    tool("audit").ask_cargo(audit, stand_in(tmp_path, json.dumps(answer)), Path("Cargo.lock"))
    assert audit.vulnerable == ["memchr 2.8.3 (xelib): RUSTSEC-1; fixed in >=2.8.4"]


@pytest.mark.complete
def test_the_list_of_licences_is_up_to_date():
    tool = [sys.executable, ROOT / "tools" / "document_licences.py", "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@folded(
    ("licence", "is_accepted"),
    [
        ("MIT", True),
        ("MPL-2.0 AND MIT", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("(MIT OR GPL-2.0-only) AND (GPL-2.0-only OR ISC)", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR Apache-2.0) AND LGPL-2.1-only", False),
        ("AGPL-3.0-or-later WITH LLVM-exception", False),
        ("", False),
        ("Proprietary", False),
    ],
)
def test_a_licence_that_asks_for_too_much_or_is_unknown_is_refused(tool, licence, is_accepted):
    assert tool("document_licences").is_accepted("some-package", licence) is is_accepted


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License: BSD 3-Clause License", "BSD-3-Clause"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: ISC License (ISCL)", "ISC"),
        ("License: BSD\nClassifier: License :: OSI Approved :: BSD License", "BSD"),
        ("License: Dual License\nClassifier: License :: OSI Approved :: BSD License\n"
         "Classifier: License :: OSI Approved :: Apache Software License", "Apache-2.0 AND BSD"),
        ("License: Our own", "Our own"),
        ("Name: x", ""),
    ],
)  # fmt: skip
def test_the_licence_is_the_one_that_a_package_declares(tool, metadata, licence):
    message = import_module("email").message_from_string(metadata + "\n")
    assert tool("document_licences").declared(message) == licence


@pytest.mark.complete
def test_a_package_of_another_platform_is_held_to_the_row_of_its_version(tool):
    licences = tool("document_licences")
    row = "BSD-2-Clause | `appnope==1.0.0`, `arrow==1.4.0`\n"
    python, _ = licences.rows(row, asks=False)
    (appnope,) = [each for each in python if each.name == "appnope"]
    assert appnope.licence == "BSD-2-Clause"
    other, _ = licences.rows(row.replace("1.0.0", "0.9"), asks=False)
    assert "appnope 1.0.0: its licence is not known here" in licences.refused(other, [])


def test_no_environment_of_conda_allows_a_version_that_is_known_to_be_vulnerable(tool):
    version = import_module("packaging.version").Version
    conda = {new: old for old, new in tool("sync_environment").CONDA_NAMES.items()}
    fixed = tool("pins").toml("tools/advisories.toml")["fixed"]
    project, lock = tool("pins").toml("pyproject.toml")["project"], text_of("requirements.lock")
    used = tool("sync_environment").needed_to_run(project, lock)
    for file, names in {"environment.yml": used, "environment-dev.yml": fixed.keys() - {"uv"}}.items():
        bounds = re.findall(r'"([\w.-]+)>=([^",]+)', text_of(file))
        allowed = {conda.get(name, name): bound for name, bound in bounds}
        wanted = {name: first for name, (first, _) in fixed.items() if name in names}
        assert {name for name in wanted if name not in allowed} == set()
        assert {n for n, first in wanted.items() if version(allowed[n]) < version(first)} == set()
