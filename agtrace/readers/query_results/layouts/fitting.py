"""Rows with more cells than names, because an unquoted text contains the separator."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FREE = re.compile(r"message|text|_desc$|description|reason|name$|failure_state|command|program|_info$")
"""Columns whose values may hold blanks."""
_MESSAGE = re.compile(r"message|text|description")
_NONE = r"|NULL"
_PATTERNS = [
    (re.compile(name), re.compile(value))
    for name, value in (
        (r"_time$|_date$|_time_utc$|^runtime$", r"\d\S*(?: \S+){0,2}" + _NONE),
        (r"^is_|^performed_seeding$", "[01]|True|False" + _NONE),
        (r"^failure_state$", r"\d+|\D.*"),
        (r"_id$|guid$", r"[0-9A-Fa-f{}xX-]+" + _NONE),
        (r"_ms$|_kb$|_bytes$|_size$|_rate$|_seconds$|_count$|^number_of|_code$", r"[+-]?[\d.,]+" + _NONE),
    )
]
"""Patterns of values, by the names of their columns."""


def fitted(cells: list[str], names: Sequence[str], separator: str) -> list[str] | None:
    """Return the cells of a row with the pieces of a text put together.

    Parameters
    ----------
    cells
        As they are between separators.
    names
        The names of the columns, as they compare.
    separator
        What stood between the cells.

    Returns
    -------
    list of str, or None
        As many as there are names; None where nothing, or more than one way, fits the names.
    """
    if separator == ",":
        # A comma within a text has a blank behind it.
        merged = _merged(cells)
        if len(merged) == len(names):
            return merged
    free = [place for place, name in enumerate(names) if _FREE.search(name)]
    ways = [cells] if len(cells) == len(names) else _ways(cells, len(names), free, separator)
    patterns = [next((p for found, p in _PATTERNS if found.search(name)), None) for name in names]
    fits = [
        way
        for way in ways
        if all(p is None or p.fullmatch(c.strip() or "NULL") for p, c in zip(patterns, way, strict=True))
    ]
    if len(fits) > 1:
        # A message holds blanks more often than a name does.
        messages = [place for place in free if _MESSAGE.search(names[place])]
        fits = [way for way in fits if any(separator in way[place] for place in messages)]
    return fits[0] if len(fits) == 1 else None


def _merged(cells: Sequence[str]) -> list[str]:
    merged: list[str] = []
    for cell in cells:
        if merged and cell.startswith(" ") and cell.strip():
            merged[-1] += f",{cell}"
        else:
            merged.append(cell)
    return merged


def _ways(cells: list[str], width: int, free: Sequence[int], separator: str) -> list[list[str]]:
    """Return the ways to fill the columns when one of the free ones holds separators."""
    surplus = len(cells) - width
    if surplus < 0:
        return []
    return [
        [*cells[:place], separator.join(cells[place : place + surplus + 1]), *cells[place + surplus + 1 :]]
        for place in free
    ]
