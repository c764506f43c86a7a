"""Slabs of rows as Arrow batches."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from agtrace.tables import SAMPLES, TICKS

if TYPE_CHECKING:
    from xelib.pdh_text import Decoder, Slab

SLAB_CELLS = 6_000_000
"""Cells per slab: 48 MB while it is collected, up to 96 MB in long form."""


class Readable(Protocol):
    """A source of bytes for rows."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; empty at the end."""


def decode_slabs(
    decoder: Decoder, first: bytes, file: Readable, block_bytes: int, slab_cells: int | None = None
) -> Generator[Slab]:
    """Feed ``first`` and the rest of the file to the decoder, and yield each full slab."""
    block = first
    full = slab_cells or SLAB_CELLS
    while block or (block := file.read(block_bytes)):
        if decoder.feed(block) >= full and (slab := decoder.take()):
            yield slab
        if decoder.stopped:
            break
        block = b""
    decoder.finish()
    if slab := decoder.take():
        yield slab


def ticks_batch(slab: Slab) -> pa.RecordBatch:
    """Return the rows of ``ticks``: number and local time of each row of the slab."""
    return _batch(TICKS, slab.rows, [slab.row_tick, slab.row_time])


def samples_batch(slab: Slab) -> pa.RecordBatch:
    """Return the rows of ``samples``, sorted by (counter_no, tick)."""
    return _batch(SAMPLES, slab.values, [slab.counter_no, slab.tick, slab.value])


def _batch(schema: pa.Schema, rows: int, buffers: list[bytes]) -> pa.RecordBatch:
    arrays = [
        pa.Array.from_buffers(field.type, rows, [None, pa.py_buffer(buffer)], null_count=0)
        for field, buffer in zip(schema, buffers, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
