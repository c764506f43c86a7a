"""Readings without a time, as facts: they cannot be drawn, but they can be read."""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.base import Batch, rows
from agtrace.readers.sysstat.reading import Reading
from agtrace.readers.sysstat.topics import IOSTAT
from agtrace.tables import FACTS

FULL = 20_000
"""Facts of a batch."""
MAX_FACTS = 500_000
"""Maximum number of facts of a file: a few thousand reports about the disks of a server."""


class UntimedReadings:
    """Collects readings, and returns batches when there are enough."""

    def __init__(self) -> None:
        self.count = 0
        self.left_out = 0
        self._facts = 0
        self._rows: list[dict[str, object]] = []

    def add(self, reading: Reading) -> None:
        """Add one reading, or count it where there are too many."""
        values = self._values(reading)
        if self._facts + len(values) > MAX_FACTS:
            self.left_out += 1
            return
        for key, value in values.items():
            self._rows.append(
                {"topic": IOSTAT, "item": self.count, "key": key, "value": value, "line": reading.line}
            )
        self._facts += len(values)
        self.count += 1

    def _values(self, reading: Reading) -> dict[str, str]:
        values = {"report": str(reading.report)}
        if reading.host:
            values["host"] = reading.host
        if reading.day:
            values["day"] = reading.day.isoformat()
        if reading.kind != "cpu":
            values["device"] = reading.item
        return values | {column: f"{value:.15g}" for column, value in reading.values.items()}

    @property
    def is_full(self) -> bool:
        """Whether it is time to take the batch."""
        return len(self._rows) >= FULL

    def batches(self) -> Iterator[Batch]:
        """Yield what was collected."""
        if self._rows:
            yield rows("facts", FACTS, [{"unit": None, "time_local": None, **row} for row in self._rows])
        self._rows = []
