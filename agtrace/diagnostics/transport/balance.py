"""How the hops of a stream add up: log that enters each, leaves it, and waits in the queue between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agtrace.measure.covered import Covered
from agtrace.measure.grid import Values
from agtrace.say import words

OTHER_BYTES = "bytes on the wire, or of an unknown kind"
SLACK = 1.0
"""Sampling intervals of log that can be in flight at the ends of the compared time."""

Queue = tuple[Values, Values]
"""Times and bytes of a queue, as written by the replica."""


@dataclass(frozen=True)
class Passed:
    """Bytes that passed a hop, over the time in which every hop of its chain has samples.

    Parameters
    ----------
    name
        Name of the hop.
    total
        Bytes in the unit of the hop; None if not compared.
    growth
        Growth of the queue before it, bytes; None if there is no queue or it was not captured.
    left
        Log bytes that entered and neither passed nor wait; None if not compared.
    why_not
        Why it is not compared or does not add up; "" if it does. Plain text.
    """

    name: str
    total: float | None = None
    growth: float | None = None
    left: float | None = None
    why_not: str = ""


@dataclass(frozen=True)
class Balance:
    """The hops of a stream in order, over one time.

    Parameters
    ----------
    seconds
        How long every hop that is compared has samples.
    passed
        The hops by name.
    """

    seconds: float
    passed: Mapping[str, Passed]


def balance(
    rates: Mapping[str, Covered],
    beside: Mapping[str, Covered],
    queues: Mapping[str, Queue],
    missing: Mapping[str, str],
    step: float,
    share: float,
) -> Balance:
    """Return the bytes that passed each hop of a stream.

    Parameters
    ----------
    rates
        Log bytes per second at each hop, in order.
    beside
        Rates of hops that count other bytes: their time is that of the others.
    queues
        The queue before a hop, by the name of the hop.
    missing
        Why a hop is not compared, by its name.
    step
        The longest sampling interval, seconds.
    share
        Of the log that enters a hop, what may be left.
    """
    found = {name: Passed(name, why_not=why) for name, why in missing.items()}
    known = [*rates.values(), *beside.values()]
    starts, ends = _together(known)
    if not len(starts):
        why = "there is no time in which every hop has samples"
        return Balance(0.0, found | {name: Passed(name, why_not=why) for name in (*rates, *beside)})
    length, middle = ends - starts, (starts + ends) / 2
    seconds = float(length.sum())
    totals = {name: float((rate.at(middle) * length).sum()) for name, rate in {**rates, **beside}.items()}
    for name in beside:
        found[name] = Passed(name, totals[name], why_not=OTHER_BYTES)
    before: str | None = None
    for name in rates:
        growth = _grown(queues[name], starts, ends) if name in queues else None
        found[name] = _passed(name, before, totals, growth, totals[name] * step / seconds, share)
        before = name
    return Balance(seconds, found)


def _passed(
    name: str,
    before: str | None,
    totals: Mapping[str, float],
    growth: float | None,
    slack: float,
    share: float,
) -> Passed:
    if before is None:
        return Passed(name, totals[name], growth)
    entered = totals[before]
    left = entered - totals[name] - (growth or 0.0)
    if abs(left) <= share * max(entered, totals[name]) + SLACK * slack:
        return Passed(name, totals[name], growth, left)
    size = words.size(abs(left))
    why = f"{size} neither passed nor waits" if growth is not None else f"{size} did not pass"
    if left < 0:
        why = f"{size} more passed than entered and left the queue"
    return Passed(name, totals[name], growth, left, why)


def _together(rates: Sequence[Covered]) -> tuple[Values, Values]:
    """Return the intervals covered by all of the rates, in which every rate is constant."""
    if not rates:
        return np.empty(0), np.empty(0)
    cuts = np.unique(np.concatenate([edge for rate in rates for edge in (rate.starts, rate.ends)]))
    middle = (cuts[1:] + cuts[:-1]) / 2
    inside = np.all([~np.isnan(rate.at(middle)) for rate in rates], axis=0)
    return cuts[:-1][inside], cuts[1:][inside]


def _grown(queue: Queue, starts: Values, ends: Values) -> float | None:
    """Return the growth of a queue in bytes within some spans; None without samples."""
    times, values = queue
    known = ~np.isnan(values)
    if not known.any():
        return None
    first, last = (np.interp(edges, times[known], values[known]) for edges in (starts, ends))
    return float((last - first).sum())
