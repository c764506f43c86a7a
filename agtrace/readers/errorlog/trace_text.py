"""Text of trace flags 3004, 3014 and 3213 to rows (docs/formats/errorlog.md, sections 4 and 5).

One parser serves the lines of an ERRORLOG, pasted excerpts with or without headers, and the texts of
the event backup_restore_progress_trace. Operations that run at the same time are kept apart by
source, and what is open stays open from one call to the next.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pyarrow as pa

from agtrace.readers.errorlog.buffer_configuration import (
    KEY_HEADS,
    LINE_SCHEMA,
    NO_LINE,
    OPENING,
    BufferBlocks,
    parse_lines,
)
from agtrace.readers.errorlog.fields import constant
from agtrace.readers.errorlog.match import Beginnings, Heads
from agtrace.readers.errorlog.operations import Belongs, Operations
from agtrace.readers.errorlog.phases import PREFIX_HEADS, phase_patterns
from agtrace.readers.errorlog.steps import TRACE_ROWS, Steps
from agtrace.tables import LOCAL_TIME

TRACE_LINES = pa.schema(
    [("line", pa.int64()), ("time_local", LOCAL_TIME), ("source", pa.string()), ("message", pa.string())]
)
"""What the parser reads: line and time may be missing; lines of one operation share a source."""

_PREFIXED, _PHASE, _BUFFER = 1, 2, 4
_PREFIXES = tuple(head.encode() for head in PREFIX_HEADS)


@lru_cache(100_000)
def _role(head: bytes) -> int:
    """Return what a text with this head can be."""
    role = _PREFIXED if head.startswith(_PREFIXES) else 0
    phases = phase_patterns()
    if any(not phases.patterns[n].entry.only_prefixed for n in phases.candidates(head)):
        role |= _PHASE
    return role | (_BUFFER if head in KEY_HEADS or head == OPENING else 0)


@cache
def _beginnings() -> Beginnings:
    phases = (head for pattern in phase_patterns().patterns for head in pattern.heads)
    return Beginnings([*_PREFIXES, *phases, *KEY_HEADS, OPENING])


class TraceText:
    """The parser; feed it rows in file order, then finish it."""

    def __init__(self) -> None:
        self._operations = Operations()
        self._blocks = BufferBlocks()

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
        heads = Heads.of(rows["message"])
        role_of_head = np.zeros(len(heads.windows), np.uint8)
        for code, head in _beginnings().places(heads):
            role_of_head[code] = _role(head)
        role = role_of_head[heads.codes]
        if not role.any() and not self._blocks.are_open:
            return pa.RecordBatch.from_pylist([], TRACE_ROWS)
        prefixed = np.flatnonzero(role & _PREFIXED)
        bare = np.flatnonzero((role & (_PREFIXED | _PHASE)) == _PHASE)
        steps = Steps.of(rows, prefixed, bare)
        buffer_rows = np.flatnonzero(role & _BUFFER)
        key, value = parse_lines(rows["message"].take(pa.array(buffer_rows)))
        is_line = key > NO_LINE
        buffer_rows, key, value = buffer_rows[is_line], key[is_line], value[is_line]
        at = np.concatenate([steps.at, buffer_rows])
        order = np.argsort(at, kind="stable")
        none = pa.nulls(len(buffer_rows), pa.string())
        context = pa.RecordBatch.from_arrays(
            [
                rows["source"].take(pa.array(at[order])),
                rows["line"].take(pa.array(at[order])),
                pa.concat_arrays([steps.operation, none]).take(pa.array(order)),
                pa.concat_arrays([steps.database, none]).take(pa.array(order)),
            ],
            names=["source", "line", "operation", "database"],
        )
        extend = np.zeros(len(buffer_rows), bool)
        belongs = self._operations.assign(
            context,
            names=np.concatenate([steps.names, extend])[order],
            starts=np.concatenate([steps.starts, extend])[order],
            ends=np.concatenate([steps.ends, extend])[order],
        )
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_batches(
            [
                steps.rows(rows, _at(belongs, back[: len(steps.at)])),
                self._buffers(rows, buffer_rows, key, value, _at(belongs, back[len(steps.at) :])),
            ]
        )

    def finish(self) -> pa.RecordBatch:
        """Return the buffer configuration blocks that were still open."""
        return _block_rows(self._blocks.finish())

    def _buffers(
        self, rows: pa.RecordBatch, at: np.ndarray, key: np.ndarray, value: np.ndarray, belongs: Belongs
    ) -> pa.RecordBatch:
        place = pa.array(at)
        lines = pa.RecordBatch.from_arrays(
            [
                *(rows[name].take(place) for name in ("line", "time_local", "source")),
                belongs.operation,
                belongs.database,
                belongs.started,
                pa.array(key),
                pa.array(value),
            ],
            schema=LINE_SCHEMA,
        )
        return _block_rows(self._blocks.feed(rows["source"], at, lines))


def _at(belongs: Belongs, rows: np.ndarray) -> Belongs:
    place = pa.array(rows)
    return Belongs(belongs.operation.take(place), belongs.database.take(place), belongs.started.take(place))


def _block_rows(blocks: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [
            *(blocks[name] for name in ("line", "time_local", "source")),
            constant("buffer_configuration", blocks.num_rows),
            blocks["fields"],
        ],
        schema=TRACE_ROWS,
    )
