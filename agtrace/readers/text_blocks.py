"""The bytes of a log to blocks of whole lines in UTF-8, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from agtrace.readers.base import Batch, ReadOptions, Source, issue

LINES_AT_ONCE = 80_000
"""Lines of a block; 16 MB of a log as SQL Server writes it, in two bytes a character, have about as many."""

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
        How many characters could not be decoded and became U+FFFD.
    """

    data: bytes
    offset: int
    last: bool = False
    replaced: int = 0

    def offset_of(self, place: int, encoding: str) -> int:
        """Return the byte offset in the file of a place in ``data``."""
        return self.offset + len(self.data[:place].decode().encode(encoding, "replace"))


class LogText:
    """Reads a log block by block, and tells what is wrong with its bytes.

    Parameters
    ----------
    encoding, skip
        As `agtrace.readers.text.sniff_encoding` gives them.
    block_bytes
        How many bytes to read at a time, where the options leave that open.
    """

    def __init__(
        self, source: Source, options: ReadOptions, encoding: str, skip: int, block_bytes: int
    ) -> None:
        self._source = source
        self._block_bytes = options.block_bytes or block_bytes
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
    """Read a log block by block; each block ends with a line end, the last one perhaps not.

    Parameters
    ----------
    file
        The bytes, at the start of the file.
    encoding, skip
        As `agtrace.readers.text.sniff_encoding` gives them.
    block_bytes
        How many bytes to read at a time.

    Raises
    ------
    LineTooLongError
        A line has no end within `LINE_LIMIT` bytes.
    """
    file.read(skip)
    offset = skip
    pending: list[bytes] = []
    pending_size = 0
    while piece := file.read(block_bytes):
        # A line end of two bytes may lie across two reads: the search starts one byte early.
        if encoding in UTF16 and pending_size % 2:
            piece, pending[-1], pending_size = (pending[-1][-1:] + piece, pending[-1][:-1], pending_size - 1)
        end = _after_last_line(piece, encoding)
        if not end:
            pending.append(piece)
            pending_size += len(piece)
            if pending_size > LINE_LIMIT:
                raise LineTooLongError(offset)
            continue
        raw = b"".join([*pending, piece[:end]]) if pending else piece[:end]
        for part in _with_few_lines(raw, encoding):
            yield _decoded(part, encoding, offset)
            offset += len(part)
        pending = [piece[end:]] if end < len(piece) else []
        pending_size = len(piece) - end
    if pending_size:
        yield _decoded(b"".join(pending), encoding, offset, last=True)


def _with_few_lines(raw: bytes, encoding: str) -> Iterator[bytes]:
    """Part whole lines until no part has more than `LINES_AT_ONCE`: lines cost more than bytes do."""
    cut = 0
    if raw.count(b"\n") > LINES_AT_ONCE:
        half = len(raw) // 2 + len(raw) // 2 % 2
        cut = _after_last_line(raw[:half], encoding)
    if not 0 < cut < len(raw):
        yield raw
        return
    yield from _with_few_lines(raw[:cut], encoding)
    yield from _with_few_lines(raw[cut:], encoding)


def _after_last_line(piece: bytes, encoding: str) -> int:
    """Return the position after the last line end, or 0."""
    if encoding not in UTF16:
        return piece.rfind(b"\n") + 1
    mark = "\n".encode(encoding)
    at = piece.rfind(mark)
    while at % 2 and at > 0:
        at = piece.rfind(mark, 0, at + 1)
    return at + 2 if at >= 0 and at % 2 == 0 else 0


def _decoded(raw: bytes, encoding: str, offset: int, *, last: bool = False) -> TextBlock:
    """Turn the bytes of whole lines into UTF-8."""
    if encoding not in UTF16 and raw.isascii():
        return TextBlock(raw, offset, last)
    text = raw.decode(encoding, errors="replace")
    replaced = 0 if text.isascii() else text.count("\ufffd")
    if replaced:
        replaced -= raw.count("\ufffd".encode(encoding)) if encoding.startswith("utf") else 0
    return TextBlock(text.encode("utf-8"), offset, last, replaced)
