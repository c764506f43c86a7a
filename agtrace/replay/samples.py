"""Replay the samples of a stream: the send queue, the log received and the redo queue, with a band.

The path is a server of wire bytes. The wire bytes of a byte of log belong to the log and not to the time: log
that waits keeps its own compression. The capacity of the path is resampled from steps in which it was at its
limit, near in time, in runs of neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from agtrace.measure.grid import Values
from agtrace.replay.limits import Busy
from agtrace.replay.load import Load, Redone
from agtrace.replay.queueing import backlog

SEED = 3217
LEAST_DRAWS, MOST_DRAWS = 24, 200
CELLS = 2_000_000
"""Maximum number of samples times draws."""
LEVELS = 8
"""Number of parts of a capture over which changes of the path's capacity are followed."""
NEIGHBOURS = 12
"""Steps that are drawn together, at most."""


@dataclass(frozen=True)
class Carrying:
    """Capacity of a path on the wire.

    Parameters
    ----------
    times
        Times of the samples, seconds.
    level
        Bytes per second in each step; changes over the capture.
    ratios
        Throughput of single steps relative to that level.
    spread
        Relative error of the level itself; one random value per draw.
    """

    level: Values
    ratios: Values
    spread: float = 0.0

    def times(self, factor: float) -> Carrying:
        return Carrying(self.level * factor, self.ratios, self.spread)

    def less(self, rate: float) -> Carrying:
        """Return the capacity left beside another connection, which gets at most half of the path."""
        return Carrying(np.maximum(self.level - rate, self.level / 2), self.ratios, self.spread)

    def draw(self, rng: np.random.Generator, place: float) -> Values:
        """Draw the capacity of each step.

        Parameters
        ----------
        place
            Position of the level within its spread, between 0 and 1.
        """
        n = len(self.level)
        if len(self.ratios) == 1:
            ratios = np.ones(n)
        else:
            length = max(1, min(NEIGHBOURS, len(self.ratios) // 6))
            starts = rng.integers(0, len(self.ratios), -(-n // length))
            places = (starts[:, None] + np.arange(length)).ravel()[:n] % len(self.ratios)
            ratios = self.ratios[places]
        shift = np.exp(self.spread * NormalDist().inv_cdf(place)) if self.spread > 0 else 1.0
        return np.maximum(self.level * ratios * shift, 0.0)


def carrying(load: Load, seen: Busy) -> Carrying:
    """Return what a path carried when it was at its limit, and the same between such steps."""
    places = np.flatnonzero(seen.steps)
    rates = seen.rates[places]
    width = max(5, len(rates) // LEVELS)
    kernel = np.ones(min(width, len(rates)))
    smooth = np.convolve(rates, kernel, "same") / np.convolve(np.ones(len(rates)), kernel, "same")
    level = np.interp(np.arange(len(seen.steps)), places, smooth)
    return Carrying(level, rates / smooth)


def steady(load: Load, rate: float, spread: float) -> Carrying:
    """Return a path with a constant rate that was not seen on it."""
    return Carrying(np.full(len(load.times) - 1, rate), np.ones(1), spread)


@dataclass(frozen=True, eq=False)
class Replayed:
    """A stream as a replay has it; matrices have a row per draw.

    Parameters
    ----------
    queue
        Log send queue, bytes.
    received
        Log that arrived since the first sample, bytes.
    """

    times: Values
    queue: Values
    received: Values


def replay(load: Load, path: Carrying | None, times_load: float = 1.0) -> Replayed:
    """Replay the load of a capture through a path.

    Parameters
    ----------
    path
        Capacity of the path; None if it does not limit the log.
    times_load
        Factor of the amount of log; the queue at the first sample is unchanged.
    """
    first = float(load.queue[0])
    came = first + times_load * load.generated
    if path is None:
        queue = _usual(load, times_load, 0.5)[None, :]
        return Replayed(load.times, queue, np.maximum(came - queue, 0.0))
    positions, wire = _wire_of(load, times_load)
    arrived = np.interp(came, positions, wire)
    took = np.diff(load.times)
    draws = int(np.clip(CELLS // len(load.times), LEAST_DRAWS, MOST_DRAWS))
    rng = np.random.default_rng(SEED)
    queues, received = [], []
    usual = _usual(load, times_load, 0.1)
    for number in range(draws):
        carried = np.concatenate([[0.0], np.cumsum(path.draw(rng, (number + 0.5) / draws) * took)])
        through = arrived - backlog(arrived, carried)
        got = np.interp(through, wire, positions)
        # Less than a byte is what arithmetic leaves over.
        queue = np.where(came - got < 1.0, 0.0, came - got)
        queues.append(np.maximum(queue, np.minimum(usual, came)))
        received.append(got)
    return Replayed(load.times, np.array(queues), np.array(received))


def _usual(load: Load, times_load: float, share: float) -> Values:
    """Return the unrestricted queue: the log on its usual way through the sender.

    Parameters
    ----------
    share
        Of a stream that is held back at times, only the quickest of the other samples show that way.
    """
    rates = np.concatenate([[0.0], np.diff(load.generated) / np.diff(load.times)])
    rates[0] = rates[1]
    held = load.queue < np.maximum(2.0 * rates, 64 * 1024)
    moving = held & (rates > 0)
    delay = float(np.quantile(load.queue[moving] / rates[moving], share)) if moving.any() else 0.0
    return np.maximum(delay * rates * times_load, 0.0)


def _wire_of(load: Load, times_load: float) -> tuple[Values, Values]:
    """Return bytes on the wire by the place in the log, from the first byte that arrived on.

    Log that had not arrived at the end takes what the rest took.
    """
    first, end = float(load.queue[0]), float(load.queue[0]) + times_load * float(load.generated[-1])
    kept = np.concatenate([[True], np.diff(load.received) > 0])
    positions, wire = load.received[kept], load.on_wire[kept]
    if len(positions) < 2 or wire[-1] <= 0:
        top = max(end, 1.0)
        return np.array([0.0, top]), np.array([0.0, top])
    usual = wire[-1] / positions[-1]
    last = max(first + float(load.generated[-1]), positions[-1]) + 1.0
    positions = np.append(positions, last)
    wire = np.append(wire, wire[-1] + usual * (last - positions[-2]))
    if times_load != 1.0:
        # The initial queue is unchanged; each later piece of log is scaled by times_load.
        at_first = float(np.interp(first, positions, wire))
        behind = positions > first
        positions = np.concatenate(
            [positions[~behind], [first], first + times_load * (positions[behind] - first)]
        )
        wire = np.concatenate([wire[~behind], [at_first], at_first + times_load * (wire[behind] - at_first)])
    if positions[-1] <= end:
        positions, wire = (
            np.append(positions, end + 1.0),
            np.append(wire, wire[-1] + usual * (end + 1 - positions[-1])),
        )
    return positions, wire


def redo(
    load: Load, database: Redone, after: Replayed, factor: float, times_load: float, capacity: float | None
) -> Values:
    """Return the recovery queue of a database, bytes.

    Parameters
    ----------
    after
        The stream: log reaches redo as it arrives.
    factor
        Factor of the speed of redo.
    capacity
        Throughput of redo at its limit; None if never seen at its limit: then it keeps up as before.
    """
    if capacity is None:
        return database.queue
    came = database.first_queue + times_load * database.flushed
    whole = float(load.queue[0]) + times_load * load.generated
    received = np.median(after.received, axis=0)
    arrived = np.interp(received, whole, came)
    before = received < whole[0]
    if whole[0] > 0:
        arrived[before] = came[0] * received[before] / whole[0]
    arrived = np.maximum.accumulate(arrived) + float(database.queue[0])
    carried = capacity * factor * (load.times - load.times[0])
    return backlog(arrived, carried)


def caught_up(times: Values, queue: Values, level: Values) -> float | None:
    """Return the seconds from the first sample until a queue is down to a level; None if never."""
    gone = np.flatnonzero(queue <= level)
    if not len(gone):
        return None
    place = int(gone[0])
    if place == 0:
        return 0.0
    above, below = queue[place - 1] - level[place - 1], queue[place] - level[place]
    share = above / (above - below) if above > below else 1.0
    return float(times[place - 1] + share * (times[place] - times[place - 1]) - times[0])
