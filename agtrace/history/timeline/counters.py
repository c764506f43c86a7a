"""Shortages of processors, disks or memory in perfmon, around events of a group.

Far from any event a busy minute does not matter, and a year has many.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from agtrace.history.base import View
from agtrace.measure import usage
from agtrace.measure.usage import Window
from agtrace.tables.rows import rows_of

AROUND = timedelta(minutes=5)
"""Span around a moment for which counters are read: before it, and after the five minutes that contain it."""

RESOURCES = {
    "cpu": ("processors_busy", "%", "processors of the machine {:.0f} %"),
    "disk_read_ms": ("long_io", "ms", "mean time of a disk read {:.0f} ms"),
    "disk_write_ms": ("long_io", "ms", "mean time of a disk write {:.0f} ms"),
}
"""Kind of event, unit and text of each resource."""


def strained(view: View, moments: list[datetime], limits: dict[str, float]) -> dict[str, list[Any]]:
    """Return minutes in which all samples of a resource reach its limit, as columns.

    Parameters
    ----------
    moments
        Starts of the five-minute intervals with events, UTC.
    limits
        Limits by resource, in its unit.
    """
    found: dict[str, list[Any]] = {name: [] for name in ("host", "moment", "kind", "value", "unit", "text")}
    if not moments:
        return found
    windows = [Window(1, at - AROUND, at + 2 * AROUND) for at in moments]
    minutes: dict[tuple[str, str, datetime], list[tuple[datetime, float]]] = defaultdict(list)
    for row in rows_of(usage.series(view, windows, tuple(RESOURCES))):
        minute = row["time"].replace(second=0, microsecond=0)
        minutes[row["host"], row["resource"], minute].append((row["time"], row["value"]))
    for (host, resource, _minute), samples in minutes.items():
        values = [value for _at, value in samples]
        if min(values) < limits[resource]:
            continue
        kind, unit, words = RESOURCES[resource]
        one = (host, samples[0][0], kind, max(values), unit, words.format(max(values)))
        for name, value in zip(found, one, strict=True):
            found[name].append(value)
    return found
