"""Tables whose cells stand between separators: CSV, copied grids, ``sqlcmd -s``.

SSMS quotes no cell unless told to, so a message with commas has too many cells: it is put together
again where only one column can hold such a text.
"""

from __future__ import annotations

from collections.abc import Sequence

from agtrace.readers.seeding_dmv.columns import (
    AUTOMATIC,
    COLUMNS,
    PHYSICAL,
    Kind,
    is_header,
    may_show,
    plain,
    topics_of,
)
from agtrace.readers.seeding_dmv.lines import Lines, is_rule, is_trailer
from agtrace.readers.seeding_dmv.table import Damage, Record, Table
from agtrace.readers.seeding_dmv.values import is_null, is_readable

SEPARATORS = ("\t", ",", ";", "|")
MAX_JOINED = 50
MAX_JOINED_TEXT = 20_000
"""Physical lines that a quoted cell may span, and their characters."""
_FREE_TEXT = "failure_message"
_NEVER_NULL = {
    AUTOMATIC: ("start_time", "ag_id", "ag_db_id", "ag_remote_replica_id", "is_source"),
    PHYSICAL: ("local_physical_seeding_id", "local_database_name", "start_time_utc"),
}
_ROLES = frozenset({"source", "destination", "forwarder", "forwarderdestination"})


def split(line: str, separator: str) -> list[str] | None:
    """Split a line into cells; None when a quoted cell does not end in it."""
    if '"' not in line:
        return line.split(separator)
    cells, at = [], 0
    while True:
        if line[at : at + 1] == '"':
            end = at + 1
            while True:
                end = line.find('"', end)
                if end < 0:
                    return None
                if line[end + 1 : end + 2] != '"':
                    break
                end += 2
            rest = line.find(separator, end)
            cells.append(line[at + 1 : end].replace('""', '"'))
        else:
            rest = line.find(separator, at)
            cells.append(line[at : rest if rest >= 0 else None])
        if rest < 0:
            return cells
        at = rest + 1


def header_of(line: str) -> tuple[list[str], str] | None:
    """Give the names and the separator when a line is the header of one of the DMVs."""
    separators = [separator for separator in SEPARATORS if line.count(separator) >= 2]
    if not separators or not may_show(line):
        return None
    for separator in separators:
        cells = split(line, separator)
        if cells and is_header(cells) and topics_of(cells):
            return cells, separator
    return None


def bare_header_of(line: str) -> tuple[list[str], str] | None:
    """Give the names of a row of ``SELECT *`` without a header, where its values can be no other."""
    for separator in SEPARATORS:
        cells = split(line, separator) if line.count(separator) >= 12 else None
        if cells is None:
            continue
        cells = [cell.strip() for cell in cells]
        for topic in (AUTOMATIC, PHYSICAL):
            if _is_row_of(topic, cells):
                return list(COLUMNS[topic]), separator
    return None


def _is_row_of(topic: str, cells: Sequence[str]) -> bool:
    kinds = COLUMNS[topic]
    if len(cells) != len(kinds):
        return False
    row = dict(zip(kinds, cells, strict=True))
    wanted = _NEVER_NULL[topic]
    if topic == PHYSICAL and row["role_desc"].lower() not in _ROLES:
        return False
    return not any(is_null(row[name]) for name in wanted) and all(
        is_null(cell) or is_readable(kind, cell) for kind, cell in zip(kinds.values(), cells, strict=True)
    )


def read(lines: Lines, header: Sequence[str], separator: str, *, is_bare: bool = False) -> Table:
    """Read the rows under a header; the cursor stands on it, and is left behind the last row."""
    table = Table(lines.number, header)
    if not is_bare:
        lines.advance()
        if lines.more and is_rule(lines.line, separator):
            lines.advance()
    while lines.more and not table.is_full:
        line = lines.line
        if not line.strip():
            lines.advance()
            continue
        is_over_rule = lines.has(1) and is_rule(lines.peek(1))
        if is_trailer(line) or is_over_rule or header_of(line):
            break
        _take(lines, table, separator)
    return table


def _take(lines: Lines, table: Table, separator: str) -> None:
    number, line = lines.number, lines.line
    cells, used = split(line, separator), 1
    while cells is None and used <= MAX_JOINED and lines.has(used) and len(line) < MAX_JOINED_TEXT:
        line += "\n" + lines.peek(used)
        used += 1
        cells = split(line, separator)
        if cells is not None and len(cells) != len(table.header):
            # The quote is the damage, not the beginning of a cell of several lines.
            cells = None
            break
    width = len(table.header)
    if cells is not None and len(cells) > width:
        cells = _joined(cells, table.header, separator)
    if cells is None or len(cells) != width:
        is_last = not lines.has(1) and not lines.ends_with_newline
        lines.advance()
        if is_last:
            table.damages.append(Damage("truncated", "the last row is cut off", number))
        else:
            message = f"rows left out: not {width} cells as under the header"
            table.damages.append(Damage("damaged_row", message, number))
        return
    lines.advance(used)
    table.records.append(Record(number, cells))
    if not lines.more and not lines.ends_with_newline and not line.endswith('"'):
        message = "the last row has no line end: should the file be cut, its last value may be"
        table.damages.append(Damage("no_line_end", message, number, "info"))


def _joined(cells: list[str], header: Sequence[str], separator: str) -> list[str] | None:
    names = [plain(name) for name in header]
    if names.count(_FREE_TEXT) != 1:
        return None
    place, surplus = names.index(_FREE_TEXT), len(cells) - len(header)
    text = separator.join(cells[place : place + surplus + 1])
    row = [*cells[:place], text, *cells[place + surplus + 1 :]]
    kinds = [COLUMNS[PHYSICAL].get(name, Kind.TEXT) for name in names]
    fits = (
        kind is Kind.TEXT or is_null(cell.strip()) or is_readable(kind, cell.strip())
        for kind, cell in zip(kinds, row, strict=True)
    )
    return row if all(fits) else None
