"""When what is told of a database began and ended, and how wide an interval of 95 % is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agtrace.say.finding import window

SIGMAS = 1.96
"""Of a normal distribution, 95 % lie so many standard errors around a slope."""


def window_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give the window of a row: in UTC, or in its host's time where the offset is not known."""
    if row["start"] is None or row["end"] is None:
        return window(row["start_local"], row["end_local"], is_local=True)
    return window(row["start"], row["end"])


def moments(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give the first and last moment: in UTC, or as its host wrote them where the offset is not known."""
    return {"first": row["start"] or row["start_local"], "last": row["end"] or row["end_local"]}
