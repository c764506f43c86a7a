"""Rows of the case as evidence of what weakens its answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from agtrace.say import words
from agtrace.say.finding import Evidence

Rows = Sequence[dict[str, Any]]

MOST = 10
"""So many rows are shown at most."""


def by_host(rows: Rows) -> dict[str, list[dict[str, Any]]]:
    """Group rows by their host, "" where it is not known."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["host"]].append(row)
    return found


def shown(rows: Rows, evidence: Callable[[dict[str, Any]], Evidence]) -> tuple[Evidence, ...]:
    """Make the first rows evidence."""
    return tuple(evidence(row) for row in rows[:MOST])


def plain(text: str | None) -> str:
    """Make text of a stranger's capture harmless; nothing is no text."""
    return words.plain(text or "")


def clock(time: Any) -> str:
    """Write a moment to the second."""
    return f"{time:%Y-%m-%d %H:%M:%S}"
