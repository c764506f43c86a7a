"""Rows of the rowset, which sqlcmd breaks into lines of its screen's width, header and rulers alike."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agtrace.readers.text_lines import Line

_RULE = re.compile(r"-+(?: -+)* ?")
MAX_BROKEN = 100
"""Lines into which a row may be broken."""
COLUMNS = ("runtime", "object_name", "counter_name", "instance_name", "cntr_value", "cntr_type")


@dataclass(frozen=True)
class Row:
    """A row of the rowset.

    Parameters
    ----------
    is_first
        Whether it is the first of its rowset; a rowset is one snapshot of all counters.
    """

    line: int
    cells: dict[str, str]
    is_first: bool


@dataclass(frozen=True)
class Torn:
    """The text ends within a row, or within a line."""

    line: int


def every_line(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield a run's lines with its left-out blank lines."""
    following = 1
    for number, line, terminated in lines:
        for missing in range(following, number):
            yield missing, "", True
        yield number, line, terminated
        following = number + 1


def rows_of(lines: Iterable[Line]) -> Iterator[Row | Torn]:
    """Yield the rows of every rowset that has the columns wanted."""
    titles: deque[str] = deque(maxlen=MAX_BROKEN)
    rules: list[str] = []
    rowset: _Rowset | None = None
    for number, line, terminated in every_line(lines):
        if not terminated:
            yield Torn(rowset.line if rowset and rowset.begun else number)
            return
        if rules and not _RULE.fullmatch(line):
            rowset = _Rowset.of(list(titles), rules)
            titles.clear()
            rules = []
        if rowset is None:
            if _RULE.fullmatch(line) and len(rules) < MAX_BROKEN:
                rules.append(line)
            else:
                titles.append(line)
        elif not rowset.begun and not line.strip():
            rowset = None
        else:
            rowset.take(number, line)
            if (row := rowset.row()) is not None:
                yield row
    if rowset is not None and rowset.begun:
        yield Torn(rowset.line)


class _Rowset:
    """A rowset whose rows come line by line.

    Parameters
    ----------
    spans
        Where each column stands in a row whose lines are joined.
    widths
        Characters of each of the lines.
    """

    def __init__(self, spans: dict[str, tuple[int, int]], widths: list[int]) -> None:
        self._spans = spans
        self._widths = widths
        self._rows = 0
        self.line = 0
        self.begun: list[str] = []
        """Lines of the row that is not yet complete."""

    @classmethod
    def of(cls, titles: list[str], rules: list[str]) -> _Rowset | None:
        """Find where the columns stand; None where it is another rowset."""
        titles = titles[-len(rules) :]
        if len(titles) < len(rules):
            return None
        widths = [len(rule) for rule in rules]
        for at, title in enumerate(titles[1:]):
            # Where no column is broken the next line begins with a name: the space between is lost.
            # Where a name is, its first part fills the line.
            is_broken = len(titles[at].rstrip()) >= widths[at]
            if title[:1].strip() and rules[at].endswith("-") and not is_broken:
                widths[at] += 1
        rule, title = _joined(rules, widths), _joined(titles, widths)
        columns = (match.span() for match in re.finditer("-+", rule))
        found = {title[begin:end].strip().lower(): (begin, end) for begin, end in columns}
        if not set(COLUMNS) <= found.keys():
            return None
        return cls({name: found[name] for name in COLUMNS}, widths)

    def take(self, number: int, line: str) -> None:
        """Take a line."""
        if not self.begun:
            self.line = number
        self.begun.append(line)

    def row(self) -> Row | None:
        """Return the completed row, None if more lines belong to it."""
        if len(self.begun) < len(self._widths):
            return None
        text = _joined(self.begun, self._widths)
        self.begun = []
        self._rows += 1
        cells = {name: text[begin:end].strip() for name, (begin, end) in self._spans.items()}
        return Row(self.line, cells, self._rows == 1)


def _joined(parts: list[str], widths: list[int]) -> str:
    whole = [part.ljust(width)[:width] for part, width in zip(parts, widths, strict=True)]
    return "".join(whole[:-1]) + parts[-1]
