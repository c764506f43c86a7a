"""How far times of two hosts may differ that are of one moment."""

from __future__ import annotations

from datetime import timedelta

from agtrace.history.reference_clock import ReferenceClock

SAME_HOST = timedelta(seconds=2)
OTHER_HOST = timedelta(seconds=10)
"""Assumed largest difference between the clocks of two hosts that were not compared."""


def tolerance(clock: ReferenceClock, a: str | None, b: str | None) -> timedelta:
    """Return how far times of two hosts, by the reference clock, may differ that are of one moment."""
    if a is not None and a == b:
        return SAME_HOST
    return 2 * SAME_HOST if {a, b} <= clock.ahead.keys() else OTHER_HOST
