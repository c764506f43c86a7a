"""Which backup or restore a trace line belongs to.

Lines of the older generation name neither operation nor database; the line that started the
operation does, and everything the same source says until it ends belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa


@dataclass(frozen=True)
class Belongs:
    """Operation, database and line of the start, for each row; NULL where unknown."""

    operation: pa.Array
    database: pa.Array
    started: pa.Array


class Operations:
    """Remembers for each source the operation that is going on, also between calls."""

    def __init__(self) -> None:
        self._going_on: dict[str, tuple[str | None, str | None, int | None]] = {}

    def assign(
        self, rows: pa.RecordBatch, *, names: np.ndarray, starts: np.ndarray, ends: np.ndarray
    ) -> Belongs:
        """Assign rows to operations.

        Parameters
        ----------
        rows
            source, line, operation and database (as far as the row itself says), in file order.
        names, starts, ends
            Which rows name an operation, start one, or end one.
        """
        sources = rows["source"].dictionary_encode()
        code = sources.indices.to_numpy()
        values = sources.dictionary.to_pylist()
        order = np.argsort(code, kind="stable")
        sorted_code = code[order]
        known = [self._going_on.get(source, (None, None, None)) for source in values]
        naming = _latest(sorted_code, (names | ends)[order], ends[order])
        starting = _latest(sorted_code, (starts | ends)[order], ends[order])
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))

        def taken(column: pa.Array, remembered: list[object], latest: np.ndarray) -> pa.Array:
            pool = pa.concat_arrays([pa.array(remembered, column.type), column])
            place = np.where(latest >= 0, len(values) + order[np.maximum(latest, 0)], sorted_code)
            return pool.take(pa.array(place[back], mask=(latest == _ENDED)[back]))

        given = Belongs(
            taken(rows["operation"], [k[0] for k in known], naming.here),
            taken(rows["database"], [k[1] for k in known], naming.here),
            taken(rows["line"], [k[2] for k in known], starting.here),
        )
        after = Belongs(
            taken(rows["operation"], [k[0] for k in known], naming.after),
            taken(rows["database"], [k[1] for k in known], naming.after),
            taken(rows["line"], [k[2] for k in known], starting.after),
        )
        last = np.flatnonzero(np.append(sorted_code[1:] != sorted_code[:-1], True)[: len(order)])
        for place in last:
            i = int(order[place])
            self._going_on[values[sorted_code[place]]] = (
                after.operation[i].as_py(),
                after.database[i].as_py(),
                after.started[i].as_py(),
            )
        return given


_BEFORE = -1
"""The value is the one remembered from before this call."""

_ENDED = -2
"""There is none: the operation ended."""


@dataclass(frozen=True)
class _Latest:
    """Place of the row whose word holds at each row, and behind it; `_BEFORE` or `_ENDED`."""

    here: np.ndarray
    after: np.ndarray


def _latest(code: np.ndarray, flag: np.ndarray, ends: np.ndarray) -> _Latest:
    """Look back to the latest flagged row of the same source; rows are sorted by source."""
    place = np.arange(len(code))
    first = np.append(True, code[1:] != code[:-1]) if len(code) else np.zeros(0, bool)
    group = np.maximum.accumulate(np.where(first, place, 0))
    at = np.maximum.accumulate(np.where(flag, place, -1))
    after = np.where(at < group, _BEFORE, np.where(ends[at], _ENDED, at))
    # The line that ends an operation still belongs to it.
    here = np.where(ends & ~first, np.append(_BEFORE, after[:-1]), after)
    here[ends & first] = _BEFORE
    return _Latest(here, after)
