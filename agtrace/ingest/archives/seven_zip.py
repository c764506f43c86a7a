"""The directory of a 7z archive, as strangers write it.

Its streams are unpacked by what the standard library has (LZMA, LZMA2, Deflate, BZip2, with the
filters for programs and differences): all that 7-Zip takes for captures unless it is told otherwise.
Source: Igor Pavlov, "7zFormat.txt" of the LZMA SDK (public domain).
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from agtrace.ingest.archives import coders
from agtrace.ingest.archives.member import (
    CODERS,
    MAX_MEMBERS,
    DamagedArchiveError,
    Directory,
    Member,
    shown_name,
)

MAGIC = b"7z\xbc\xaf'\x1c"
_MOST_HEADER = 64 << 20
_MOST_STREAMS = 4 * MAX_MEMBERS
_END, _HEADER, _MORE, _STREAMS, _FILES = 0x00, 0x01, 0x02, 0x04, 0x05
_PACKED, _UNPACKED, _SUBSTREAMS, _SIZE, _CRC, _FOLDER = 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B
_UNPACKED_SIZE, _PER_FOLDER, _EMPTY_STREAM, _NAMES, _ENCODED = 0x0C, 0x0D, 0x0E, 0x11, 0x17
_DAMAGED = "its directory is damaged"


@dataclass
class _Folder:
    """A packed stream, as the directory describes it."""

    coders: tuple[tuple[int, str], ...] = ()
    packed_streams: int = 1
    outputs: int = 1
    last: int = 0
    """Which of its outputs is that of the folder."""
    bytes: int = 0
    crc: int | None = None
    parts: list[int] = field(default_factory=list)
    part_crcs: list[int | None] = field(default_factory=list)


@dataclass
class _Layout:
    """Where the streams of an archive lie."""

    begin: int = 0
    packed: list[int] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=list)

    def streams(self) -> list[Member]:
        """Return each folder as a member of the archive: what is unpacked at once."""
        found, at, place = [], 32 + self.begin, 0
        for number, folder in enumerate(self.folders):
            sizes = self.packed[place : place + folder.packed_streams]
            if len(sizes) < folder.packed_streams:
                raise DamagedArchiveError(_DAMAGED)
            place += folder.packed_streams
            method, secret = _method(folder)
            found.append(
                Member(f"stream {number}", folder.bytes, sum(sizes), at, method, folder.crc,
                       secret, coders=folder.coders)
            )  # fmt: skip
            at += sum(sizes)
        return found


def read_seven_zip(path: Path) -> Directory:
    """Read the directory of an archive.

    Raises
    ------
    DamagedArchiveError
        There is none, it is encrypted, or it lists more than `MAX_MEMBERS`.
    OSError
        The file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        start = file.read(32)
        if len(start) < 32 or not start.startswith(MAGIC):
            raise DamagedArchiveError("its beginning is damaged")
        crc, offset, length, header_crc = struct.unpack("<8xLQQL", start)
        if zlib.crc32(start[12:]) != crc:
            raise DamagedArchiveError("its beginning is damaged")
        if not length:
            return Directory([])
        if 32 + offset + length > size:
            raise DamagedArchiveError("its end is missing: cut off, or not copied whole")
        header = _header(file, 32 + offset, length, header_crc)
        try:
            for _ in range(4):
                if header.number() != _ENCODED:
                    break
                header = _unpacked_header(file, header, size)
            else:
                raise DamagedArchiveError(_DAMAGED)
            header.back()
            return _directory(header)
        except (IndexError, struct.error, ValueError) as error:
            raise DamagedArchiveError(_DAMAGED) from error


def _header(file: BinaryIO, offset: int, length: int, crc: int) -> _Bytes:
    if length > _MOST_HEADER:
        raise DamagedArchiveError("its directory is too large")
    file.seek(offset)
    data = file.read(length)
    if zlib.crc32(data) != crc:
        raise DamagedArchiveError(_DAMAGED)
    return _Bytes(data)


