"""Rows of captures as evidence: grouped by host, the first few of them, with moments to the second."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from agtrace.measures import Measured

Rows = Sequence[dict[str, Any]]
MOST = 10
"""So many rows are shown as evidence at most."""


def by_host(rows: Rows) -> dict[str, list[dict[str, Any]]]:
    """Group rows by their host, "" where it is not known."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["host"]].append(row)
    return found


def shown(rows: Rows, measured: Callable[[dict[str, Any]], Measured]) -> tuple[Measured, ...]:
    """Make the first rows evidence."""
    return tuple(measured(row) for row in rows[:MOST])


def second(time: Any) -> str:
    """Write a moment to the second; nothing where none is known."""
    return "" if time is None or time != time else f"{time:%Y-%m-%d %H:%M:%S}"
