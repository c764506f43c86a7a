"""The rate of a copy over time, bytes of the database per second."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side
from agtrace.measure.usage import Usage, of
from agtrace.tables.rows import numbers

SHORTEST = 0.5
"""Intervals shorter than this share of the usual one are left out."""


@dataclass(frozen=True)
class Rates:
    """How fast a copy was.

    Parameters
    ----------
    mean
        Bytes over the time of the copy.
    n
        Intervals or samples that the percentiles rest on; 0 where there are none.
    source
        What they come from.
    """

    mean: float | None
    p5: float | None = None
    p50: float | None = None
    p95: float | None = None
    n: int = 0
    source: str = ""


def between_reports(side: Side | None) -> tuple[np.ndarray, np.ndarray]:
    """Give (times, bytes per second) between successive reports of one end.

    What changed over time between two reports does not depend on what the reported rate averages.
    """
    empty = np.array([], dtype="datetime64[us]"), np.array([], dtype=np.float64)
    if side is None or len(side.progress) < 2:
        return empty
    times = side.progress["time"].to_numpy().astype("datetime64[us]")
    done = numbers(side.progress["transferred_bytes"]).astype(np.float64)
    known = ~np.isnan(done) & ~np.isnat(times)
    times, done = times[known], done[known]
    if len(times) < 2:
        return empty
    seconds = np.diff(times).astype(np.float64) / 1e6
    moved = np.diff(done)
    # Reports at a change of state lie close together: what they are apart is no rate.
    good = (seconds >= SHORTEST * np.median(seconds)) & (seconds > 0) & (moved >= 0)
    return times[1:][good], moved[good] / seconds[good]


def rates(operation: Operation, usages: Iterable[Usage]) -> Rates:
    """Give the rate's percentiles: from progress reports, else Backup/Restore Throughput/sec."""
    mean = operation.bytes_per_s
    reported = [(side, between_reports(side)[1]) for side in operation.sides]
    best, values = max(reported, key=lambda each: len(each[1]), default=(None, np.array([])))
    if best is not None and len(values) >= 2:
        p5, p50, p95 = (float(p) for p in np.quantile(values, [0.05, 0.5, 0.95]))
        source = f"progress reports of {best.host or 'the ' + best.role}"
        return Rates(mean, p5, p50, p95, len(values), source)
    rows = list(usages)
    for role in (SOURCE, TARGET):
        side = operation.source if role == SOURCE else operation.target
        usage = of(rows, operation.number, side.host if side else None, "backup_restore")
        if usage is not None and usage.highest > 0:
            source = f"Backup/Restore Throughput/sec of {usage.host}"
            return Rates(mean, usage.p5, usage.p50, usage.p95, usage.n, source)
    return Rates(mean)
