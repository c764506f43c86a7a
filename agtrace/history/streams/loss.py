"""How much log a failover would lose (RPO), and how long redo would take (RTO), in seconds.

Microsoft's formulas ("Monitor performance for Always On availability groups"), on counters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.history.streams.chain import Chain
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import IDLE, Part
from agtrace.measure.gapped import Slope, Spread, last, slope, spread
from agtrace.measure.grid import Values
from agtrace.thresholds import Thresholds

INTEGRAL, ESTIMATE = "integral", "estimate"


@dataclass(frozen=True, eq=False)
class Loss:
    """Estimated data loss of a database over time.

    Parameters
    ----------
    times, seconds
        Age of the oldest log not yet received, per sample of the secondary.
    end
        The same at the end of the window.
    method
        ``integral``: from the primary's log, sample by sample; ``estimate``: queue / mean log
        generated, where only the secondary was captured or the clocks do not compare.
    bounds
        How many samples are rough: the log at risk is older than the capture, or the queue was
        stale.
    resolution
        Sampling interval, seconds.
    at_least
        The value at the end is a lower bound: the log at risk is older than the first sample.
    growing
        The queue grew, which tells of a lower bound that the loss does, too.
    queue
        At the end, bytes.
    older
        Which samples are lower bounds: the log at risk is older than the first sample.
    """

    database: str
    times: Values
    seconds: Values
    spread: Spread
    end: float
    method: str
    bounds: int
    resolution: float
    at_least: bool = False
    growing: bool = False
    queue: float = 0.0
    older: np.ndarray | None = None

    @property
    def basis(self) -> str:
        """Return the method of computation, and whether it is only a lower bound."""
        return f"at least, {self.method}" if self.at_least else self.method

    @property
    def trend(self) -> Slope | None:
        """Growth in seconds per second; None for lower bounds, which grow as the capture does."""
        return None if self.at_least else slope(self.times, self.seconds)


def estimate_loss(link: Link, part: Part, limits: Thresholds) -> Loss | None:
    """Estimate the data loss of a database; None where the captures, or too little log, carry none."""
    read = part.chain
    if read.send_queue is None or link.secondary is None or IDLE in part.states:
        return None
    queue = read.send_queue.values
    if int((~np.isnan(queue)).sum()) < limits.min_samples:
        return None
    if read.flushed is not None and link.aligned and link.primary is not None:
        moments = link.primary.times[link.primary_rows]
        seconds, bound = backward_integral(moments, read.flushed.values, read.times, queue)
        method = INTEGRAL
    else:
        seconds, method = _estimate(read, queue), ESTIMATE
        # The rate of log generated before the first sample is unknown.
        since = read.times - read.times[0]
        bound = np.nan_to_num(seconds) > np.maximum(since, link.secondary.step)
        seconds = np.where(bound, since, seconds)
    older = bound.copy()
    if part.stale is not None:
        # A stale queue shows the loss at the moment it froze; it has grown since.
        first, end = part.stale
        at_freeze = seconds[first] if not np.isnan(seconds[first]) else 0.0
        seconds[first:end] = at_freeze + read.times[first:end] - read.times[first]
        # One that was stale from the first sample on froze at an unknown moment before it.
        older[first:end] = older[first] or first == 0
        bound[first:end] = True
    known, latest = spread(seconds), last(seconds)
    if known is None or latest is None or known.n < limits.min_samples:
        return None
    bounds = int((bound & ~np.isnan(seconds)).sum())
    step = link.secondary.step
    told = np.flatnonzero(~np.isnan(seconds))
    grown = slope(read.times, queue)
    return Loss(
        part.database, read.times, seconds, known, latest, method, bounds, step,
        at_least=bool(older[told[-1]]), growing=grown is not None and grown.low > 0,
        queue=last(queue) or 0.0, older=older,
    )  # fmt: skip


def backward_integral(
    moments: Values, flushed: Values, times: Values, queue: Values
) -> tuple[Values, np.ndarray]:
    """Return t - t0 for each sample, where the log flushed from t0 to t equals the queue at t.

    Parameters
    ----------
    moments, flushed
        Samples of the primary; a rate covers the time since the sample before.
    times, queue
        Samples of the secondary, bytes.

    Returns
    -------
    seconds, is_bound
        NaN outside the primary's samples. Where the queue holds more than was flushed since the
        first sample, the time since that sample: a lower bound.
    """
    known = ~np.isnan(flushed)
    if known.sum() < 2:
        return np.full(len(times), np.nan), np.zeros(len(times), bool)
    rate = np.interp(moments, moments[known], flushed[known])
    total = np.concatenate([[0.0], np.cumsum(np.diff(moments) * rate[1:])])
    reached = np.interp(times, moments, total, left=np.nan, right=np.nan)
    wanted = reached - queue
    place = np.clip(np.searchsorted(total, np.nan_to_num(wanted), side="right"), 1, len(total) - 1)
    step = total[place] - total[place - 1]
    part = np.divide(wanted - total[place - 1], step, out=np.ones_like(step), where=step > 0)
    since = moments[place - 1] + np.clip(part, 0, 1) * (moments[place] - moments[place - 1])
    seconds = np.maximum(times - since, 0.0)
    older = wanted < 0
    seconds = np.where(older, times - moments[0], seconds)
    seconds[np.isnan(wanted)] = np.nan
    return seconds, older


def _estimate(read: Chain, queue: Values) -> Values:
    if read.flushed is not None:
        generated = read.flushed.mean
    else:
        grown = slope(read.times, queue)
        arrived = read.received.mean if read.received is not None else 0.0
        generated = arrived + max(grown.value if grown else 0.0, 0.0)
    if generated <= 0:
        return np.full(len(queue), np.nan)
    return queue / generated


@dataclass(frozen=True, eq=False)
class RedoTime:
    """Estimated redo time of a database.

    Parameters
    ----------
    spread, end
        Seconds over the window, and at its end.
    capacity
        Capacity of redo, log bytes per second.
    n
        Samples with a recovery queue, which the capacity rests on.
    at_most
        Redo kept up: it may be able to do more than was asked of it, so that times are upper bounds.
    """

    database: str
    times: Values
    spread: Spread
    end: float
    capacity: float
    n: int
    at_most: bool = False


def redo_time(part: Part, limits: Thresholds) -> RedoTime | None:
    """Estimate the redo time of a database: recovery queue / redo capacity; None without either.

    Capacity is the 75th percentile of Redone Bytes/sec over the samples with a recovery queue; an
    idle redo rate is demand, not capacity, so too few such samples give none.
    """
    read = part.chain
    if read.recovery_queue is None or read.redone is None:
        return None
    queue, redone = read.recovery_queue.values, read.redone.values
    busy = (np.nan_to_num(queue) > 0) & ~np.isnan(redone)
    n = int(busy.sum())
    if n < limits.min_samples:
        return None
    capacity = float(np.percentile(redone[busy], 75))
    if capacity <= 0:
        return None
    known, end = spread(queue / capacity), last(queue / capacity)
    if known is None or end is None:
        return None
    at_most = part.redo_lag is None
    return RedoTime(part.database, read.times, known, end, capacity, n, at_most)
