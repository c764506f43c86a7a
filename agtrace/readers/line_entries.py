"""Entries of a log of lines, through the decoders of `xelib.entries`.

An entry is a first line and its continuation lines. Blocks of text are decoded to columns, without a Python
object per line.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pyarrow as pa
from xelib.entries import KEPT_BYTES, Slab

from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import Batch, ReadOptions, Source, issue
from agtrace.readers.text_blocks import Filling, LogText, TextBlock
from agtrace.tables.rows import array_of, text_column


class EntryReader:
    """Reads the entries of a log, and reports faults in its lines.

    Parameters
    ----------
    decoder
        One of the decoders of `xelib.entries`.
    encoding, skip
        As returned by `agtrace.readers.text.sniff_encoding`.
    """

    def __init__(self, source: Source, options: ReadOptions, decoder: Any, encoding: str, skip: int) -> None:
        self._text = LogText(source, options, encoding, skip)
        self._filling = Filling(options)
        self._decoder = decoder
        self._size = source.size

    @property
    def lines(self) -> int:
        """Lines seen, those of a header included."""
        return int(self._decoder.counts[0])

    def taken(
        self,
        parted: Callable[[Iterator[TextBlock]], Iterator[TextBlock]] = iter,
        is_whole: Callable[[], bool] = lambda: True,
    ) -> Generator[Any]:
        """Read the log one step ahead, and yield what the decoder yields, many entries at a time.

        Parameters
        ----------
        parted
            Passes the blocks on, and may withhold some.
        is_whole
            Asked at the end: False leaves out the entry that the decoder has not ended yet.
        """
        return one_ahead(self._taken(parted, is_whole), self._size)

    def _taken(
        self, parted: Callable[[Iterator[TextBlock]], Iterator[TextBlock]], is_whole: Callable[[], bool]
    ) -> Generator[Any]:
        for block in self._text.blocks(parted):
            self._decoder.feed(block.data)
            if self._filling.is_full(block.data, self.lines):
                yield self._decoder.take()
        if is_whole():
            self._decoder.finish()
        yield self._decoder.take()

    def faults(self, entry: str, entries: str) -> Iterator[Batch]:
        """Yield the faults of lines, with the log's nouns for one entry and for several."""
        yield from self._text.faults
        _lines, _entries, orphans, capped = self._decoder.counts
        if orphans:
            yield issue(
                "lines_before_first_entry",
                f"lines before the first {entry} belong to none",
                severity="info",
                count=orphans,
            )
        if capped:
            yield issue(
                "continuation_capped",
                f"{entries} with more than {KEPT_BYTES} bytes: the rest of their text is not kept",
                severity="info",
                count=capped,
            )
        yield from self._text.undecodable()


def numbers(slab: Slab, name: str, kind: pa.DataType = pa.int64()) -> pa.Array:  # noqa: B008
    """Return a column of numbers, as ``kind``, which is as wide as int64."""
    values, valid = map(pa.py_buffer, slab.numbers[name])
    return pa.Array.from_buffers(kind, slab.rows, [valid, values])


def texts(slab: Slab, name: str) -> pa.Array:
    """Return a column of texts."""
    return text_column(slab.texts[name], slab.rows)


def text_map(
    offsets: bytes, names: tuple[bytes, bytes, bytes], values: tuple[bytes, bytes, bytes], rows: int
) -> pa.MapArray:
    """Return a column of maps from text to text, by how many entries each row has up to its end."""
    if not rows:
        offsets = bytes(4)
    ends = pa.Array.from_buffers(pa.int32(), rows + 1, [None, pa.py_buffer(offsets)])
    entries = ends[rows].as_py()
    return pa.MapArray.from_arrays(ends, text_column(names, entries), text_column(values, entries))


def words(slab: Slab, name: str, convert: Callable[[str], object], kind: pa.DataType) -> pa.Array:
    """Return a column of recurring words, each converted once."""
    codes, valid, known = slab.words[name]
    buffers = [pa.py_buffer(valid), pa.py_buffer(codes)]
    places = pa.Array.from_buffers(pa.int32(), slab.rows, buffers)
    return array_of([*map(convert, known)], kind).take(places)
