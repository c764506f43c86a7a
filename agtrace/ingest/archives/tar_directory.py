"""The members of a tar archive: headers of 512 bytes in front of each, as strangers write them.

A header that is damaged costs its own member: the next one is looked for. Long names are taken from
the headers in front of a header (GNU ``L``, POSIX ``x``), never more of them than names have.
Source: POSIX.1-2017, "pax - portable archive interchange"; GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from agtrace.ingest.archives.member import MAX_MEMBERS, DamagedArchiveError, Directory, Member, shown_name

BLOCK = 512
_MOST_EXTRA = 64 << 10
"""Of a header in front of a header: what is longer is passed by."""
_SEARCH = 1 << 20
_FIRST_SEARCH = 8 * BLOCK
_MOST_DAMAGED = 1_000
"""Headers; behind more of them nothing is looked for."""
_OCTAL = re.compile(rb"[0-7]+")
_MAGIC = b"ustar"
_FILES = b"0\x007"
_FOLDER, _LONG_NAME, _POSIX = b"5", b"L", b"x"
_PASSED = b"gKXV"
_LINKS = {
    b"1": "a link to another member; not followed",
    b"2": "a link; not followed",
    b"3": "a device; not read",
    b"4": "a device; not read",
    b"6": "a pipe; not read",
}
_SPARSE = "a sparse file, which is not read; unpack it by hand"


@dataclass(frozen=True)
class _Header:
    kind: bytes
    name: str
    size: int


@dataclass
class _Said:
    """What the headers in front of a header say of it."""

    name: str = ""
    size: int | None = None
    is_sparse: bool = False


def is_tar(head: bytes) -> bool:
    """Return whether a file starts with a header of a tar archive."""
    return _header(head[:BLOCK]) is not None


def read_tar(path: Path) -> Directory:
    """Read the headers of a tar archive.

    Raises
    ------
    DamagedArchiveError
        There is none, or there are more than `MAX_MEMBERS`.
    OSError
        The file cannot be read.
    """
    directory = Directory([])
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        at, said, headers = 0, _Said(), 0
        while at + BLOCK <= end:
            file.seek(at)
            block = file.read(BLOCK)
            if not any(block):
                at = _after_zeros(file, at, end)
                continue
            header = _header(block)
            if header is None:
                directory.missing += 1
                if directory.missing > _MOST_DAMAGED:
                    break
                at, said = _next_header(file, at + BLOCK, end), _Said()
                continue
            headers += 1
            if headers > 3 * MAX_MEMBERS or len(directory.members) >= MAX_MEMBERS:
                raise DamagedArchiveError(f"more than {MAX_MEMBERS:,} members")
            at += BLOCK
            if header.kind in (_LONG_NAME, _POSIX):
                _listen(said, header, file.read(min(header.size, _MOST_EXTRA)))
            elif header.kind not in (_FOLDER, *_bytes(_PASSED)):
                size = header.size if said.size is None else said.size
                header = replace(header, name=said.name or header.name, size=size)
                directory.members.append(_member(header, at, said.is_sparse))
            if header.kind not in (_LONG_NAME, _POSIX):
                said = _Said()
            at += -(-header.size // BLOCK) * BLOCK
        if end % BLOCK and at < end:
            directory.missing += 1
    if not directory.members and directory.missing:
        raise DamagedArchiveError("no header of a member in it")
    return directory


def _bytes(text: bytes) -> list[bytes]:
    return [text[n : n + 1] for n in range(len(text))]


def _member(header: _Header, at: int, is_sparse: bool) -> Member:
    why = _LINKS.get(header.kind, "")
    if header.kind == b"S" or is_sparse:
        why = _SPARSE
    elif not why and header.kind not in _bytes(_FILES):
        why = "of a kind that is not known; not read"
    return Member(shown_name(header.name), header.size, header.size, at, why_not=why)


def _header(block: bytes) -> _Header | None:
    """Read a header; None where its checksum is not that of its bytes."""
    if len(block) < BLOCK:
        return None
    stated = _number(block[148:156])
    if not stated or stated != sum(block[:148]) + 8 * 32 + sum(block[156:]):
        return None
    size = _number(block[124:136])
    if size is None:
        return None
    name = _text(block[:100])
    if block[257:262] == _MAGIC and block[263:265] == b"00" and block[345]:
        name = f"{_text(block[345:500])}/{name}"
    kind = block[156:157]
    if kind in (b"0", b"\0") and name.endswith("/"):
        kind = _FOLDER
    return _Header(kind, name, 0 if kind in _LINKS or kind == _FOLDER else size)


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


def _number(raw: bytes) -> int | None:
    """Read an octal number, or one in base 256; None where it is neither."""
    if raw[0] == 0x80:
        return int.from_bytes(raw[1:], "big")
    digits = raw.strip(b" \0") or b"0"
    return int(digits, 8) if _OCTAL.fullmatch(digits) else None


def _listen(said: _Said, header: _Header, data: bytes) -> None:
    if header.kind == _LONG_NAME:
        said.name = _text(data)
        return
    at = 0
    while at < len(data):
        length, _, rest = data[at : at + 20].partition(b" ")
        if not rest or not length.isdigit() or int(length) <= len(length) + 1:
            return
        record = data[at + len(length) + 1 : at + int(length)].rstrip(b"\n")
        key, _, value = record.partition(b"=")
        if key == b"path":
            said.name = value.decode("utf-8", "replace")
        elif key == b"size" and value.isdigit() and len(value) < 20:
            said.size = int(value)
        elif key.startswith(b"GNU.sparse"):
            said.is_sparse = True
        at += int(length)


def _after_zeros(file: BinaryIO, at: int, end: int) -> int:
    """Pass the zeros at the end of an archive; others may follow it in the same file."""
    size = _FIRST_SEARCH
    while at < end:
        file.seek(at)
        piece = file.read(size)
        if not piece:
            return end
        rest = piece.lstrip(b"\0")
        if rest:
            return (at + len(piece) - len(rest)) // BLOCK * BLOCK
        at += len(piece)
        size = min(2 * size, _SEARCH)
    return end


def _next_header(file: BinaryIO, at: int, end: int) -> int:
    """Find the next header behind a damaged one."""
    size = _FIRST_SEARCH
    while at < end:
        file.seek(at)
        piece = file.read(size)
        found = piece.find(_MAGIC)
        while found >= 0:
            begin = found - 257
            if begin >= 0 and begin % BLOCK == 0 and _header(piece[begin : begin + BLOCK]):
                return at + begin
            found = piece.find(_MAGIC, found + 1)
        at += len(piece) or size
        size = min(2 * size, _SEARCH)
    return end
