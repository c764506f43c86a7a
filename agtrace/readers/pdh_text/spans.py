"""The start and end of the rows in a span of a log, and the bytes between."""

from __future__ import annotations

from typing import BinaryIO

from agtrace.readers.base import Span
from agtrace.readers.pdh_text.header import Header

PIECE_BYTES = 1 << 20


class SpanOfRows:
    """The whole rows that begin in a span, as a file that ends with them.

    Parameters
    ----------
    file
        The log; it can be read from anywhere.
    header
        Its header.
    span
        Which rows.
    size
        Bytes of the log.

    Attributes
    ----------
    begin
        Offset of the first byte.
    """

    def __init__(self, file: BinaryIO, header: Header, span: Span, size: int) -> None:
        self.begin = _row_from(file, header, span.begin, size)
        self._left = _row_from(file, header, span.end, size) - self.begin
        self._file = file
        file.seek(self.begin)

    def read(self, size: int) -> bytes:
        """Read the next bytes; none at the end of the span."""
        block = self._file.read(min(size, self._left))
        self._left -= len(block)
        return block


def _row_from(file: BinaryIO, header: Header, offset: int, size: int) -> int:
    """Return the offset of the first line at or after ``offset``; else the end of the log."""
    if offset <= header.end:
        return header.end
    line_end = b"\n" if header.code_units == "bytes" else "\n".encode(header.code_units)
    width = len(line_end)
    # A row begins after a line end; both must be aligned to whole characters.
    at = offset + (header.end - offset) % width - width
    file.seek(at)
    rest = b""
    while piece := file.read(PIECE_BYTES):
        text = rest + piece
        found = text.find(line_end)
        while found >= 0 and found % width:
            found = text.find(line_end, found + 1)
        if found >= 0:
            return at + found + width
        rest = text[len(text) - len(text) % width :]
        at += len(text) - len(rest)
    return size
