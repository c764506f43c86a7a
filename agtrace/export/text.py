"""Tables as CSV files for spreadsheets; ``agtrace sql --csv`` writes values unchanged."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path
from typing import Any

from agtrace.export.cells import cell, safe_text
from agtrace.export.contents import Table


def write_csv(path: Path, table: Table, *, mark: bool = True) -> None:
    """Write a table as CSV: UTF-8 with the byte order mark that spreadsheets need, RFC 4180, not rounded.

    Text that a spreadsheet would take for a formula gets a leading apostrophe. Times with a time zone are ISO
    8601 in UTC, with ``Z``.

    Parameters
    ----------
    mark
        False omits the byte order mark, for programs that would read it as part of the first name.
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
