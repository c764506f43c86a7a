"""Events of a text to rows of ``os_events``."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.event_log.dialects import Dialect, Spans
from agtrace.readers.event_log.levels import levels_of
from agtrace.readers.event_log.moments import Style, split, times_of
from agtrace.readers.line_entries import Entries, FindHeads, replaced, slices, texts
from agtrace.tables import OS_EVENTS


def head_finder(pattern: str) -> FindHeads:
    """Give what finds the lines that look like the beginning of an event."""

    def find(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        if not len(starts):
            return np.zeros(0, np.int64)
        # Lines follow each other: they need not be copied to be looked at.
        bounds = np.append(starts, ends[-1]).astype(np.int32)
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
        lines = pa.BinaryArray.from_buffers(pa.binary(), len(starts), buffers)
        is_head = pc.match_substring_regex(lines, pattern)
        return np.flatnonzero(is_head.to_numpy(zero_copy_only=False))

    return find


def dates_of(entries: Entries, dialect: Dialect) -> tuple[list[str | None], list[str | None]]:
    """Give the different days and times of day of some events, in the order in which they come."""
    spans, _rows = dialect.cut(entries)
    days, clocks = _moments(entries.data, spans)
    return pc.unique(days).to_pylist(), pc.unique(clocks).to_pylist()


def _moments(data: np.ndarray, spans: Spans) -> tuple[pa.Array, pa.Array]:
    """Give the days and times of day of some events, which stand in one column or in two."""
    if "time" in spans:
        return split(data, *spans["time"])
    days, _clocks = split(data, *spans["date"])
    return days, slices(data, *spans["clock"])


def decode(
    entries: Entries, dialect: Dialect, style: Style, log: str | None
) -> tuple[pa.RecordBatch, int]:
    """Give the rows of whole events, and how many were left out as damaged."""
    data = entries.data
    spans, rows = dialect.cut(entries)
    nothing = pa.nulls(len(rows), pa.string())

    def cell(name: str) -> pa.Array:
        if name not in spans:
            return nothing
        return slices(data, *spans[name])

    times = times_of(*_moments(data, spans), style)
    logs = cell("log") if "log" in spans else pa.nulls(len(rows), pa.string())
    columns = {
        "line": pa.array(entries.lines[rows]),
        "time_local": times,
        "log": pc.fill_null(logs, log) if log else logs,
        "level": levels_of(cell("level")),
        "source": _plain(cell("source")),
        "event_id": _integers(cell("event_id")),
        "computer": _plain(cell("computer")),
        "category": _plain(cell("category")),
        "user": _plain(cell("user")),
        "record": _integers(cell("record")),
        "message": _messages(entries, spans, rows, dialect),
    }
    arrays = [columns[field.name].cast(field.type) for field in OS_EVENTS]
    return pa.RecordBatch.from_arrays(arrays, schema=OS_EVENTS), len(entries.starts) - len(rows)


def _messages(entries: Entries, spans: Spans, rows: np.ndarray, dialect: Dialect) -> pa.Array:
    if "message" not in spans:
        return pa.nulls(len(rows), pa.string())
    text = texts(entries.data, *spans["message"], entries.heads[rows])
    return replaced(text, '""', '"') if dialect.has_doubled_quotes else text


def _plain(text: pa.Array) -> pa.Array:
    """Give words that come again and again, NULL where there is none."""
    coded = text.dictionary_encode()
    words = [(word or "").strip() or None for word in coded.dictionary.to_pylist()]
    return pa.array(words, pa.string()).take(coded.indices)


def _integers(text: pa.Array) -> pa.Array:
    is_number = pc.match_substring_regex(text, "^[0-9]{1,18}$")
    return pc.if_else(is_number, text, pa.scalar(None, pa.string())).cast(pa.int64())
