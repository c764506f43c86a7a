"""The load of a stream as it was captured: log generated, received, redone and waiting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.history.streams.chain import Series, Stream
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import Part
from agtrace.measure.gapped import together
from agtrace.measure.grid import Values
from agtrace.thresholds import Thresholds

MOST_BLANK = 0.2
"""More of the samples may not be blank."""


@dataclass(frozen=True, eq=False)
class Redone:
    """Redo of one database: log hardened and redone since the first sample, and what waited, bytes."""

    database: str
    first_queue: float
    flushed: Values
    redone: Values
    queue: Values


@dataclass(frozen=True, eq=False)
class Load:
    """A stream, all of its databases together, at the samples of the replica.

    Parameters
    ----------
    times
        Seconds.
    generated
        Log flushed on the primary since the first sample, bytes.
    received
        Log that arrived since then, bytes.
    wire
        The same on the wire; None where it was not counted.
    queue
        Log send queue, bytes.
    databases
        Redo of each database, if captured.
    has_primary
        Whether ``generated`` was measured on the primary; else it is the log received plus the queue growth.
    """

    times: Values
    generated: Values
    received: Values
    wire: Values | None
    queue: Values
    databases: tuple[Redone, ...]
    has_primary: bool

    @property
    def seconds(self) -> float:
        return float(self.times[-1] - self.times[0])

    @property
    def rate(self) -> float:
        """Log generated, mean, bytes per second."""
        return float(self.generated[-1]) / self.seconds

    @property
    def received_rate(self) -> float:
        return float(self.received[-1]) / self.seconds

    @property
    def on_wire(self) -> Values:
        """Bytes on the wire since the first sample, log where the wire was not counted."""
        return self.received if self.wire is None else self.wire


def read(link: Link, parts: list[Part], stream: Stream, limits: Thresholds) -> Load | str:
    """Read the load of a link.

    Returns
    -------
    Load or str
        The load, or the key of the reason why the captures do not have it.
    """
    parts = [part for part in parts if part.chain.send_queue is not None and part.chain.received is not None]
    if link.secondary is None or not parts:
        return "no_replica"
    if any(part.stale is not None for part in parts):
        return "stale"
    times = link.times
    queue = _gauge(times, together([_values(part.chain.send_queue) for part in parts]))
    received = _total(times, together([_values(part.chain.received) for part in parts]))
    if queue is None or received is None or len(times) < limits.min_samples:
        return "too_few"
    generated, has_primary = _generated(link, parts, times), True
    if generated is None:
        generated, has_primary = received + queue - queue[0], False
    whole = len(parts) == len(link.group.databases)
    wire = _total(times, stream.wire.values) if stream.wire is not None and whole else None
    if wire is not None and not 0 < wire[-1] <= 20 * max(received[-1], 1.0):
        wire = None
    databases = [redone for part in parts if (redone := _redone(part, times)) is not None]
    return Load(times, generated, received, wire, queue, tuple(databases), has_primary)


def _values(series: Series | None) -> Values:
    assert series is not None
    return series.values


def _generated(link: Link, parts: list[Part], times: Values) -> Values | None:
    """Return the primary's flushes at the replica's samples; None if its samples do not cover them."""
    if link.primary is None or not link.aligned:
        return None
    found = [part.chain.flushed for part in parts]
    if any(series is None for series in found):
        return None
    moments = link.primary.times[link.primary_rows] - link.left
    total = _total(moments, together([_values(series) for series in found]))
    if total is None:
        return None
    step = link.primary.step
    outside = max(moments[0] - times[0], times[-1] - moments[-1])
    if outside > 2 * max(step, link.secondary.step if link.secondary else 0.0):
        return None
    # At either end the nearest rate goes on for a step.
    rates = np.diff(total) / np.diff(moments)
    ends = [moments[0] - 2 * step - 60, *moments, moments[-1] + 2 * step + 60]
    totals = [total[0] - rates[0] * (2 * step + 60), *total, total[-1] + rates[-1] * (2 * step + 60)]
    at = np.interp(times, ends, totals)
    return at - at[0]


def _total(times: Values, rates: Values | None) -> Values | None:
    """Return what came since the first sample: a rate covers the time since the sample before."""
    filled = _filled(times, rates, first=False)
    if filled is None:
        return None
    return np.concatenate([[0.0], np.cumsum(np.diff(times) * np.maximum(filled[1:], 0.0))])


def _gauge(times: Values, values: Values | None) -> Values | None:
    filled = _filled(times, values, first=True)
    return None if filled is None else np.maximum(filled, 0.0)


def _filled(times: Values, values: Values | None, *, first: bool) -> Values | None:
    """Fill missing values from their neighbours; None if too many are missing."""
    if values is None or len(values) < 3:
        return None
    known = ~np.isnan(values)
    if not first:
        known = known.copy()
        known[0] = False
    if (~known[1:]).mean() > MOST_BLANK or not known.any():
        return None
    return np.interp(times, times[known], values[known])


def _redone(part: Part, times: Values) -> Redone | None:
    read = part.chain
    if read.recovery_queue is None or read.redone is None or read.received is None:
        return None
    queue = _gauge(times, read.recovery_queue.values)
    redone = _total(times, read.redone.values)
    waiting = _gauge(times, _values(read.send_queue))
    received = _total(times, read.received.values)
    if queue is None or redone is None or received is None or waiting is None:
        return None
    # Log flushed for the replica is the log received plus the growth of the queue.
    return Redone(part.database, float(waiting[0]), received + waiting - waiting[0], redone, queue)