def _unpacked_header(file: BinaryIO, header: _Bytes, size: int) -> _Bytes:
    """Unpack a directory that is packed itself."""
    streams = _layout(header).streams()
    if len(streams) != 1:
        raise DamagedArchiveError(_DAMAGED)
    (packed,) = streams
    if packed.is_encrypted:
        raise DamagedArchiveError("encrypted, its names too")
    if packed.method != CODERS or packed.offset + packed.packed > size:
        raise DamagedArchiveError(_DAMAGED)
    if packed.bytes > _MOST_HEADER or packed.packed > _MOST_HEADER:
        raise DamagedArchiveError("its directory is too large")
    file.seek(packed.offset)
    try:
        unpacker = coders.unpacker_of(packed.coders, packed.bytes)
        data = unpacker.decompress(file.read(packed.packed), packed.bytes)
    except (coders.CoderError, *coders.FAULTS) as error:
        raise DamagedArchiveError(_DAMAGED) from error
    if len(data) != packed.bytes or packed.crc not in (None, zlib.crc32(data)):
        raise DamagedArchiveError(_DAMAGED)
    return _Bytes(data)


def _directory(header: _Bytes) -> Directory:
    if header.number() != _HEADER:
        raise DamagedArchiveError(_DAMAGED)
    layout, kind = _Layout(), header.number()
    while kind not in (_FILES, _END):
        if kind == _STREAMS:
            layout = _layout(header)
        elif kind == _MORE:
            while header.number() != _END:
                header.take(header.number())
        else:
            raise DamagedArchiveError(_DAMAGED)
        kind = header.number()
    if kind == _END:
        return Directory([])
    count = header.number()
    if count > MAX_MEMBERS:
        raise DamagedArchiveError(f"{count:,} members, more than {MAX_MEMBERS:,}")
    names, empty = [""] * count, [False] * count
    while (kind := header.number()) != _END:
        given = _Bytes(header.take(header.number()))
        if kind == _NAMES and not given.take(1)[0]:
            names = given.rest().decode("utf-16-le", "replace").split("\0", count)[:count]
        elif kind == _EMPTY_STREAM:
            empty = given.bits(count)
    return _members(layout, names, empty)


def _members(layout: _Layout, names: list[str], empty: list[bool]) -> Directory:
    filled = iter([shown_name(name) for name, none in zip(names, empty, strict=True) if not none])
    members = []
    for folder, stream in zip(layout.folders, layout.streams(), strict=True):
        at = 0
        for size, crc in zip(folder.parts, folder.part_crcs, strict=True):
            name = next(filled, "")
            members.append(Member(name, size, size, at, crc=crc, within=stream))
            at += size
    return Directory(members, sum(1 for _ in filled))


def _layout(header: _Bytes) -> _Layout:
    """Read where streams lie, how they are packed, and what files they are parted into."""
    layout = _Layout()
    kind = header.number()
    if kind == _PACKED:
        layout.begin, count = header.number(), header.count()
        while (kind := header.number()) != _END:
            if kind == _SIZE:
                layout.packed = [header.number() for _ in range(count)]
            elif kind == _CRC:
                header.digests(count)
            else:
                raise DamagedArchiveError(_DAMAGED)
        kind = header.number()
    if kind == _UNPACKED:
        layout.folders = _folders(header)
        kind = header.number()
    for folder in layout.folders:
        folder.parts, folder.part_crcs = [folder.bytes], [folder.crc]
    if kind == _SUBSTREAMS:
        _part(header, layout.folders)
        kind = header.number()
    if kind != _END:
        raise DamagedArchiveError(_DAMAGED)
    return layout


def _folders(header: _Bytes) -> list[_Folder]:
    if header.number() != _FOLDER:
        raise DamagedArchiveError(_DAMAGED)
    count = header.count()
    if header.take(1)[0]:
        raise DamagedArchiveError("its directory lies outside of it")
    folders = [_folder(header) for _ in range(count)]
    if header.number() != _UNPACKED_SIZE:
        raise DamagedArchiveError(_DAMAGED)
    for folder in folders:
        folder.bytes = [header.number() for _ in range(folder.outputs)][folder.last]
    while (kind := header.number()) != _END:
        if kind != _CRC:
            raise DamagedArchiveError(_DAMAGED)
        for folder, crc in zip(folders, header.digests(count), strict=True):
            folder.crc = crc
    return folders


