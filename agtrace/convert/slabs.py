"""Perfmon logs slab by slab: consecutive rows with all of their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from agtrace.errors import AgtraceError
from agtrace.readers.base import Batch

SLAB_CELLS = 1_000_000
"""Maximum number of values in memory, over all logs; rows are written as they come."""


@dataclass
class Slab:
    """Consecutive rows of a log, and their values so far."""

    ticks: np.ndarray
    times: np.ndarray
    samples: list[pa.RecordBatch] = field(default_factory=list)


def slabs_of(batches: Iterator[Batch]) -> Iterator[Slab]:
    """Yield the rows in order; a batch of ticks means that the rows before it are complete."""
    slab = None
    for table, batch in batches:
        if table == "ticks":
            if slab:
                yield slab
            times = batch["time_local"].to_numpy(zero_copy_only=False)
            slab = Slab(batch["tick"].to_numpy(), times)
        elif table == "samples" and batch.num_rows:
            if slab is None or int(batch["tick"].to_numpy().min()) < slab.ticks[0]:
                raise AgtraceError("values of rows that were complete already", "report this as a defect")
            slab.samples.append(batch)
    if slab:
        yield slab
