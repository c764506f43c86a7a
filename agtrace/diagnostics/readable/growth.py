"""The rule of a version store that grows: long enough, by enough, and towards a tempdb that is full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agtrace.thresholds import Thresholds

Row = Mapping[str, Any]

LARGE, GROWING, UNBOUNDED = "large", "growing", "unbounded"
MEGABYTE = 1_000_000
HOLDS_ON = 0.5
"""A growth goes on when its later half is at least this share as steep as all of it."""


@dataclass(frozen=True)
class Growth:
    """A stretch in which a version store grew, and what that comes to.

    Parameters
    ----------
    row
        Of growths.sql.
    kind
        ``growing``: tempdb is full within the threshold at this growth. ``large``: it has most of what
        there is.
        ``unbounded``: what is free was not captured.
    full_in_s
        Until tempdb is full at this growth; None where the free space is not known, or the growth is over.
    """

    row: Row
    kind: str
    full_in_s: float | None

    @property
    def grew(self) -> float:
        """By how much it grew, bytes."""
        return float(self.row["last_bytes"] - self.row["first_bytes"])

    @property
    def severity(self) -> str:
        """A tempdb that fills soon is a warning; one that has room, or had it, is not."""
        return "warning" if self.kind == GROWING else "notice"


def judged(row: Row, limits: Thresholds) -> Growth | None:
    """Give what a stretch comes to; None where it is a burst, or matters to nobody.

    Parameters
    ----------
    row
        Of growths.sql.
    """
    lasted = (row["end_local"] - row["start_local"]).total_seconds()
    if row["samples"] < limits.min_samples or lasted < limits.version_store_minutes * 60:
        return None
    grew, free = row["last_bytes"] - row["first_bytes"], row["free_bytes"]
    if free is None:
        is_much = grew >= limits.version_store_growth_mb * MEGABYTE and _goes_on(row)
        return Growth(row, UNBOUNDED, None) if is_much else None
    space = row["last_bytes"] + free
    if grew < limits.version_store_share * space:
        return None
    full_in = free / row["growth"] if _goes_on(row) else None
    if full_in is not None and full_in <= limits.version_store_full_h * 3600:
        return Growth(row, GROWING, full_in)
    if row["last_bytes"] >= limits.version_store_large_share * space:
        return Growth(row, LARGE, full_in)
    return None


def _goes_on(row: Row) -> bool:
    late = row["late_growth"]
    return not row["is_over"] and late is not None and late >= HOLDS_ON * row["growth"]
