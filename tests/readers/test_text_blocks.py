"""Blocks of a log in UTF-8: the characters that Python's own decoder gives, wherever reads end."""

from __future__ import annotations

import io
import random

import pytest
from xelib.entries import utf8_of_utf16

from agtrace.readers import text_blocks
from agtrace.readers.text_blocks import LineTooLongError

ODD = ("\0", "\x7f", "ä", "\u0a0d", "\u0d0a", "\ufffd", "\U0001f600", "\n", "\r\n")


def _text(chance: random.Random) -> str:
    rare = chance.choice((2, 10, 100))
    return "".join(
        chance.choice(ODD) if chance.randrange(rare) == 0 else chance.choice("Error: 1, ")
        for _ in range(chance.randrange(300))
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_reads_as_python_reads_it(encoding: str) -> None:
    chance = random.Random(49)
    for _ in range(500):
        raw = bytearray(_text(chance).encode(encoding))
        for _damage in range(chance.randrange(4)):
            if raw:
                raw[chance.randrange(len(raw))] = chance.choice((0, 10, 0xD8, 0xDC, 255))
        raw = raw[: len(raw) - chance.randrange(2)]
        expected = bytes(raw).decode(encoding, "replace")
        data, replaced = utf8_of_utf16(bytes(raw) + b"x", len(raw), big_endian=encoding == "utf-16-be")
        assert data.decode() == expected, raw
        assert replaced <= expected.count("\ufffd"), raw
        assert (replaced > 0) == (not _is_valid(bytes(raw), encoding)), raw


def _is_valid(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8", "cp1252"])
def test_blocks_are_whole_lines_wherever_reads_end(encoding: str) -> None:
    chance = random.Random(50)
    for _ in range(60):
        text = _text(chance)
        raw = b"\xff\xfe" + text.encode(encoding, "replace")
        expected = raw[2:].decode(encoding)
        for size in (1, 2, 3, 7, 64, 1000):
            blocks = list(text_blocks.text_blocks(io.BytesIO(raw), encoding, 2, size))
            assert b"".join(block.data for block in blocks).decode() == expected
            assert all(block.data.endswith(b"\n") for block in blocks if not block.last)
            assert all("\n" not in block.data.decode() for block in blocks if block.last)
            at = 2
            for block in blocks:
                assert block.offset == at
                at = block.offset_of(len(block.data), encoding)


def test_a_line_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "LINE_LIMIT", 1000)
    for size in (1, 10, 500):
        blocks = text_blocks.text_blocks(io.BytesIO(b"a\n" + b"b" * 3000), "utf-8", 0, size)
        with pytest.raises(LineTooLongError) as error:
            list(blocks)
        assert error.value.args[0] == 2
