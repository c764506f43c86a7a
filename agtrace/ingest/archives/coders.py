"""Decompressors with one face: those of the standard library, and what zip and 7z archives ask of them."""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import Any, Protocol

MAX_DICTIONARY = 256 << 20
"""Of LZMA: more than 7-Zip takes by itself."""

COPY, DELTA, BCJ, LZMA2 = 0x00, 0x03, 0x03030103, 0x21
LZMA1, DEFLATE, BZIP2, AES = 0x030101, 0x040108, 0x040202, 0x06F10701
READ_CODERS = frozenset((COPY, DELTA, BCJ, LZMA2, LZMA1, DEFLATE, BZIP2))
NAMES = {0x030401: "PPMd", 0x0303011B: "BCJ2", 0x040109: "Deflate64", 0x04F71101: "Zstandard"}
"""Coders of 7z archives that are not read."""


FAULTS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
"""What decompressors raise for bytes that are damaged."""


class CoderError(Exception):
    """There is no such decompressor; ``args[0]`` says why."""


class Unpacker(Protocol):
    """What the decompressors have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Inflate:
    """zlib's decompressor, with the members of the others."""

    def __init__(self, window: int) -> None:
        self._inner = zlib.decompressobj(window)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class Copy:
    """No compression, with the members of the others."""

    eof = False
    unused_data = b""

    def __init__(self) -> None:
        self._kept = b""

    @property
    def needs_input(self) -> bool:
        return not self._kept

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data = self._kept + data
        self._kept = data[max_length:]
        return data[:max_length]


def raw_lzma(properties: bytes, most: int = 64 << 20) -> Unpacker:
    """Return the decompressor of an LZMA stream from its five bytes of properties.

    Raises
    ------
    CoderError
        They are none, or its dictionary needs more than ``most`` bytes.
    """
    chosen = _lzma1(properties)
    if chosen["dict_size"] > most:
        raise CoderError(f"its LZMA dictionary needs more than {most >> 20} MB")
    return _raw([chosen])


def unpacker_of(coders: tuple[tuple[int, str], ...], size: int) -> Unpacker:
    """Return the decompressor of a stream of a 7z archive.

    Parameters
    ----------
    coders
        Number and properties (hexadecimal) of each, in the order of unpacking.
    size
        Bytes of the unpacked stream: no dictionary takes more.

    Raises
    ------
    CoderError
        It is damaged, or of a combination that nobody writes.
    """
    (first, written), *filters = coders
    properties = bytes.fromhex(written)
    if not filters and first in (COPY, DEFLATE, BZIP2):
        if first == DEFLATE:
            return Inflate(-zlib.MAX_WBITS)
        return bz2.BZ2Decompressor() if first == BZIP2 else Copy()
    if first not in (LZMA1, LZMA2):
        raise CoderError("coders in an order that is not known")
    chosen = _lzma1(properties) if first == LZMA1 else _lzma2(properties)
    # What is never reached back to need not be kept.
    chosen["dict_size"] = min(chosen["dict_size"], max(size, 4096))
    if chosen["dict_size"] > MAX_DICTIONARY:
        raise CoderError(f"its LZMA dictionary needs more than {MAX_DICTIONARY >> 20} MB")
    return _raw([*(_filter(*each) for each in reversed(filters)), chosen])


def _raw(filters: list[dict[str, Any]]) -> Unpacker:
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters)
    except (lzma.LZMAError, ValueError) as error:
        raise CoderError(str(error)) from error


def _lzma1(properties: bytes) -> dict[str, Any]:
    if len(properties) != 5 or properties[0] >= 9 * 5 * 5:
        raise CoderError("no LZMA header")
    lc, rest = properties[0] % 9, properties[0] // 9
    dictionary = max(int.from_bytes(properties[1:], "little"), 4096)
    return {"id": lzma.FILTER_LZMA1, "lc": lc, "lp": rest % 5, "pb": rest // 5, "dict_size": dictionary}


def _lzma2(properties: bytes) -> dict[str, Any]:
    if len(properties) != 1 or properties[0] > 40:
        raise CoderError("no LZMA2 header")
    bits = properties[0]
    size = 0xFFFFFFFF if bits == 40 else (2 | (bits & 1)) << (bits // 2 + 11)
    return {"id": lzma.FILTER_LZMA2, "dict_size": size}


def _filter(coder: int, properties: str) -> dict[str, Any]:
    if coder == BCJ:
        return {"id": lzma.FILTER_X86}
    if coder == DELTA and len(properties) == 2:
        return {"id": lzma.FILTER_DELTA, "dist": bytes.fromhex(properties)[0] + 1}
    raise CoderError("coders in an order that is not known")
