"""File names in characters that every file, page and terminal accepts.

On Linux, a file name is bytes. Bytes that are not valid UTF-8 are kept as lone surrogates, as in Python, and
shown escaped: ``caf\\xe9``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

NOT_CAPTURED = "not captured"
TEXT_LIMIT = 200
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?: *\..*)?", re.IGNORECASE | re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\x([89a-f][0-9a-f])")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BYTES = range(0xDC80, 0xDD00)
CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters and escapes, what turns the writing direction, and halves of surrogate pairs."""


def printable(name: str) -> str:
    r"""Escape invalid characters: a byte as ``\xe9``, a lone surrogate as ``\ud800``."""
    return _HALF.sub(lambda found: _escape(ord(found[0])), name)


def plain(text: object, limit: int = TEXT_LIMIT) -> str:
    """Flatten text from a capture to one line without control characters, at most ``limit`` long.

    Line breaks and tabs become spaces. Terminal escapes, direction overrides and the like are removed, so
    that a name cannot disguise itself. Invalid bytes are escaped, so that different names stay different.
    For None, return "not captured".
    """
    if text is None:
        return NOT_CAPTURED
    kept: Iterable[str] = printable(str(text)[: 4 * limit])
    # Printable text does not contain these characters.
    if not str(kept).isprintable():
        kept = (
            " " if c.isspace() else "" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") else c
            for c in kept
        )
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _escape(number: int) -> str:
    return f"\\x{number - 0xDC00:02x}" if number in _BYTES else f"\\u{number:04x}"


def visible(text: str) -> str:
    r"""Make control characters visible (``\x1b``), so that no name in a capture steers the terminal.

    Line feeds and tabs stay.
    """
    return CONTROL.sub(lambda hit: _short_code_of(ord(hit[0])), printable(text))


def _short_code_of(number: int) -> str:
    return f"\\x{number:02x}" if number < 1 << 8 else f"\\u{number:04x}"


def unhidden(text: str) -> str:
    r"""Escape characters that show nothing or turn the writing direction, as ``\u202e``.

    Two names that differ by them alone look different, and none reads backwards.
    """
    return _HIDDEN.sub(lambda found: _code_of(ord(found[0])), text)


def _code_of(number: int) -> str:
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"


def as_written(shown: str) -> str:
    """Return the name, in bytes that are not UTF-8, behind one shown by `printable`."""
    return _ESCAPED.sub(lambda found: chr(0xDC00 + int(found[1], 16)), shown)


def is_device(name: str) -> bool:
    """Return whether a name is reserved for a device on Windows, with any extension."""
    return _DEVICE.fullmatch(name) is not None
