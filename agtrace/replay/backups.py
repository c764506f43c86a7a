"""Estimate untested backup configurations by interpolation between tested ones; never beyond them.

The time per byte is a fixed time, plus its share of the fixed cost of a transfer, a buffer or a device. So it
is linear in one over the size, the number of buffers or the number of devices. Between two tested neighbours
along one of these axes, all else equal, that line gives the estimate. If several axes have such neighbours,
their estimates are averaged, the closer ones with more weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

AXES = ("buffer_count", "max_transfer_size_kb", "stripes")
UNSETTLED = 0.15
"""A configuration whose median its runs leave more open (half of the 95 % interval, as a share) tells nothing
that has to be right to so much."""
MODEL_SPREAD = 0.06
"""Error of the interpolation between its ends (one sigma), from leave-one-out tests."""


@dataclass(frozen=True)
class Point:
    """A tested configuration.

    Parameters
    ----------
    factors
        All that it was run with; those of `AXES` are numbers.
    mb_per_s
        Median of its runs.
    doubt
        Half of the 95 % interval of that median, as a share of it.
    n
        Runs.
    """

    factors: tuple[tuple[str, object], ...]
    mb_per_s: float
    doubt: float
    n: int

    def get(self, name: str) -> object:
        return dict(self.factors).get(name)

    @property
    def is_settled(self) -> bool:
        """Its runs agree well enough on what it reaches."""
        return self.doubt <= UNSETTLED


@dataclass(frozen=True)
class Between:
    """Estimated rate of a configuration between tested ones, with its 90 % band; MB/s."""

    mb_per_s: float
    low: float
    high: float
    along: tuple[str, ...]


@dataclass(frozen=True)
class _Along:
    """Estimate from the neighbours along one axis: logarithm of the rate, their gap, and the error."""

    axis: str
    value: float
    gap: float
    error: float


def between(asked: dict[str, object], tested: Sequence[Point]) -> Between | str:
    """Estimate a configuration.

    Returns
    -------
    Between or str
        If there is no estimate, the key of the reason: it is at the ``edge``, its neighbours are too
        uncertain (``scattered``), or they gain more than the interpolation allows (``steep``).
    """
    told: list[_Along] = []
    whys = {"edge"}
    for axis in AXES:
        at = _number(asked.get(axis))
        if at is None:
            continue
        line = [
            (value, point)
            for point in tested
            if (value := _number(point.get(axis))) is not None and _alike(asked, point, axis)
        ]
        ends = _ends(at, line)
        if ends is None:
            continue
        # Skip configurations whose runs do not agree, and use the next ones as neighbours.
        ends = _ends(at, [(value, point) for value, point in line if point.is_settled])
        found = "scattered" if ends is None else _along(axis, at, *ends)
        if isinstance(found, str):
            whys.add(found)
        else:
            told.append(found)
    if not told:
        return next(why for why in ("scattered", "steep", "edge") if why in whys)
    weights = [1 / each.gap**2 for each in told]
    value = sum(w * each.value for w, each in zip(weights, told, strict=True)) / sum(weights)
    apart = max(abs(each.value - value) for each in told)
    away = 1.645 * sqrt(MODEL_SPREAD**2 + max(each.error for each in told) ** 2 + apart**2)
    return Between(exp(value), exp(value - away), exp(value + away), tuple(each.axis for each in told))


_End = tuple[float, Point]


def _ends(at: float, line: Sequence[_End]) -> tuple[_End, _End] | None:
    """Return the neighbours on both sides; None if one side has none."""
    below, above = [end for end in line if end[0] < at], [end for end in line if end[0] > at]
    if not below or not above:
        return None
    return max(below, key=lambda end: end[0]), min(above, key=lambda end: end[0])


def _along(axis: str, at: float, low: _End, high: _End) -> _Along | str:
    first, last = 1 / low[1].mb_per_s, 1 / high[1].mb_per_s
    if first / last > high[0] / low[0]:
        # Twice the buffers do not bring more than twice as much: something else changed as well.
        return "steep"
    share = (1 / low[0] - 1 / at) / (1 / low[0] - 1 / high[0])
    value = -log(first + share * (last - first))
    gap = log(high[0] / low[0])
    # A line over the logarithms of both is the other law that is in use: where they part, less is known.
    straight = -log(first) + log(at / low[0]) / gap * log(first / last)
    doubt = max(low[1].doubt, high[1].doubt) / 1.96
    return _Along(axis, value, gap, sqrt(doubt**2 + ((value - straight) / 2) ** 2))


def _alike(asked: dict[str, object], point: Point, axis: str) -> bool:
    return all(value == asked.get(name) for name, value in point.factors if name != axis)


def _number(value: object) -> float | None:
    return (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None
    )


def untested(tested: Sequence[Point]) -> list[dict[str, object]]:
    """Return untested configurations between neighbours: buffers and sizes that a statement accepts."""
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
