"""Counts of the captures of a case: read, not read, lost, and the time they cover."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace.diagnostics.overview.rows import Captures, Issues

NOT_READ = ("failed", "unreadable")
MOST = 10
"""Most rows shown as evidence."""


def second(time: Any) -> str:
    """Return a time to the second; "" if unknown."""
    return "" if time is None or time != time else f"{time:%Y-%m-%d %H:%M:%S}"


def covered(capture: Captures) -> tuple[datetime, datetime] | None:
    """Return the time that a capture covers; None without a first or a last time."""
    first, last = capture.shown_first, capture.shown_last
    return None if first is None or last is None else (first, last)


@dataclass(frozen=True)
class Captured:
    """The contents of a case: its captures, the known machines and the faults."""

    captures: list[Captures]
    hosts: list[str]
    issues: list[Issues]

    @property
    def statuses(self) -> Counter[str]:
        """Number of captures by status."""
        return Counter(row.status for row in self.captures)

    @property
    def read(self) -> list[Captures]:
        """Captures that were read."""
        return [row for row in self.captures if row.status == "ingested"]

    @property
    def not_read(self) -> list[Captures]:
        """Captures that should have been readable and were not."""
        return [row for row in self.captures if row.status in NOT_READ]

    @property
    def losses(self) -> list[Issues]:
        """Faults that lost data."""
        return [row for row in self.issues if row.severity == "data_loss"]

    @property
    def warnings(self) -> list[Issues]:
        """Return the faults that were fixed, or that lost no data."""
        return [row for row in self.issues if row.severity == "warning"]

    @property
    def local_only(self) -> list[Captures]:
        """Return the captures whose offset from UTC is unknown."""
        return [row for row in self.captures if row.local_only]

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """First and last instant in UTC, None when no capture has any."""
        times = [t for row in self.captures for t in (row.first_time, row.last_time) if t]
        return (min(times), max(times)) if times else None

    @property
    def seconds(self) -> float | None:
        """Length of that time."""
        return (self.span[1] - self.span[0]).total_seconds() if self.span else None
