"""When perfmon shows processors, disks or memory of a host short, around what happened to a group.

Far from anything that happened a busy minute is nobody's news, and a year has many.
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
"""How far from a moment the counters are looked at: before it, and after the five minutes that it lies in."""

RESOURCES = {
    "cpu": ("processors_busy", "%", "processors of the machine {:.0f} %"),
    "disk_read_ms": ("long_io", "ms", "mean time of a disk read {:.0f} ms"),
    "disk_write_ms": ("long_io", "ms", "mean time of a disk write {:.0f} ms"),
}
"""Of each resource the kind of event, its unit and its words."""


def strained(view: View, moments: list[datetime], limits: dict[str, float]) -> dict[str, list[Any]]:
    """Return minutes in which all samples of a resource reach its limit, as columns.

    Parameters
    ----------
    moments
        Begins of the stretches of five minutes in which something happened, UTC.
    limits
        By resource, in its unit.
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
