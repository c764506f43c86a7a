"""Tables from a notebook's HTML: an allow-list decides which elements reach the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser

from agtrace.printable import unhidden

ALLOWED = frozenset({"table", "thead", "tbody", "tfoot", "tr", "th", "td"})
DROPPED = frozenset({"style", "script", "title", "template", "noscript", "iframe", "object", "svg"})
SPANS = ("colspan", "rowspan")
_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(e[-+]?\d+)?\s*%?|NaN|None", re.IGNORECASE)
BLANK = ("NaN", "NaT", "<NA>")
"""Missing values as written by pandas; a page leaves the cell empty."""
SHORT = 24
"""Texts up to this length stay on one line: names break badly at their hyphens."""


class _Tables(HTMLParser):
    """Rebuilds the tables of a document from their tags and text alone."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._open: list[str] = []
        self._dropped = 0
        self._cell: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in DROPPED:
            self._dropped += 1
        elif tag in ALLOWED and not self._dropped and (tag == "table" or "table" in self._open):
            self._open.append(tag)
            spans = "".join(
                f' {name}="{value}"'
                for name, value in attrs
                if name in SPANS and value and value.isdecimal() and len(value) < 5
            )
            self.parts.append(f"<{tag}{spans}>")
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in DROPPED:
            self._dropped = max(self._dropped - 1, 0)
        elif tag in self._open and not self._dropped:
            while True:
                last = self._open.pop()
                self._close(last)
                if last == tag:
                    break

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("td", "th") and not self._dropped:
            self._cell.append(data)

    def _close(self, tag: str) -> None:
        if tag in ("td", "th"):
            text = unhidden("".join(self._cell).strip())
            if text in BLANK:
                text = ""
            kind = "n" if _NUMBER.fullmatch(text) else "t" if 0 < len(text) <= SHORT else ""
            if tag == "td" and kind:
                opening = self.parts.pop()
                self.parts.append(f'{opening[:-1]} class="{kind}">')
            self.parts.append(escape(text))
            self._cell = []
        self.parts.append(f"</{tag}>")

    def finish(self) -> str:
        self.close()
        while self._open:
            self._close(self._open.pop())
        return "".join(self.parts)


def tables_of(html: str, headings: Mapping[str, str] | None = None) -> str:
    """Return the tables of an HTML output: only their text, escaped again.

    Cells that hold a number get class ``n``, short texts ``t``. Anything outside tables is left out. Frames
    are made readable: names instead of ``flushed_p50``, values equal in every row stated once, no index that
    only counts the rows.

    Parameters
    ----------
    headings
        Headings by column name (`agtrace.report.headings`).
    """
    parser = _Tables()
    parser.feed(html)
    return _TABLE.sub(lambda found: _for_people(found[0], headings or {}), parser.finish())


_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd](?P<attributes>[^>]*)>(?P<text>[^<]*)</t[hd]>")
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
LEAST_ROWS = 3
"""From this many rows on, values common to all of them are stated once."""


def label_of(name: str, headings: Mapping[str, str]) -> str:
    """Return a column's label: the name of its measure, else its own name as words."""
    if name in headings:
        return escape(headings[name])
    return name.replace("_", " ") if _NAME.fullmatch(name) else name


def _for_people(table: str, headings: Mapping[str, str]) -> str:
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    heads = _ROW.findall(table.partition("<tbody>")[0])
    widths = {len(row) for row in rows}
    if len(heads) != 1 or len(widths) != 1 or "span=" in table or len(rows) < 2:
        return table.replace("<table>", '<table class="data">', 1)
    names = [text for _, text in rows[0]]
    columns = list(zip(*rows[1:], strict=True))
    texts = [[text for _, text in column] for column in columns]
    kept = [place for place in range(len(names)) if not _only_counts(names[place], texts[place])]
    told = []
    if len(rows) > LEAST_ROWS:
        same = [place for place in kept if len(set(texts[place])) == 1]
        if len(same) < len(kept):
            told = [f"{label_of(names[n], headings)}: {texts[n][0]}" for n in same if texts[n][0]]
            kept = [place for place in kept if place not in same]
    head = "".join(f'<th scope="col">{label_of(names[n], headings)}</th>' for n in kept)
    body = "".join(
        "<tr>" + "".join(f"<td{row[n][0]}>{row[n][1]}</td>" for n in kept) + "</tr>" for row in rows[1:]
    )
    caption = f"<caption>In every row: {'; '.join(told)}</caption>" if told else ""
    return f'<table class="data">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _only_counts(name: str, texts: list[str]) -> bool:
    """Return whether a column is an index that only counts the rows, and so is useless."""
    return not name and texts == [str(n) for n in range(len(texts))]


def is_empty(table: str) -> bool:
    """Return whether a table has no rows besides its header."""
    return "<td" not in table
