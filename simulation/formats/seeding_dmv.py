"""Writers of exports of the two seeding DMVs, as the tools that query them write results.

Rows are dictionaries by column name: None is NULL, ``datetime`` a time (shown with milliseconds),
``bool`` a bit, ``int`` a number; everything else is text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

AUTOMATIC = (
    "start_time", "completion_time", "ag_id", "ag_db_id", "ag_remote_replica_id", "operation_id",
    "is_source", "current_state", "performed_seeding", "failure_state", "failure_state_desc",
    "error_code", "number_of_attempts",
)  # fmt: skip
"""Columns of sys.dm_hadr_automatic_seeding, in their order."""

PHYSICAL = (
    "local_physical_seeding_id", "remote_physical_seeding_id", "local_database_id",
    "local_database_name", "remote_machine_name", "role_desc", "internal_state_desc",
    "transfer_rate_bytes_per_second", "transferred_size_bytes", "database_size_bytes",
    "start_time_utc", "end_time_utc", "estimate_time_complete_utc", "total_disk_io_wait_time_ms",
    "total_network_wait_time_ms", "failure_code", "failure_message", "failure_time_utc",
    "is_compression_enabled",
)  # fmt: skip
"""Columns of sys.dm_hadr_physical_seeding_stats, in their order."""

JSON_COLUMN = "JSON_F52E2B61-18A1-11d1-B105-00805F49916B"
JSON_CHUNK = 2033
"""FOR JSON gives its text in rows of this many characters."""

Row = Mapping[str, object]


def shown(value: object) -> str:
    """Return a value as a grid shows it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}.{value.microsecond // 1000:03}"
    return str(value)


def write_csv(rows: Sequence[Row], columns: Sequence[str], delimiter: str = ",") -> str:
    """Return the grid saved as CSV with headers: quotes only where a value needs them."""

    def cell(text: str) -> str:
        needs_quotes = any(mark in text for mark in (delimiter, '"', "\r", "\n"))
        return '"' + text.replace('"', '""') + '"' if needs_quotes else text

    lines = [columns, *([shown(row.get(name)) for name in columns] for row in rows)]
    return "".join(delimiter.join(map(cell, line)) + "\r\n" for line in lines)


def write_quoted_csv(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Return what Export-Csv of Windows PowerShell writes: all quoted, NULL empty, bits as words."""

    def cell(value: object) -> str:
        text = "" if value is None else str(value) if isinstance(value, bool) else shown(value)
        return '"' + text.replace('"', '""') + '"'

    lines = [columns, *([row.get(name) for name in columns] for row in rows)]
    return "#TYPE System.Data.DataRow\r\n" + "".join(",".join(map(cell, line)) + "\r\n" for line in lines)


def write_tsv(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Return the grid copied with headers and pasted into a file: tabs, no line end at the end."""
    lines = [columns, *([shown(row.get(name)) for name in columns] for row in rows)]
    return "\r\n".join("\t".join(line) for line in lines)


def write_ssms_text(rows: Sequence[Row], columns: Sequence[str], trailer: str = "({n} rows affected)") -> str:
    """Return results to text: columns of fixed width under a line of dashes, numbers left."""
    return _fixed(rows, columns, " ", trailer, numbers_right=False)


def write_sqlcmd(rows: Sequence[Row], columns: Sequence[str], separator: str = " ") -> str:
    """Return what sqlcmd writes: as results to text, numbers right, ``-s`` between columns."""
    return _fixed(rows, columns, separator, "({n} rows affected)", numbers_right=True)


def write_sqlcmd_trimmed(rows: Sequence[Row], columns: Sequence[str], separator: str = " ") -> str:
    """Return what sqlcmd -W writes: no padding."""
    cells = [[shown(row.get(name)) for name in columns] for row in rows]
    lines = [columns, ["-" * len(name) for name in columns], *cells]
    text = "".join(separator.join(line) + "\r\n" for line in lines)
    return f"{text}\r\n({len(rows)} rows affected)\r\n"


def _fixed(
    rows: Sequence[Row], columns: Sequence[str], separator: str, trailer: str, *, numbers_right: bool
) -> str:
    widths = [max(len(name), *(len(shown(row.get(name))) for row in rows), 4) for name in columns]

    def padded(value: object, width: int) -> str:
        right = numbers_right and isinstance(value, int)
        text = value if isinstance(value, str) else shown(value)
        return text.rjust(width) if right else text.ljust(width)

    lines = [
        columns,
        ["-" * width for width in widths],
        *([row.get(name) for name in columns] for row in rows),
    ]
    text = "".join(separator.join(map(padded, line, widths)) + "\r\n" for line in lines)
    return text + "\r\n" + trailer.format(n=len(rows)) + "\r\n"


def write_json(rows: Sequence[Row], columns: Sequence[str], indent: int | None = 2) -> str:
    """Return an array of objects: NULL as null, times as ISO 8601."""
    return json.dumps([_json(row, columns, nulls=True) for row in rows], indent=indent)


def write_json_lines(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Return one object per line."""
    return "".join(json.dumps(_json(row, columns, nulls=True)) + "\n" for row in rows)


def write_for_json(rows: Sequence[Row], columns: Sequence[str], root: str | None = None) -> str:
    """Return FOR JSON PATH in results to text: cut into lines, NULLs left out."""
    told: object = [_json(row, columns, nulls=False) for row in rows]
    text = json.dumps({root: told} if root else told, separators=(",", ":"))
    chunks = [text[at : at + JSON_CHUNK] for at in range(0, len(text), JSON_CHUNK)]
    lines = [JSON_COLUMN, "-" * JSON_CHUNK, *chunks, "", f"({len(chunks)} rows affected)", ""]
    return "\r\n".join(lines)


def _json(row: Row, columns: Sequence[str], *, nulls: bool) -> dict[str, object]:
    def value(written: object) -> object:
        if isinstance(written, datetime):
            text = shown(written).replace(" ", "T")
            return text.rstrip("0").rstrip(".") if written.microsecond == 0 else text
        return written

    return {name: value(row.get(name)) for name in columns if nulls or row.get(name) is not None}
