"""Zip archives as strangers write them: their directory, what of it may be unpacked, and its bytes.

The directory is read by hand, because one bad entry may cost only its own member, and because every
member is opened from its own place, however many there are: nothing is read twice. What is unpacked
is bounded before it is: by the directory, which may lie, and again while the bytes come.
Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", sections 4.3 and 4.5.
"""

from __future__ import annotations

import bisect
import bz2
import io
import lzma
import os
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from agtrace.errors import CaptureError

MAX_MEMBERS = 100_000
MAX_NAME = 1_000
"""Characters of a member's name that are shown."""
MAX_MEMBER_BYTES = 64 << 30
MAX_TOTAL_BYTES = 256 << 30
MAX_RATIO = 300
"""Perfmon text compresses 10 to 40 times; more than this is a bomb, not a capture."""
RATIO_FREE_BYTES = 100 << 20
"""Below this size no ratio is suspicious."""
MAX_CASE_RATIO = 100
CASE_FREE_BYTES = 8 << 30
"""All archives of a case together: what may be unpacked beyond their own size times the ratio."""

ZIP_MAGIC = b"PK\x03\x04"
_LISTED = b"PK\x01\x02"
_END, _END64, _LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_ENTRY = struct.Struct("<4s4xHH4xLLLHHH8xL")
_LOCAL = struct.Struct("<4s2xH18xHH")
_LONGEST_COMMENT = 0xFFFF
_ENCRYPTED, _UTF8 = 0x0001, 0x0800
_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_METHODS = {9: "Deflate64", 93: "Zstandard", 95: "XZ", 98: "PPMd", 99: "AES encryption"}
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Member:
    """Where a member's bytes lie, as the directory says. Picklable.

    Parameters
    ----------
    name
        As written, ``\\`` as ``/``, shortened to `MAX_NAME` characters.
    bytes, packed
        Size unpacked and packed.
    crc
        CRC-32 of the unpacked bytes.
    method
        Of compression.
    offset
        Where its local header begins.
    is_encrypted
        Whether a password is needed.
    """

    name: str
    bytes: int
    packed: int
    crc: int
    method: int
    offset: int
    is_encrypted: bool


class DamagedArchiveError(Exception):
    """The file has no directory that can be read; ``args[0]`` says why."""


@dataclass
class Directory:
    """What the directory of an archive lists.

    Parameters
    ----------
    members
        Files, in the order of the directory.
    missing
        Entries that should be there and cannot be read.
    """

    members: list[Member]
    missing: int = 0


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
    (magic, flags, method, crc, packed, size, name_length, extra_length, note_length, offset) = (
        _ENTRY.unpack(fixed)
    )
    if magic != _LISTED:
        return None
    name = file.read(name_length)
    extra = file.read(extra_length)
    file.seek(note_length, os.SEEK_CUR)
    if len(extra) < extra_length:
        return None
    size, packed, offset = _wide(extra, size, packed, offset)
    text = name.decode("utf-8" if flags & _UTF8 else "cp437", "replace").replace("\\", "/")
    if len(text) > MAX_NAME:
        text = text[: MAX_NAME - 1] + "\u2026"
    return Member(text, size, packed, crc, method, offset, bool(flags & _ENCRYPTED))


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


@dataclass
class Budget:
    """How much all archives of a case may still unpack."""

    spent: int = 0
    packed: int = 0

    @property
    def allowed(self) -> int:
        return CASE_FREE_BYTES + MAX_CASE_RATIO * self.packed


