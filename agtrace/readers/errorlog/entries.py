"""Entries of a log: headers with their continuation lines, error pairs joined (docs/formats/errorlog.md,
section 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.errorlog.blocks import TextBlock
from agtrace.readers.errorlog.error_pairs import ErrorLines, error_lines
from agtrace.readers.errorlog.headers import Lines, find_lines
from agtrace.readers.far_times import far_rows
from agtrace.tables import ERRORLOG

KEPT_LINES = 64
"""Continuation lines kept per entry; out-of-memory dumps have thousands."""

KEPT_BYTES = 16 * 1024
"""Bytes of continuation text kept per entry."""

RAW = pa.schema(
    [
        ("line", pa.int64()),
        ("time_us", pa.int64()),
        ("source", pa.string()),
        ("message", pa.string()),
        ("continuation_lines", pa.int32()),
    ]
)
"""One row per header line, before error pairs are joined."""


_SPID = re.compile("spid([0-9]{1,9})s?")


@dataclass
class Counts:
    """What was met in the whole file, in the terms of the format."""

    entries: int = 0
    continuation_lines: int = 0
    error_pairs: int = 0
    empty_messages: int = 0
    capped: int = 0
    orphans: int = 0
    torn: int = 0
    """Lines behind a place where others are missing, before the next entry."""
    lines: int = 0
    far: int = 0
    """Entries dated where no UTC can be given."""
    first_far: int | None = None
    """Byte offset of the first of them."""


@dataclass
class _OpenEntry:
    """The last entry met: more continuation lines may follow in the next block."""

    row: dict[str, object]
    kept_lines: int
    kept_bytes: int
    full: bool
    more: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, row: dict[str, object]) -> _OpenEntry:
        text = str(row["message"])
        kept = text.count("\n")
        kept_bytes = len(text[text.index("\n") :].encode()) if kept else 0
        return cls(row, kept, kept_bytes, kept < int(str(row["continuation_lines"])))

    def add(self, block: TextBlock, lines: Lines, count: int) -> bool:
        """Append the first ``count`` lines of a block; True when this is what made it too long."""
        was_full = self.full
        self.row["continuation_lines"] = int(str(self.row["continuation_lines"])) + count
        for i in range(count):
            line = block.data[lines.starts[i] : lines.ends[i]].tobytes()
            if self.full or self.kept_lines >= KEPT_LINES or self.kept_bytes + len(line) + 1 > KEPT_BYTES:
                self.full = True
                break
            self.more.append(line.decode())
            self.kept_lines += 1
            self.kept_bytes += len(line) + 1
        return self.full and not was_full

    def closed(self) -> dict[str, object]:
        return self.row | {"message": "\n".join([str(self.row["message"]), *self.more])}


class EntryAssembler:
    """Turns blocks of text into rows of the errorlog table; keeps the last entry open between blocks.

    Parameters
    ----------
    newest_first
        The file is an export in descending order: the text of an error pair stands above its number.
    encoding
        Of the file, to tell where in it an entry stands.
    """

    def __init__(self, *, newest_first: bool = False, encoding: str = "utf-8") -> None:
        self.counts = Counts()
        self._encoding = encoding
        self._newest_first = newest_first
        self._open: list[_OpenEntry] = []
        self._is_torn = False

    def part(self) -> pa.RecordBatch | None:
        """Pass a line that stands for missing ones; give the entries that were still open.

        The lines up to the next header belong to an entry that is missing.
        """
        rest = self.finish()
        self.counts.lines += 1
        self._is_torn = True
        return rest

    def feed(self, block: TextBlock) -> pa.RecordBatch | None:
        """Take a block; give the entries that are complete."""
        lines = find_lines(block)
        leading = int(lines.header[0]) if len(lines.header) else len(lines.starts)
        self.counts.continuation_lines += len(lines.starts) - len(lines.header)
        self.counts.entries += len(lines.header)
        self._see_far(block, lines)
        if leading and self._open:
            self.counts.capped += self._open[-1].add(block, lines, leading)
        elif leading and self._is_torn:
            self.counts.torn += leading
        elif leading:
            self.counts.orphans += leading
        result = None
        if len(lines.header):
            raw = self._with_open(self._raw(block, lines))
            result = self._keep_open(raw)
        self.counts.lines += len(lines.starts)
        return result

    def _see_far(self, block: TextBlock, lines: Lines) -> None:
        rows = far_rows(pa.array(lines.time_us, pa.int64()))
        self.counts.far += len(rows)
        if len(rows) and self.counts.first_far is None:
            begin = int(lines.starts[lines.header[rows[0]]])
            self.counts.first_far = block.offset_of(begin, self._encoding)

    def finish(self) -> pa.RecordBatch | None:
        """Give the entries that were still open."""
        if not self._open:
            return None
        raw = pa.RecordBatch.from_pylist([entry.closed() for entry in self._open], RAW)
        self._open = []
        errors = error_lines(raw["message"])
        return self._joined(raw, errors, self._pairs(raw, errors))

    def _raw(self, block: TextBlock, lines: Lines) -> pa.RecordBatch:
        """Cut source and message of every header out of the block, continuation lines included."""
        header = lines.header
        self.counts.empty_messages += int((lines.message_start >= lines.ends[header]).sum())
        following = np.append(header[1:], len(lines.starts))
        continued = (following - header - 1).astype(np.int32)
        last = lines.ends[following - 1]
        size = last - lines.ends[header]
        for i in np.flatnonzero((continued > KEPT_LINES) | (size > KEPT_BYTES)):
            last[i] = self._capped_end(lines, int(header[i]), int(following[i]))
        spans = np.empty(4 * len(header) + 1, np.int32)
        spans[0:-1:4], spans[1:-1:4] = lines.source_start, lines.source_end
        spans[2:-1:4], spans[3:-1:4] = lines.message_start, last
        spans[-1] = last[-1]
        pieces = pa.StringArray.from_buffers(len(spans) - 1, pa.py_buffer(spans), pa.py_buffer(block.data))
        message = pieces.take(pa.array(np.arange(2, len(spans) - 1, 4)))
        if continued.any() and pc.any(pc.match_substring(message, "\r\n")).as_py():
            message = pc.replace_substring(message, "\r\n", "\n")
        return pa.RecordBatch.from_arrays(
            [
                pa.array(header + self.counts.lines + 1),
                pa.array(lines.time_us),
                pieces.take(pa.array(np.arange(0, len(spans) - 1, 4))),
                message,
                pa.array(continued),
            ],
            schema=RAW,
        )

    def _capped_end(self, lines: Lines, header: int, following: int) -> int:
        """Find where the kept text of an entry with continuation lines ends."""
        first, stop = header + 1, min(following, header + 1 + KEPT_LINES)
        sizes = np.cumsum(lines.ends[first:stop] - lines.starts[first:stop] + 1)
        kept = int(np.searchsorted(sizes, KEPT_BYTES, side="right"))
        if kept < following - first:
            self.counts.capped += 1
        return int(lines.ends[header + kept])

    def _with_open(self, raw: pa.RecordBatch) -> pa.RecordBatch:
        if not self._open:
            return raw
        front = pa.RecordBatch.from_pylist([entry.closed() for entry in self._open], RAW)
        return pa.concat_batches([front, raw])

    def _keep_open(self, raw: pa.RecordBatch) -> pa.RecordBatch | None:
        """Hold back the last entry, or the pair it belongs to; give the rest."""
        errors = error_lines(raw["message"])
        pairs = self._pairs(raw, errors)
        done = raw.num_rows - (2 if len(pairs) and pairs[-1] == raw.num_rows - 2 else 1)
        self._open = [_OpenEntry.of(row) for row in raw.slice(done).to_pylist()]
        if not done:
            return None
        return self._joined(raw.slice(0, done), errors, pairs[pairs < done])

    def _pairs(self, raw: pa.RecordBatch, errors: ErrorLines) -> np.ndarray:
        """Give the rows that form an error pair with the row after them."""
        alone = errors.row[errors.alone]
        text = alone - 1 if self._newest_first else alone + 1
        # The text of an error is never another error's number.
        fits = (text >= 0) & (text < raw.num_rows) & ~np.isin(text, alone)
        at = np.minimum(alone, text)[fits]
        following = pa.array(at + 1)
        here = pa.array(at)
        same = pc.and_(
            pc.equal(raw["time_us"].take(here), raw["time_us"].take(following)),
            pc.equal(raw["source"].take(here), raw["source"].take(following)),
        )
        return at[same.to_numpy(zero_copy_only=False)]

    def _joined(self, raw: pa.RecordBatch, errors: ErrorLines, pairs: np.ndarray) -> pa.RecordBatch:
        """Join error pairs to one row each and give rows of the errorlog table."""
        rows = raw.num_rows
        number, text = (pairs + 1, pairs) if self._newest_first else (pairs, pairs + 1)
        message_of = np.arange(rows)
        message_of[number] = text
        continued = raw["continuation_lines"].to_numpy().copy()
        continued[number] += continued[text]
        keep = np.ones(rows, bool)
        keep[text] = False
        kept = pa.array(np.flatnonzero(keep))
        message, raw = raw["message"], raw.drop_columns(["message"])
        if len(pairs):
            message = message.take(pa.array(message_of[keep]))
            raw = raw.take(kept)
        self.counts.error_pairs += len(pairs)
        return pa.RecordBatch.from_arrays(
            [
                raw["line"],
                raw["time_us"].cast(pa.timestamp("us")),
                raw["source"],
                _spid(raw["source"]),
                *_at_rows(errors, rows, kept),
                message,
                pa.array(continued[keep]),
            ],
            schema=ERRORLOG,
        )


def _at_rows(errors: ErrorLines, rows: int, kept: pa.Array) -> Iterator[pa.Array]:
    """Spread error number, severity and state over the rows of the batch."""
    inside = errors.row < rows
    missing = np.ones(rows, bool)
    missing[errors.row[inside]] = False
    for numbers in (errors.error, errors.severity, errors.state):
        values = np.zeros(rows, np.int32)
        values[errors.row[inside]] = numbers[inside]
        yield pa.array(values, mask=missing).take(kept)


def _spid(source: pa.Array) -> pa.Array:
    """Give the session number of spid51 and spid7s; NULL for Server, Logon, Backup, ..."""
    names = source.dictionary_encode()
    found = [_SPID.fullmatch(name) for name in names.dictionary.to_pylist()]
    numbers = pa.array([int(match[1]) if match else None for match in found], pa.int32())
    return numbers.take(names.indices)
