"""Writes 7z archives, with a plain directory, so that anything in them may lie."""

from __future__ import annotations

import lzma
import struct
import zlib
from dataclasses import dataclass, field

MAGIC = b"7z\xbc\xaf'\x1c\x00\x04"
LZMA2, COPY, AES, PPMD = b"\x21", b"\x00", b"\x06\xf1\x07\x01", b"\x03\x04\x01"


def number(value: int) -> bytes:
    """Write a number as a directory does."""
    for more in range(8):
        if value < 1 << 7 * (more + 1):
            first = (0xFF << (8 - more)) & 0xFF | value >> 8 * more
            return bytes([first]) + (value & ((1 << 8 * more) - 1)).to_bytes(more, "little")
    return b"\xff" + value.to_bytes(8, "little")


@dataclass
class SevenZip:
    """An archive with one packed stream.

    Parameters
    ----------
    files
        Names and bytes; empty bytes are an empty file.
    coder
        Of the stream: `LZMA2` packs it, others store it under that name.
    size
        What is said of the unpacked stream's size; None: the truth.
    encode
        Pack the directory too, as 7-Zip does.
    """

    files: list[tuple[str, bytes]] = field(default_factory=list)
    coder: bytes = LZMA2
    size: int | None = None
    encode: bool = False

    def written(self) -> bytes:
        filled = [data for _name, data in self.files if data]
        stream = b"".join(filled)
        packed = _packed(stream) if self.coder == LZMA2 else stream
        streams = self._streams(len(packed), 0, len(stream) if self.size is None else self.size)
        parts = b"\x08\x0d" + number(len(filled))
        parts += b"\x09" + b"".join(number(len(data)) for data in filled[:-1])
        parts += b"\x0a\x01" + b"".join(struct.pack("<L", zlib.crc32(data)) for data in filled)
        names = b"\0" + b"".join(name.encode("utf-16-le") + b"\0\0" for name, _ in self.files)
        empty = 0
        for place, (_name, data) in enumerate(self.files):
            empty |= (not data) << (8 * -(-len(self.files) // 8) - 1 - place)
        bits = empty.to_bytes(-(-len(self.files) // 8), "big")
        header = b"\x01\x04" + streams + parts + b"\x00\x00" if filled else b"\x01"
        header += b"\x05" + number(len(self.files))
        header += b"\x0e" + number(len(bits)) + bits
        header += b"\x11" + number(len(names)) + names + b"\x00\x00"
        body = packed
        if self.encode:
            packed_header = _packed(header)
            encoded = self._streams(len(packed_header), len(body), len(header), LZMA2)
            header, body = b"\x17" + encoded + b"\x00", body + packed_header
        start = struct.pack("<QQL", len(body), len(header), zlib.crc32(header))
        return MAGIC + struct.pack("<L", zlib.crc32(start)) + start + body + header

    def _streams(self, packed: int, begin: int, size: int, coder: bytes | None = None) -> bytes:
        coder = coder or self.coder
        properties = b"\x01\x18" if coder == LZMA2 else b""
        flags = len(coder) | (0x20 if properties else 0)
        found = b"\x06" + number(begin) + b"\x01\x09" + number(packed) + b"\x00"
        found += b"\x07\x0b\x01\x00\x01" + bytes([flags]) + coder + properties
        return found + b"\x0c" + number(size) + b"\x00"


def _packed(data: bytes) -> bytes:
    chosen = {"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 16 << 20}
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[chosen])
