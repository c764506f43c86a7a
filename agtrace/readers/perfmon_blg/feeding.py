"""The bytes of a log, fed to the decoder in the order in which they were written."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from xelib.blg import Decoder, read_trace_header

from agtrace.readers.base import Source

HEAD_BYTES = 1 << 20
SPOOL_BYTES = 64 << 20


def feed(decoder: Decoder, source: Source, block_bytes: int) -> Iterator[int]:
    """Feed a whole log, and yield after each block the number of cells in memory."""
    with source.open() as file:
        head = file.read(HEAD_BYTES)
        header = read_trace_header(head)
        if header is not None and header["is_circular"]:
            yield from _feed_circular(decoder, source, block_bytes)
            return
        for start in range(0, len(head), block_bytes):
            yield decoder.feed(head[start : start + block_bytes])
        del head
        while block := file.read(block_bytes):
            yield decoder.feed(block)
    decoder.finish()
    yield 0


def _feed_circular(decoder: Decoder, source: Source, block_bytes: int) -> Iterator[int]:
    """Read everything for names and times, then the buffers in the order of their times."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(source.open())
        copy: BinaryIO | None = None
        if not file.seekable():
            spool = tempfile.SpooledTemporaryFile(SPOOL_BYTES)  # noqa: SIM115
            copy = stack.enter_context(spool)  # type: ignore[assignment]
        decoder.begin_survey()
        while block := file.read(block_bytes):
            decoder.feed(block)
            if copy is not None:
                copy.write(block)
        order = decoder.end_survey()
        whole = copy or file
        for offset in order:
            whole.seek(offset)
            yield decoder.feed_buffer(whole.read(decoder.buffer_bytes), offset)
    decoder.finish()
    yield 0
