"""A log piece by piece: whole entries, the messages found in them, and the steps of backups."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from agtrace.readers.base import Batch, issue
from agtrace.readers.errorlog.entries import Entries
from agtrace.readers.errorlog.match import Found
from agtrace.readers.errorlog.missing_middle import MissingMiddle, parted
from agtrace.readers.errorlog.trace_text import TraceText
from agtrace.readers.text_blocks import Filling, LogText

MOST_GAPS = 100
"""With more gaps, a file is not a log shortened by a collector, which leaves out only one part."""


@dataclass(frozen=True)
class Piece:
    """Entries that follow one another.

    Parameters
    ----------
    entries
        Rows of the errorlog table.
    found
        Messages among them.
    trace
        Rows of the parser of trace flags' text.
    """

    entries: pa.RecordBatch
    found: list[Found]
    trace: pa.RecordBatch


class Pieces:
    """Reads a log.

    Attributes
    ----------
    gaps
        Where lines are missing; complete once the log is read.
    """

    def __init__(self, log: LogText, filling: Filling, entries: Entries, encoding: str) -> None:
        self._log, self._filling, self._entries = log, filling, entries
        self._encoding = encoding
        self._trace = TraceText()
        self.gaps: list[MissingMiddle] = []

    def __iter__(self) -> Generator[Piece | pa.RecordBatch]:
        """Yield the pieces; behind the last one before a gap or the end the steps that were still open."""
        for block in self._log.blocks(partial(parted, encoding=self._encoding)):
            if not isinstance(block, MissingMiddle):
                self._entries.feed(block)
                if self._filling.is_full(block.data, self._entries.counts["lines"]):
                    yield from self._taken()
                continue
            if len(self.gaps) == MOST_GAPS:
                self._log.faults.append(_too_many(block))
                break
            self._entries.part()
            for piece in self._taken():
                block.before = piece.entries["time_local"][-1].as_py()
                yield piece
            yield self._trace.finish()
            # Nothing is concluded from one side of a gap to the other.
            self._trace = TraceText()
            self.gaps.append(block)
        self._entries.finish()
        yield from self._taken()
        yield self._trace.finish()

    def _taken(self) -> Generator[Piece]:
        """Yield the entries that are whole, if there are any."""
        taken = self._entries.take(self._trace)
        if taken is None:
            return
        batch, found = taken
        if self.gaps and self.gaps[-1].after is None:
            self.gaps[-1].after = batch["time_local"][0].as_py()
        yield Piece(batch, found, self._trace.take())


def _too_many(gap: MissingMiddle) -> Batch:
    return issue(
        "too_many_gaps",
        f"lines are missing in more than {MOST_GAPS} places: not read from here on",
        severity="data_loss",
        offset=gap.offset,
    )
