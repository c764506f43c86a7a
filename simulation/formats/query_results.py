"""Writes one query result as each tool shows or saves it.

Sources: Microsoft Learn, "sqlcmd utility" (options -s, -W), "Results to Text and Results to Grid" of SSMS,
"Export-Csv", "Format-Table", "Format-List", "ConvertTo-Json", "ConvertTo-Html" of PowerShell; JetBrains,
"Data extractors" of DataGrip; Azure Data Studio, "Save as CSV" and "Save as JSON".
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from simulation.formats import rowsets

Cell = str | int | bool | datetime | None
"""bool for the type bit."""


class Result(NamedTuple):
    """Columns with the display width of their types (negative for numbers), and rows."""

    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def names(self) -> list[str]:
        return [name for name, _width in self.columns]


def plain(cell: Cell) -> str | None:
    """Return a value as SQL Server's own tools show it; None where there is none."""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "milliseconds")
    return None if cell is None else str(cell)


def _shown(cell: Cell) -> str:
    value = plain(cell)
    return "NULL" if value is None else value


def _net(cell: Cell) -> str:
    """Return a value as .NET writes it in the culture en-US."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, datetime):
        half = "AM" if cell.hour < 12 else "PM"
        return f"{cell.month}/{cell.day}/{cell.year} {cell.hour % 12 or 12}:{cell:%M:%S} {half}"
    return "" if cell is None else str(cell)


def sqlcmd(result: Result) -> str:
    """Write what sqlcmd writes without options: fixed width, numbers to the right."""
    rows = [[plain(cell) for cell in row] for row in result.rows]
    return rowsets.table(result.columns, rows) + f"\r\n({len(rows)} rows affected)\r\n"


def sqlcmd_bars(result: Result) -> str:
    """Write what ``sqlcmd -s"|"`` writes: fixed width, bars between the columns."""
    widths = [max(len(name), abs(width)) for name, width in result.columns]
    lines = ["|".join(name.ljust(width) for name, width in zip(result.names, widths, strict=True))]
    lines += ["|".join("-" * width for width in widths)]
    lines += ["|".join(_shown(c).ljust(w) for c, w in zip(row, widths, strict=True)) for row in result.rows]
    return "\r\n".join([*lines, "", f"({len(result.rows)} rows affected)", ""])


def sqlcmd_trimmed(result: Result) -> str:
    """Write what ``sqlcmd -W -s,`` writes."""
    lines = [",".join(result.names), ",".join("-" * len(name) for name in result.names)]
    lines += [",".join(map(_shown, row)) for row in result.rows]
    return "\r\n".join([*lines, "", f"({len(result.rows)} rows affected)", ""])


def ssms_text(result: Result) -> str:
    """Write results to text of SSMS: numbers to the left, and when it was complete."""
    columns = [(name, abs(width)) for name, width in result.columns]
    rows = [[plain(cell) for cell in row] for row in result.rows]
    end = f"\r\n({len(rows)} rows affected)\r\n\r\n\r\nCompletion time: 2026-03-02T10:15:32.1234567+01:00\r\n"
    return rowsets.table(columns, rows) + end


def ssms_grid(result: Result) -> str:
    """Write a grid copied with headers."""
    lines = ["\t".join(result.names), *("\t".join(map(_shown, row)) for row in result.rows)]
    return "\r\n".join(lines) + "\r\n"


def ssms_csv(result: Result) -> str:
    """Write a grid saved as CSV with headers, values with separators in quotes."""
    return _csv(result.names, [[_shown(cell) for cell in row] for row in result.rows], csv.QUOTE_MINIMAL)


def export_csv(result: Result) -> str:
    """Write what Windows PowerShell's Export-Csv makes of rows: type line, all in quotes, .NET's values."""
    names = [*result.names, "RowError", "RowState", "Table", "ItemArray", "HasErrors"]
    rest = ["", "Unchanged", "", "System.Object[]", "False"]
    rows = [[*map(_net, row), *rest] for row in result.rows]
    return "#TYPE System.Data.DataRow\r\n" + _csv(names, rows, csv.QUOTE_ALL)


def datagrip_csv(result: Result) -> str:
    """Write what DataGrip exports: line feeds, nothing where there is NULL."""
    rows = [[plain(cell) or "" for cell in row] for row in result.rows]
    return _csv(result.names, rows, csv.QUOTE_MINIMAL, "\n")


def _csv(names: Sequence[str], rows: Sequence[Sequence[str]], quoting: int, end: str = "\r\n") -> str:
    file = io.StringIO()
    writer = csv.writer(file, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writerows([names, *rows])
    return file.getvalue()


def format_table(result: Result) -> str:
    """Write what ``Format-Table -AutoSize`` shows: dashes as long as the names, numbers to the right."""
    is_number = [
        all(isinstance(row[place], int) and not isinstance(row[place], bool) for row in result.rows)
        for place in range(len(result.columns))
    ]
    cells = [[_net(cell) for cell in row] for row in result.rows]
    table = [result.names, ["-" * len(name) for name in result.names], *cells]
    widths = [max(len(row[place]) for row in table) for place in range(len(result.columns))]
    lines = [
        " ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ).rstrip()
        for row in table
    ]
    return "\r\n".join(["", *lines, "", "", ""])


def format_list(result: Result) -> str:
    """Write what ``Format-List`` shows: a line for each value, a blank line between rows."""
    width = max(map(len, result.names))
    lines = [""]
    for row in result.rows:
        lines += [f"{name.ljust(width)} : {_net(cell)}" for name, cell in zip(result.names, row, strict=True)]
        lines += [""]
    return "\r\n".join([*lines, "", ""])


def _json(cell: Cell) -> Cell:
    """Return a value as Newtonsoft's writer has it: no zeros at the end of a second."""
    if not isinstance(cell, datetime):
        return cell
    text = cell.isoformat(timespec="milliseconds")
    return text.rstrip("0").rstrip(".") if "." in text else text


