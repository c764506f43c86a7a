"""What the lists of pinned packages say: requirements.lock, and those of tools/locked/.

`make lock` writes them; nothing is installed from anywhere else.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

LISTS = (
    "requirements.lock",
    *(f"tools/locked/{each}.txt" for each in ("uv", "rust", "audit", "docs", "release")),
)
"""The lists of Python packages, from the root of the project."""

NPM_TOOLS = ("azurite", "axe")
"""The tools from npm: folders of tools/locked/."""

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\\n]+))?")
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.M)
_BOUND = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[^,;\s]+)")


@dataclass(frozen=True)
class Pin:
    """One package of a list: exactly one version, and what its files hash to."""

    name: str
    version: str
    marker: str
    hashes: int


def own_version() -> str:
    """Return agtrace's version, from the one place that states it."""
    found = _VERSION.search((ROOT / "agtrace" / "__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit("agtrace/__init__.py has no __version__")
    return found[1]


def pins(text: str) -> list[Pin]:
    """Return the pins of a list, in its order."""
    joined = text.replace("\\\n", " ")
    found = []
    for line in joined.splitlines():
        pin = _PIN.match(line)
        if pin:
            marker = (pin["marker"] or "").split("--hash")[0].strip()
            found.append(Pin(pin["name"], pin["version"], marker, len(_HASH.findall(line))))
    return found


def all_pins(root: Path = ROOT) -> list[Pin]:
    """Return the pins of all lists, each package and version once."""
    listed = [pin for name in LISTS for pin in pins((root / name).read_text(encoding="utf-8"))]
    return list({(pin.name, pin.version): pin for pin in reversed(listed)}.values())[::-1]


def lower_bounds(pyproject: dict[str, Any]) -> dict[str, str]:
    """Return the oldest version of each package that pyproject.toml allows."""
    project = pyproject["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
        *(each for group in pyproject["dependency-groups"].values() for each in group),
    ]
    matched = (_BOUND.match(requirement) for requirement in wanted)
    return {bound["name"].lower(): bound["version"] for bound in matched if bound}


def toml(path: str, root: Path = ROOT) -> dict[str, Any]:
    """Read a TOML file of the project."""
    return tomllib.loads((root / path).read_text(encoding="utf-8"))
