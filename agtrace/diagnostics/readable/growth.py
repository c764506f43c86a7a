"""The rule of a version store that grows: long enough, by enough, and towards a tempdb that is full."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.diagnostics.readable.rows import Growths
from agtrace.thresholds import Thresholds

LARGE, GROWING, UNBOUNDED = "large", "growing", "unbounded"
MEGABYTE = 1_000_000
LOOKS = 3
"""Fewest snapshots that show a growth; perfmon has many more samples."""
SOON_S = 3600.0
"""A large store that fills tempdb within this, or within the time it has grown so far, is reported."""
HOLDS_ON = 0.5
"""A growth continues if its second half is at least this share as steep as the whole."""


@dataclass(frozen=True)
class Growth:
    """A span in which a version store grew, and its consequence.

    Parameters
    ----------
    row
        A row of growths.sql.
    kind
        ``growing``: tempdb is full within the threshold at this growth. ``large``: it has most of what
        there is.
        ``unbounded``: what is free was not captured.
    full_in_s
        Until tempdb is full at this growth; None where the free space is not known, or the growth is over.
    """

    row: Growths
    kind: str
    full_in_s: float | None

    @property
    def grew(self) -> float:
        """By how much it grew, bytes."""
        return self.row.last_bytes - self.row.first_bytes

    @property
    def severity(self) -> str:
        """A tempdb that fills soon is a warning; one that has room, or had it, is not."""
        return "warning" if self.kind == GROWING else "notice"


def judged(row: Growths, limits: Thresholds, *, is_held: bool = False) -> Growth | None:
    """Return the growth of an interval; None if it is a short burst or irrelevant.

    Parameters
    ----------
    row
        A row of growths.sql.
    is_held
        Whether a transaction was open before the interval started, so that nothing was cleaned up.
    """
    lasted = (row.end_local - row.start_local).total_seconds()
    least = limits.min_samples if row.source == "perfmon" else 2 if is_held else LOOKS
    if row.samples < least or lasted < limits.version_store_minutes * 60:
        return None
    growth = _judged(row, lasted, limits)
    # Without a known role, a store that stays large does not show a problem of a secondary.
    return growth if row.is_secondary or (growth is not None and growth.kind == GROWING) else None


def _judged(row: Growths, lasted: float, limits: Thresholds) -> Growth | None:
    grew, free = row.last_bytes - row.first_bytes, row.free_bytes
    if free is None:
        is_much = grew >= limits.version_store_growth_mb * MEGABYTE and _goes_on(row)
        return Growth(row, UNBOUNDED, None) if is_much else None
    space = row.last_bytes + free
    full_in = free / row.growth if _goes_on(row) else None
    is_last_room = full_in is not None and full_in <= max(lasted, SOON_S)
    if is_last_room and row.last_bytes >= limits.version_store_large_share * space:
        return Growth(row, GROWING, full_in)
    if grew < limits.version_store_share * space:
        return None
    if full_in is not None and full_in <= limits.version_store_full_h * 3600:
        return Growth(row, GROWING, full_in)
    if row.last_bytes >= limits.version_store_large_share * space:
        return Growth(row, LARGE, full_in)
    return None


def _goes_on(row: Growths) -> bool:
    late = row.late_growth
    return not row.is_over and late is not None and late >= HOLDS_ON * row.growth
