"""The error for a name that does not exist: it names the nearest ones."""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.errors import CaseError
from agtrace.globs import instead

MOST_LISTED = 100


def unknown(message: str, wanted: str, names: Iterable[str], otherwise: str = "") -> CaseError:
    """Return the error for an unknown name.

    Parameters
    ----------
    message
        What is wrong.
    wanted, names
        The name, and those that exist.
    otherwise
        The hint if no name is near; default a list of all.
    """
    there = list(names)
    every = f"there are: {', '.join(there[:MOST_LISTED]) or 'none'}"
    return CaseError(message, instead(wanted, there, otherwise or every))