@dataclass
class _Spans:
    """Which bytes of an archive are some member's."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def take(self, start: int, end: int) -> bool:
        """Claim bytes; False where another member has some of them."""
        at = bisect.bisect_right(self.starts, start)
        if (at and self.ends[at - 1] > start) or (at < len(self.starts) and self.starts[at] < end):
            return False
        self.starts.insert(at, start)
        self.ends.insert(at, end)
        return True


def refusals(members: list[Member], size: int, budget: Budget) -> dict[int, tuple[str, str]]:
    """Say which members are not unpacked.

    Parameters
    ----------
    members
        Of one archive.
    size
        Of the archive.
    budget
        Of the case; charged with what is left.

    Returns
    -------
    dict of int to tuple of str
        Status (``unreadable``, ``failed``, ``empty``) and reason, by position.
    """
    budget.packed += size
    refused: dict[int, tuple[str, str]] = {}
    spans = _Spans()
    # Of members that share bytes the smallest is believed: a size that is damaged is mostly too large.
    order = sorted(range(len(members)), key=lambda n: (members[n].packed, n))
    for number in order:
        if found := _refusal(members[number], size, spans):
            refused[number] = found
    total = 0
    most = min(MAX_TOTAL_BYTES, max(RATIO_FREE_BYTES, MAX_RATIO * size))
    for number, member in enumerate(members):
        if number in refused:
            continue
        if total + member.bytes > most:
            reason = "the archive is too large once unpacked; unpack it by hand"
            refused[number] = "failed", reason
        elif budget.spent + member.bytes > budget.allowed:
            reason = "the archives of this folder are too large once unpacked; unpack it by hand"
            refused[number] = "failed", reason
        else:
            total += member.bytes
            budget.spent += member.bytes
    return refused


def _refusal(member: Member, size: int, spans: _Spans) -> tuple[str, str] | None:
    ratio = member.bytes / max(member.packed, 1)
    if member.is_encrypted:
        return "unreadable", "encrypted"
    if not member.bytes:
        return "empty", "0 bytes"
    if member.method not in (_STORED, _DEFLATED, _BZIP2, _LZMA):
        name = _METHODS.get(member.method, f"method {member.method}")
        return "unreadable", f"compressed by {name}, which is not read; unpack it by hand"
    if member.bytes > MAX_MEMBER_BYTES:
        return "failed", "too large once unpacked; unpack it by hand"
    if member.bytes > RATIO_FREE_BYTES and ratio > MAX_RATIO:
        reason = f"packed {ratio:,.0f} to 1, more than {MAX_RATIO} to 1; unpack it by hand"
        return "failed", reason
    end = member.offset + _LOCAL.size + member.packed
    if end > size:
        return "unreadable", "the directory says that it lies beyond the end of the archive"
    if not spans.take(member.offset, end):
        return (
            "failed",
            "it shares its bytes with another member, as in a zip bomb; unpack it by hand",
        )
    return None


def open_member(path: Path, member: Member, shown: str) -> BinaryIO:
    """Open a member for reading.

    Raises
    ------
    CaptureError
        There is no member at its place. Reading raises it too: where the bytes are damaged, or are
        more or fewer than the directory says.
    OSError
        The file cannot be read.
    """
    file = path.open("rb")
    try:
        file.seek(member.offset)
        fixed = file.read(_LOCAL.size)
        if len(fixed) < _LOCAL.size or fixed[:4] != ZIP_MAGIC:
            raise CaptureError(
                shown, "this member of the zip cannot be opened: it does not begin where it should"
            )
        _magic, flags, name_length, extra_length = _LOCAL.unpack(fixed)
        if flags & _ENCRYPTED:
            raise CaptureError(shown, "this member of the zip cannot be opened: encrypted")
        file.seek(name_length + extra_length, os.SEEK_CUR)
        return io.BufferedReader(_MemberStream(file, member, shown), _BLOCK)
    except BaseException:
        file.close()
        raise


class _Unpacker(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _MemberStream(io.RawIOBase):
    """The unpacked bytes of a member, never more at a time than asked for, nor in all than declared."""

    def __init__(self, file: BinaryIO, member: Member, shown: str) -> None:
        self._file = file
        self._member = member
        self._shown = shown
        self._packed_left = member.packed
        self._left = member.bytes
        self._crc = 0
        self._unpacker = None if member.method == _STORED else self._new_unpacker()

    def _new_unpacker(self) -> _Unpacker:
        if self._member.method == _BZIP2:
            return bz2.BZ2Decompressor()
        return self._lzma() if self._member.method == _LZMA else _Deflate()

    def _lzma(self) -> _Unpacker:
        version_and_size = self._packed(4)
        length = int.from_bytes(version_and_size[2:], "little")
        properties = self._packed(length) if length == 5 else b""
        if len(properties) < 5 or properties[0] >= 9 * 5 * 5:
            raise self._damaged("no LZMA header")
        lc, rest = properties[0] % 9, properties[0] // 9
        dictionary = int.from_bytes(properties[1:], "little")
        if dictionary > 64 << 20:
            raise self._damaged("its LZMA dictionary needs more than 64 MB")
        chosen = {"id": lzma.FILTER_LZMA1, "lc": lc, "lp": rest % 5, "pb": rest // 5}
        chosen["dict_size"] = max(dictionary, 4096)
        try:
            return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[chosen])
        except (lzma.LZMAError, ValueError) as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> CaptureError:
        return CaptureError(self._shown, f"damaged inside the zip ({why})")

    def _packed(self, most: int) -> bytes:
        data = self._file.read(min(most, self._packed_left))
        self._packed_left -= len(data)
        return data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._some(len(buffer))
        if len(data) > self._left:
            raise self._damaged(f"more than the {self._member.bytes:,} bytes that were declared")
        buffer[: len(data)] = data
        self._left -= len(data)
        self._crc = zlib.crc32(data, self._crc)
        if not data and self._left:
            raise self._damaged(f"{self._left:,} bytes are missing")
        if not self._left and not data and self._crc != self._member.crc:
            raise self._damaged("its checksum is wrong")
        return len(data)

    def _some(self, most: int) -> bytes:
        """Unpack some bytes; none at the end."""
        if self._unpacker is None:
            return self._packed(most)
        while not self._unpacker.eof:
            needs = getattr(self._unpacker, "needs_input", True)
            packed = self._packed(_BLOCK) if needs else b""
            try:
                data = self._unpacker.decompress(packed, most)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise self._damaged(str(error)) from error
            if data:
                return data
            if not packed:
                return b""
        return b""

    def close(self) -> None:
        self._file.close()
        super().close()


class _Deflate:
    """zlib's decompressor, with the members of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(-zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
