"""The lines of a text capture, read block by block: a text of any size is never held whole."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from agtrace.readers.mixed_text import MixedDecoder, is_mixed
from agtrace.readers.text import ANSI, is_wide, sniff_encoding

BLOCK_BYTES = 256 * 1024
START_CHARACTERS = 64 * 1024

MAX_LINE = 1000
"""Maximum number of characters parsed per line; longer than any line of console output."""


Line = tuple[int, str, bool]
"""A physical line: its number from 1; its first `MAX_LINE` characters, without the line end; and
whether it has a line end (one without may be half a line). A plain tuple: there are millions."""


class TextLines:
    """The lines of a text; can be iterated repeatedly.

    Parameters
    ----------
    open_bytes
        Opens the text for reading from the start.
    encoding
        Overrides the detected encoding; invalid bytes become U+FFFD.
    """

    def __init__(self, open_bytes: Callable[[], BinaryIO], encoding: str | None = None) -> None:
        self._open = open_bytes
        sniffed, self._skip = self._sniffed()
        self._encoding = encoding or sniffed
        self._is_mixed = encoding is None and is_wide(sniffed, self._skip) and self._has_both()

    def __iter__(self) -> Iterator[Line]:
        return lines_of(self._pieces())

    def start(self, characters: int = START_CHARACTERS) -> str:
        """Return the first characters."""
        parts, have = [], 0
        for piece in self._pieces():
            parts.append(piece)
            have += len(piece)
            if have >= characters:
                break
        return "".join(parts)[:characters]

    def is_blank(self) -> bool:
        """Return whether it is empty."""
        return all(not piece or piece.isspace() for piece in self._pieces())

    def _blocks(self) -> Iterator[bytes]:
        with self._open() as file:
            while block := file.read(BLOCK_BYTES):
                yield block

    def _sniffed(self) -> tuple[str, int]:
        """Return the encoding: a text is UTF-8 only if all of it is."""
        decoder = codecs.getincrementaldecoder("utf-8")("strict")
        for number, block in enumerate(self._blocks()):
            if number == 0:
                name, skip = sniff_encoding(block)
                if name != "utf-8" or skip:
                    return name, skip
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                return ANSI, 0
        return "utf-8", 0

    def _has_both(self) -> bool:
        """Return whether UTF-16 text contains 8-bit lines."""
        end = b""
        for block in self._blocks():
            if is_mixed(end + block):
                return True
            end = block[-16:]
        return False

    def _pieces(self) -> Iterator[str]:
        decoder = (
            MixedDecoder(ANSI) if self._is_mixed else codecs.getincrementaldecoder(self._encoding)("replace")
        )
        for number, block in enumerate(self._blocks()):
            yield decoder.decode(block[self._skip :] if number == 0 else block)
        yield decoder.decode(b"", True)


def lines_of(pieces: Iterable[str]) -> Iterator[Line]:
    """Yield the physical lines of a text in pieces, with their numbers.

    Only a line feed ends a line: consoles also write lone carriage returns (progress figures), and a wrongly
    guessed code page can turn other characters into line ends. Of consecutive blank lines only the first is
    yielded.
    """
    number, rest, was_blank = 0, "", False
    for piece in pieces:
        *whole, rest = (rest + piece).split("\n")
        rest = rest[:MAX_LINE]
        for line in whole:
            number += 1
            is_blank = not line or line.isspace()
            if not (is_blank and was_blank):
                yield number, line[:MAX_LINE].rstrip("\r"), True
            was_blank = is_blank
    if rest:
        yield number + 1, rest.rstrip("\r"), False
