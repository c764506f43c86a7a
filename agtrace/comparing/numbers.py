"""Measurements of hosts and streams, side by side: medians of minutes with intervals, and percentiles."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from agtrace.comparing.rows import LESS, MORE, OPEN, SAME, Row
from agtrace.comparing.sides import Pairing, Side, records
from agtrace.measure.resources import UNITS
from agtrace.measure.statistics import Interval, Sample, differ, ratio
from agtrace.measure.usage import Usage, Window, minutes, usage
from agtrace.thresholds import Thresholds

NAMES = {
    "log_flushed": "log flushed", "log_received": "log received", "redo": "log redone",
    "send_queue": "log send queue", "recovery_queue": "recovery queue", "batches": "batches",
    "cpu": "CPU", "network_sent": "network sent", "network_received": "network received",
    "disk_read": "disk reads", "disk_written": "disk writes", "disk_read_ms": "time of a disk read",
    "disk_write_ms": "time of a disk write",
}  # fmt: skip
"""Important measures of a host, in the order of the log's flow, then those of its resources."""
DAY = timedelta(days=1)


QUEUES = ("send_queue", "recovery_queue")


def of_hosts(before: Side, after: Side, pairing: Pairing, limits: Thresholds) -> list[Row]:
    """Compare the activity of each host in both cases, by resource."""
    measured = [_measured(side) for side in (before, after)]
    largest: dict[str, float] = defaultdict(float)
    for own, _minutes in measured:
        for (_host, resource), used in own.items():
            largest[resource] = max(largest[resource], used.p95)
    little = {resource: limits.compare_negligible_share * most for resource, most in largest.items()}
    for queue in QUEUES:
        # A queue counts as filled from this many bytes on: ``behind_s`` seconds of log.
        filled = limits.behind_s * largest["log_flushed"]
        little[queue] = max(little.get(queue, 0.0), filled)
    rows = []
    for host in pairing.hosts:
        for resource, name in NAMES.items():
            keys = ((host.before, resource), (host.after, resource))
            found = [own.get(key) for (own, _minutes), key in zip(measured, keys, strict=True)]
            minutes = [own.get(key, []) for (_used, own), key in zip(measured, keys, strict=True)]
            if any(found):
                row = _of_resource(host.name, resource, name, found, minutes)
                if all(found):
                    row = judged(row, minutes[0], minutes[1], limits, negligible=little[resource])
                else:
                    lacking = after.name if found[0] else before.name
                    row = replace(row, verdict=OPEN, why=f"not captured in {lacking}")
                rows.append(row)
    return rows


def _of_resource(
    host: str, resource: str, name: str, used: Sequence[Usage | None], minutes: Sequence[list[float]]
) -> Row:
    """Return both sides: medians of the minutes, percentiles of the samples."""
    medians = [float(np.median(own)) if own else None for own in minutes]
    more = tuple(
        (stat, getattr(used[0], field, None), getattr(used[1], field, None))
        for stat, field in (
            ("p50", "p50"),
            ("p95", "p95"),
            ("mean", "mean"),
            ("highest", "highest"),
            ("samples", "n"),
        )
    )
    return Row(
        about=host, what=name, before=medians[0], after=medians[1], unit=UNITS[resource],
        n=(len(minutes[0]), len(minutes[1])), more=more, key=resource,
        values=(tuple(minutes[0]), tuple(minutes[1])),
    )  # fmt: skip


def _measured(side: Side) -> tuple[dict[tuple[str, str], Usage], dict[tuple[str, str], list[float]]]:
    """Return the percentiles of each resource of a host, and its means by the minute."""
    windows = _windows(side)
    found = usage(side.view, windows, tuple(NAMES)) if windows else []
    # If the UTC offset of a host is known for only a part of its logs, that part counts.
    chosen = {(used.host, used.resource): used for used in sorted(found, key=lambda used: -used.window)}
    means: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in minutes(side.view, windows, tuple(NAMES)) if found else []:
        key = row["host"], row["resource"]
        if key in chosen and chosen[key].window == row["number"]:
            means[key].append(row["value"])
    return chosen, means


def _windows(side: Side) -> list[Window]:
    """Return all windows of a case; hosts without a known time zone have theirs in local time."""
    (row,) = records(side, "span.sql")
    found = []
    spans = ((row["first"], row["last"]), (row["first_local"], row["last_local"]))
    for number, (first, last) in enumerate(spans):
        if first is not None:
            zone = UTC if first.tzinfo else None
            low, high = datetime(1, 1, 2, tzinfo=zone), datetime(9999, 12, 30, tzinfo=zone)
            found.append(Window(number, max(first, low) - DAY, min(last, high) + DAY))
    return found


