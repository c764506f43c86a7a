"""The cases that real files make: each file alone, what belongs together, one group in its parts, strangers
mixed.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.shared import CAPTURES

LEFT_OUT = ("expected", "SOURCES.md", "FIGURES.md")
GROUP = "failover_2017"
KINDS = {
    "ERRORLOG": "ERRORLOG*",
    "AlwaysOn_health": "AlwaysOn_health*",
    "system_health": "system_health*",
    "SQLDIAG": "*SQLDIAG*",
}
"""Kinds of files of the real group, by the names that they have."""


@dataclass(frozen=True)
class RealCase:
    """Files that are dropped into one folder.

    Parameters
    ----------
    name
        Where it comes from, and what it is of that.
    files
        Where each comes from, by its path in the case.
    """

    name: str
    files: dict[str, Path]

    @property
    def title(self) -> str:
        """What the page calls it: hosts of the real group go by NODE1 and NODE2 there."""
        return re.sub("ze-2016-v", "NODE", self.name, flags=re.IGNORECASE)

    def lay(self, folder: Path) -> Path:
        """Copy the files into a folder, and give it."""
        for place, source in self.files.items():
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        return folder


def together() -> Iterator[RealCase]:
    """Yield matching files, each set as one case, and unrelated files in one folder."""
    logs = _logs_by_origin()
    for origin, files in logs.items():
        yield RealCase(f"errorlog/{origin}", files)
    yield RealCase(GROUP, _group())
    for name in (
        "xel",
        "perfmon",
        "blg",
        "field/evtx",
        "field/robocopy",
        "field/console",
        "errorlog_excerpts",
    ):
        yield RealCase(f"{name}, mixed", _below(CAPTURES / name))
    pairs = list(logs.values())
    yield RealCase(
        "errorlog, mixed",
        {f"{n}/{name}": path for n, files in enumerate(pairs) for name, path in files.items()},
    )


def parts_of_the_group() -> Iterator[RealCase]:
    """Yield the real group with each file left out, each host alone, and each kind of file alone."""
    whole = _group()
    for host in sorted({place.split("/")[0] for place in whole if "/" in place}):
        yield RealCase(
            f"{GROUP}, {host} alone",
            {place: path for place, path in whole.items() if place.startswith(f"{host}/")},
        )
    for kind, pattern in KINDS.items():
        yield RealCase(
            f"{GROUP}, {kind} alone", {place: path for place, path in whole.items() if path.match(pattern)}
        )
    for left_out in whole:
        yield RealCase(
            f"{GROUP} without {left_out}", {place: path for place, path in whole.items() if place != left_out}
        )


def alone() -> Iterator[RealCase]:
    """Yield each file as a case of its own."""
    for folder in ("errorlog", "errorlog_excerpts", "xel", "perfmon", "blg", "field/evtx", GROUP):
        for place, path in _below(CAPTURES / folder).items():
            yield RealCase(f"{folder}/{place} alone", {_plain(path.name): path})


def _below(folder: Path) -> dict[str, Path]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    places = {path.relative_to(folder): path for path in found}
    return {place.as_posix(): path for place, path in places.items() if not set(place.parts) & set(LEFT_OUT)}


def _group() -> dict[str, Path]:
    return _below(CAPTURES / GROUP)


def _plain(name: str) -> str:
    """Return a file's original name: the collection puts its origin before it."""
    return name.rpartition("__")[2] if "+" in name else name


def _logs_by_origin() -> dict[str, dict[str, Path]]:
    found: dict[str, dict[str, Path]] = {}
    for path in sorted((CAPTURES / "errorlog").iterdir()):
        found.setdefault(path.name.partition("__")[0], {})[_plain(path.name)] = path
    return found
