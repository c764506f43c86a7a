"""Entries of a log, error pairs joined (docs/formats/errorlog.md, section 2), through `xelib.entries`."""

from __future__ import annotations

import pyarrow as pa
from xelib.entries import ErrorlogDecoder

from agtrace.readers.errorlog.match import Found
from agtrace.readers.errorlog.templates import message_patterns
from agtrace.readers.errorlog.trace_text import TraceText
from agtrace.readers.line_entries import numbers, texts
from agtrace.readers.text_blocks import TextBlock
from agtrace.tables import ERRORLOG

SMALL = ("spid", "error", "severity", "state", "continuation_lines")


class Entries:
    """Turns blocks of text into rows of the errorlog table; the last entry may continue in the next block.

    Parameters
    ----------
    newest_first
        The file is an export in descending order: in an error pair, the text precedes its number.
    encoding
        Encoding of the file, to compute byte offsets of entries.
    """

    def __init__(self, *, newest_first: bool, encoding: str) -> None:
        self._decoder = ErrorlogDecoder(newest_first=newest_first)
        self._encoding = encoding
        self.first_far: int | None = None
        """Byte offset of the first entry whose time has no valid UTC (`agtrace.readers.far_times`)."""

    @property
    def counts(self) -> dict[str, int]:
        """Counts over the whole file, by the terms of the format."""
        return self._decoder.counts

    def feed(self, block: TextBlock) -> None:
        """Take a block."""
        far = self._decoder.feed(block.data, is_last=block.last)
        if far is not None:
            self.first_far = block.offset_of(far, self._encoding)

    def part(self) -> None:
        """Pass a line that stands for missing ones."""
        self._decoder.part()

    def finish(self) -> None:
        """End the log."""
        self._decoder.finish()

    def take(self, trace: TraceText) -> tuple[pa.RecordBatch, list[Found]] | None:
        """Return the entries that are whole since they were taken last, and the messages among them.

        ``trace`` takes them, too.
        """
        patterns = message_patterns()
        slab, found = self._decoder.take(patterns.wordings, trace.parser)
        if not slab.rows:
            return None
        columns = {
            "line": numbers(slab, "line"),
            "time_local": numbers(slab, "time", pa.timestamp("us")),
            **{name: texts(slab, name) for name in ("source", "message")},
            **{name: numbers(slab, name).cast(pa.int32()) for name in SMALL},
        }
        batch = pa.RecordBatch.from_arrays([columns[name] for name in ERRORLOG.names], schema=ERRORLOG)
        return batch, list(patterns.found(found))
