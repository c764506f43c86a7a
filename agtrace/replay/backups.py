"""Backups between tested configurations: what one that was not run would reach, never beyond those that were.

Along one factor, the others equal, throughput lies between its tested neighbours: on a straight line over the
logarithms of both. Where several factors have such neighbours, each tells, the closer ones more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

AXES = ("buffer_count", "max_transfer_size_kb", "stripes")
STEEP = 2.0
"""Between two neighbours further apart than this factor a line tells nothing."""
SCATTERED = 0.5
"""Nor does it where the runs of one of them scatter by more (p95 less p5, of the median)."""
MODEL_SPREAD = 0.06
"""What a line is off between its ends (one sigma); measured by leaving tested configurations out."""


@dataclass(frozen=True)
class Point:
    """A tested configuration.

    Parameters
    ----------
    factors
        All that it was run with; those of `AXES` are numbers.
    mb_per_s, spread
        Median, and p95 less p5 of it.
    n
        Runs.
    """

    factors: tuple[tuple[str, object], ...]
    mb_per_s: float
    spread: float
    n: int

    def get(self, name: str) -> object:
        return dict(self.factors).get(name)


@dataclass(frozen=True)
class Between:
    """What a configuration between tested ones would reach, with its 90 % band; MB/s."""

    mb_per_s: float
    low: float
    high: float
    along: tuple[str, ...]


def between(asked: dict[str, object], tested: Sequence[Point]) -> Between | str:
    """Estimate a configuration.

    Returns
    -------
    Between or str
        The key of what says why there is none: it lies at the ``edge``, or its neighbours are too far apart
        (``steep``) or too uncertain (``scattered``).
    """
    told: list[tuple[str, float, float, float]] = []
    whys = {"edge"}
    for axis in AXES:
        at = _number(asked.get(axis))
        line = (
            sorted(
                (value, point)
                for point in tested
                if (value := _number(point.get(axis))) is not None and _alike(asked, point, axis)
            )
            if at is not None
            else []
        )
        low = max(
            ((v, p) for v, p in line if at is not None and v < at), key=lambda pair: pair[0], default=None
        )
        high = min(
            ((v, p) for v, p in line if at is not None and v > at), key=lambda pair: pair[0], default=None
        )
        if at is None or low is None or high is None:
            continue
        ends = (low[1], high[1])
        if max(ends[0].mb_per_s / ends[1].mb_per_s, ends[1].mb_per_s / ends[0].mb_per_s) > STEEP:
            whys.add("steep")
        elif any(end.spread > SCATTERED for end in ends):
            whys.add("scattered")
        else:
            gap = log(high[0] / low[0])
            share = log(at / low[0]) / gap
            value = (1 - share) * log(ends[0].mb_per_s) + share * log(ends[1].mb_per_s)
            error = sqrt(sum((end.spread / 3.29) ** 2 / end.n for end in ends))
            told.append((axis, value, gap, error))
    if not told:
        return next(why for why in ("scattered", "steep", "edge") if why in whys)
    weights = [1 / gap**2 for _axis, _value, gap, _error in told]
    value = sum(w * each[1] for w, each in zip(weights, told, strict=True)) / sum(weights)
    apart = max(abs(each[1] - value) for each in told)
    away = 1.645 * sqrt(MODEL_SPREAD**2 + max(each[3] for each in told) ** 2 + apart**2)
    return Between(exp(value), exp(value - away), exp(value + away), tuple(each[0] for each in told))


def _alike(asked: dict[str, object], point: Point, axis: str) -> bool:
    return all(value == asked.get(name) for name, value in point.factors if name != axis)


def _number(value: object) -> float | None:
    return (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None
    )


def untested(tested: Sequence[Point]) -> list[dict[str, object]]:
    """Give configurations between neighbours: buffers and sizes that a statement can ask for, not run yet."""
    found: list[dict[str, object]] = []
    for axis in AXES[:2]:
        for point in tested:
            at = _number(point.get(axis))
            line = sorted(
                value
                for other in tested
                if _alike(dict(point.factors), other, axis)
                and (value := _number(other.get(axis))) is not None
            )
            nexts = [value for value in line if at is not None and value > at]
            if at is None or not nexts:
                continue
            middle = sqrt(at * nexts[0])
            # MAXTRANSFERSIZE is a multiple of 64 KB.
            value = round(middle) if axis == "buffer_count" else round(middle / 64) * 64
            if at < value < nexts[0]:
                found.append(dict(point.factors) | {axis: int(value)})
    return found


def left_out(tested: Sequence[Point]) -> list[tuple[Point, Between | str]]:
    """Predict each tested configuration from the others."""
    return [
        (point, between(dict(point.factors), [other for other in tested if other is not point]))
        for point in tested
    ]
