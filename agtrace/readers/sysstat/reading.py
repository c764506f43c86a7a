"""Parse one line of a sysstat report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class Reading:
    """One line of a table.

    Parameters
    ----------
    kind
        ``cpu``, ``interface`` or ``device``.
    time
        None if the report has no times (iostat without ``-t``).
    day, host
        From the first line of the report.
    report
        Number of the report within the text, from 1: iostat's first is the mean since the start of Linux.
    item
        Processor, network card or disk.
    values
        By column name, as written in the header; in the unit of the column.
    line
        Its line number.
    """

    kind: str
    time: datetime | None
    day: date | None
    host: str | None
    report: int
    item: str
    values: dict[str, float]
    line: int


@dataclass(frozen=True)
class Torn:
    """A last line without a line end."""


@dataclass(frozen=True)
class Misfit:
    """A line that does not fit the columns above it."""

    line: int


@dataclass(frozen=True)
class Unread:
    """A table of other things."""

    column: str
    line: int
