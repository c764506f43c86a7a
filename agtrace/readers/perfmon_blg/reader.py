"""Binary performance logs to counters, ticks and samples.

Source of every rule: docs/formats/blg.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa
from xelib import FormatError
from xelib.blg import Decoder, Slab, sniff_trace

from agtrace.errors import CaptureError
from agtrace.moments import microseconds
from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import Batch, Detection, ReadOptions, Source
from agtrace.readers.pdh_text.columns import counters_batch, path_globs
from agtrace.readers.pdh_text.slabs import samples_batch, ticks_batch
from agtrace.readers.perfmon_blg.facts import Offset, header_facts, offset_by_zone, offset_facts
from agtrace.readers.perfmon_blg.faults import issues
from agtrace.readers.perfmon_blg.feeding import feed
from agtrace.readers.perfmon_blg.topics import TOPICS

BLOCK_BYTES = 4 * 1024 * 1024
SLAB_CELLS = 4_000_000
"""Cells per slab: 32 MB while it is collected, up to 64 MB in long form."""
READ_ALL = ReadOptions()

Series = list[tuple[str, int, str, int, int, tuple[int, int]]]


@dataclass(frozen=True)
class Part:
    """One decoded part of a log: its new series, and rows.

    Parameters
    ----------
    series
        As returned by `xelib.blg.Decoder.take_series`; numbering continues from earlier parts.
    slab
        None without rows.
    header, offsets
        State of the decoder after this part; it decodes the next part on another thread.
    """

    series: Series
    slab: Slab | None
    header: dict[str, Any] | None
    offsets: list[Offset]


class PerfmonBlgReader:
    """Reader of binary performance logs, NT 5.2 to 10."""

    topics = TOPICS
    kind = "perfmon binary log"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise an event trace of the performance log provider; other traces are not read."""
        match sniff_trace(head):
            case "performance log":
                return Detection(self.kind)
            case "other trace":
                return Detection("Windows event trace", False, "no performance log")
        return None

    def read(self, source: Source, options: ReadOptions = READ_ALL) -> Iterator[Batch]:
        """Decode a log; values of a slab of rows are sorted by (counter_no, tick).

        Series are numbered in order of appearance; with ``options.series_first``, by catalogue item, counter
        of its object, and appearance.

        Raises
        ------
        CaptureError
            The file is not a performance log, or has no catalogue of its counters.
        """
        block_bytes = options.block_bytes or BLOCK_BYTES
        numbered = 0
        first_time: int | None = None
        told = 0
        try:
            order: list[int] = []
            if options.series_first:
                series, order = _column_order(_all_series(source, options, block_bytes))
                yield "counters", _counters(series, 0)
            decoder = _decoder(options, "cooked", order)
            slab_cells = options.slab_cells or SLAB_CELLS
            for part in one_ahead(_parts(decoder, source, block_bytes, slab_cells), source.size):
                if part.series and not options.series_first:
                    yield "counters", _counters(part.series, numbered)
                    numbered += len(part.series)
                if part.slab is None:
                    continue
                ticks = ticks_batch(part.slab)
                if first_time is None:
                    first_time = ticks["time_local"][0].value
                    yield from _header(part, first_time)
                if len(part.offsets) > told:
                    yield offset_facts(part.offsets[told:], told)
                    told = len(part.offsets)
                yield "ticks", ticks
                yield "samples", samples_batch(part.slab)
                del part
        except FormatError as error:
            raise CaptureError(
                source.path, error.what, offset=error.offset, need=error.need, have=error.have
            ) from None
        if first_time is None:
            yield from _header(_part(decoder), None)
        yield from issues(decoder.faults())


def _decoder(options: ReadOptions, values: Literal["cooked", "none"], order: Sequence[int] = ()) -> Decoder:
    return Decoder(
        counters=path_globs(options.counters),
        begin=options.begin and microseconds(options.begin),
        end=options.end and microseconds(options.end),
        values=values,
        order=order,
    )


def _all_series(source: Source, options: ReadOptions, block_bytes: int) -> Series:
    """Read the whole log for the names alone."""
    decoder = _decoder(options, "none")
    for _cells in feed(decoder, source, block_bytes):
        decoder.take()
    return decoder.take_series()


def _column_order(series: Series) -> tuple[Series, list[int]]:
    """Sort series as relog does; also return the new position of each, by appearance.

    Items come in the order of the catalogue (proven by Windows' own text log of one capture),
    counters of an object in the order of its definitions, then instances as they appeared.
    """
    places = sorted(range(len(series)), key=lambda n: (*series[n][5], n))
    order = [0] * len(series)
    for place, number in enumerate(places):
        order[number] = place
    return [series[number] for number in places], order


def _parts(decoder: Decoder, source: Source, block_bytes: int, slab_cells: int) -> Generator[Part]:
    for cells in feed(decoder, source, block_bytes):
        if cells >= slab_cells:
            yield _part(decoder)
    yield _part(decoder)


def _part(decoder: Decoder) -> Part:
    return Part(decoder.take_series(), decoder.take(), decoder.header(), decoder.offsets())


def _counters(series: Series, first: int) -> pa.RecordBatch:
    return counters_batch([s[0] for s in series], first, [s[2] for s in series])


def _header(part: Part, first_time: int | None) -> Iterator[Batch]:
    if part.header is None:
        return
    offset = part.offsets[0] if part.offsets else None
    if offset is None and first_time is not None:
        offset = offset_by_zone(part.header["zone"], first_time)
        if offset:
            yield offset_facts([offset])
    yield header_facts(part.header, offset)


READING = PerfmonBlgReader()
