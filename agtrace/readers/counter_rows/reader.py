"""The reader: counters, ticks and samples of the whole file, then the issues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.counter_rows import texts
from agtrace.readers.counter_rows.forms import Samples, is_form, samples_of
from agtrace.readers.counter_rows.series import Series, series_of
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.pdh_text.columns import counters_batch, path_filter
from agtrace.readers.pdh_text.topics import TOPICS
from agtrace.readers.query_results.layouts import find
from agtrace.readers.query_results.layouts.table import Records
from agtrace.readers.text import decode_text
from agtrace.tables import FACTS, SAMPLES, TICKS

KIND = "counters, one sample a row"
DEFAULTS = ReadOptions()
BATCH = 1_000_000


class CounterRowsReader:
    """Reads samples of counters that stand one a row."""

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the columns of Get-Counter's samples, or of sys.dm_os_performance_counters."""
        text = decode_text(head)
        if "\0" in text:
            return None
        return Detection(KIND) if texts.form_of(text) or next(find.tables(text, is_form), None) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Return counters, ticks and samples, then issues.

        Raises
        ------
        CaptureError
            No table of samples is in the file, or the file is too large.
        """
        text = find.read_text(source, options)
        form = texts.form_of(text)
        found = [] if form else list(find.tables(text, is_form))
        if not found and not form:
            if text.strip():
                raise CaptureError(source.path, f"no {KIND}, in it")
            return
        parts, damaged, is_cut = [form.read(text)] if form else [], 0, False
        kinds: set[str] = set()
        for header, records in found:
            kinds |= {notice.kind for notice in records.notices}
            damaged += sum(notice.kind == "damaged_row" for notice in records.notices)
            if any(notice.kind == "no_line_end" for notice in records.notices):
                records, is_cut = _without_last(records), True
            parts.append(samples_of(header, records))
        series = series_of(_joined(parts), path_filter(options.counters))
        yield from _content(series)
        if form and form.is_utc:
            bias = {"topic": "pdh_header", "item": 0, "key": "bias_minutes", "value": "0", "unit": "min"}
            yield rows("facts", FACTS, [bias])
        if damaged or series.bad:
            message = (
                "rows left out: a time, a path or a value that cannot be read, or another number of cells"
            )
            yield issue("damaged_row", message, count=damaged + series.bad)
        if series.unknown:
            message = "values of counter types that are not known: left out"
            yield issue("unknown_counter_type", message, count=series.unknown)
        if "time_order_unknown" in kinds or any(part.is_guess for part in parts):
            message = "nothing tells day from month in the times: the month is taken to come first"
            yield issue("time_order_unknown", message)
        if is_cut or "truncated" in kinds or (form and not text.endswith("\n")):
            yield issue(
                "torn_row", "the last row has no line end: left out unless it is whole", severity="info"
            )
        far = far_rows(pa.array(series.ticks))
        if len(far):
            yield far_issue("rows", len(far), None)


def _without_last(records: Records) -> Records:
    count = max(len(records.lines) - 1, 0)
    return replace(
        records, columns=[column.slice(0, count) for column in records.columns], lines=records.lines[:count]
    )


def _joined(parts: list[Samples]) -> Samples:
    if len(parts) == 1:
        return parts[0]
    # A cooked sample among raw ones is a count: it is shown as it is.
    is_raw = any(part.types is not None for part in parts)
    types = [
        np.full(len(part.values), 65792, np.int64) if part.types is None else part.types for part in parts
    ]
    return Samples(
        pa.concat_arrays([part.times for part in parts]),
        pa.concat_arrays([part.paths for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate(types) if is_raw else None,
        is_guess=False,
    )


def _content(series: Series) -> Iterator[Batch]:
    if not len(series.ticks):
        return
    yield "counters", counters_batch(series.paths, 0, series.types)
    numbers = pa.array(np.arange(len(series.ticks), dtype=np.int32))
    times = pa.array(series.ticks, TICKS.field("time_local").type)
    yield "ticks", pa.RecordBatch.from_arrays([numbers, times], schema=TICKS)
    for begin in range(0, len(series.values), BATCH):
        end = begin + BATCH
        arrays = [
            pa.array(series.counter_no[begin:end].astype(np.int32)),
            pa.array(series.tick[begin:end].astype(np.int32)),
            pa.array(series.values[begin:end]),
        ]
        yield "samples", pa.RecordBatch.from_arrays(arrays, schema=SAMPLES)


READING = CounterRowsReader()
