"""Rows without a header, where the values can be no others: of the seeding DMVs, and of error logs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agtrace.readers.query_results.seeding.columns import AUTOMATIC, COLUMNS, PHYSICAL
from agtrace.readers.query_results.seeding.values import is_null, is_readable

MESSAGE = "no header: the values are taken for the columns of SELECT *, in their order"
_SEPARATORS = ("\t", ",", ";", "|")
_LEAST = 12
"""Separators of a line; the shorter DMV has 13 columns."""
_NEVER_NULL = {
    AUTOMATIC: ("start_time", "ag_id", "ag_db_id", "ag_remote_replica_id", "is_source"),
    PHYSICAL: ("local_physical_seeding_id", "local_database_name", "start_time_utc"),
}
LOG = (["LogDate", "ProcessInfo", "Text"], ["Date", "Source", "Severity", "Message"])
"""Columns of sp_readerrorlog, and of the Log File Viewer, whose header is in the language of its user."""
_CLOCK = r"\d{1,2}[:.]\d\d[:.]\d\d(?:[.,]\d{1,7})?(?: ?[AaPp]\.?[Mm]\.?)?"
_DATE = re.compile(rf"\d{{1,4}}[-./]\d{{1,2}}[-./]\d{{1,4}},?[T ]{{1,2}}{_CLOCK}")
_SOURCE = re.compile(r"Server|Logon|Backup|spid\d{1,9}s?")
_ROLES = frozenset({"source", "destination", "forwarder", "forwarderdestination"})


def header_of(text: str) -> tuple[list[str], str, int, int] | None:
    """Return columns, separator, and character and line of the first row of a text that begins with one."""
    begin = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    line = text[begin:].partition("\n")[0].rstrip("\r")
    number = text.count("\n", 0, begin) + 1
    if found := _log_row(line):
        return LOG[0], found[0], begin, number
    second = begin + len(text[begin:].partition("\n")[0]) + 1
    if (found := _log_row(text[second:].partition("\n")[0].rstrip("\r"))) and line.count(found[0]) == 3:
        return LOG[1], found[0], second, number + 1
    for separator in _SEPARATORS:
        if line.count(separator) < _LEAST:
            continue
        cells = [cell.strip().strip('"').strip() for cell in line.split(separator)]
        for topic in (AUTOMATIC, PHYSICAL):
            if _is_row_of(topic, cells):
                return list(COLUMNS[topic]), separator, begin, number
    return None


def _is_row_of(topic: str, cells: Sequence[str]) -> bool:
    kinds = COLUMNS[topic]
    if len(cells) != len(kinds):
        return False
    row = dict(zip(kinds, cells, strict=True))
    if topic == PHYSICAL and row["role_desc"].lower() not in _ROLES:
        return False
    return not any(is_null(row[name]) for name in _NEVER_NULL[topic]) and all(
        is_null(cell) or is_readable(kind, cell) for kind, cell in zip(kinds.values(), cells, strict=True)
    )


def _log_row(line: str) -> tuple[str, list[str]] | None:
    """Return separator and cells of a line that is a row of an error log."""
    for separator in _SEPARATORS:
        cells = [cell.strip().strip('"').strip() for cell in line.split(separator)]
        if len(cells) >= len(LOG[0]) and _DATE.fullmatch(cells[0]) and _SOURCE.fullmatch(cells[1]):
            return separator, cells
    return None
