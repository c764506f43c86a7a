"""Whether two sides were captured at the same time: overlap, and clocks that are off.

The primary's flushed log equals the replica's received log plus the growth of its send queue, moment by
moment. If these two series match only after a shift, a clock is off by that shift. Loads repeat and hosts
join late, so a match alone proves nothing: it must hold without any part of it, and no other shift may match
nearly as well. Neither the log by the unshifted clocks nor entries of both hosts about each other may
contradict it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.history.streams.network_facts import Pairs
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import together
from agtrace.measure.grid import Node, Values
from agtrace.thresholds import Thresholds

NEAR_S = 120.0
"""Shifts within this many seconds of the best one are the same match."""
LEAST_CELLS = 40
FEW_CELLS = 12
"""Fewest cells for which a match of the unshifted clocks contradicts a shift."""
NEARLY = 0.05
"""A rival with less overlap counts if its correlation is lower by at most this."""
PARTS = 4
"""A match must hold without any one of this many parts: a single edge or burst matches anything."""
MOST_CELLS = 50_000


@dataclass(frozen=True)
class Shift:
    """A shift after which the counters of two hosts fit each other.

    Parameters
    ----------
    seconds
        How far the primary's clock is ahead of the replica's.
    fit
        Correlation after the shift.
    n, resolution
        Cells compared, and seconds of each.
    """

    seconds: float
    fit: float
    n: int
    resolution: float


@dataclass(frozen=True, eq=False)
class Apart:
    """Two sides of a link that were captured, and are not judged together.

    Parameters
    ----------
    primary, primary_rows
        The primary and its rows in that role.
    overlap
        Samples of the replica while the primary was captured, by their clocks.
    shift
        What the clocks are off by, None where nothing fits.
    """

    primary: Node
    primary_rows: slice
    overlap: int
    shift: Shift | None


def apart(
    primary: Node,
    primary_rows: slice,
    secondary: Node,
    secondary_rows: slice,
    databases: list[str],
    limits: Thresholds,
    pairs: Pairs | None = None,
) -> Apart | None:
    """Return why two sides cannot be judged together; None if they can.

    They can if ``min_samples`` of each are within the other's capture and no clock shift makes their counters
    match better, or if ``pairs``, entries logged by both hosts at that time, contradict the shift.
    """
    here, there = primary.times[primary_rows], secondary.times[secondary_rows]
    overlap = min(_within(here, there, secondary.step), _within(there, here, primary.step))
    shift = fit(primary, primary_rows, secondary, secondary_rows, databases, limits)
    if shift is not None and _is_denied(shift, here, there, pairs, limits):
        shift = None
    if overlap >= limits.min_samples and shift is None:
        return None
    return Apart(primary, primary_rows, overlap, shift)


def _is_denied(shift: Shift, here: Values, there: Values, pairs: Pairs | None, limits: Thresholds) -> bool:
    """Return whether both hosts' logs during their counters contradict a shift."""
    if pairs is None or not all(pairs.within(side[0], side[-1]) for side in (here, there)):
        return False
    return abs(shift.seconds - pairs.left) >= max(limits.skew_least_s, 3 * shift.resolution)


def _within(one: Values, other: Values, step: float) -> int:
    """Return the number of moments of one series within another, extended by a step at both ends."""
    if not len(one) or not len(other):
        return 0
    return int(((one >= other[0] - step) & (one <= other[-1] + step)).sum())


