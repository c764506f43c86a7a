"""Example queries: five for every relation, in SQL files."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from agtrace.errors import CaseError
from agtrace.globs import instead

_RECIPE = re.compile(
    r"(?:-- # (?P<relation>\w+)\n)?-- (?P<task>[^#\n][^\n]*)\n(?P<query>(?:(?!--)[^\n]+\n)+)"
)


class Recipe(NamedTuple):
    """A query with its task."""

    relation: str
    task: str
    query: str


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return all recipes: captured relations first, then those of events, by subject."""
    found: list[Recipe] = []
    files = sorted(Path(__file__).parent.glob("*.sql"), key=lambda path: (path.stem != "captured", path.stem))
    for path in files:
        for each in _RECIPE.finditer(path.read_text(encoding="utf-8")):
            relation = each["relation"] or found[-1].relation
            found.append(Recipe(relation, each["task"], each["query"].strip()))
    return tuple(found)


def recipes_of(relation: str | None = None) -> list[Recipe]:
    """Return the recipes of one relation; without a name all.

    Raises
    ------
    CaseError
        No relation has this name; the message names the nearest.
    """
    if relation is None:
        return list(recipes())
    found = [each for each in recipes() if each.relation == relation]
    if not found:
        known = dict.fromkeys(each.relation for each in recipes())
        raise CaseError(f"no relation is called {relation!r}", instead(relation, known))
    return found
