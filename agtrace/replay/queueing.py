"""Queues over whole arrays: no loop over samples or blocks.

A queue served at full capacity contains the arrivals minus the capacity since it was last empty (D. V.
Lindley: "The theory of queues with a single server", 1952). With running extremes, this is one pass over an
array.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def backlog(arrived: Values, carried: Values) -> Values:
    """Return the queue at each sample.

    Parameters
    ----------
    arrived
        Cumulative arrivals until each sample, including the queue at the first.
    carried
        Cumulative capacity until each sample, 0 at the first. A matrix has a row per draw.
    """
    ahead = arrived - carried
    return ahead - np.minimum(np.minimum.accumulate(ahead, axis=-1), 0.0)


def departures(arrivals: Values, services: Values, lanes: int = 1) -> Values:
    """Return when each block leaves servers that take one block after another; never out of order."""
    n = len(arrivals)
    if lanes == 1:
        through = np.cumsum(services)
        return np.maximum.accumulate(arrivals - through + services) + through
    spare = -n % lanes
    came = np.append(arrivals, np.full(spare, arrivals[-1] if n else 0.0)).reshape(-1, lanes)
    took = np.append(services, np.zeros(spare)).reshape(-1, lanes)
    through = np.cumsum(took, axis=0)
    left = np.maximum.accumulate(came - through + took, axis=0) + through
    return np.maximum.accumulate(left.ravel()[:n])


def in_order(arrivals: Values, latencies: Values) -> Values:
    """Return when each block leaves a path that carries many at once, none overtaking another."""
    return np.maximum.accumulate(arrivals + latencies)


def services(arrivals: Values, leaving: Values, lanes: int = 1) -> tuple[Values, Values]:
    """Return each block's service time and waiting time, from arrivals and departures."""
    before = np.concatenate([np.full(lanes, -np.inf), np.maximum.accumulate(leaving)[:-lanes]])[
        : len(leaving)
    ]
    return np.maximum(leaving - np.maximum(arrivals, before), 0.0), np.maximum(before - arrivals, 0.0)


def chunks(n: int, length: int, reach: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw indexes for resampling: runs of ``length`` neighbours, each shifted by at most ``reach``.

    This keeps the dependence between neighbours, and changes over longer times.
    """
    starts = np.arange(0, n, max(length, 1))
    away = rng.integers(-reach, reach + 1, len(starts)) if reach > 0 else np.zeros(len(starts), np.int64)
    places = np.arange(n) + np.repeat(away, max(length, 1))[:n]
    # Indexes beyond an end are reflected.
    last = n - 1
    if last <= 0:
        return np.zeros(n, np.int64)
    places = np.abs(places) % (2 * last)
    return np.where(places > last, 2 * last - places, places)
