"""Raw values of sys.dm_os_performance_counters to what perfmon shows, by counter type.

Source: winperf.h and Microsoft's page "sys.dm_os_performance_counters"; zero denominators as in
binary performance logs (xelib).
"""

from __future__ import annotations

from dataclasses import dataclass

COUNTS = {65536: "PERF_COUNTER_RAWCOUNT", 65792: "PERF_COUNTER_LARGE_RAWCOUNT"}
RATES = {272696320: "PERF_COUNTER_COUNTER", 272696576: "PERF_COUNTER_BULK_COUNT"}
FRACTIONS = {537003008: "PERF_RAW_FRACTION", 537003264: "PERF_LARGE_RAW_FRACTION"}
AVERAGES = {1073874176: "PERF_AVERAGE_BULK"}
BASES = frozenset({1073939712, 1073939458, 1073939459, 1073939457})
TYPES = COUNTS | RATES | FRACTIONS | AVERAGES
"""Types that are shown, by their number, as winperf.h calls them."""


@dataclass(frozen=True)
class Raw:
    """A counter's value, and that of its base where it has one."""

    value: int
    base: int = 0


def cook(kind: int, now: Raw, before: Raw | None, seconds: float) -> float | None:
    """Return what perfmon shows; None before the second sample, or after a reset.

    Parameters
    ----------
    kind
        One of `TYPES`.
    seconds
        Time since the sample before.
    """
    if kind in COUNTS:
        return float(now.value)
    if kind in FRACTIONS:
        return 100.0 * now.value / now.base if now.base else 0.0
    if before is None:
        return None
    change, of_base = now.value - before.value, now.base - before.base
    if change < 0 or of_base < 0:
        return None
    if kind in RATES:
        return change / seconds if seconds > 0 else None
    return change / of_base if of_base else 0.0
