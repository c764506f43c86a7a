"""Values as cells of a table that a spreadsheet opens: nothing that a stranger wrote is computed."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from agtrace import strict_json
from agtrace.printable import unhidden

Cell = None | bool | int | float | str | dt.datetime

BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of text that a spreadsheet may take for a formula, including full-width forms."""


def cell(value: Any) -> Cell:
    """Convert a value to one of the types of table files; missing values become None."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping | list | tuple | set):
        return strict_json.dumps(_plain(value), ensure_ascii=False, default=str)
    # Missing values are not equal to themselves: NaN == NaN and NaT == NaT are False, NA == NA is NA.
    if value is None or (value == value) is not True:
        return None
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime):
        # pandas has its own type; times with a time zone are always in UTC.
        moment = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
        return moment.astimezone(dt.UTC) if moment.tzinfo else moment
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | np.ndarray):
        return [_plain(each) for each in value]
    found = cell(value)
    return found.isoformat() if isinstance(found, dt.datetime) else found


def safe_text(text: str) -> str:
    """Return text for a CSV file that people open: no spreadsheet computes it, nothing in it is hidden."""
    text = unhidden(text)
    return f"'{text}" if text.startswith(BEGINS_FORMULA) else text
