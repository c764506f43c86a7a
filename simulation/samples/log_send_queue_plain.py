"""A perfmon text log read plainly, for checking what was written without agtrace's readers."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

from simulation.samples.log_send_queue_model import DATABASES


class Perfmon:
    """The cells of a perfmon text log, by counter path without the machine."""

    def __init__(self, path: Path) -> None:
        with path.open(encoding="ascii", newline="") as file:
            rows = list(csv.reader(file))
        self.header = rows[0]
        self.host = self.header[1].split("\\")[2]
        self.times = [us_time(row[0]) for row in rows[1:]]
        self.cells = {
            name: [row[number] for row in rows[1:]]
            for number, name in enumerate(self.header)
            if name.startswith("\\\\")
        }

    def values(self, counter: str) -> list[float | None]:
        """Return a value for each row, None if it is blank."""
        cells = self.cells[f"\\\\{self.host}\\{counter}"]
        return [float(cell) if cell.strip() else None for cell in cells]

    def present(self, counter: str) -> list[float]:
        """Return the values without the blanks."""
        return [value for value in self.values(counter) if value is not None]

    def total(self, counter: str, start: datetime | None = None, end: datetime | None = None) -> float:
        """Integrate a rate: each value over the time since the row before."""
        found = 0.0
        for i, value in enumerate(self.values(counter)):
            outside = (start and self.times[i] <= start) or (end and self.times[i] > end)
            if value is not None and not outside:
                found += value * (self.times[i] - self.times[i - 1]).total_seconds()
        return found

    def summed(self, pattern: str) -> list[float]:
        """Add a rate up over the databases of the group, row by row, without the first."""
        columns = [self.values(pattern.format(database)) for database in DATABASES]
        return [sum(cells) for cells in list(zip(*columns, strict=True))[1:]]


def us_time(cell: str) -> datetime:
    """Read ``MM/DD/YYYY HH:MM:SS.mmm``."""
    return datetime.fromisoformat(f"{cell[6:10]}-{cell[0:2]}-{cell[3:5]} {cell[11:]}")


def percentile(values: list[float], part: float) -> float:
    """Return the value that this part of the values stays below."""
    return sorted(values)[int(len(values) * part)]
