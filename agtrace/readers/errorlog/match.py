"""Finding known wordings in a column of texts, by `xelib.entries`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from xelib.entries import Wordings

from agtrace.tables.rows import text_column

Columns = list[tuple[str, tuple[bytes, bytes, bytes]]]


@dataclass(frozen=True)
class Pattern:
    """One wording of one text.

    Parameters
    ----------
    entry
        Entry of the catalogue for the text.
    language
        Language of the wording.
    regex
        RE2 pattern with a named group per field.
    heads
        Start of the text, in every spelling; empty if it begins with an argument.
    fragment
        RE2 pattern of a literal piece, to find texts without a head.
    ascii
        False if the text has letters beyond ASCII.
    """

    entry: Any
    language: str
    regex: str
    heads: tuple[bytes, ...]
    fragment: str = ""
    ascii: bool = True

    @property
    def wording(self) -> tuple[str, list[bytes], str, bool]:
        """Arguments for `xelib.entries`."""
        return self.regex, list(self.heads), self.fragment, self.ascii


@dataclass(frozen=True)
class Found:
    """Texts of one pattern: their places in the column, and a column of text per field."""

    pattern: Pattern
    rows: np.ndarray
    columns: dict[str, pa.Array]


class PatternSet:
    """Patterns that are searched for together; if several match, the first one counts."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns
        self.wordings = Wordings([pattern.wording for pattern in patterns])

    def find(self, texts: pa.Array) -> Iterator[Found]:
        """Find the patterns in a column of texts."""
        if not len(texts):
            return
        yield from self.found(self.wordings.find(*text_buffers(texts)))

    def found(self, found: Iterable[tuple[int, bytes, Columns]]) -> Iterator[Found]:
        """Yield what `xelib.entries.Wordings` gives."""
        for number, rows, columns in found:
            places = np.frombuffer(rows, np.int64)
            fields = {name: text_column(column, len(places)) for name, column in columns}
            yield Found(self.patterns[number], places, fields)

    def candidates(self, head: bytes) -> list[int]:
        """Return the numbers of the patterns that a text beginning with ``head`` can match."""
        return self.wordings.candidates(head)


def text_buffers(texts: pa.Array) -> tuple[bytes, bytes]:
    """Return the offsets of a column of texts without NULL, and its UTF-8."""
    if not len(texts):
        return b"", b""
    _valid, offsets, data = texts.buffers()
    ends = offsets[4 * texts.offset : 4 * (texts.offset + len(texts) + 1)]
    return ends.to_pybytes(), data.to_pybytes() if data else b""
