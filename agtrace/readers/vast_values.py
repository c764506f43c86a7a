"""Impossibly large counter values, which are excluded from all measures.

A counter is a 64-bit number, used as is, per second, or relative to a base. Even 2**64 in the shortest
interval of a 10 MHz clock, as a percentage, is below 1e29; only damaged or forged files contain more. Within
this bound, products of several values, squares of sums of millions, and quotients stay far below the maximum
of a double (1.8e308).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from agtrace.readers.base import Batch, issue
from agtrace.tables.rows import numbers as column_numbers

MOST = 1e30
LEAST = 1e-30
"""A value between this and 0 divides others to beyond all bounds."""

KIND = "vast_value"
MESSAGE = f"values that no counter has (beyond {MOST:g}, or within {LEAST:g} of 0 and not 0): left out"


def without_vast(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield a reader's batches without such values in ``samples``, and an issue with their positions."""
    paths: dict[int, str] = {}
    count, first = 0, ""
    for table, batch in batches:
        if table == "counters" and not count:
            numbers, told = (batch[name].to_pylist() for name in ("counter_no", "path"))
            paths |= zip(numbers, told, strict=True)
        elif table == "samples" and (vast := _vast(batch["value"])) is not None:
            if not count:
                place = int(np.argmax(vast))
                number, tick = batch["counter_no"][place].as_py(), batch["tick"][place].as_py()
                first = f"the first of {paths.get(number, f'series {number}')} in row {tick + 1:,}"
            count += int(vast.sum())
            batch = batch.filter(pa.array(~vast))
        yield table, batch
    if count:
        yield issue(KIND, f"{MESSAGE}, {first}", severity="data_loss", count=count)


def _vast(values: pa.Array) -> np.ndarray | None:
    """Return which values are vast; None (nearly always) without any."""
    sizes = np.abs(column_numbers(values))
    within = (sizes <= MOST) & ((sizes >= LEAST) | (sizes == 0))
    return None if within.all() else ~within
