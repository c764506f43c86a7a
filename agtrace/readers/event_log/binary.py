"""Event logs as Windows keeps them (.evtx), through the decoder of `xelib.evtx`.

A record holds the values of its message, not the message: that is in a library of the machine that
wrote it. Times are UTC: those of
the events (System/TimeCreated), not of the heads of the records, which filtered exports write again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

import pyarrow as pa
from xelib.evtx import EvtxDecoder

from agtrace.errors import CaptureError
from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import Batch, ReadOptions, Source, issue
from agtrace.readers.line_entries import numbers, texts
from agtrace.tables import LOCAL_TIME, OS_EVENTS

MAGIC = b"ElfFile\x00"
BLOCK_BYTES = 1 << 20
BATCH = 20_000
"""Events of one batch; fewer where their texts are long."""
BATCH_BYTES = 16 << 20


def read(source: Source, options: ReadOptions, see: Callable[[pa.RecordBatch], None]) -> Iterator[Batch]:
    """Yield the rows of ``os_events``, and issues.

    Parameters
    ----------
    see
        Called with every batch.

    Raises
    ------
    CaptureError
        The file is not a binary event log.
    """
    decoder = EvtxDecoder()
    batches = _batches(decoder, source, options.block_bytes or BLOCK_BYTES)
    with closing(one_ahead(batches, source.size)) as batches:
        for batch in batches:
            see(batch)
            yield "os_events", batch
    yield from _faults(decoder.counts)


def _batches(decoder: EvtxDecoder, source: Source, block_bytes: int) -> Generator[pa.RecordBatch]:
    try:
        with source.open() as log:
            while block := log.read(block_bytes):
                events, size = decoder.feed(block)
                if events >= BATCH or size >= BATCH_BYTES:
                    yield _events(decoder)
        decoder.finish()
    except ValueError as error:
        raise CaptureError(source.path, f"is no event log that can be read ({error})") from error
    if (rest := _events(decoder)).num_rows:
        yield rest


def _events(decoder: EvtxDecoder) -> pa.RecordBatch:
    slab = decoder.take()
    columns = {
        "time_local": numbers(slab, "time", LOCAL_TIME),
        **{name: numbers(slab, name) for name in ("line", "event_id", "record")},
        **{name: texts(slab, name) for name in ("log", "level", "source", "computer")},
        **{name: texts(slab, name) for name in ("category", "user", "message")},
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in OS_EVENTS.names], schema=OS_EVENTS)


def _faults(counts: dict[str, tuple[int, int | None]]) -> Iterator[Batch]:
    moved, _ = counts["moved"]
    if moved:
        yield issue(
            "record_time",
            "records whose head has another time than their event, as filtered exports write them: "
            "the time of the event counts",
            severity="info",
            count=moved,
        )
    unread, offset = counts["unread"]
    if unread:
        yield issue(
            "damaged_record",
            "records of the event log that cannot be read: left out",
            severity="data_loss",
            offset=offset,
            count=unread,
        )
    changed, offset = counts["changed"]
    if changed:
        yield issue(
            "bad_checksum",
            "parts of the event log whose checksum is wrong: what can be read of them is kept",
            offset=offset,
            count=changed,
        )
