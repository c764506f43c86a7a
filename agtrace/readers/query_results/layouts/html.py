"""Tables of HTML, as ``ConvertTo-Html``, DataGrip and copies of grids write them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import numpy as np

from agtrace.readers.query_results.layouts.table import Header, Notice, Records, Table, Wanted, of_rows
from agtrace.tables.column_names import MAX_COLUMNS, plain

MAX_BYTES = 16 << 20
MAX_CELL = 100_000
_CELLS = frozenset({"td", "th"})


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables of a page whose first row names wanted columns."""
    if len(text) > MAX_BYTES or ("<t" not in text and "<T" not in text):
        return
    parser = _Parser()
    parser.feed(text)
    parser.close()
    for number, rows in enumerate(parser.tables):
        (line, names), *rest = rows
        names = [name.strip() for name in names]
        if not 1 < len(names) <= MAX_COLUMNS or not is_wanted([plain(name) for name in names]):
            continue
        whole = [(at, cells) for at, cells in rest if len(cells) == len(names)]
        notices = [
            Notice("damaged_row", f"rows left out: not {len(names)} cells as in the header", at)
            for at, cells in rest
            if len(cells) != len(names)
        ]
        if parser.is_open and number == len(parser.tables) - 1:
            notices.append(
                Notice("truncated", "the table has no end: its last row may be cut off", rows[-1][0])
            )
        lines = np.array([at for at, _cells in whole], np.int64)
        columns = of_rows([cells for _at, cells in whole], len(names))
        yield Header(names, line), Records(columns, lines, notices, last_line=rows[-1][0])


class _Parser(HTMLParser):
    """Gathers the cells of the rows of each table; a table in a cell is a table of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[tuple[int, list[str]]]] = []
        self.is_open = False
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "table":
            self.tables.append([])
            self._cell = None
            self.is_open = True
        elif tag == "tr":
            self._row()
        elif tag in _CELLS:
            self._end()
            if not self.tables or not self.tables[-1]:
                self._row()
            self._cell = []
        elif tag == "br" and self._cell is not None:
            self._cell.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _CELLS or tag in ("tr", "table"):
            self._end()
        if tag == "table":
            self.is_open = False
        if tag == "table" and self.tables and not self.tables[-1]:
            self.tables.pop()

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def close(self) -> None:
        super().close()
        self._end()
        self.tables = [[row for row in rows if row[1]] for rows in self.tables]
        self.tables = [rows for rows in self.tables if rows]

    def _row(self) -> None:
        self._end()
        if not self.tables:
            self.tables.append([])
        self.tables[-1].append((self.getpos()[0], []))

    def _end(self) -> None:
        if self._cell is not None and self.tables and self.tables[-1]:
            self.tables[-1][-1][1].append("".join(self._cell)[:MAX_CELL])
        self._cell = None
