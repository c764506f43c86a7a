"""Text in two encodings: UTF-16 of PowerShell's Out-File, and 8-bit lines that ``>>`` appended to it.

TSS and SDP write titles with Out-File and then run ``cmd /c netsh .. >> file``. UTF-16 text may go on
at an odd offset. A line is 8-bit when its line end comes before any zero byte.
"""

from __future__ import annotations

import codecs

_NARROW_END, _WIDE_END = b"\r\n", b"\r\0\n\0"
MAX_LINE = 64 * 1024
"""Maximum bytes of a line without a line end before it is yielded as it is."""


def is_mixed(data: bytes) -> bool:
    """Return whether UTF-16LE text contains 8-bit lines.

    In UTF-16 their line ends would be the unassigned character U+0A0D, or span two characters.
    """
    at = data.find(_NARROW_END)
    while at >= 0:
        # In UTF-16 the two bytes may meet by chance: a line of plain 8-bit text has no zero byte.
        before = data[max(at - 8, 0) : at]
        if b"\0" not in before and len(before) == 8:
            return True
        at = data.find(_NARROW_END, at + 2)
    return False


class MixedDecoder(codecs.IncrementalDecoder):
    """Decodes such text block by block; nothing of it is lost at the seams.

    Parameters
    ----------
    narrow
        Encoding of the 8-bit lines.
    """

    def __init__(self, narrow: str) -> None:
        super().__init__("replace")
        self._narrow = narrow
        self._rest = b""

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """Decode the lines that are complete."""
        text, at = self._rest + data, 0
        found: list[str] = []
        while at < len(text):
            line = _line(text, at, final=final)
            if line is None:
                break
            end, is_wide = line
            found.append(text[at:end].decode("utf-16-le" if is_wide else self._narrow, "replace"))
            at = end
        self._rest = text[at:]
        return "".join(found)

    def reset(self) -> None:
        """Forget what was not yet decoded."""
        self._rest = b""


def _line(text: bytes, at: int, *, final: bool) -> tuple[int, bool] | None:
    """Return the end of the line at ``at`` and whether it is UTF-16; None if it is not complete."""
    limit = min(at + MAX_LINE, len(text))
    zero = text.find(b"\0", at, limit)
    narrow = text.find(_NARROW_END, at, limit if zero < 0 else zero)
    if narrow >= 0:
        return narrow + 2, False
    wide = text.find(_WIDE_END, at, limit)
    while wide >= 0 and (wide - at) % 2:
        wide = text.find(_WIDE_END, wide + 1, limit)
    if wide >= 0:
        return wide + 4, True
    if not final and limit - at < MAX_LINE:
        return None
    if zero < 0:
        return limit, False
    return at + max((limit - at) & ~1, 2), True
