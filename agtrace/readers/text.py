"""Character encodings of text captures."""

from __future__ import annotations

import codecs
from functools import lru_cache

from agtrace.readers.mixed_text import MixedDecoder, is_mixed

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

ANSI = "cp1252"
"""The code page of texts that are in no other encoding."""

_REMEMBERED_BYTES = 64 << 10


def sniff_encoding(head: bytes, ansi: str = ANSI) -> tuple[str, int]:
    """Return the encoding of text and the length of its byte order mark.

    A byte order mark decides; then a zero second byte means UTF-16LE without one; then strict
    UTF-8 (a character cut at the end of ``head`` is forgiven); else the ANSI code page ``ansi``.

    Returns
    -------
    tuple of str and int
        Python's name of the encoding, and how many bytes to skip.
    """
    # All readers that inspect a file get the same head.
    return _sniffed(head, ansi) if len(head) <= _REMEMBERED_BYTES else _sniff(head, ansi)


def _sniff(head: bytes, ansi: str) -> tuple[str, int]:
    for bom, name in BOMS:
        if head.startswith(bom):
            return name, len(bom)
    if len(head) >= 2 and head[1] == 0 and head[0] != 0:
        return "utf-16-le", 0
    if len(head) >= 2 and head[0] == 0 and head[1] != 0:
        return "utf-16-be", 0
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(head, final=False)
    except UnicodeDecodeError:
        return ansi, 0
    return "utf-8", 0


_sniffed = lru_cache(4)(_sniff)


def is_encoding(name: str) -> bool:
    """Return whether Python has a character encoding of this name."""
    try:
        b"a".decode(name)  # nothing at all would be decoded by any name
    except UnicodeDecodeError:
        return True
    except (LookupError, ValueError):
        return False
    return True


def decode_text(data: bytes, encoding: str | None = None) -> str:
    """Decode a whole small text capture; bytes that fit no character become U+FFFD."""
    name, skip = sniff_encoding(data)
    if encoding is None and is_wide(name, skip) and is_mixed(data[skip:]):
        return MixedDecoder(ANSI).decode(data[skip:], True)
    return data[skip:].decode(encoding or name, errors="replace")


def is_wide(encoding: str, mark: int) -> bool:
    """Return whether PowerShell's Out-File began a text: UTF-16LE with a byte order mark."""
    return encoding == "utf-16-le" and mark > 0


def offset_of_line(data: bytes, line: int, encoding: str | None = None) -> int:
    """Return the byte offset of a line; the last line's if there are fewer."""
    sniffed, at = sniff_encoding(data)
    name = encoding or sniffed
    mark = "\n".encode("utf-16-le" if name.lower() in ("utf-16", "utf_16") else name)
    if len(mark) == 1:
        # Lines of large files are not walked one by one; small texts are read without numpy.
        import numpy as np

        ends = np.flatnonzero(np.frombuffer(data, np.uint8)[at:] == mark[0])
        last = min(line - 1, len(ends))
        return at + int(ends[last - 1]) + 1 if last > 0 else at
    begin = at
    for _ in range(line - 1):
        found = data.find(mark, at)
        while found >= 0 and (found - begin) % len(mark):
            found = data.find(mark, found + 1)
        if found < 0:
            break
        at = found + len(mark)
    return at
