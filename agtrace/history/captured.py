"""What was captured of a case, counted: what was read, what was not, what was lost, and over which time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

NOT_READ = ("failed", "unreadable")


@dataclass(frozen=True)
class Captured:
    """What a case holds.

    Parameters
    ----------
    captures
        Rows of captures.sql.
    hosts
        Known machines.
    issues
        Rows of issues.sql.
    """

    captures: list[dict[str, Any]]
    hosts: list[str]
    issues: list[dict[str, Any]]

    @property
    def statuses(self) -> Counter[str]:
        """Number of captures by status."""
        return Counter(row["status"] for row in self.captures)

    @property
    def read(self) -> list[dict[str, Any]]:
        """Captures that were read."""
        return [row for row in self.captures if row["status"] == "ingested"]

    @property
    def not_read(self) -> list[dict[str, Any]]:
        """Captures that should have been readable and were not."""
        return [row for row in self.captures if row["status"] in NOT_READ]

    @property
    def losses(self) -> list[dict[str, Any]]:
        """Faults that lost data."""
        return [row for row in self.issues if row["severity"] == "data_loss"]

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Faults that were mended, or that lost nothing."""
        return [row for row in self.issues if row["severity"] == "warning"]

    @property
    def local_only(self) -> list[dict[str, Any]]:
        """Captures whose offset from UTC is not known."""
        return [row for row in self.captures if row["local_only"]]

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """First and last instant in UTC, None when no capture has any."""
        times = [t for row in self.captures for t in (row["first_time"], row["last_time"]) if t]
        return (min(times), max(times)) if times else None

    @property
    def seconds(self) -> float | None:
        """Length of that time."""
        return (self.span[1] - self.span[0]).total_seconds() if self.span else None
