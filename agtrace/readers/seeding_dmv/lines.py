"""The lines of an export, and which of them are not rows."""

from __future__ import annotations

import re

MAX_LINE = 100_000
"""Characters of a line that are looked at; all columns of both DMVs at 256 characters have 9,000."""

MAX_LINES = 2_000_000
"""Lines that are looked at: a hundred for each row that is read."""

_TRAILER = re.compile(r"\s*[(（]\d{1,12} ?[^()（）\d]{1,60}(?:\([^()]{1,10}\)[^()]{0,40})?[)）]\s*")
_RULE = re.compile(r"-+(?: +-+)*[ ]*")


class Lines:
    """A cursor over the lines of a text, numbered from 1."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n", MAX_LINES)
        is_too_long = len(self._lines) > MAX_LINES
        self.ends_with_newline = is_too_long or not self._lines[-1]
        if self.ends_with_newline:
            self._lines.pop()
        self._at = 0

    @property
    def more(self) -> bool:
        """Whether a line is left."""
        return self._at < len(self._lines)

    @property
    def number(self) -> int:
        """Number of the line at the cursor."""
        return self._at + 1

    @property
    def line(self) -> str:
        """The line at the cursor, without its end."""
        return self.peek(0)

    @property
    def whole(self) -> str:
        """The line at the cursor, however long, without its end."""
        return self._lines[self._at].rstrip("\r")

    def has(self, ahead: int) -> bool:
        """Tell whether there is a line so far ahead; behind the cursor when negative."""
        return 0 <= self._at + ahead < len(self._lines)

    def peek(self, ahead: int) -> str:
        """Give a line ahead of the cursor."""
        return self._lines[self._at + ahead][:MAX_LINE].rstrip("\r")

    def advance(self, count: int = 1) -> None:
        """Move the cursor."""
        self._at += count


def is_trailer(line: str) -> bool:
    """Tell whether a line is ``(n rows affected)`` in some language."""
    return _TRAILER.fullmatch(line) is not None


def is_rule(line: str, separator: str = " ") -> bool:
    """Tell whether a line is the dashes under a header."""
    if separator == " ":
        return line.startswith("-") and _RULE.fullmatch(line) is not None
    cells = line.split(separator)
    return len(cells) > 1 and all(cell.strip() and not cell.strip(" -") for cell in cells)
