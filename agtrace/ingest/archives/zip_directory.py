"""The directory of a zip archive as strangers write it.

It is read by hand, because one bad entry may cost only its own member, and because every member is
opened from its own place, however many there are: nothing is read twice.
Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", sections 4.3 and 4.5.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

from agtrace.ingest.archives.member import (
    BZIP2,
    DEFLATED,
    LZMA,
    MAX_MEMBERS,
    STORED,
    DamagedArchiveError,
    Directory,
    Member,
    shown_name,
)

ZIP_MAGIC = b"PK\x03\x04"
_LISTED = b"PK\x01\x02"
_END, _END64, _LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_ENTRY = struct.Struct("<4s4xHH4xLLLHHH8xL")
_LONGEST_COMMENT = 0xFFFF
_ENCRYPTED, _UTF8 = 0x0001, 0x0800
_METHODS = {
    0: STORED,
    8: DEFLATED,
    9: "Deflate64",
    12: BZIP2,
    14: LZMA,
    93: "Zstandard",
    95: "XZ",
    98: "PPMd",
    99: "AES encryption",
}


def read_directory(path: Path) -> Directory:
    """Read the directory of an archive.

    Raises
    ------
    DamagedArchiveError
        There is none, or it lists more than `MAX_MEMBERS`.
    OSError
        The file cannot be read.
    """
    with path.open("rb") as file:
        count, at = _end(file)
        if count > MAX_MEMBERS:
            raise DamagedArchiveError(f"{count:,} members, more than {MAX_MEMBERS:,}")
        file.seek(at)
        members: list[Member] = []
        for number in range(count):
            entry = _entry(file)
            if entry is None:
                if not number:
                    raise DamagedArchiveError("its directory is damaged")
                return Directory(members, count - number)
            if not entry.name.endswith("/") or entry.bytes:
                members.append(entry)
    return Directory(members)


def _end(file: BinaryIO) -> tuple[int, int]:
    """Find the record at the end: how many entries there are, and where the first one begins."""
    size = file.seek(0, os.SEEK_END)
    start = max(size - _LONGEST_COMMENT - 22, 0)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22:
        raise DamagedArchiveError("its end is missing: cut off, or not copied whole")
    count, length, offset = struct.unpack("<10xHLL", tail[at : at + 20])
    end = start + at
    if (count == 0xFFFF or 0xFFFFFFFF in (length, offset)) and (found := _end64(file, end)):
        count, length, offset, end = found
    for place in (offset, end - length):
        if 0 <= place < end:
            file.seek(place)
            if not count or file.read(4) == _LISTED:
                return count, place
    raise DamagedArchiveError("its directory is not where it should be")


def _end64(file: BinaryIO, end: int) -> tuple[int, int, int, int] | None:
    """Read the record of an archive of more than 4 GB or 65,535 members, which stands before the end."""
    if end < 20:
        return None
    file.seek(end - 20)
    magic, at = struct.unpack("<4s4xQ4x", file.read(20))
    if magic != _LOCATOR or at > end - 56:
        return None
    file.seek(at)
    record = file.read(56)
    if len(record) < 56 or record[:4] != _END64:
        return None
    count, length, offset = struct.unpack("<32xQQQ", record)
    return count, length, offset, at


def _entry(file: BinaryIO) -> Member | None:
    """Read the entry at the cursor; None where there is none."""
    fixed = file.read(_ENTRY.size)
    if len(fixed) < _ENTRY.size:
        return None
    (magic, flags, method, crc, packed, size, name_length, extra_length, note_length, offset) = _ENTRY.unpack(
        fixed
    )
    if magic != _LISTED:
        return None
    name = file.read(name_length)
    extra = file.read(extra_length)
    file.seek(note_length, os.SEEK_CUR)
    if len(extra) < extra_length:
        return None
    size, packed, offset = _wide(extra, size, packed, offset)
    return Member(
        shown_name(name.decode("utf-8" if flags & _UTF8 else "cp437", "replace")),
        size,
        packed,
        offset,
        _METHODS.get(method, f"method {method}"),
        crc,
        is_encrypted=bool(flags & _ENCRYPTED),
        has_header=True,
    )


def _wide(extra: bytes, *values: int) -> tuple[int, ...]:
    """Take the values that did not fit into 32 bits from the extra field for them."""
    at, wide = 0, b""
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            wide = extra[at + 4 : at + 4 + length]
            break
        at += 4 + length
    found = list(values)
    place = 0
    for number, value in enumerate(values):
        if value == 0xFFFFFFFF and place + 8 <= len(wide):
            (found[number],) = struct.unpack_from("<Q", wide, place)
            place += 8
    return tuple(found)
