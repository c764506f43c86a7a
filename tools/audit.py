"""Report known vulnerabilities of the versions that are pinned or allowed.

python tools/audit.py              what is written down here, then the databases (pip-audit, cargo-audit)
python tools/audit.py --recorded   only what tools/advisories.toml holds; asks nobody
python tools/audit.py --strict     status 1 also where a database could not be asked

A database that cannot be asked is said in one line, with what was not checked; it is no error, for
neither a build nor a check may depend on a network. Status 1: something is vulnerable.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.version import Version
from pins import ROOT, Pin, all_pins, lower_bounds, toml

ANSWER_S = 600
"""How long a database may take."""


@dataclass
class Audit:
    """What was found so far."""

    accepted: dict[str, str]
    vulnerable: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    def found(self, what: str, ids: Iterable[str], fixed: str) -> None:
        """Note a vulnerability, or tell that it is accepted."""
        names = list(dict.fromkeys(ids))
        known = next((name for name in names if name in self.accepted), "")
        if known:
            print(f"accepted: {what}: {known}: {self.accepted[known]}")
        else:
            self.vulnerable.append(f"{what}: {', '.join(names)}; fixed in {fixed or 'no version'}")


def recorded(audit: Audit, fixed: dict[str, list[str]], bounds: dict[str, str], pinned: list[Pin]) -> None:
    """Hold lower bounds and pinned versions to the advisories that are written down."""
    listed = [(f"pyproject.toml allows {name} {version}", name, version) for name, version in bounds.items()]
    listed += [(f"{pin.name} {pin.version} is pinned", pin.name, pin.version) for pin in pinned]
    for what, name, version in listed:
        if name in fixed and Version(version) < Version(fixed[name][0]):
            audit.found(what, [fixed[name][1]], fixed[name][0])


def ask_python(audit: Audit, command: list[str], listed: dict[str, Iterable[tuple[str, str]]]) -> None:
    """Ask pip-audit for packages and versions, whatever the platform they are for."""
    for what, packages in listed.items():
        for layer in _layers(packages):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "packages.txt"
                lines = (f"{name}=={version}\n" for name, version in layer.items())
                file.write_text("".join(lines), encoding="utf-8")
                told = _told(
                    [
                        *command,
                        "--no-deps",
                        "--disable-pip",
                        "--format",
                        "json",
                        "--progress-spinner",
                        "off",
                        "--requirement",
                        str(file),
                    ]
                )
            if isinstance(told, str):
                audit.unchecked.append(f"{len(layer)} Python packages ({what}): {told}")
                continue
            _note_python(audit, what, told)


def _note_python(audit: Audit, what: str, told: dict[str, Any]) -> None:
    unknown = []
    for package in told["dependencies"]:
        if "skip_reason" in package:
            unknown.append(package["name"])
        for hole in package.get("vulns", []):
            name = f"{package['name']} {package['version']} ({what})"
            audit.found(name, [hole["id"], *hole["aliases"]], ", ".join(hole["fix_versions"]))
    if unknown:
        audit.unchecked.append(
            f"{len(unknown)} Python packages ({what}): the database knows nothing of {unknown[0]}"
            + (" and others" if len(unknown) > 1 else "")
        )


def _layers(packages: Iterable[tuple[str, str]]) -> Iterator[dict[str, str]]:
    """Part a list so that no package is in a part twice: pip-audit takes one version of each."""
    left = list(dict.fromkeys(packages))
    while left:
        layer = dict(reversed(left))
        yield layer
        left = [(name, version) for name, version in left if layer[name] != version]


def ask_cargo(audit: Audit, command: list[str], lock: Path) -> None:
    """Ask cargo-audit for the crates of a Cargo.lock."""
    told = _told([*command, "--json", "--file", str(lock)])
    if isinstance(told, str):
        audit.unchecked.append(f"the crates of xelib: {told}")
        return
    for hole in told["vulnerabilities"]["list"]:
        advisory, package = hole["advisory"], hole["package"]
        fixed = ", ".join(hole["versions"]["patched"])
        name = f"{package['name']} {package['version']} (xelib)"
        audit.found(name, [advisory["id"], *advisory["aliases"]], fixed)


def _told(command: list[str]) -> dict[str, Any] | str:
    """Run a program and give the JSON that it prints; else why there is none, in a line."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, encoding="utf-8", errors="replace",
            timeout=ANSWER_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer in {ANSWER_S} s"
    except FileNotFoundError:
        return f"{Path(command[0]).name} is not installed"
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stderr).strip().splitlines()
        return said[-1].strip()[:200] if said else f"it ended with status {done.returncode}"


def main() -> int:
    """Print it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recorded", action="store_true", help="ask nobody")
    parser.add_argument("--strict", action="store_true", help="fail where nobody could be asked")
    options = parser.parse_args()
    known = toml("tools/advisories.toml")
    audit = Audit(known["accepted"])
    bounds, pinned = lower_bounds(toml("pyproject.toml")), all_pins()
    recorded(audit, known["fixed"], bounds, pinned)
    if not options.recorded:
        pip_audit = Path(sys.executable).parents[1] / "audit" / "bin" / "pip-audit"
        lists = {"pinned": [(pin.name, pin.version) for pin in pinned], "lower bounds": bounds.items()}
        ask_python(audit, [str(pip_audit)], lists)
        cargo = shutil.which("cargo-audit") or str(Path.home() / ".cargo" / "bin" / "cargo-audit")
        ask_cargo(audit, [cargo, "audit"], ROOT / "xelib" / "Cargo.lock")
    for line in audit.vulnerable:
        print(f"vulnerable: {line}")
    for line in audit.unchecked:
        print(f"not checked: {line}")
    return 1 if audit.vulnerable or (options.strict and audit.unchecked) else 0


if __name__ == "__main__":
    sys.exit(main())
