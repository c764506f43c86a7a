"""Tables as CSV files for people and their spreadsheets; ``agtrace sql --csv`` gives values as they are."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path
from typing import Any

from agtrace.export.cells import cell, safe_text
from agtrace.export.contents import Table


def write_csv(path: Path, table: Table, *, mark: bool = True) -> None:
    """Write a table: UTF-8 with a mark that spreadsheets look for, RFC 4180, nothing rounded.

    Text that a spreadsheet would compute begins with an apostrophe. Times with a zone are ISO 8601 in
    UTC, with ``Z``.

    Parameters
    ----------
    mark
        False leaves the mark out: what is piped goes to programs that would take it for a name.
    """
    with path.open(
        "w", encoding="utf-8-sig" if mark else "utf-8", errors="backslashreplace", newline=""
    ) as file:
        out = csv.writer(file)
        out.writerow(safe_text(name) for name in table.columns)
        for row in table.rows:
            out.writerow(_written(value) for value in row)


def _written(value: Any) -> Any:
    found = cell(value)
    if isinstance(found, dt.datetime):
        return found.isoformat().replace("+00:00", "Z")
    if isinstance(found, bool):
        return str(found).lower()
    return safe_text(found) if isinstance(found, str) else found
