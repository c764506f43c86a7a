"""State of the log stream of one database, before its cause is judged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from agtrace.history.streams.chain import Chain, databases_of, read_chain
from agtrace.history.streams.lag import Lag, frozen, full, lag
from agtrace.history.streams.links import Link
from agtrace.measure.gapped import last
from agtrace.thresholds import Thresholds

SUSPENDED, BEHIND, FINE, IDLE = "suspended", "behind", "fine", "idle"
TOO_FEW, TOO_SHORT = "too few samples", "filled for too short a time"


@dataclass(eq=False)
class Part:
    """One database on a link, as captured."""

    chain: Chain
    states: set[str] = field(default_factory=set)
    send_lag: Lag | None = None
    redo_lag: Lag | None = None
    stale: tuple[int, int] | None = None

    @property
    def database(self) -> str:
        return self.chain.databases[0]


def parts_of(link: Link, limits: Thresholds) -> list[Part]:
    """Read each database of a link and say what state its stream is in."""
    return [_part(link, read_chain(link, [name]), limits) for name in databases_of(link)]


def _part(link: Link, read: Chain, limits: Thresholds) -> Part:
    part = Part(read)
    if read.send_queue is None:
        part.states.add(TOO_FEW)
    else:
        queue = read.send_queue.values
        received = read.received.values if read.received else None
        part.stale = _stale(link, read, limits)
        if part.stale is not None:
            part.states.add(SUSPENDED)
            queue = queue.copy()
            queue[slice(*part.stale)] = np.nan
        part.send_lag = lag(read.times, queue, received, limits.behind_s, limits)
        if part.send_lag is not None and not _catching_up(part):
            part.states.add(BEHIND)
        elif int((~np.isnan(queue)).sum()) < limits.min_samples and not part.states:
            part.states.add(TOO_FEW)
        elif not part.states:
            moved = max((s.mean for s in (read.flushed, read.received) if s is not None), default=0)
            if moved < limits.idle_log_bytes_per_s:
                part.states.add(IDLE)
            elif (last(queue) or 0.0) > full(read.times, queue, received, limits.behind_s):
                part.states.add(TOO_SHORT)
            else:
                part.states.add(FINE)
    part.redo_lag = _redo_lag(part, limits)
    return part


def _stale(link: Link, read: Chain, limits: Thresholds) -> tuple[int, int] | None:
    """Return the rows in which the queue is frozen although log is generated."""
    if read.send_queue is None or read.received is None:
        return None
    rows = frozen(read.times, read.send_queue.values, read.received.values, limits)
    if rows is None:
        return None
    generated = _during(link, read, rows)
    if generated is None:
        # Without the primary only a queue that holds log and does not move gives itself away.
        return rows if read.send_queue.values[rows[0]] > 0 else None
    return rows if generated >= limits.idle_log_bytes_per_s else None


def _during(link: Link, read: Chain, rows: tuple[int, int]) -> float | None:
    """Return the mean log generated on the primary during the secondary's rows."""
    if read.flushed is None or link.primary is None:
        return None
    values = read.flushed.values
    if link.aligned:
        moments = link.primary.times[link.primary_rows]
        values = values[(moments > read.times[rows[0]]) & (moments <= read.times[rows[1] - 1])]
    return None if not len(values) or np.isnan(values).all() else float(np.nanmean(values))


def _catching_up(part: Part) -> bool:
    """Return whether the queue only drains what a suspension left."""
    lagging, stale = part.send_lag, part.stale
    if lagging is None or stale is None:
        return False
    return not lagging.growing and stale[1] <= lagging.last and stale[0] <= lagging.first + 3


def _redo_lag(part: Part, limits: Thresholds) -> Lag | None:
    """Return the period in which redo was behind: the recovery queue grew, or was long to redo."""
    read = part.chain
    if read.recovery_queue is None:
        return None
    queue, redone = read.recovery_queue.values, read.redone.values if read.redone else None
    if part.stale is not None:
        # Suspended data movement suspends redo as well.
        queue = queue.copy()
        queue[slice(*part.stale)] = np.nan
    found = lag(read.times, queue, redone, limits.behind_s, limits)
    if found is None or found.growing:
        return found
    if redone is None or np.isnan(redone[found.rows]).all():
        return None
    rate = float(np.nanmean(redone[found.rows]))
    held = float(np.nanmedian(queue[found.rows]))
    return found if held > limits.redo_behind_s * rate else None
