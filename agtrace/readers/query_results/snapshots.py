"""The time of a result without a time column, from a line near it or from the name of its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

import numpy as np
import pyarrow as pa

from agtrace.moments import iso
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

NEAR = 3
"""Lines above a header, and below the last row, that may have the time."""
_STAMP = r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?)\d?"
_LINE = re.compile(rf"(?:[\w ()-]{{0,40}}[:=] ?)?{_STAMP}(?: ?[+-]\d\d:?\d\d|Z)?")
_COMPLETED = re.compile(rf"^Completion time: {_STAMP}", re.MULTILINE)
_DAY = r"(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)"
_NAME = re.compile(rf"{_DAY}[-_ T.]{{1,2}}([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d))?(?!\d)")


def numbers_near(first: int, last: int) -> tuple[int, ...]:
    """Return the lines that may have the time of a table, the nearest above before those below.

    Parameters
    ----------
    first, last
        Numbers of the header and of the last line of the table, from 1.
    """
    # sqlcmd and SSMS have a blank line and the number of rows behind the last one.
    return (*range(first - 1, max(first - 1 - NEAR, 0), -1), *range(last + 1, last + 1 + 2 * NEAR))


def lines_at(text: str, numbers: Iterable[int]) -> dict[int, str]:
    """Return lines of a text by their numbers, without holding the others."""
    found: dict[int, str] = {}
    number, at = 1, 0
    for wanted in sorted(set(numbers)):
        while number < wanted and at >= 0:
            at = text.find("\n", at) + 1 or -1
            number += 1
        if at < 0:
            break
        end = text.find("\n", at)
        found[wanted] = text[at : end if end >= 0 else None]
    return found


def time_near(lines: Mapping[int, str], first: int, last: int) -> datetime | None:
    """Return the local time on a line of its own near a table.

    Parameters
    ----------
    lines
        At least those of `numbers_near`, by number.
    first, last
        As there.
    """
    for number in numbers_near(first, last):
        found = _LINE.fullmatch(lines.get(number, "").strip())
        if found and (time := iso(found["time"])):
            return time
    return None


def time_in_name(name: str) -> datetime | None:
    """Return the time in the name of a file; None if it has no time, or several."""
    times = {_of_parts(found.groups()) for found in _NAME.finditer(name)} - {None}
    return times.pop() if len(times) == 1 else None


def _of_parts(parts: tuple[str | None, ...]) -> datetime | None:
    try:
        return datetime(*(int(part or 0) for part in parts))  # type: ignore[arg-type]
    except ValueError:
        return None


def with_completion(rows: pa.RecordBatch, text: str) -> pa.RecordBatch:
    """Return rows with the time at which SSMS says, below them, that the batch was complete."""
    if "Completion time" not in text:
        return rows
    found = [(text.count("\n", 0, each.start()), iso(each["time"])) for each in _COMPLETED.finditer(text)]
    if not found or not rows.num_rows:
        return rows
    # Index of the next such line; len(found) after the last one.
    places = np.searchsorted([line for line, _at in found], rows["line"].to_numpy(zero_copy_only=False))
    times = pa.array([*(at for _line, at in found), None], LOCAL_TIME).take(pa.array(places))
    place = rows.schema.get_field_index("time_local")
    return rows.set_column(place, rows.schema.field(place), pc.coalesce(rows["time_local"], times))
