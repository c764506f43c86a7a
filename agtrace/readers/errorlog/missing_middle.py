"""Logs of which a collector kept only the first and the last lines.

From a file of 1 GB or more, SQL LogScout copies the first and the last 500 lines, with a marker line between
them. Entries may be torn there, and no conclusion may span the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace.readers.base import Batch, issue
from agtrace.readers.text_blocks import TextBlock

MARK = b"<<... middle part of file not captured"
GAP = "errorlog_gap"


@dataclass
class MissingMiddle:
    """A gap in a log, from which lines were left out.

    Parameters
    ----------
    offset
        Byte offset of the line that marks the gap.
    before, after
        Local times of the entries around it; None if there is no such entry.
    """

    offset: int
    before: datetime | None = None
    after: datetime | None = None

    def facts(self, item: int) -> list[dict[str, Any]]:
        """Return the bounds of what is missing, each with its time."""
        bounds = {"from": self.before, "to": self.after}
        return [
            {"topic": GAP, "item": item, "key": key, "value": at.isoformat(), "time_local": at}
            for key, at in bounds.items()
            if at
        ]

    def issue(self) -> Batch:
        """Return the fault: data that was never collected."""
        around = "".join(
            f" {word} {at:%Y-%m-%d %H:%M:%S}"
            for word, at in (("from", self.before), ("to", self.after))
            if at
        )
        message = "the collector kept the first and the last lines of a large file only: nothing is known" + (
            around or " of what lies between them"
        )
        return issue("middle_missing", message, severity="data_loss", offset=self.offset)


def parted(blocks: Iterator[TextBlock], encoding: str) -> Iterator[TextBlock | MissingMiddle]:
    """Yield a log's blocks, split where its middle is missing; the line on that is dropped."""
    for block in blocks:
        data = block.data
        at = data.find(MARK)
        begin = 0
        while at >= 0:
            start = data.rfind(b"\n", begin, at) + 1 or begin
            end = data.find(b"\n", at) + 1 or len(data)
            if start > begin:
                yield _piece(block, begin, start, encoding)
            yield MissingMiddle(block.offset_of(start, encoding))
            begin, at = end, data.find(MARK, end)
        if begin == 0:
            yield block
        elif begin < len(data):
            yield _piece(block, begin, len(data), encoding)


def _piece(block: TextBlock, begin: int, end: int, encoding: str) -> TextBlock:
    # Characters that were replaced are counted once, with the first piece.
    replaced = 0 if begin else block.replaced
    last = block.last and end == len(block.data)
    return TextBlock(block.data[begin:end], block.offset_of(begin, encoding), last, replaced)
