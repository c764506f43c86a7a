"""Events of a text to rows of ``os_events``."""

from __future__ import annotations

import pyarrow as pa
from xelib.entries import Slab

from agtrace.readers.event_log.levels import level_of
from agtrace.readers.event_log.moments import Style, times_of
from agtrace.readers.line_entries import numbers, texts, words
from agtrace.tables import OS_EVENTS
from agtrace.tables import kernels as pc


def decode(slab: Slab, style: Style, log: str | None) -> pa.RecordBatch:
    """Return the rows of a slab of events."""
    logs = texts(slab, "log")
    columns = {
        **{name: numbers(slab, name) for name in ("line", "event_id", "record")},
        **{name: texts(slab, name) for name in ("source", "computer", "category", "user")},
        "time_local": times_of(slab, style),
        "log": pc.fill_null(logs, log) if log else logs,
        "level": words(slab, "level", level_of, pa.string()),
        "message": texts(slab, "message"),
    }
    arrays = [columns[field.name].cast(field.type) for field in OS_EVENTS]
    return pa.RecordBatch.from_arrays(arrays, schema=OS_EVENTS)