def fit(
    primary: Node,
    primary_rows: slice,
    secondary: Node,
    secondary_rows: slice,
    databases: list[str],
    limits: Thresholds,
) -> Shift | None:
    """Return the shift between two clocks; None if they agree or the data is not enough."""
    here, there = primary.times[primary_rows], secondary.times[secondary_rows]
    if min(len(here), len(there)) < LEAST_CELLS:
        return None
    span = max(here[-1] - here[0], there[-1] - there[0])
    step = max(primary.step, secondary.step, span / MOST_CELLS)
    flushed = _flushed(primary, primary_rows, databases)
    queued = _queued(secondary, secondary_rows, databases)
    if flushed is None or queued is None:
        return None
    made = np.cumsum(np.append(0.0, np.nan_to_num(flushed[1:]) * np.diff(here)))
    gone = _cells(here, made, ~np.isnan(flushed), step)
    came = _cells(there, queued[0], queued[1], step)
    if gone is None or came is None:
        return None
    lags, alike, cells = correlations(gone, came)
    least = max(LEAST_CELLS, min(np.isfinite(gone).sum(), np.isfinite(came).sum()) // 2)
    long = np.where(cells >= least, alike, np.nan)
    if np.isnan(long).all():
        return None
    best = int(np.nanargmax(long))
    start = float(here[0] - there[0])
    written = round(-start / step)
    lag, found = int(lags[best]), float(alike[best])
    seconds = start + lag * step
    if found < limits.skew_fit or abs(seconds) < max(limits.skew_least_s, 3 * step):
        return None
    # A broad peak may contain the unshifted clocks: then they agree well enough.
    as_written = alike[(lags == written) & (cells >= FEW_CELLS)]
    near = np.abs(lags - lag) <= max(int(NEAR_S / step), 2)
    rivals = np.append(long[~near], as_written)
    lesser = alike[~near & (cells >= LEAST_CELLS)]
    if (rivals > found - limits.skew_clear).any() or (lesser > found - NEARLY).any():
        return None
    gone_then, came_then = _meeting(gone, came, lag)
    if not 1 - limits.skew_bytes_share <= _bytes(gone_then, came_then) <= 1 + limits.skew_bytes_share:
        return None
    least_fit = limits.skew_fit - limits.skew_clear
    if not _holds_in_parts(gone_then, came_then, least_fit) or not _is_elsewhere(gone, came, written, limits):
        return None
    return Shift(seconds, found, int(cells[best]), step)


def _meeting(gone: Values, came: Values, lag: int) -> tuple[Values, Values]:
    """Return the cells of two series that match at a lag and are known in both, in order."""
    first, last = max(lag, 0), max(min(len(gone), len(came) + lag), max(lag, 0))
    one, other = gone[first:last], came[first - lag : last - lag]
    both = np.isfinite(one) & np.isfinite(other)
    return one[both], other[both]


def _holds_in_parts(one: Values, other: Values, least_fit: float) -> bool:
    """Return whether two series fit without any one part."""
    part = np.arange(len(one)) * PARTS // max(len(one), 1)
    for left_out in range(PARTS):
        rest = part != left_out
        a, b = one[rest], other[rest]
        if np.ptp(a) == 0 or np.ptp(b) == 0 or np.corrcoef(a, b)[0, 1] < least_fit:
            return False
    return True


def _is_elsewhere(gone: Values, came: Values, written: int, limits: Thresholds) -> bool:
    """Return whether the log is at another lag than by the clocks; true if they never overlap."""
    a, b = (side**2 for side in _meeting(gone, came, written))
    most = float(np.maximum(a, b).sum())
    return len(a) < FEW_CELLS or float(np.abs(a - b).sum()) > limits.skew_elsewhere_share * most


def correlations(one: Values, other: Values) -> tuple[np.ndarray, Values, np.ndarray]:
    """Correlate two series with blanks at every lag.

    Returns
    -------
    lags, correlation, n
        At lag k row j of ``other`` meets row j + k of ``one``; n rows have a value in both.
    """
    size = 1 << int(np.ceil(np.log2(len(one) + len(other))))
    a_known, b_known = np.isfinite(one), np.isfinite(other)
    a = np.where(a_known, one - np.mean(one[a_known]), 0.0)
    b = np.where(b_known, other - np.mean(other[b_known]), 0.0)

    def together_at(left: Values, right: Values) -> Values:
        product = np.fft.rfft(left, size) * np.conj(np.fft.rfft(right, size))
        return np.fft.irfft(product, size)

    ones_a, ones_b = a_known.astype(float), b_known.astype(float)
    n = np.round(together_at(ones_a, ones_b))
    safe = np.maximum(n, 1)
    sum_a, sum_b = together_at(a, ones_b), together_at(ones_a, b)
    cross = together_at(a, b) - sum_a * sum_b / safe
    var_a = together_at(a * a, ones_b) - sum_a**2 / safe
    var_b = together_at(ones_a, b * b) - sum_b**2 / safe
    # Rounding leaves small residuals where a series is flat.
    floor = 1e-9 * max(float((a * a).sum()), float((b * b).sum()), 1e-30)
    flat = (var_a <= floor) | (var_b <= floor)
    alike = np.where(flat, np.nan, cross / np.sqrt(np.where(flat, 1.0, var_a * var_b)))
    lags = np.arange(size)
    lags = np.where(lags < len(one), lags, lags - size)
    order = np.argsort(lags)
    return lags[order], alike[order], n[order]


def _flushed(node: Node, rows: slice, databases: list[str]) -> Values | None:
    found = [v[rows] for name in databases if (v := node.get(c.FLUSHED, name)) is not None]
    return together(found)


def _queued(node: Node, rows: slice, databases: list[str]) -> tuple[Values, np.ndarray] | None:
    """Return the log that reached a replica or its queue so far, bytes, and the mask of known values."""
    times = node.times[rows]
    got = [v[rows] for name in databases if (v := node.get(c.RECEIVED, name)) is not None]
    queue = [1024 * v[rows] for name in databases if (v := node.get(c.SEND_QUEUE, name)) is not None]
    received, waiting = together(got), together(queue)
    if received is None or waiting is None:
        return None
    total = np.cumsum(np.append(0.0, np.nan_to_num(received[1:]) * np.diff(times)))
    return total + np.nan_to_num(waiting), ~np.isnan(received) & ~np.isnan(waiting)


def _cells(times: Values, total: Values, known: np.ndarray, step: float) -> Values | None:
    """Return the root of the mean rate in cells of a grid, smoothed over three; NaN where blank.

    The root keeps one burst from standing for the whole series.
    """
    edges = np.arange(times[0], times[-1] + step / 2, step)
    if len(edges) < LEAST_CELLS or not known.any():
        return None
    rate = np.diff(np.interp(edges, times[known], total[known])) / step
    nearest = np.searchsorted(times[known], edges[1:] - step / 2).clip(0, known.sum() - 1)
    rate[np.abs(times[known][nearest] - edges[1:]) > 2 * step] = np.nan
    root = np.sqrt(np.maximum(rate, 0.0))
    wide = np.convolve(np.nan_to_num(root), np.ones(3), "same")
    counted = np.convolve(np.isfinite(root).astype(float), np.ones(3), "same")
    return np.where(np.isfinite(root), wide / np.maximum(counted, 1), np.nan)


def _bytes(gone: Values, came: Values) -> float:
    """Return the log that arrived over the log sent, over matching cells."""
    went = float((gone**2).sum())
    return float((came**2).sum()) / went if went > 0 else 0.0
