"""The bytes of a log to blocks of whole lines in UTF-8, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from xelib.entries import utf8_of_utf16

from agtrace.readers.base import Batch, ReadOptions, Source, issue

READ_BYTES = 1024 * 1024
"""Bytes of a block: what is done with one finds it in the caches of the processor."""

TAKE_BYTES = 16 * 1024 * 1024
"""Bytes of a log after which the rows of its entries are taken: many at a time."""

TAKE_LINES = 80_000
"""Lines after which they are: 16 MB of a log as SQL Server writes it have about as many."""

LINE_LIMIT = 16 * 1024 * 1024
"""Bytes after which a line without end is taken as a sign that this is no longer a log."""

UTF16 = ("utf-16-le", "utf-16-be")


@dataclass(frozen=True)
class TextBlock:
    """Whole lines of the file.

    Parameters
    ----------
    data
        The text in UTF-8.
    offset
        Byte offset in the file where the block begins.
    last
        True for the text after the last line end of the file.
    replaced
        Number of characters that could not be decoded and became U+FFFD.
    """

    data: bytes
    offset: int
    last: bool = False
    replaced: int = 0

    def offset_of(self, place: int, encoding: str) -> int:
        """Return the byte offset in the file of a place in ``data``."""
        return self.offset + len(self.data[:place].decode().encode(encoding, "replace"))


class LogText:
    """Reads a log block by block, and reports faults in its bytes.

    Parameters
    ----------
    encoding, skip
        As returned by `agtrace.readers.text.sniff_encoding`.
    """

    def __init__(self, source: Source, options: ReadOptions, encoding: str, skip: int) -> None:
        self._source = source
        self._block_bytes = options.block_bytes or READ_BYTES
        self._encoding = encoding
        self._skip = skip
        self._replaced = 0
        self.faults: list[Batch] = []

    def blocks(self, parted: Callable[[Iterator[TextBlock]], Iterator[Any]] = iter) -> Iterator[Any]:
        """Yield the blocks of the log, and what ``parted`` puts between them."""
        with self._source.open() as file:
            try:
                for block in parted(text_blocks(file, self._encoding, self._skip, self._block_bytes)):
                    if isinstance(block, TextBlock):
                        self._see(block)
                    yield block
            except LineTooLongError as error:
                self.faults.append(
                    issue(
                        "line_too_long",
                        "a line without end: not read from here on",
                        severity="data_loss",
                        offset=error.args[0],
                    )
                )

    def _see(self, block: TextBlock) -> None:
        self._replaced += block.replaced
        if block.last:
            self.faults.append(
                issue(
                    "last_line_torn",
                    "the last line has no line end: the file was cut, or is still being written",
                    offset=block.offset,
                )
            )

    def undecodable(self) -> Iterator[Batch]:
        """Yield characters that do not fit the encoding."""
        if self._replaced:
            yield issue(
                "undecodable_text",
                "characters that do not fit the encoding were replaced by U+FFFD",
                count=self._replaced,
            )


class LineTooLongError(Exception):
    """No line end within `LINE_LIMIT` bytes; ``args[0]`` is the byte offset of the line."""


def text_blocks(file: BinaryIO, encoding: str, skip: int, block_bytes: int) -> Iterator[TextBlock]:
    """Read a log block by block; each block, except possibly the last, ends with a line end.

    Parameters
    ----------
    file
        The bytes, at the start of the file.
    encoding, skip
        As returned by `agtrace.readers.text.sniff_encoding`.
    block_bytes
        Number of bytes to read at a time.

    Raises
    ------
    LineTooLongError
        A line has no end within `LINE_LIMIT` bytes.
    """
    file.read(skip)
    offset = skip
    rest = b""
    # A line longer than a block is assembled from increasingly long pieces.
    while piece := file.read(max(block_bytes, len(rest))):
        raw = rest + piece if rest else piece
        # A line end of two bytes may lie across two reads.
        end = _after_last_line(raw, encoding, max(len(rest) - 1, 0))
        if not end:
            rest = raw
            if len(rest) > LINE_LIMIT:
                raise LineTooLongError(offset)
            continue
        yield _decoded(raw, end, encoding, offset)
        offset += end
        rest = raw[end:]
    if rest:
        yield _decoded(rest, len(rest), encoding, offset, last=True)


def _after_last_line(text: bytes, encoding: str, begin: int) -> int:
    """Return the position after the last line end, or 0; there is no line end before ``begin``."""
    if encoding not in UTF16:
        return text.rfind(b"\n", begin) + 1
    mark = "\n".encode(encoding)
    at = text.rfind(mark, begin)
    while at % 2 and at > 0:
        at = text.rfind(mark, begin, at + 1)
    return at + 2 if at >= 0 and at % 2 == 0 else 0


def _decoded(raw: bytes, end: int, encoding: str, offset: int, *, last: bool = False) -> TextBlock:
    """Turn the bytes of whole lines, up to a position, into UTF-8."""
    if encoding in UTF16:
        data, replaced = utf8_of_utf16(raw, end, big_endian=encoding == "utf-16-be")
        return TextBlock(data, offset, last, replaced)
    raw = raw[:end]
    if raw.isascii():
        return TextBlock(raw, offset, last)
    text = raw.decode(encoding, errors="replace")
    replaced = text.count("\ufffd")
    if replaced and encoding.startswith("utf"):
        replaced -= raw.count("\ufffd".encode(encoding))
    return TextBlock(text.encode("utf-8"), offset, last, replaced)


class Filling:
    """Decides when enough of a log has been read to take its rows."""

    def __init__(self, options: ReadOptions) -> None:
        self._most = options.block_bytes or TAKE_BYTES
        self._bytes = 0
        self._lines = 0

    def is_full(self, data: bytes, lines: int) -> bool:
        """Take a block, and how many lines there were up to its end; return whether rows are to be taken."""
        self._bytes += len(data)
        if self._bytes < self._most and lines - self._lines < TAKE_LINES:
            return False
        self._bytes, self._lines = 0, lines
        return True
