"""Parse the text of trace flags 3004, 3014 and 3213 to rows (docs/formats/errorlog.md, sections 4 and 5).

One parser handles lines of an ERRORLOG, pasted excerpts with or without headers, and texts of the event
backup_restore_progress_trace. Concurrent operations are distinguished by source, and unfinished ones continue
in the next call.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from xelib.entries import TraceParser

from agtrace.readers.errorlog.buffer_configuration import KEY_HEADS, KEYS, TITLE
from agtrace.readers.errorlog.match import text_buffers
from agtrace.readers.errorlog.phases import (
    FINISHED,
    PREFIXES,
    PROCESSED,
    STARTED,
    STARTED_ON,
    Phase,
    phase_patterns,
)
from agtrace.readers.line_entries import numbers, text_map, texts
from agtrace.tables import FIELDS, LOCAL_TIME
from agtrace.tables import kernels as pc
from agtrace.tables.rows import numbers as column_numbers
from agtrace.tables.rows import scalar_of

TRACE_LINES = pa.schema(
    [("line", pa.int64()), ("time_local", LOCAL_TIME), ("source", pa.string()), ("message", pa.string())]
)
"""Input of the parser: line and time may be missing; lines of one operation share a source."""

TRACE_ROWS = pa.schema(
    [
        ("line", pa.int64()),
        ("time_local", LOCAL_TIME),
        ("source", pa.string()),
        ("topic", pa.string()),
        ("fields", FIELDS),
    ]
)
"""Rows of the parser: topic phase, zeroing or buffer_configuration."""

_NO_TIME = np.iinfo(np.int64).min


class TraceText:
    """The parser; feed it rows in file order, then finish it."""

    def __init__(self) -> None:
        phases = phase_patterns()
        self.parser = TraceParser(
            phases.wordings,
            [_facts(pattern.entry) for pattern in phases.patterns],
            prefixes=list(PREFIXES),
            keys=list(KEYS.items()),
            heads=list(KEY_HEADS),
            title=TITLE,
        )

    def feed(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Parse rows.

        Parameters
        ----------
        rows
            line, time_local, source and message, as in the errorlog table; where operation
            (backup, restore) and database are known already, columns of these names too.

        Returns
        -------
        pyarrow.RecordBatch
            `TRACE_ROWS`: phases in the order of the rows, then the blocks that ended.
        """
        empty = scalar_of("", pa.string())
        known = [
            text_buffers(pc.fill_null(rows[name], empty)) if name in rows.schema.names else None
            for name in ("operation", "database")
        ]
        time = pc.fill_null(rows["time_local"].cast(pa.int64()), scalar_of(_NO_TIME, pa.int64()))
        self.parser.feed(
            _int64s(rows["line"]),
            _int64s(time),
            text_buffers(rows["source"]),
            text_buffers(rows["message"]),
            *known,
        )
        return self.take()

    def finish(self) -> pa.RecordBatch:
        """Return the buffer configuration blocks that were still open."""
        self.parser.finish()
        return self.take()

    def take(self) -> pa.RecordBatch:
        """Return the rows since they were taken last."""
        slab, offsets, names, values = self.parser.take()
        columns = [
            numbers(slab, "line"),
            numbers(slab, "time", LOCAL_TIME),
            texts(slab, "source"),
            texts(slab, "topic"),
            text_map(offsets, names, values, slab.rows),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=TRACE_ROWS)


def _facts(phase: Phase) -> tuple[str, str, list[tuple[str, str]], bool, bool, bool]:
    starts, ends = phase in (STARTED, STARTED_ON), phase in (FINISHED, PROCESSED)
    return phase.name, phase.topic, list(phase.says.items()), phase.only_prefixed, starts, ends


def _int64s(column: pa.Array) -> bytes:
    return column_numbers(column).tobytes()
