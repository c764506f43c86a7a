"""Match names by globs, with the same rules everywhere, and find the nearest names.

``*`` matches any text and ``?`` one character. All other characters are literal, including brackets, which
perfmon writes into instance names (``intel[r] ethernet``). Matching ignores case.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from agtrace.errors import CaseError

_WILDCARDS = {"*": ".*", "?": "."}
MOST_NAMED = 5
"""Number of names listed if there are many."""
FEW_NAMES = 15
"""Maximum number of names that are listed in full."""


def named(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return the requested names or globs, one or several, without duplicates.

    Raises
    ------
    CaseError
        An element is not a string.
    """
    found = [names] if isinstance(names, str) else list(names) if isinstance(names, Iterable) else [None]
    texts = [each for each in found if isinstance(each, str)]
    if len(texts) < len(found):
        raise CaseError(f"{names!r} is no name and no list of names", 'write "Log*" or ["Log*", "Redo*"]')
    return tuple(dict.fromkeys(texts))


def expression(glob: str) -> str:
    """Return a glob as a regular expression for a whole text, the same for Python and DuckDB."""
    # Python's engine backtracks exponentially on many stars, so `matches` does not use it. DuckDB's does not.
    return "".join(_WILDCARDS.get(c) or re.escape(c) for c in re.sub(r"\*+", "*", glob))


def matches(text: str, glob: str) -> bool:
    """Return whether the whole of a text matches a glob, without trying again what was tried."""
    rest, pieces = text.casefold(), glob.casefold().split("*")
    if len(pieces) == 1:
        return len(rest) == len(pieces[0]) and _at(rest, pieces[0], 0)
    first, *between, last = pieces
    place, end = len(first), len(rest) - len(last)
    if place > end or not _at(rest, first, 0) or not _at(rest, last, end):
        return False
    for piece in between:
        # The first place is always right: what is behind it has the most room there.
        found = _found(rest, piece, place, end)
        if found is None:
            return False
        place = found + len(piece)
    return True


def _at(text: str, piece: str, place: int) -> bool:
    """Return whether a piece without stars matches a text at a place."""
    if "?" not in piece:
        return text.startswith(piece, place)
    there = text[place : place + len(piece)]
    return len(there) == len(piece) and all(p in ("?", c) for p, c in zip(piece, there, strict=True))


def _found(text: str, piece: str, start: int, end: int) -> int | None:
    """Return the first place between two at which a piece matches a text."""
    if "?" not in piece:
        found = text.find(piece, start, end)
        return found if found >= 0 else None
    return next((n for n in range(start, end - len(piece) + 1) if _at(text, piece, n)), None)


def nearest(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the names most similar to an unknown one, most similar first; else names that contain it."""
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wanted.strip("*").lower(), lower, n=3, cutoff=0.5)
    if not near and wanted.strip("*"):
        near = [name for name in lower if wanted.strip("*").lower() in name][:3]
    return [lower[name] for name in near]


def listed(names: Sequence[str]) -> str:
    """List names, a few of many."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def instead(wanted: str, names: Iterable[str], otherwise: str = "") -> str:
    """Return the hint of an error about an unknown name: the nearest names, or else ``otherwise``.

    Without ``otherwise``, a hint that has no near name lists all names, or a few of many.
    """
    there = list(dict.fromkeys(names))
    if near := nearest(wanted, there):
        return f"nearest: {listed(near)}"
    if otherwise:
        return otherwise
    return f"there are: {(listed(there) if len(there) > FEW_NAMES else ', '.join(there)) or 'none'}"
