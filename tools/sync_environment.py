"""Write environment.yml and environment-dev.yml from pyproject.toml, the only list of dependencies.

The first has what users run, the second adds what contributors need.

What they ask for in turn has a lower bound, too, where older versions are known to be vulnerable
(advisories.toml).

python tools/sync_environment.py           write them
python tools/sync_environment.py --check   say whether they are up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CONDA_NAMES = {
    "duckdb": "python-duckdb",
    "jupyter-client": "jupyter_client",
    "jupyter-core": "jupyter_core",
    "jupyter-server": "jupyter_server",
}
"""Packages that conda-forge knows by another name."""

ONLY_PYPI = ("kaleido", "mcp")
"""Packages that conda-forge does not have, or not by that name in that version: pip fetches them."""

NOT_OF_CONDA = ("uv",)
"""Tools of the other ways to set agtrace up."""

FROM_SOURCE = ("xelib",)
"""Packages of this repository: built from their folder, never fetched."""

FILES = {"environment.yml": ("all",), "environment-dev.yml": ("all", "dev")}
"""What is written, and the extras that each has."""

HEADER = """\
# {what}, on Windows too:
#     conda env create -f {name}
#     conda activate {environment}
# Written by tools/sync_environment.py from pyproject.toml: change that, then run `make lock`.
# No version that it allows is one of which tools/advisories.toml knows a vulnerability.
"""

REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?P<extras>\[[^]]*\])?\s*(?P<versions>[^;]*)(?P<marker>;.*)?"
)


def conda_spec(requirement: str) -> str:
    """Turn a Python requirement into conda's form.

    Raises
    ------
    ValueError
        It has extras or a marker, which conda cannot say.
    """
    found = REQUIREMENT.fullmatch(requirement.strip())
    if not found or found["extras"] or found["marker"]:
        raise ValueError(f"conda cannot say {requirement!r}: add it to CONDA_NAMES or to the pip section")
    name = found["name"].lower()
    return CONDA_NAMES.get(name, name) + found["versions"].replace(" ", "")


def everything(project: dict, extras_wanted: Sequence[str] = ("all", "dev")) -> list[str]:
    """Return agtrace's requirements with some of its extras, each once."""
    extras = project["optional-dependencies"]

    def of(extra: str) -> list[str]:
        found = []
        for requirement in extras[extra]:
            own = re.fullmatch(rf"{project['name']}\[([^]]+)\]", requirement)
            found += [each for name in own[1].split(",") for each in of(name)] if own else [requirement]
        return found

    more = [each for extra in extras_wanted for each in of(extra)]
    return list(dict.fromkeys([*project["dependencies"], *more]))


def needed_to_run(project: dict, lock: str) -> set[str]:
    """Name the packages that agtrace needs when it runs: what its dependencies ask for, however far."""
    parents: dict[str, set[str]] = {}
    name = ""
    for line in lock.splitlines():
        if pin := re.match(r"([\w.-]+)==", line):
            name = pin[1]
        elif via := re.match(r"    #(?: via)? +([\w.-]+)$", line):
            parents.setdefault(name, set()).add(via[1])
    found = {_name(each) for each in everything(project, ["all"])}
    while more := {name for name, above in parents.items() if above & found} - found:
        found |= more
    return found


def _name(requirement: str) -> str:
    return REQUIREMENT.fullmatch(requirement)["name"].lower()


def environment(file: str, pyproject: dict, cargo: dict, advisories: dict, lock: str) -> str:
    """Return the text of one of ``FILES``; ``cargo`` is xelib's Cargo.toml, which states its Rust."""
    project, extras = pyproject["project"], FILES[file]
    names = [each for each in everything(project, extras) if _name(each) not in FROM_SOURCE]
    specs = [
        f"python{project['requires-python'].replace(' ', '')}",
        "pip",
        f"rust>={cargo['package']['rust-version']}",
    ]
    from_pypi = [name for name in names if _name(name) in ONLY_PYPI]
    specs += sorted(conda_spec(requirement) for requirement in names if requirement not in from_pypi)
    left_out = {_name(name) for name in names} | set(NOT_OF_CONDA)
    fixed = advisories["fixed"]
    if "dev" not in extras:
        left_out |= fixed.keys() - needed_to_run(project, lock)
    specs += sorted(conda_spec(f"{name}>={fixed[name][0]}") for name in fixed if name not in left_out)
    called = "agtrace-dev" if "dev" in extras else "agtrace"
    lines = [f"name: {called}", "channels:", "  - conda-forge", "  - nodefaults", "dependencies:"]
    lines += [f'  - "{spec}"' for spec in specs]
    lines += ["  - pip:", *(f'      - "{name}"' for name in from_pypi)]
    lines += [*(f"      - ./{name}" for name in FROM_SOURCE), "      - -e ."]
    what = "For contributors" if "dev" in extras else "For users of a clone"
    head = HEADER.format(what=what, name=file, environment=called)
    return head + "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write or check both files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when out of date")
    options = parser.parse_args(arguments)
    lists = [
        tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
        for name in ("pyproject.toml", "xelib/Cargo.toml", "tools/advisories.toml")
    ]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    status = 0
    for name in FILES:
        file, text = ROOT / name, environment(name, *lists, lock)
        if not options.check:
            file.write_text(text, encoding="utf-8", newline="\n")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            print(f"{name} does not say what pyproject.toml says: run `make lock`", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