def _folder(header: _Bytes) -> _Folder:
    """Read the coders of a stream, and put them into the order of unpacking."""
    found: list[tuple[int, str]] = []
    inputs = outputs = 0
    for _ in range(header.few()):
        (flags,) = header.take(1)
        number = int.from_bytes(header.take(flags & 0x0F), "big")
        more_in, more_out = (header.few(), header.few()) if flags & 0x10 else (1, 1)
        properties = header.take(header.number()).hex() if flags & 0x20 else ""
        found.append((number, properties))
        inputs, outputs = inputs + more_in, outputs + more_out
    bound = {}
    for _ in range(outputs - 1):
        into = header.number()
        bound[header.number()] = into
    packed_streams = inputs - len(bound)
    if packed_streams > 1:
        for _ in range(packed_streams):
            header.number()
    last = next((n for n in range(outputs) if n not in bound), -1)
    if last < 0 or packed_streams < 1:
        raise DamagedArchiveError(_DAMAGED)
    ordered = found
    if inputs == outputs == len(found):
        # One into the next: the first is the one whose input nobody else gives.
        at = next((n for n in range(inputs) if n not in bound.values()), 0)
        ordered = [found[at]]
        while at in bound and len(ordered) < len(found):
            at = bound[at]
            if at >= len(found):
                raise DamagedArchiveError(_DAMAGED)
            ordered.append(found[at])
    return _Folder(tuple(ordered), packed_streams, outputs, last)


def _part(header: _Bytes, folders: list[_Folder]) -> None:
    """Read how the streams are parted into files."""
    counts = [1] * len(folders)
    kind = header.number()
    if kind == _PER_FOLDER:
        counts = [header.number() for _ in folders]
        kind = header.number()
    if sum(counts) > MAX_MEMBERS:
        raise DamagedArchiveError(f"{sum(counts):,} members, more than {MAX_MEMBERS:,}")
    for folder, count in zip(folders, counts, strict=True):
        stated = [header.number() for _ in range(count - 1)] if kind == _SIZE else []
        if (count and sum(stated) > folder.bytes) or (count > 1 and kind != _SIZE):
            raise DamagedArchiveError(_DAMAGED)
        folder.parts = [*stated, folder.bytes - sum(stated)] if count else []
    if kind == _SIZE:
        kind = header.number()
    unknown = sum(n for f, n in zip(folders, counts, strict=True) if n != 1 or f.crc is None)
    crcs: list[int | None] = [None] * unknown
    while kind != _END:
        if kind != _CRC:
            raise DamagedArchiveError(_DAMAGED)
        crcs = header.digests(unknown)
        kind = header.number()
    stated_crcs = iter(crcs)
    for folder, count in zip(folders, counts, strict=True):
        if count == 1 and folder.crc is not None:
            folder.part_crcs = [folder.crc]
        else:
            folder.part_crcs = [next(stated_crcs) for _ in range(count)]


def _method(folder: _Folder) -> tuple[str, bool]:
    """Name how a stream is packed, and tell whether it is encrypted."""
    numbers = [number for number, _properties in folder.coders]
    if coders.AES in numbers:
        return CODERS, True
    for number in numbers:
        if number not in coders.READ_CODERS:
            return coders.NAMES.get(number, f"coder {number:x}"), False
    if folder.packed_streams > 1:
        return "several streams at once", False
    # The filter for programs behind anything but LZMA2 keeps its last bytes to itself.
    if len(numbers) > 1 and numbers[0] != coders.LZMA2:
        return "coders in a combination", False
    return CODERS, False


class _Bytes:
    """A cursor over the bytes of a directory; what they do not hold raises IndexError."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def back(self) -> None:
        self._at = 0

    def take(self, count: int) -> bytes:
        if count > len(self._data) - self._at:
            raise IndexError(count)
        self._at += count
        return self._data[self._at - count : self._at]

    def rest(self) -> bytes:
        return self._data[self._at :]

    def number(self) -> int:
        """Read a number: as many bits of its first byte are set as bytes follow."""
        (first,) = self.take(1)
        more = 8
        for bits in range(8):
            if not first & (0x80 >> bits):
                more = bits
                break
        low = int.from_bytes(self.take(more), "little")
        return low | (first & ((0x80 >> more) - 1)) << 8 * more if more < 7 else low

    def count(self) -> int:
        """Read a number of things that each take a byte at least."""
        found = self.number()
        if found > min(_MOST_STREAMS, len(self._data) - self._at):
            raise IndexError(found)
        return found

    def few(self) -> int:
        found = self.number()
        if not 1 <= found <= 4:
            raise IndexError(found)
        return found

    def bits(self, count: int) -> list[bool]:
        data = self.take(-(-count // 8))
        return [bool(data[n // 8] & (0x80 >> n % 8)) for n in range(count)]

    def digests(self, count: int) -> list[int | None]:
        """Read checksums; not everything need have one."""
        defined = [True] * count if self.take(1)[0] else self.bits(count)
        return [int.from_bytes(self.take(4), "little") if known else None for known in defined]
