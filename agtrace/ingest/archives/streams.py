"""The unpacked bytes of a member: never more at a time than asked for, nor in all than declared."""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from agtrace.errors import CaptureError
from agtrace.ingest.archives.coders import (
    FAULTS,
    MAX_DICTIONARY,
    CoderError,
    Inflate,
    Unpacker,
    raw_lzma,
    unpacker_of,
)
from agtrace.ingest.archives.limits import LOCAL_HEADER
from agtrace.ingest.archives.member import BZ2, BZIP2, CODERS, GZIP, LZMA, STORED, XZ, Member
from agtrace.ingest.archives.zip_directory import ZIP_MAGIC

_LOCAL = struct.Struct("<4s2xH18xHH")
_ENCRYPTED = 0x0001
_BLOCK = 1 << 16
_BEGINNINGS = {GZIP: b"\x1f\x8b\x08", BZ2: b"BZh", XZ: b"\xfd7zXZ\0"}
"""Of streams that may follow each other in one file."""
MAX_STREAMS = 1_000_000


class PackedError(Exception):
    """The packed bytes are damaged; ``args[0]`` says how."""


def open_member(base: Path, member: Member, shown: str) -> BinaryIO:
    """Open a member for reading.

    Parameters
    ----------
    base
        The file that its offset counts in.
    member
        Where it lies.
    shown
        The capture as the user knows it.

    Raises
    ------
    CaptureError
        There is no member at its place. Reading raises it too: where the bytes are damaged, or are
        more or fewer than the directory says.
    OSError
        The file cannot be read.
    """
    file = base.open("rb")
    try:
        file.seek(member.offset)
        if member.has_header:
            _pass_header(file, shown)
        return io.BufferedReader(_MemberStream(file, member, shown), _BLOCK)
    except BaseException:
        file.close()
        raise


def unpacked(base: Path, member: Member) -> Iterator[bytes]:
    """Yield the bytes of a member of undeclared size, block by block.

    Raises
    ------
    PackedError
        They are damaged from here on.
    """
    with base.open("rb") as file:
        file.seek(member.offset)
        unpacking = _Unpacking(file, member)
        while data := unpacking.some(_BLOCK):
            yield data


def _pass_header(file: BinaryIO, shown: str) -> None:
    """Read a zip's local header; the packed bytes stand behind it."""
    fixed = file.read(LOCAL_HEADER)
    if len(fixed) < LOCAL_HEADER or fixed[:4] != ZIP_MAGIC:
        raise CaptureError(
            shown, "this member of the zip cannot be opened: it does not begin where it should"
        )
    _magic, flags, name_length, extra_length = _LOCAL.unpack(fixed)
    if flags & _ENCRYPTED:
        raise CaptureError(shown, "this member of the zip cannot be opened: encrypted")
    file.seek(name_length + extra_length, io.SEEK_CUR)


class _MemberStream(io.RawIOBase):
    """Holds the bytes of a member against what its directory says of them."""

    def __init__(self, file: BinaryIO, member: Member, shown: str) -> None:
        self._file = file
        self._member = member
        self._shown = shown
        self._left = member.bytes
        self._crc = 0
        try:
            self._unpacking = _Unpacking(file, member)
        except PackedError as error:
            raise self._damaged(error.args[0]) from error

    def _damaged(self, why: str) -> CaptureError:
        what = "zip" if self._member.has_header else "archive"
        return CaptureError(self._shown, f"damaged inside the {what} ({why})")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._unpacking.some(len(buffer))
        except PackedError as error:
            raise self._damaged(error.args[0]) from error
        if len(data) > self._left:
            raise self._damaged(f"more than the {self._member.bytes:,} bytes that were declared")
        buffer[: len(data)] = data
        self._left -= len(data)
        self._crc = zlib.crc32(data, self._crc)
        if not data and self._left:
            raise self._damaged(f"{self._left:,} bytes are missing")
        if not self._left and not data and self._member.crc not in (None, self._crc):
            raise self._damaged("its checksum is wrong")
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Unpacking:
    """Unpacks what stands at the cursor of a file, some bytes at a time."""

    def __init__(self, file: BinaryIO, member: Member) -> None:
        self._file = file
        self._member = member
        self._packed_left = member.packed
        self._waiting = b""
        self._piece = _BLOCK
        self._streams = 1
        try:
            self._unpacker = self._new()
        except CoderError as error:
            raise PackedError(error.args[0]) from error

    def _new(self) -> Unpacker | None:
        method = self._member.method
        if method == STORED:
            return None
        if method in (BZIP2, BZ2):
            return bz2.BZ2Decompressor()
        if method == XZ:
            return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_DICTIONARY + (1 << 20))
        if method == CODERS:
            return unpacker_of(self._member.coders, self._member.bytes)
        if method == LZMA:
            length = int.from_bytes(self._packed(4)[2:], "little")
            return raw_lzma(self._packed(length) if length == 5 else b"")
        return Inflate(16 + zlib.MAX_WBITS if method == GZIP else -zlib.MAX_WBITS)

    def _packed(self, most: int) -> bytes:
        if self._waiting:
            data, self._waiting = self._waiting[:most], self._waiting[most:]
            return data
        data = self._file.read(min(most, self._packed_left))
        self._packed_left -= len(data)
        return data

    def some(self, most: int) -> bytes:
        """Unpack some bytes; none at the end."""
        if self._unpacker is None:
            return self._packed(most)
        while not self._unpacker.eof or self._goes_on():
            needs = getattr(self._unpacker, "needs_input", True)
            packed = self._packed(self._piece) if needs else b""
            self._piece = min(2 * self._piece, _BLOCK)
            try:
                data = self._unpacker.decompress(packed, most)
            except FAULTS as error:
                raise PackedError(str(error)) from error
            if data:
                return data
            if needs and not packed:
                if self._member.method in _BEGINNINGS and not self._unpacker.eof:
                    raise PackedError("it is cut off")
                break
        return b""

    def _goes_on(self) -> bool:
        """Begin the next of several streams that make one file, as parallel packers write them.

        What follows the last stream is padding. The first bytes of a stream are taken in small pieces:
        what is left of one when a stream ends is looked at again, and there may be very many streams.
        """
        beginning = _BEGINNINGS.get(self._member.method)
        if beginning is None:
            return False
        assert self._unpacker is not None
        self._waiting = self._unpacker.unused_data + self._waiting
        if len(self._waiting) < len(beginning):
            more = self._file.read(min(len(beginning), self._packed_left))
            self._packed_left -= len(more)
            self._waiting += more
        if not self._waiting.startswith(beginning):
            return False
        self._streams += 1
        if self._streams > MAX_STREAMS:
            raise PackedError(f"more than {MAX_STREAMS:,} streams in one file")
        self._piece = 512
        self._unpacker = self._new()
        return True
