"""Rows of ``SELECT *`` over a seeding DMV without a header, where the values can be no others."""

from __future__ import annotations

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
_ROLES = frozenset({"source", "destination", "forwarder", "forwarderdestination"})


def header_of(text: str) -> tuple[list[str], str, int, int] | None:
    """Return columns, separator, and character and line of the first row of a text that begins with one."""
    begin = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    line = text[begin:].partition("\n")[0].rstrip("\r")
    for separator in _SEPARATORS:
        if line.count(separator) < _LEAST:
            continue
        cells = [cell.strip().strip('"').strip() for cell in line.split(separator)]
        for topic in (AUTOMATIC, PHYSICAL):
            if _is_row_of(topic, cells):
                return list(COLUMNS[topic]), separator, begin, text.count("\n", 0, begin) + 1
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
