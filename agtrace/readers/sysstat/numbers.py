"""Numbers as sysstat writes them: with a point or a comma, and with units (``--human``)."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"-?\d{1,20}(?:[.,]\d{1,20})?(?P<unit>[BkMGTP%]?)")
_KIB = {"B": 1 / 1024, "k": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}


def number_of(word: str, column: str) -> float | None:
    """Return the value of a cell in the unit of its column; None if it is not a number.

    ``--human`` writes sizes with a unit of their own, whatever the column's name says.
    """
    match = _NUMBER.fullmatch(word)
    if match is None:
        return None
    unit = match["unit"]
    value = float(word.removesuffix(unit).replace(",", "."))
    if unit in _KIB:
        value *= _KIB[unit] / (1024.0 if "MB" in column else 1.0)
    return value


def is_number(word: str) -> bool:
    """Return whether a word is a value rather than the name of a column."""
    return _NUMBER.fullmatch(word) is not None