def convert_to_json(result: Result) -> str:
    """Write what PowerShell 7's ConvertTo-Json makes of rows."""
    objects = [
        {name: _json(cell) for name, cell in zip(result.names, row, strict=True)} for row in result.rows
    ]
    return json.dumps(objects, indent=2).replace("\n", "\r\n") + "\r\n"


def data_studio_json(result: Result) -> str:
    """Write what Azure Data Studio saves as JSON: all values as text."""
    objects = [dict(zip(result.names, map(_shown, row), strict=True)) for row in result.rows]
    return json.dumps(objects, indent=4)


def convert_to_html(result: Result) -> str:
    """Write what ``ConvertTo-Html`` makes of rows."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in result.names)
    rows = [
        f"<tr>{''.join(f'<td>{html.escape(_net(cell))}</td>' for cell in row)}</tr>" for row in result.rows
    ]
    columns = f"<colgroup>{'<col/>' * len(result.names)}</colgroup>"
    page = ['<html xmlns="http://www.w3.org/1999/xhtml">', "<head>", "<title>HTML TABLE</title>"]
    page += ["</head><body>", "<table>", columns, f"<tr>{head}</tr>", *rows, "</table>", "</body></html>", ""]
    return "\r\n".join(page)


def markdown(result: Result) -> str:
    """Write a table as Stack Exchange and GitHub show it."""
    rows = [[_shown(cell).replace("|", "\\|") for cell in row] for row in result.rows]
    lines = [list(result.names), ["---"] * len(result.names), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines) + "\n"


OF_NET = frozenset({"export_csv", "format_table", "format_list", "convert_to_html"})
"""Layouts with the values of .NET, whose times end with the second."""
LAYOUTS: dict[str, Callable[[Result], str]] = {
    each.__name__: each
    for each in (
        sqlcmd, sqlcmd_bars, sqlcmd_trimmed, ssms_text, ssms_grid, ssms_csv, export_csv, datagrip_csv,
        format_table, format_list, convert_to_json, data_studio_json, convert_to_html, markdown,
    )
}  # fmt: skip
