"""Tables as sheets of one XLSX workbook.

XlsxWriter writes row by row, has no dependencies, and can write all text as text. openpyxl keeps every
cell in memory and turns each text that begins with an equals sign into a formula.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.export.cells import Cell, cell
from agtrace.extras import need

if TYPE_CHECKING:
    from agtrace.export.contents import Table

MOST_ROWS = 1_048_575
"""A sheet has room for these below its head."""
MOST_CHARACTERS = 32_767
LONGEST_NAME = 31
WIDEST = 60
FIRST_TIME = dt.datetime(1900, 3, 1)
"""Spreadsheets count days from 1900 on, and get those before this one wrong."""
_LAST_YEAR = 9999
EXACT = 2**53
"""Spreadsheets store numbers as doubles; larger integers are written as text."""


def check_installed() -> None:
    """Check that the extra ``export`` is installed.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    need("export", "XLSX", "xlsxwriter")


def write_workbook(path: Path, tables: Iterable[Table]) -> None:
    """Write a workbook: one sheet per table, with a frozen header row and column filters.

    Cells never contain formulas or links. Rows beyond the limit of a sheet are left out, which its last row
    states. Times with a time zone are written in UTC, and the column header says so.
    """
    import xlsxwriter

    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
    }
    taken: set[str] = set()
    with xlsxwriter.Workbook(path, options) as book:
        bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
        for table in tables:
            sheet = book.add_worksheet(_sheet_name(table.name, taken))
            _write(sheet, table, bold, time)
        if not taken:
            book.add_worksheet("nothing")


def _write(sheet: Any, table: Table, bold: Any, time: Any) -> None:
    last = len(table.columns) - 1
    rows = iter(table.rows)
    first = next(rows, None)
    kinds = [None] * len(table.columns) if first is None else [cell(value) for value in first]
    names = [f"{name} (UTC)" if name in table.utc else name for name in table.columns]
    sheet.freeze_panes(1, 0)
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        width = 24 if isinstance(kind, dt.datetime) else len(str(kind if kind is not None else ""))
        sheet.set_column(place, place, min(max(len(name), width) + 2, WIDEST))
        sheet.write_string(0, place, name, bold)
    count = 0
    for row in _all(first, rows):
        if count == MOST_ROWS - 1:
            sheet.write_string(count + 1, 0, "more rows have no room here: the CSV file has all of them")
            break
        count += 1
        for place, value in enumerate(row):
            _put(sheet, count, place, cell(value), time)
    sheet.autofilter(0, 0, max(count, 1), last)


def _all(first: Any, rest: Iterable[Any]) -> Iterable[Any]:
    if first is not None:
        yield first
        yield from rest


def _put(sheet: Any, row: int, place: int, value: Cell, time: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) <= EXACT):
        sheet.write_number(row, place, value)
    elif isinstance(value, dt.datetime) and _has_place(value):
        sheet.write_datetime(row, place, value.replace(tzinfo=None), time)
    else:
        text = value.isoformat() if isinstance(value, dt.datetime) else str(value)
        sheet.write_string(row, place, text[:MOST_CHARACTERS])


def _has_place(value: dt.datetime) -> bool:
    return value.replace(tzinfo=None) >= FIRST_TIME and value.year < _LAST_YEAR


def _sheet_name(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[\[\]:*?/\\']", " ", name)[:LONGEST_NAME]
    found, number = plain, 1
    while found.lower() in taken:
        number += 1
        found = f"{plain[: LONGEST_NAME - 4]} {number}"
    taken.add(found.lower())
    return found
