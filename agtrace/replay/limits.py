"""What each hop of a stream can carry: as seen at its limit, as computed, or at least so much."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from agtrace.measure.grid import Values
from agtrace.replay.load import Load
from agtrace.replay.packing import Packing

NETWORK, WINDOW, LOSS = "network", "window", "loss"
GATE, SENDER, DISK, PROCESSORS, REDO = "flow control", "sender", "log disk", "processors", "redo"
PACKING = "compression"
PATH = (NETWORK, WINDOW, LOSS)
"""Hops that are one path: what it carries is on the wire, and one of them sets it."""

SEEN, COMPUTED, COPIED, AT_LEAST = "seen", "computed", "copied", "at least"

SEGMENT = 1460
"""Payload of a TCP segment on Ethernet, bytes."""
MATHIS = 1.22
"""A lossy path carries at most ``MATHIS x SEGMENT / (round trip x sqrt(loss))`` (Mathis et al. 1997)."""

GATES = {False: (1792, 8192), True: (7168, 16384)}
"""Messages that are not acknowledged, of a database and of a replica, at which the gate closes; since SQL
Server 2022, or under trace flag 12310, the larger ones ("Monitor performance for Always On availability
groups").
"""
LARGER_GATES = 16
"""Major version of SQL Server 2022."""


@dataclass(frozen=True)
class Capacity:
    """What a hop carries of log, bytes per second.

    Parameters
    ----------
    basis
        `SEEN` at its limit; `COMPUTED` from what was measured; `COPIED`: as a bulk copy; `AT_LEAST`.
    """

    hop: str
    rate: float
    basis: str

    @property
    def is_known(self) -> bool:
        """It says where the hop ends, and not only that it goes so far."""
        return self.basis != AT_LEAST


@dataclass(frozen=True)
class Beside:
    """What is known of a stream beside its samples.

    Parameters
    ----------
    limit
        The hop that holds it back, as it was judged; "" where nothing does, or nobody knows.
    round_trip
        Seconds.
    window
        Unscaled receive window, bytes; None where it scales or is not known.
    copy
        What a bulk copy from the primary reached, wire bytes per second, where that is more than the stream.
    copied_to
        The other replica, where the copy was not to this one.
    card
        Bandwidth of the slower network card, bytes per second.
    message_bytes
        Mean log block.
    harden_s
        What a log write of the replica takes.
    has_larger_gates
        The larger limits of flow control hold; None where the version is not known.
    disk_at_least
        What the log disk of the replica carries at least, by how long its writes took.
    is_synchronous
        Its commit mode; None where the captures leave it open.
    databases
        How many the stream carries.
    packing
        What compression was measured to do to this log, here or on the way to another replica.
    """

    limit: str = ""
    round_trip: float | None = None
    window: float | None = None
    copy: float | None = None
    copied_to: str = ""
    card: float | None = None
    message_bytes: float | None = None
    harden_s: float | None = None
    has_larger_gates: bool | None = None
    disk_at_least: float | None = None
    is_synchronous: bool | None = None
    databases: int = 1
    packing: Packing | None = None


def gate(beside: Beside, round_trip: float | None) -> float | None:
    """Return what flow control lets through, log bytes per second; None if it cannot be computed."""
    if round_trip is None or not beside.message_bytes or beside.has_larger_gates is None:
        return None
    of_database, of_replica = GATES[beside.has_larger_gates]
    messages = min(of_database * beside.databases, of_replica)
    return messages * beside.message_bytes / (round_trip + (beside.harden_s or 0.0))


def mathis(round_trip: float, loss: float) -> float:
    """Return what a loss lets through, bytes per second on the wire."""
    return MATHIS * SEGMENT / (round_trip * sqrt(loss))


@dataclass(frozen=True, eq=False)
class Busy:
    """The steps in which a queue was filled throughout: what was carried then is what could be carried.

    Parameters
    ----------
    steps
        Which steps (from each sample to the next).
    rates
        What each step carried, bytes per second on the wire.
    """

    steps: np.ndarray
    rates: Values

    @property
    def n(self) -> int:
        return int(self.steps.sum())

    @property
    def mean(self) -> float:
        return float(self.rates[self.steps].mean())


def busy(load: Load, least_s: float) -> Busy:
    """Find the steps in which the send queue held more than ``least_s`` seconds of log at both ends."""
    took = np.diff(load.times)
    rates = np.diff(load.on_wire) / took
    level = max(64 * 1024, least_s * max(load.rate, load.received_rate))
    filled = load.queue > level
    return Busy(filled[1:] & filled[:-1] & (rates > 0), rates)
