"""What was computed before is known by the code that computed it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import agtrace
from agtrace.history.offering import RESTS_ON

ROOT = Path(agtrace.__file__).parent
CHANGES_NO_ROW = {
    "errors", "interrupts", "threads", "memory", "storage", "bundled", "moving", "printable", "inputs",
}  # fmt: skip
"""What is raised, stopped, fetched and opened: rows are the same without it."""


def imported(path: Path) -> set[str]:
    """Return what a module imports of this package, as paths below it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("agtrace"):
            place = "/".join((node.module or "").split(".")[1:])
            of_package = (ROOT / place).is_dir()
            found |= {f"{place}/{n.name}".strip("/") for n in node.names} if of_package else {place}
    return found


@pytest.mark.complete
def test_whatever_the_code_of_relations_imports_is_in_their_key():
    places = [ROOT / name for name in RESTS_ON]
    folders = [path for place in places for path in place.rglob("*.py")]
    modules = folders + [place for place in places if place.suffix == ".py"]
    known = tuple(name.removesuffix(".py") for name in RESTS_ON)
    others = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules
        for name in imported(path)
        if not any(name == each or name.startswith(f"{each}/") for each in known)
        and name.split("/")[0] not in CHANGES_NO_ROW
    }
    assert others == set()
