"""PDH text logs (perfmon's CSV and TSV) to counters, ticks and samples.

Source of every rule: docs/formats/pdh_text.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import BinaryIO

from xelib.pdh_text import Decoder, Slab

from agtrace import threads
from agtrace.errors import RESAVED, CaptureError
from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.far_times import MESSAGE as FAR_TIME
from agtrace.readers.pdh_text.columns import Columns, counters_batch, sort_columns
from agtrace.readers.pdh_text.header import Header, is_header, read_header
from agtrace.readers.pdh_text.slabs import Readable, decode_slabs, samples_batch, ticks_batch
from agtrace.readers.pdh_text.spans import SpanOfRows
from agtrace.readers.pdh_text.topics import TOPICS
from agtrace.tables import FACTS

_WHOLE_MINUTES = re.compile(
    r"\"?(?:\d{4}[/.\-]\d\d?[/.\-]\d\d?|\d\d?[/.\-]\d\d?[/.\-](?:\d{4}|\d\d))"
    r"[ T]{1,2}\d\d?[:.]\d\d(?: ?[AaPp]\.?[Mm]\.?)?\"?\s*[,;\t]"
)
BLOCK_BYTES = 4 * 1024 * 1024
DECODE_THREADS = 2
READ_ALL = ReadOptions()

# Name of a fault as the decoder counts it: (severity, kind and message of the issue).
_FAULTS = {
    "torn_row": (
        "data_loss",
        "torn_row",
        "rows with another number of cells than the header, or cut short: left out",
    ),
    "bad_time": ("data_loss", "bad_time", "rows without a readable time stamp: left out"),
    "far_time": ("warning", "far_time", f"rows {FAR_TIME}"),
    "bad_value": ("warning", "bad_value", "cells that are neither a number nor blank: left out"),
    "decimal_comma": ("info", "decimal_comma", "values with a decimal comma, read as a point"),
    "noise": ("info", "noise_lines", "messages of the collecting program between the rows"),
    "repeated_header": ("info", "repeated_header", "the same header again: skipped"),
    "other_header": (
        "data_loss",
        "other_header",
        "a header with other columns: nothing after it is read; split the file there",
    ),
    "no_line_end": ("info", "no_line_end", "the last row has no line end but is whole: kept"),
}


_RESAVED = (
    "data_loss",
    "resaved",
    f"rows whose time stamps are whole minutes, their seconds are lost: {RESAVED}; left out",
)


class PdhTextReader:
    """Reader of PDH-CSV 4.0 and PDH-TSV 4.0 logs."""

    topics = TOPICS
    kind = "perfmon text log"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the signature in the first cell of the first line that is not blank."""
        return Detection(self.kind) if is_header(head) else None

    def read(self, source: Source, options: ReadOptions = READ_ALL) -> Iterator[Batch]:
        """Decode a log; values of a slab of rows are sorted by (counter_no, tick).

        Raises
        ------
        CaptureError
            There is no PDH header, the header is truncated or too large, or a spreadsheet removed the date
            from the time stamps.
        """
        with source.open() as file:
            log = _Log(file, source, options)
            slabs = decode_slabs(log.decoder, log.first, log.rows, log.block_bytes, options.slab_cells)
            with closing(one_ahead(slabs, source.size)) as slabs:
                try:
                    yield from _content(slabs, log, source.path)
                except OverflowError as error:
                    raise CaptureError(source.path, str(error)) from None
            yield from _issues(log, source)

    def rows_in(self, source: Source, options: ReadOptions) -> int | None:
        """Count the rows of a span; None if another header ends the log.

        Raises
        ------
        CaptureError
            As in `read`.
        """
        with source.open() as file:
            log = _Log(file, source, options, decoded=False)
            slabs = decode_slabs(log.decoder, log.first, log.rows, log.block_bytes)
            rows = sum(slab.rows for slab in slabs)
            return None if log.decoder.stopped else rows


