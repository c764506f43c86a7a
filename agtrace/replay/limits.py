"""The capacity of each hop of a stream: as seen at its limit, as computed, or a lower bound."""

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
    """Capacity of a hop for log, bytes per second.

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
        """Whether it is the actual limit of the hop, and not only a lower bound."""
        return self.basis != AT_LEAST


@dataclass(frozen=True)
class Beside:
    """Known properties of a stream, apart from its samples.

    Parameters
    ----------
    limit
        The hop that limits it, by verdict; "" if there is no such hop or it is unknown.
    round_trip
        Round-trip time, seconds.
    window
        Unscaled receive window, bytes; None if it scales or is unknown.
    copy
        Throughput of a bulk copy from the primary, wire bytes per second, if higher than that of the stream.
    copied_to
        The other replica, if the copy was not to this one.
    card
        Bandwidth of the slower network card, bytes per second.
    message_bytes
        Mean size of a log block, bytes.
    harden_s
        Duration of a log write on the replica, seconds.
    has_larger_gates
        Whether the larger limits of flow control apply; None if the version is unknown.
    disk_at_least
        Lower bound of the capacity of the replica's log disk, from the durations of its writes.
    is_synchronous
        Whether its commit mode is synchronous; None if unknown.
    databases
        Number of databases in the stream.
    packing
        Measured compression of this log, here or on the path to another replica.
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
    """The steps in which a queue was never empty; the throughput in them is the capacity.

    Parameters
    ----------
    steps
        Indexes of the steps (from each sample to the next).
    rates
        Throughput of each step, bytes per second on the wire.
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
