"""Values that a tester measured and no log contains, recorded with their labelled window.

``measured`` is the name of the value, ``value`` the number and ``unit`` its unit. ``better`` is ``more`` or
``less`` if the unit does not decide it: for times less is better, for rates more.
"""

from __future__ import annotations

import math
import re
from typing import Any

from agtrace.errors import CaseError

FIELDS = ("measured", "value", "unit", "better")
SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
"""Units of a time, in seconds."""

_RATE = re.compile(r".+/(?:s|sec|min|h)")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.(?P<decimals>[0-9]{1,9}))?")
_BETTER = {"more": True, "less": False}


def measured_value(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of `runs` about a measured value; all NULL without one.

    Raises
    ------
    CaseError
        The value is not a number above 0, or ``better`` is missing.
    """
    cells = {name: str(entry.get(name) or "").strip() for name in FIELDS}
    if not cells["measured"]:
        if cells["value"]:
            raise CaseError(f"{where}: a value without measured", "say in measured what it is")
        return dict.fromkeys(("measured", "value", "value_step", "unit", "is_more_better"))
    number = _NUMBER.fullmatch(cells["value"])
    value = float(cells["value"]) if number else math.nan
    if number is None or value <= 0:
        advice = "write a number above 0, with a point before decimals"
        raise CaseError(f"{where}: value = {cells['value']!r} is no number", advice)
    return {
        "measured": cells["measured"],
        "value": value,
        # As exact as it is written.
        "value_step": 10.0 ** -len(number["decimals"] or ""),
        "unit": cells["unit"],
        "is_more_better": _is_more_better(where, cells["unit"], cells["better"]),
    }


def _is_more_better(where: str, unit: str, better: str) -> bool:
    if better:
        if better.lower() not in _BETTER:
            raise CaseError(f"{where}: better = {better!r} is not known", "write more or less")
        return _BETTER[better.lower()]
    if unit in SECONDS:
        return False
    if _RATE.fullmatch(unit):
        return True
    raise CaseError(f"{where}: unit = {unit!r} does not say what is better", "add better = more or less")
