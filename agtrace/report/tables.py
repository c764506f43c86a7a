"""Tables from a notebook's HTML: an allow-list decides what reaches the page."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

ALLOWED = frozenset({"table", "thead", "tbody", "tfoot", "tr", "th", "td"})
DROPPED = frozenset({"style", "script", "title", "template", "noscript", "iframe", "object", "svg"})
SPANS = ("colspan", "rowspan")
_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(e[-+]?\d+)?\s*%?|NaN|None", re.IGNORECASE)
BLANK = ("NaN", "NaT", "<NA>")
"""How pandas writes what is not there; a page leaves the cell empty."""
SHORT = 24
"""Text up to this length stays on one line: names break badly at their hyphens."""


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
            text = "".join(self._cell).strip()
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


def tables_of(html: str) -> str:
    """Give the tables of an HTML output, their text escaped anew and nothing else of it.

    Cells that hold a number get class ``n``, short texts ``t``. What is not part of a table is left out.
    """
    parser = _Tables()
    parser.feed(html)
    table = parser.finish()
    # An index that only counts the rows tells a reader nothing; the style sheet hides it.
    heads = re.findall(r"<tr><th>(\d*)</th><td", table)
    if heads and heads == [str(n) for n in range(len(heads))]:
        table = table.replace("<table>", '<table class="counted">')
    return table


def is_empty(table: str) -> bool:
    """Tell whether a table has no row beside its head."""
    return "<td" not in table
