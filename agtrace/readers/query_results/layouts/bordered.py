"""Tables drawn with bars between cells: Markdown, and the boxes that consoles draw.

They are recognised by the rule under the header: dashes with a bar or a plus between them. Output of sqlcmd
separated by bars (``-s "|"``) has no outer bars, and no spaces around the inner ones.
Sources: "GitHub Flavored Markdown Spec", 4.10; the manuals of PostgreSQL's and MySQL's consoles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from agtrace.readers.query_results.layouts.table import Header, Notice, Records, Table, Wanted, of_rows
from agtrace.tables.column_names import plain

MAX_BYTES = 16 << 20
MAX_WIDTH = 20_000
_RULE = re.compile(r"^[ \t]*[|+]?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)+[|+]?[ \t]*\r?$", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")
_MARKS = "`*_ "
"""Characters that Markdown puts around a cell for emphasis."""


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables with a rule of dashes and bars under a header whose names are wanted."""
    if len(text) > MAX_BYTES or "|" not in text:
        return
    number, at = 1, 0
    for rule in _RULE.finditer(text):
        begin = text.rfind("\n", 0, max(rule.start() - 1, 0)) + 1
        title = text[begin : max(rule.start() - 1, 0)]
        is_drawn = title.lstrip().startswith("|") or "+" in rule[0] or " | " in rule[0]
        if not is_drawn or "|" not in title or len(title) > MAX_WIDTH:
            continue
        names = [name.strip(_MARKS) for name in _cells(title)]
        if not is_wanted([plain(name) for name in names]):
            continue
        number += text.count("\n", at, begin)
        at = begin
        header = Header(names, number)
        yield header, _records(text, rule.end() + 1, header)


def _records(text: str, at: int, header: Header) -> Records:
    rows, lines, notices = [], [], []
    line = header.line + 1
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        row = text[at:end].rstrip()[:MAX_WIDTH]
        if "|" not in row and not _RULE.fullmatch(row):
            break
        line, at = line + 1, end + 1
        cells = _cells(row)
        if _RULE.fullmatch(row):
            continue
        if len(cells) == len(header.columns):
            rows.append(cells)
            lines.append(line)
        else:
            message = f"{len(cells)} cells in a table of {len(header.columns)} columns: row left out"
            notices.append(Notice("damaged_row", message, line))
    columns = of_rows(rows, len(header.columns))
    return Records(columns, np.array(lines, np.int64), notices, last_line=line)


def _cells(line: str) -> list[str]:
    """Return what stands between the bars of a line, of which the outer ones may be left out."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inner)]
