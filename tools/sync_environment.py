"""Write environment.yml from pyproject.toml, the only list of dependencies.

What they ask for in turn has a lower bound, too, where older versions are known to be vulnerable
(advisories.toml).

python tools/sync_environment.py           write it
python tools/sync_environment.py --check   say whether it is up to date (status 1 when not)
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

HEADER = """\
# The third way to set agtrace up, on Windows too:
#     conda env create -f environment.yml
#     conda activate agtrace
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


def environment(pyproject: dict, cargo: dict, advisories: dict) -> str:
    """Return the text of environment.yml; ``cargo`` is xelib's Cargo.toml, which states its Rust."""
    project = pyproject["project"]
    names = [requirement for requirement in everything(project) if requirement not in FROM_SOURCE]
    specs = [
        f"python{project['requires-python'].replace(' ', '')}",
        "pip",
        f"rust>={cargo['package']['rust-version']}",
    ]
    from_pypi = [name for name in names if REQUIREMENT.fullmatch(name)["name"] in ONLY_PYPI]
    specs += sorted(conda_spec(requirement) for requirement in names if requirement not in from_pypi)
    named = {REQUIREMENT.fullmatch(name)["name"].lower() for name in names} | set(NOT_OF_CONDA)
    below = {f"{name}>={first}" for name, (first, _) in advisories["fixed"].items() if name not in named}
    specs += sorted(map(conda_spec, below))
    lines = ["name: agtrace", "channels:", "  - conda-forge", "  - nodefaults", "dependencies:"]
    lines += [f'  - "{spec}"' for spec in specs]
    lines += ["  - pip:", *(f'      - "{name}"' for name in from_pypi)]
    lines += [*(f"      - ./{name}" for name in FROM_SOURCE), "      - -e ."]
    return HEADER + "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write or check environment.yml."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when out of date")
    options = parser.parse_args(arguments)
    file = ROOT / "environment.yml"
    text = environment(
        *(
            tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
            for name in ("pyproject.toml", "xelib/Cargo.toml", "tools/advisories.toml")
        )
    )
    if options.check:
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            print("environment.yml does not say what pyproject.toml says: run `make lock`", file=sys.stderr)
            return 1
        return 0
    file.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
