"""Entries of a log of lines: a line that begins one, and the lines that continue it.

Blocks of text come in, whole entries go out, as positions in one array of bytes: nothing here makes
an object per line. The last entry of a block stays open until a line shows that it has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.errorlog.blocks import PADDING, TextBlock

KEPT_BYTES = 64 * 1024
"""Bytes kept of an entry with its continuation lines; a message has a few hundred."""

_NOTHING = np.zeros(0, np.uint8)

FindHeads = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Gives the numbers of the lines that begin an entry, ascending, from the bytes of a block (with
`PADDING` zero bytes behind) and where its lines begin and end."""


@dataclass(frozen=True)
class Entries:
    """Whole entries.

    Parameters
    ----------
    data
        UTF-8 bytes, `PADDING` zero bytes behind.
    starts, heads, ends
        Where the first line of each entry begins and ends, and where its text ends, blank lines at
        its end left out.
    lines
        Number of the first line in the file, from 1.
    """

    data: np.ndarray
    starts: np.ndarray
    heads: np.ndarray
    ends: np.ndarray
    lines: np.ndarray


class Assembler:
    """Puts entries together from blocks.

    Parameters
    ----------
    find_heads
        Tells which lines begin an entry.
    """

    def __init__(self, find_heads: FindHeads) -> None:
        self._find_heads = find_heads
        self._rest = _NOTHING
        self._rest_line = 0
        self._full = False
        """More of the open entry came than is kept."""
        self.lines = 0
        """Lines seen."""
        self.orphans = 0
        """Lines in front of the first entry."""
        self.capped = 0
        """Entries that were cut to `KEPT_BYTES`."""

    def feed(self, block: TextBlock) -> Entries | None:
        """Take a block; give the entries that are complete."""
        fresh = block.data[: block.size]
        if len(self._rest):
            data = np.concatenate([self._rest, fresh, np.zeros(PADDING, np.uint8)])
        else:
            data = block.data
        size = len(data) - PADDING
        starts, ends = line_spans(data, size)
        held = int(np.searchsorted(starts, len(self._rest)))
        numbers = np.arange(len(starts)) + (self.lines + 1 - held)
        if held:
            numbers[:held] = self._rest_line + np.arange(held)
        self.lines += len(starts) - held
        heads = self._find_heads(data, starts, ends)
        if not len(heads):
            self.orphans += len(starts)
            return None
        self.orphans += int(heads[0])
        if self._full:
            # What follows the part of the open entry that is kept belongs to no other one.
            after = int(heads[1]) if len(heads) > 1 else len(starts)
            gone = slice(held, after)
            starts, ends, numbers = (np.delete(a, gone) for a in (starts, ends, numbers))
            heads = np.concatenate([heads[:1], heads[1:] - (after - held)])
        found = self._spans(data, starts, ends, numbers, heads)
        self._hold(data, size, starts, ends, numbers, int(heads[-1]))
        return found if len(found.starts) else None

    def finish(self) -> Entries | None:
        """Give the entry that was still open."""
        if not len(self._rest):
            return None
        data = np.concatenate([self._rest, np.zeros(PADDING, np.uint8)])
        starts, ends = line_spans(data, len(self._rest))
        numbers = self._rest_line + np.arange(len(starts))
        heads = np.array([0, len(starts)])
        self._rest, self._full = _NOTHING, False
        return self._spans(data, starts, ends, numbers, heads)

    def _spans(
        self,
        data: np.ndarray,
        starts: np.ndarray,
        ends: np.ndarray,
        numbers: np.ndarray,
        heads: np.ndarray,
    ) -> Entries:
        """Give all entries but the last, which is still open."""
        begun, following = heads[:-1], heads[1:]
        has_text = np.where(ends > starts, np.arange(len(starts)), 0)
        last = ends[np.maximum(np.maximum.accumulate(has_text)[following - 1], begun)]
        first = starts[begun]
        for i in np.flatnonzero(last - first > KEPT_BYTES):
            self.capped += 1
            last[i] = _kept_end(data, starts, ends, int(begun[i]), int(following[i]))
        return Entries(data, first, np.minimum(ends[begun], last), last, numbers[begun])

    def _hold(
        self,
        data: np.ndarray,
        size: int,
        starts: np.ndarray,
        ends: np.ndarray,
        numbers: np.ndarray,
        head: int,
    ) -> None:
        """Keep the open entry, of a long one no more than will be given."""
        if self._full and head == 0:
            return
        begin = int(starts[head])
        self._rest_line = int(numbers[head])
        self._full = int(ends[-1]) - begin > KEPT_BYTES
        if self._full:
            self.capped += 1
            end = _kept_end(data, starts, ends, head, len(starts))
            self._rest = np.append(data[begin:end], np.uint8(10))
        else:
            self._rest = data[begin:size].copy()


def line_spans(data: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Give where each line begins and ends, its line end left out."""
    breaks = np.flatnonzero(data[:size] == 10)
    starts = np.concatenate([np.zeros(1, np.int64), breaks + 1])
    ends = np.concatenate([breaks, np.full(1, size)])
    if starts[-1] == size:
        starts, ends = starts[:-1], ends[:-1]
    if len(starts):
        ends = ends - ((ends > starts) & (data[ends - 1] == 13))
    return starts, ends


def _kept_end(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, head: int, following: int
) -> int:
    """Find where the kept text of a long entry ends: with a line, or within its first one."""
    limit = int(starts[head]) + KEPT_BYTES
    kept = int(np.searchsorted(ends[head:following], limit, side="right"))
    if kept:
        return int(ends[head + kept - 1])
    while limit > starts[head] and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit


def slices(
    data: np.ndarray, begin: np.ndarray, end: np.ndarray, missing: np.ndarray | None = None
) -> pa.Array:
    """Give texts cut out of UTF-8 bytes; the spans ascend and do not overlap.

    Parameters
    ----------
    missing
        True where the text is NULL.
    """
    count = len(begin)
    spans = np.empty(2 * count + 1, np.int32)
    spans[0:-1:2], spans[1:-1:2] = begin, end
    spans[-1] = spans[-2] if count else 0
    pieces = pa.StringArray.from_buffers(2 * count, pa.py_buffer(spans), pa.py_buffer(data))
    return pieces.take(pa.array(np.arange(0, 2 * count, 2), mask=missing))


def texts(data: np.ndarray, begin: np.ndarray, end: np.ndarray, heads: np.ndarray) -> pa.Array:
    """Give the texts of entries, whose first lines end at ``heads``; line ends within are line feeds."""
    text = slices(data, begin, end)
    more = end > heads
    if not more.any():
        return text
    # Few entries have a second line: the others are not looked at.
    return _replaced(text, more, "\r\n", "\n")


def replaced(text: pa.Array, pattern: str, replacement: str) -> pa.Array:
    """Give texts with every ``pattern`` replaced; those that hold none are not touched."""
    has = pc.match_substring(text, pattern)
    return _replaced(text, has.to_numpy(zero_copy_only=False), pattern, replacement)


def _replaced(text: pa.Array, where: np.ndarray, pattern: str, replacement: str) -> pa.Array:
    if not where.any():
        return text
    mask = pa.array(where)
    fresh = pc.replace_substring(text.filter(mask), pattern, replacement)
    return fresh if where.all() else pc.replace_with_mask(text, mask, fresh)


def windows(data: np.ndarray, at: np.ndarray, width: int) -> np.ndarray:
    """Give ``width`` bytes from each position; there are zero bytes behind the data."""
    view = np.lib.stride_tricks.sliding_window_view(data, width)
    return view[np.minimum(at, len(view) - 1)]
