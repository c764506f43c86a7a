"""The result of every layout: the header of a table, and its records in columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from agtrace.tables import kernels as pc
from agtrace.tables.column_names import plain

Wanted = Callable[[Sequence[str]], bool]
"""Decides by the names of the columns, as they compare, whether a table is read."""

NULLS = ("", "NULL", "null", "(null)", "DBNull")
_TRAILER = re.compile(r"\s*[(（]\d{1,12} ?[^()（）\d]{1,60}(?:\([^()]{1,10}\)[^()]{0,40})?[)）]\s*")


@dataclass(frozen=True)
class Header:
    """The header of a table.

    Parameters
    ----------
    columns
        Names of the columns as written, without quotes.
    line
        Number of its line, from 1.
    """

    columns: list[str]
    line: int

    @property
    def names(self) -> list[str]:
        """The names as they compare."""
        return [plain(name) for name in self.columns]


@dataclass(frozen=True)
class Notice:
    """A fault of a table, or something to know about it, and the line where it is."""

    kind: str
    message: str
    line: int
    severity: str = "warning"


@dataclass(frozen=True)
class Records:
    """The records of a table, in columns.

    Parameters
    ----------
    columns
        One array of text for each column, without blanks around values; NULL where there is no value.
    lines
        Number of the line on which each record begins.
    notices
        Records that could not be read, and what to know about the others.
    last_line
        Number of the last line of the table.
    """

    columns: list[pa.Array]
    lines: np.ndarray
    notices: list[Notice] = field(default_factory=list)
    last_line: int = 0


Table = tuple[Header, Records]


def is_trailer(line: str) -> bool:
    """Return whether a line is ``(n rows affected)`` in some language."""
    return _TRAILER.fullmatch(line) is not None


def value(column: pa.Array) -> pa.Array:
    """Trim the values of a column, and turn texts that tools show for missing values into NULL."""
    trimmed = pc.utf8_trim_whitespace(column)
    if pc.any(pc.match_substring(trimmed, "\r")).as_py():
        trimmed = pc.replace_substring(trimmed, "\r\n", "\n")
    return pc.if_else(pc.is_in(trimmed, pa.array(NULLS)), pa.scalar(None, pa.string()), trimmed)


def of_rows(rows: Sequence[Sequence[str | None]], width: int) -> list[pa.Array]:
    """Return the columns of rows of cells."""
    return [value(pa.array([row[place] for row in rows], pa.string())) for place in range(width)]