class _Log:
    """An open log, positioned at its first row.

    Parameters
    ----------
    file, source, options
        The log, and the options for reading.
    decoded
        Whether to decode values, or only rows.
    """

    def __init__(self, file: BinaryIO, source: Source, options: ReadOptions, *, decoded: bool = True) -> None:
        span = options.span
        self.block_bytes = options.block_bytes or min(BLOCK_BYTES, max(source.size, 1))
        self.header = read_header(file, source.path, self.block_bytes, options.encoding)
        self.columns = sort_columns(self.header.cells, options.counters)
        self.decoder = Decoder(
            len(self.header.cells),
            self.columns.wanted if decoded else [],
            separator=self.header.separator,
            header=self.header.raw,
            encoding=self.header.code_units,
            threads=min(threads.most(), DECODE_THREADS),
            first_row=span.first_row if span else 0,
        )
        self.begins = span is None or span.begin == 0
        """Whether what is said once of the whole log is said here."""
        self.rows: Readable
        if span is None:
            self.first, self.rows, self.begin = self.header.rest, file, self.header.end
        else:
            rows = SpanOfRows(file, self.header, span, source.size)
            self.first, self.rows, self.begin = b"", rows, rows.begin


def _content(slabs: Iterator[Slab], log: _Log, path: str) -> Iterator[Batch]:
    slab = next(slabs, None)
    _refuse_lost_dates(log, path)
    if log.begins:
        yield "counters", counters_batch([log.header.cells[n] for n in log.columns.wanted])
        yield from _facts(log.header, log.columns)
    while slab is not None:
        yield "ticks", ticks_batch(slab)
        yield "samples", samples_batch(slab)
        del slab  # before the next one comes: a slab is most of what is in memory
        slab = next(slabs, None)


def _refuse_lost_dates(log: _Log, path: str) -> None:
    if found := log.decoder.faults().get("no_date"):
        raise CaptureError(
            path,
            f"{RESAVED}: the time stamps kept mm:ss.f, their date and hour are lost",
            offset=log.begin + found[1],
            hint="use the file as perfmon wrote it; opening it in Excel is harmless, saving it is not",
        )


def _has_whole_minutes(log: _Log, source: Source, offset: int) -> bool:
    """Return whether the time stamp of the row at an offset has lost its seconds."""
    with source.open() as file:
        file.seek(offset)
        row = file.read(200).decode(log.header.encoding, "replace")
    return _WHOLE_MINUTES.match(row) is not None


def _facts(header: Header, columns: Columns) -> Iterator[Batch]:
    values: list[tuple[str, str | None, str | None]] = [
        ("format", header.format, None),
        ("zone_name", header.zone_name, None),
        ("bias_minutes", None if header.bias_minutes is None else str(header.bias_minutes), "min"),
        ("columns", str(columns.counters), None),
        ("encoding", header.encoding, None),
        ("collector_text", columns.collector_text, None),
    ]
    yield rows(
        "facts",
        FACTS,
        [
            {"topic": "pdh_header", "item": 0, "key": key, "value": value, "unit": unit, "line": header.line}
            for key, value, unit in values
            if value is not None
        ],
    )


def _issues(log: _Log, source: Source) -> Iterator[Batch]:
    if log.begins:
        yield from _header_issues(log.header, log.columns)
    for name, (count, offset) in log.decoder.faults().items():
        if name in _FAULTS:
            is_resaved = name == "bad_time" and _has_whole_minutes(log, source, log.begin + offset)
            severity, kind, message = _RESAVED if is_resaved else _FAULTS[name]
            yield issue(kind, message, severity=severity, offset=log.begin + offset, count=count)


def _header_issues(header: Header, columns: Columns) -> Iterator[Batch]:
    if header.guessed:
        yield issue(
            "encoding_guessed",
            f"names read as {header.encoding}, from the letters of {header.guessed}; --encoding overrides it",
            severity="info",
            offset=header.offset,
        )
    if not header.has_signature:
        yield issue(
            "signature_missing",
            "the header lacks its signature and is that of a PDH text log otherwise: read as one",
            severity="info",
            offset=header.offset,
        )
    if header.bias_minutes is None:
        yield issue(
            "bias_missing",
            "the header says no difference between local time and UTC",
            severity="info",
            offset=header.offset,
        )
    if columns.duplicates:
        first = header.cells[columns.duplicates[0]]
        yield issue(
            "duplicate_series",
            f"columns whose counter came before, the first of them {first}: the first is kept",
            offset=header.offset,
            count=len(columns.duplicates),
        )
    if columns.nameless:
        first = header.cells[columns.nameless[0]]
        yield issue(
            "not_a_counter",
            f"columns whose name is no counter path, the first of them {first[:100]!r}: left out",
            offset=header.offset,
            count=len(columns.nameless),
        )


READING = PdhTextReader()