def judged(
    row: Row, first: Iterable[float], second: Iterable[float], limits: Thresholds, negligible: float = 0.0
) -> Row:
    """Judge whether a number differs beyond its scatter.

    Parameters
    ----------
    row
        Both numbers.
    first, second
        The values of each side, one per interval.
    negligible
        Numbers below this on both sides are not reported.
    """
    before, after = np.array(list(first)), np.array(list(second))
    if not len(before) or not len(after):
        return replace(row, verdict=OPEN, why="too few values")
    # The random streams belong to the values: swapping the sides gives the reciprocal.
    is_first = (len(before), *before) <= (len(after), *after)
    samples = (Sample(before, 0 if is_first else 1), Sample(after, 1 if is_first else 0))
    if min(samples[0].median, samples[1].median) <= 0:
        return replace(row, verdict=_from_nothing(samples, negligible))
    found = ratio(*samples, limits.interval_trials)
    verdict = SAME
    is_alike = abs(math.log(found.value)) < math.log1p(limits.compare_resource_share)
    is_little = max(sample.quantile(0.95) for sample in samples) < negligible
    if not (is_alike or is_little) and differ(*samples, limits.interval_trials):
        verdict = MORE if found.value > 1 else LESS
    return replace(row, verdict=verdict, ratio=found)


def _from_nothing(samples: tuple[Sample, Sample], negligible: float) -> str:
    """Judge a median of zero: all values of one side must be outside those of the other."""
    first, second = samples
    if max(first.values[-1], second.values[-1]) < negligible:
        return SAME
    if first.values[-1] < second.values[0]:
        return MORE
    return LESS if second.values[-1] < first.values[0] else SAME


STREAM = {
    "sent": ("sent", "sent_bytes_per_s", ""),
    "flushed": ("log flushed", "flushed", "log B/s"),
    "received": ("log received", "received", "log B/s"),
    "hardened": ("log hardened", "hardened", "log B/s"),
    "redone": ("log redone", "redone", "log B/s"),
    "growth": ("growth of the send queue", "growth", "log B/s"),
    "queue": ("send queue at the end", "queue", "log B"),
    "recovery": ("recovery queue at the end", "recovery", "log B"),
}


def of_streams(before: Side, after: Side, pairing: Pairing, limits: Thresholds) -> list[Row]:
    """Compare the log stream of each replica, hop by hop: means over all its time, databases together."""
    found = [_streams(side, pairing, place) for place, side in enumerate((before, after))]
    flushed = max((each["flushed"] or 0.0 for side in found for each in side.values()), default=0.0)
    little = limits.compare_negligible_share * flushed
    rows = []
    for key in [key for key in found[0] if key in found[1]]:
        own = [side[key] for side in found]
        for name, (label, column, unit) in STREAM.items():
            units = [unit or each["sent_unit"] for each in own]
            values = [each[column] for each in own]
            if None in values:
                continue
            n = own[0]["n"], own[1]["n"]
            row = Row(f"{key[0]}, {key[1]}", label, values[0], values[1], unit=units[0] or "", n=n, key=name)
            is_queue = name in ("queue", "recovery")
            rows.append(_by_share(row, units, limits.behind_s * flushed if is_queue else little, limits))
    return rows


def _streams(side: Side, pairing: Pairing, place: int) -> dict[tuple[str, str], dict[str, Any]]:
    rows = records(side, "streams.sql")
    return {(pairing.group(row["ag"] or "", place), pairing.host(row["replica"], place)): row for row in rows}


def _by_share(row: Row, units: list[Any], little: float, limits: Thresholds) -> Row:
    """Judge two means without scatter by their relative difference."""
    if units[0] != units[1]:
        first, second = (unit or "a unit that is not known" for unit in units)
        why = f"counted in {first} before, in {second} after"
        return replace(row, verdict=OPEN, why=why, unit="")
    size = max(abs(row.before), abs(row.after))
    if size < little or abs(row.after - row.before) <= limits.compare_resource_share * size:
        return row
    value = row.after / row.before if row.before * row.after > 0 else None
    found = Interval(value, None, None) if value is not None else None
    return replace(row, verdict=MORE if row.after > row.before else LESS, ratio=found)


def of_waits(before: Side, after: Side, pairing: Pairing, limits: Thresholds) -> list[Row]:
    """Compare the waits of tasks: ms of waiting per second, by host and type."""
    found = [_waits(side, pairing, place) for place, side in enumerate((before, after))]
    rows = []
    for key in sorted(found[0].keys() & found[1].keys()):
        values = [side[key] for side in found]
        medians = [float(np.median(each)) for each in values]
        row = Row(
            key[0],
            key[1],
            medians[0],
            medians[1],
            unit="ms/s",
            n=(len(values[0]), len(values[1])),
            key="wait",
        )
        rows.append(judged(row, values[0], values[1], limits, negligible=LEAST_WAIT))
    rows.sort(key=lambda row: -max(row.before, row.after))
    return rows[:MOST_WAITS]


LEAST_WAIT = 1.0
"""Waiting time in ms per second below which a type of wait is not reported."""
MOST_WAITS = 40


def _waits(side: Side, pairing: Pairing, place: int) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in records(side, "waits.sql"):
        found[pairing.host(row["host"], place), row["wait"]].append(row["value"])
    return found
