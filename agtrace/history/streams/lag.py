"""Detection of queues that fill, do not move, or freeze: one database, in bytes and bytes per second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.measure.gapped import Slope, runs, slope
from agtrace.measure.grid import Values, mean
from agtrace.thresholds import Thresholds

BRIDGE = 3
LEAST_QUEUE = 64 * 1024


@dataclass(frozen=True)
class Lag:
    """A span in which a queue stayed filled.

    Parameters
    ----------
    first, last
        Rows of the span, ``last`` excluded.
    slope
        Growth of the queue, bytes per second.
    growing
        Whether the queue keeps a share of the passing log, over the whole span.
    share
        That share: what the queue gained / (what it gained + what left it).
    open_end
        The stretch reaches the end of the window: the queue had not drained.
    """

    first: int
    last: int
    slope: Slope
    growing: bool
    share: float
    open_end: bool

    @property
    def rows(self) -> slice:
        return slice(self.first, self.last)


def full(times: Values, queue: Values, leaving: Values | None, behind_s: float) -> float:
    """Return the level at which a queue counts as filled: some seconds of its incoming log."""
    whole = slope(times, queue)
    out = mean(leaving)
    entering = max(out + (whole.value if whole else 0.0), out, 0.0)
    return max(behind_s * entering, LEAST_QUEUE)


def lag(
    times: Values, queue: Values, leaving: Values | None, behind_s: float, limits: Thresholds
) -> Lag | None:
    """Return the longest span in which a queue held more than ``behind_s`` seconds of log.

    Parameters
    ----------
    times, queue
        The queue (bytes) over time.
    leaving
        What leaves the queue, bytes per second; the log that enters is what leaves plus the
        growth of the queue, so that one side suffices.
    """
    known = ~np.isnan(queue)
    if known.sum() < limits.min_samples:
        return None
    level = full(times, queue, leaving, behind_s)
    # Blank cells neither fill nor drain a queue.
    carried = queue[np.maximum.accumulate(np.where(known, np.arange(len(queue)), 0))]
    stretches = runs(np.nan_to_num(carried) > level, BRIDGE)
    if not stretches:
        return None
    first, last = max(stretches, key=lambda s: s[1] - s[0])
    rows = slice(first, last)
    held = float(times[last - 1] - times[first])
    if held < limits.growing_minutes * 60 or known[rows].sum() < limits.min_samples:
        return None
    fit = slope(times[rows], queue[rows])
    if fit is None:
        return None
    out = mean(None if leaving is None else leaving[rows])
    if max(out, abs(fit.value)) < limits.idle_log_bytes_per_s:
        return None  # no log enters or leaves: there is no rate to judge by
    held_rows = np.flatnonzero(known[rows]) + first
    kept = float(queue[held_rows[-1]] - queue[held_rows[0]]) / held
    share = kept / (kept + out) if kept > 0 else 0.0
    growing = fit.low > 0 and share >= limits.growth_share
    return Lag(first, last, fit, growing, share, last >= len(queue) - BRIDGE - 1)


def frozen(
    times: Values, queue: Values, received: Values | None, limits: Thresholds
) -> tuple[int, int] | None:
    """Return the longest span in which a queue did not move and no log was received.

    The caller decides whether log was generated in that time, which makes such a queue stale.
    """
    known = np.flatnonzero(~np.isnan(queue))
    if received is None or len(known) < limits.min_samples:
        return None
    level = queue[known]
    moving = np.nan_to_num(received[known]) > 0
    breaks = np.diff(level, prepend=np.nan) != 0
    breaks |= moving | np.append(False, moving[:-1])
    starts = np.flatnonzero(breaks)
    ends = np.append(starts[1:], len(known))
    longest = int((ends - starts).argmax())
    first, end = known[starts[longest]], known[ends[longest] - 1] + 1
    held = times[end - 1] - times[first]
    if held < limits.suspended_minutes * 60 or ends[longest] - starts[longest] < limits.min_samples:
        return None
    return int(first), int(end)
