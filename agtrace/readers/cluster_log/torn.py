"""Drop the last entry of a log if it is incomplete, because half an entry may mean the opposite of the whole.

A log may have been cut, or may still be written. Complete logs and copies of some lines end with a line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agtrace.readers.base import Batch, issue
from agtrace.readers.text_blocks import TextBlock

_PREFIX = r"[ \t\d]{0,20}(?:\[[^\]\n]{1,40}\] )?"
_HEADER = r"[0-9a-fA-F]{8}\.[0-9a-fA-F]{8}::\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{3} "
_SAMPLE_HEADER = "00000000.00000000::2000/01/01-00:00:00.000 "
_ENTRY = re.compile(_PREFIX + _HEADER)
_ENTRY_BYTES = re.compile((_PREFIX + _HEADER).encode())
_WHOLE_HEADER = re.compile(_HEADER)
_TITLE = re.compile(r"\[=== [^\n]{1,200} ===\][ \t]*$")
_TITLE_BYTES = re.compile(rb"\[=== [^\n]{1,200} ===\][ \t]*\r?\n")
_LONGEST_START = 20 + 43 + len(_SAMPLE_HEADER)


class TornEnd:
    """Withholds the text behind the last line end where an entry is torn in it.

    Parameters
    ----------
    encoding
        Of the log.
    """

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._last: tuple[TextBlock, int] | None = None
        self.offset: int | None = None
        """Byte offset of the torn entry; None where none is torn."""
        self.began_before = False
        """Whether the torn entry began on a line before the last, so that its lines were given out."""

    def parted(self, blocks: Iterator[TextBlock]) -> Iterator[TextBlock]:
        """Yield the blocks of a log, without the text of a torn entry behind the last line end."""
        for block in blocks:
            if not block.last:
                self._find_last(block)
                yield block
                continue
            text = block.data.decode()
            if _TITLE.match(text) or not text.strip("\r\0\x1a\ufeff \t"):
                yield block
            elif _begins_entry(text):
                self.offset = block.offset
            elif self._last is not None:
                begun, place = self._last
                self.offset, self.began_before = begun.offset_of(place, self._encoding), True
            else:
                yield block

    def _find_last(self, block: TextBlock) -> None:
        """Note where the last entry of a block begins; a title ends the one before it."""
        data, end = block.data, len(block.data)
        while end > 0:
            start = data.rfind(b"\n", 0, end - 1) + 1
            if _ENTRY_BYTES.match(data, start, end):
                self._last = (block, start)
                return
            if _TITLE_BYTES.match(data, start, end):
                self._last = None
                return
            end = start

    def faults(self) -> Iterator[Batch]:
        """Yield the issue of the torn entry."""
        if self.offset is not None:
            yield issue(
                "last_entry_torn",
                "the last entry has no line end and is left out: the file was cut, or is still being written",
                offset=self.offset,
            )


def _begins_entry(text: str) -> bool:
    """Return whether a line begins an entry or a title, or may be the first characters of one."""
    if _ENTRY.match(text) or text.startswith("[=== ") or "[=== ".startswith(text):
        return True
    if len(text) > _LONGEST_START:
        return False
    prefix = re.match(_PREFIX, text)
    rests = {text, text.lstrip(" \t"), text[prefix.end() :] if prefix else text}
    if re.fullmatch(r"[ \t\d]*\[[^\]]{0,40}\]? ?", text):
        return True
    return any(_WHOLE_HEADER.fullmatch(rest + _SAMPLE_HEADER[len(rest) :]) for rest in rests)
