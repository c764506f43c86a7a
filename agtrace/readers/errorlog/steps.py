"""The phase lines among rows: what each says, before it is known what operation it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.readers.errorlog.fields import Columns, constant, fields_map
from agtrace.readers.errorlog.match import Found, extract
from agtrace.readers.errorlog.operations import Belongs
from agtrace.readers.errorlog.phases import (
    ELAPSED,
    FINISHED,
    PLAIN_PREFIX,
    PROCESSED,
    STARTED,
    STARTED_ON,
    TRACE_PREFIX,
    Phase,
    phase_patterns,
)
from agtrace.tables import FIELDS, LOCAL_TIME
from agtrace.tables import kernels as pc

TRACE_ROWS = pa.schema(
    [
        ("line", pa.int64()),
        ("time_local", LOCAL_TIME),
        ("source", pa.string()),
        ("topic", pa.string()),
        ("fields", FIELDS),
    ]
)
"""Rows of the trace-text parser: topic phase, zeroing or buffer_configuration."""

OTHER = Phase("other")
_ELAPSED_ANYWHERE = ELAPSED.removeprefix("(?: ").removesuffix(")?")


@dataclass(frozen=True)
class Steps:
    """Lines that may be steps of an operation.

    Parameters
    ----------
    at
        Their places in the batch.
    operation, database
        What the lines themselves name.
    names, starts, ends
        Which of them name an operation, start one, or end one.
    found
        Which of them say what; rows are places in ``at``.
    """

    at: np.ndarray
    operation: pa.Array
    database: pa.Array
    names: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    found: tuple[tuple[Phase, np.ndarray, Columns], ...]

    @classmethod
    def of(cls, rows: pa.RecordBatch, prefixed: np.ndarray, bare: np.ndarray) -> Steps:
        """Read the lines at the given places: with ``Backup(db):`` in front, and without."""
        texts = rows["message"]
        plain, columns = _prefixes(texts, prefixed, PLAIN_PREFIX)
        odd, more = _prefixes(texts, np.setdiff1d(prefixed, plain, assume_unique=True), TRACE_PREFIX)
        columns = {name: _either(columns[name], more[name]) for name in columns}
        at = np.concatenate([plain, odd, bare])
        count = len(at) - len(bare)
        inner = _either(columns["text"], texts.take(pa.array(bare)))
        found = []
        left = np.arange(len(at)) < count
        database = _either(columns["database"], _known(rows, "database", bare))
        for match in phase_patterns().find(inner):
            one = _kept(match, count)
            found.append(one)
            left[one[1]] = False
            if "database" in one[2]:
                database = _replaced(database, one[1], one[2].pop("database"))
        others = np.flatnonzero(left)
        if len(others):
            rest = inner.take(pa.array(others))
            found.append((OTHER, others, {"text": rest} | extract(rest, _ELAPSED_ANYWHERE)[1]))
        named = pc.fill_null(pc.not_equal(database, ""), False).to_numpy(zero_copy_only=False)
        return cls(
            at,
            _either(pc.utf8_lower(columns["operation"]), _known(rows, "operation", bare)),
            database,
            named,
            _places(found, len(at), STARTED, STARTED_ON),
            _places(found, len(at), FINISHED, PROCESSED),
            tuple(found),
        )

    def rows(self, batch: pa.RecordBatch, belongs: Belongs) -> pa.RecordBatch:
        """Return the rows of the steps, in the order of the batch."""
        out: list[pa.RecordBatch] = []
        places: list[np.ndarray] = []
        for phase, where, columns in self.found:
            if phase is PROCESSED or not len(where):
                continue
            out.append(self._rows_of(batch, belongs, phase, where, columns))
            places.append(self.at[where])
        if not out:
            return pa.RecordBatch.from_pylist([], TRACE_ROWS)
        order = np.argsort(np.concatenate(places), kind="stable")
        return pa.concat_batches(out).take(pa.array(order))

    def _rows_of(
        self, batch: pa.RecordBatch, belongs: Belongs, phase: Phase, where: np.ndarray, columns: Columns
    ) -> pa.RecordBatch:
        count, at, chosen = len(where), pa.array(self.at[where]), pa.array(where)
        fields: Columns = {"phase": constant(phase.name, count)} if phase.topic == "phase" else {}
        fields |= {
            "operation": pc.coalesce(self.operation.take(chosen), belongs.operation.take(chosen)),
            "database": _first_text(self.database.take(chosen), belongs.database.take(chosen)),
        }
        fields |= {name: constant(value, count) for name, value in phase.says.items()}
        fields |= _zeroed(columns) if "start_byte" in columns else columns
        fields["operation_line"] = belongs.started.take(chosen)
        return pa.RecordBatch.from_arrays(
            [
                *(batch[name].take(at) for name in ("line", "time_local", "source")),
                constant(phase.topic, count),
                fields_map(fields, count),
            ],
            schema=TRACE_ROWS,
        )


def _prefixes(texts: pa.Array, rows: np.ndarray, regex: str) -> tuple[np.ndarray, Columns]:
    """Split ``Backup(db):`` from the text; give the rows where it is so."""
    hit, columns = extract(texts.take(pa.array(rows)), regex)
    chosen = pa.array(np.flatnonzero(hit))
    return rows[hit], {name: column.take(chosen) for name, column in columns.items()}


def _kept(match: Found, prefixed: int) -> tuple[Phase, np.ndarray, Columns]:
    """Drop matches of common words that have no ``Backup:`` in front."""
    phase = match.pattern.entry
    if not phase.only_prefixed or (match.rows < prefixed).all():
        return phase, match.rows, dict(match.columns)
    keep = np.flatnonzero(match.rows < prefixed)
    chosen = pa.array(keep)
    return phase, match.rows[keep], {n: c.take(chosen) for n, c in match.columns.items()}


def _known(rows: pa.RecordBatch, name: str, at: np.ndarray) -> pa.Array:
    """Return a batch's own values beside the text, as Extended Events have them."""
    if name in rows.schema.names:
        return rows[name].take(pa.array(at))
    return pa.nulls(len(at), pa.string())


def _either(front: pa.Array, back: pa.Array) -> pa.Array:
    return pa.concat_arrays([front, back])


def _first_text(first: pa.Array, second: pa.Array) -> pa.Array:
    return pc.if_else(pc.fill_null(pc.not_equal(first, ""), False), first, second)


def _replaced(column: pa.Array, rows: np.ndarray, values: pa.Array) -> pa.Array:
    """Put values at rows of a column."""
    place = np.arange(len(column))
    place[rows] = len(column) + np.arange(len(rows))
    return pa.concat_arrays([column, values]).take(pa.array(place))


def _places(found: list[tuple[Phase, np.ndarray, Columns]], count: int, *phases: Phase) -> np.ndarray:
    there = np.zeros(count, bool)
    for phase, rows, _columns in found:
        if phase in phases:
            there[rows] = True
    return there


def _zeroed(columns: Columns) -> Columns:
    """Return bytes in decimal, and how many were zeroed."""
    start, end = (
        np.array([int(text, 16) for text in columns[name].to_pylist()], object)
        for name in ("start_byte", "end_byte")
    )
    numbers = {"start_byte": start, "end_byte": end, "bytes": end - start}
    return columns | {
        name: pa.array([str(value) for value in values], pa.string()) for name, values in numbers.items()
    }
