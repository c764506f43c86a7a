"""JSON that conforms to the standard; all JSON for other programs is written here.

The standard has neither NaN nor infinity: they become null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any


def dumps(value: Any, *, default: Callable[[Any], Any] | None = None, **form: Any) -> str:
    """Write a value as JSON.

    Parameters
    ----------
    value
        Types of JSON, and types that ``default`` converts to them.
    default, **form
        As in `json.dumps`.
    """

    def given(other: Any) -> Any:
        if default is None:
            raise TypeError(f"a {type(other).__name__} is no JSON")
        return finite(default(other))

    try:
        return json.dumps(value, default=given, allow_nan=False, **form)
    except ValueError:
        # Nearly all values are finite: search for the others only if there are any.
        return json.dumps(finite(value), default=given, allow_nan=False, **form)


def finite(value: Any) -> Any:
    """Return a value with None for each number in it that is not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


def _key(key: Any) -> Any:
    return str(key) if isinstance(key, float) and not math.isfinite(key) else key
