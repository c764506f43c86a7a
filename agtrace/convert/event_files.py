"""Several Extended Events files as one, such as the rollover files of a session."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

import pyarrow as pa

from agtrace.convert.base import Reading
from agtrace.readers.base import Batch
from agtrace.tables import kernels as pc

PREFIX = "events/"


class FollowingFiles(Reading):
    """Files read one after the other, in the order of their start; each keeps its own order."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        first = readings[0]
        super().__init__(first.reader, first.source, first.options)
        self._readings = sorted(readings, key=_first_ticks)

    @property
    def path(self) -> str:
        """The files, for messages."""
        return ", ".join(reading.path for reading in self._readings)

    def batches(self) -> Generator[Batch]:
        """Yield the events of all files, numbered across files."""
        self.issues = []
        numbered, last, before = 0, -1, ""
        for reading in self._readings:
            fresh = replace(reading, facts={}, issues=[], offsets=[])
            count, latest, earliest = 0, last, None
            for table, batch in fresh.batches():
                if not table.startswith(PREFIX) or not batch.num_rows:
                    yield table, batch
                    continue
                span = pc.min_max(batch["_ticks"]).as_py()
                earliest = span["min"] if earliest is None else min(earliest, span["min"])
                latest = max(latest, span["max"])
                count = max(count, batch["_seq"][-1].as_py() + 1)
                yield table, _renumbered(batch, numbered)
            self.issues += [(s, f"{reading.path}: {text}", n) for s, text, n in fresh.issues]
            if earliest is not None and earliest < last:
                note = f"{reading.path}: begins before {before} ends; its events follow nevertheless"
                self.issues.append(("warning", note, 1))
            numbered, last, before = numbered + count, latest, reading.path


def _first_ticks(reading: Reading) -> int:
    survey = replace(reading, facts={}, issues=[], offsets=[])
    with closing(survey.batches()) as batches:
        for table, batch in batches:
            if table.startswith(PREFIX) and batch.num_rows:
                ticks: int = pc.min(batch["_ticks"]).as_py()
                return ticks
    return 0


def _renumbered(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    columns = [
        pc.add(column, pa.scalar(first, column.type)) if name == "_seq" else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)
