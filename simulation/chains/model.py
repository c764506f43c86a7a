"""A log stream from a primary to one replica, simulated second by second.

Log is generated, waits in the send queue, passes the gate of flow control, crosses a network,
is hardened by the replica and redone there. Every hop has a rate of its own; a case makes one of
them too small, and that hop is the truth. The model knows mechanisms (bandwidth, loss, receive
window, write latency, processors, unacknowledged messages), never the limits by which anything
is judged, and imports nothing of the toolkit.

Units: bytes, seconds, bytes per second; latencies of disks in milliseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

SEGMENT = 1460
"""Payload of a TCP segment on Ethernet."""
WINDOW = 65_535
"""Receive window without scaling."""
CALM_S = 240
BUSY_SENDER = 400e6
"""What the sending thread moves when nothing stops it."""


@dataclass
class Setting:
    """What the two machines, the path and the load are like.

    Parameters
    ----------
    generated
        Mean log generated.
    shares
        What part of the log each database generates.
    burst_rate, burst_s, burst_every
        A burst multiplies the log generated for some seconds, about so often; 1 for none.
    swing
        How far the load moves around its mean, relative.
    bandwidth
        Free bandwidth of the path, wire bytes.
    card
        Bandwidth of both network cards, and how much other traffic uses them.
    round_trip, loss
        Of the path; loss is a share of segments.
    window
        Receive window; infinite where it scales.
    compression
        Wire bytes per log byte.
    message
        Mean bytes of a message, which is a log block.
    gate
        Unacknowledged messages at which the gate closes.
    sender
        What the primary's capture and sending thread manage, log bytes.
    write_ms, writers
        Latency of a log write on the replica, and how many it has under way at once.
    processors
        What the replica's processors manage, log bytes.
    processor_percent
        How busy they look.
    redo
        What redo manages, log bytes.
    blocked
        Share of the time in which a reader blocks redo.
    """

    generated: float
    shares: tuple[float, ...] = (1.0,)
    burst_rate: float = 1.0
    burst_s: float = 0.0
    burst_every: float = 0.0
    swing: float = 0.25
    bandwidth: float = 1e9
    bandwidth_swing: float = 0.1
    card: float = 1.25e9
    other_traffic: float = 1e6
    round_trip: float = 0.001
    loss: float = 1e-7
    window: float = math.inf
    compression: float = 1.0
    message: float = 30e3
    gate: float = 1792.0
    sender: float = BUSY_SENDER
    write_ms: float = 1.0
    primary_write_ms: float = 1.0
    writers: float = 8.0
    processors: float = 1e9
    processor_percent: float = 20.0
    redo: float = 1e9
    blocked: float = 0.0
    warm_s: int = 0


@dataclass
class Second:
    """What happened in one second: bytes by database, and the counters of the whole stream."""

    generated: list[float]
    sent: list[float]
    received: list[float]
    hardened: list[float]
    redone: list[float]
    send_queue: list[float]
    recovery_queue: list[float]
    wire: float
    gate_ms: float
    gates: float
    resent: float
    segments: float
    retransmitted: float
    write_ms: float
    primary_write_ms: float
    processor: float
    other_traffic: float
    redo_blocked: list[float] = field(default_factory=list)


class Path:
    """What the network lets through each second, wire bytes."""

    def __init__(self, setting: Setting, dice: Random) -> None:
        self.setting, self.dice = setting, dice
        self.drift = 0.0
        self.congestion = 40.0  # segments in flight
        self.left = 0.0

    def second(self, wanted: float) -> tuple[float, float]:
        """Return what passes of ``wanted`` wire bytes, and how many segments were lost."""
        s, dice = self.setting, self.dice
        self.drift = 0.9 * self.drift + dice.gauss(0, 0.43 * s.bandwidth_swing)
        free = s.bandwidth * max(0.2, 1 + self.drift)
        free = min(free, s.card - s.other_traffic)
        most = min(free, s.window / s.round_trip)
        if s.loss < 1e-5:
            passed = min(wanted, most)
            return passed, _poisson(dice, s.loss * passed / SEGMENT)
        # Additive increase, multiplicative decrease: one step per round trip.
        passed = lost = 0.0
        ceiling = most * s.round_trip / SEGMENT
        self.left += 1.0
        while self.left >= s.round_trip:
            self.left -= s.round_trip
            flight = min(self.congestion, ceiling, (wanted - passed) / SEGMENT)
            if flight <= 0:
                continue
            passed += flight * SEGMENT
            if dice.random() < 1 - (1 - s.loss) ** flight:
                lost += 1 + _poisson(dice, s.loss * flight)
                self.congestion = max(self.congestion / 2, 2.0)
            else:
                self.congestion += 1
        return min(passed, wanted), lost


class Stream:
    """The state of the stream; `second` moves it on."""

    def __init__(self, setting: Setting, dice: Random) -> None:
        self.setting, self.dice = setting, dice
        self.path = Path(setting, dice)
        n = len(setting.shares)
        self.queue, self.flight = [0.0] * n, [0.0] * n
        self.arrived, self.recovery = [0.0] * n, [0.0] * n
        self.load = [0.0] * n
        self.burst_left = 0.0
        self.until_burst = setting.burst_every * dice.uniform(0.2, 1.2)
        self.blocked_left = 0.0
        self.processor = setting.processor_percent
        self.acknowledged = 0.0

    def second(self) -> Second:
        """Advance by one second."""
        s = self.setting
        made = self._generate()
        for place, amount in enumerate(made):
            self.queue[place] += amount
        # What is acknowledged within the second makes room in the same second.
        room = s.gate * s.message - sum(self.flight) + self.acknowledged
        acknowledged = s.gate * s.message / s.round_trip
        wanted = min(sum(self.queue), s.sender * self.dice.uniform(0.9, 1.1))
        passing = max(min(wanted, room, acknowledged), 0.0)
        is_closed = passing < 0.98 * wanted
        sent = _take(self.queue, passing)
        _put(self.flight, sent)
        waiting = [f - a for f, a in zip(self.flight, self.arrived, strict=True)]
        wire, lost = self.path.second(max(sum(waiting), 0.0) * s.compression)
        received = _take(waiting, wire / s.compression)
        _put(self.arrived, received)
        write_ms = s.write_ms * self.dice.lognormvariate(0, 0.2)
        disk = s.writers * s.message / (write_ms / 1000)
        manages = min(disk, s.processors * self.dice.uniform(0.9, 1.05))
        hardened = _take(self.arrived, manages)
        for place, amount in enumerate(hardened):
            self.flight[place] -= amount
            self.recovery[place] += amount
        self.acknowledged = sum(hardened)
        redone, blocked = self._redo()
        self.processor = 0.8 * self.processor + 0.2 * s.processor_percent + self.dice.gauss(0, 1.5)
        closed_ms = 1000 * (1 - passing / BUSY_SENDER) * self.dice.uniform(0.75, 1.0)
        segments = wire / SEGMENT + 20 + self.dice.uniform(0, 200)
        return Second(
            made, sent, received, hardened, redone,
            [queue + amount * 0.02 * self.dice.random() for queue, amount in zip(self.queue, made,
            strict=True)],
            list(self.recovery),
            wire=wire + 600 + self.dice.uniform(0, 800),
            gate_ms=closed_ms if is_closed else 0.0,
            gates=passing / s.message if is_closed else 0.0,
            resent=_poisson(self.dice, 0.02 * lost),
            segments=segments, retransmitted=lost,
            write_ms=write_ms,
            primary_write_ms=s.primary_write_ms * self.dice.lognormvariate(0, 0.2),
            processor=min(max(self.processor, 0.5), 100.0),
            other_traffic=s.other_traffic * self.dice.uniform(0.9, 1.1),
            redo_blocked=blocked,
        )  # fmt: skip

    def _generate(self) -> list[float]:
        s, dice = self.setting, self.dice
        factor = 1.0
        if s.burst_rate > 1:
            self.until_burst -= 1
            if self.until_burst <= 0:
                self.burst_left = s.burst_s * dice.uniform(0.5, 1.0)
                self.until_burst = s.burst_every * dice.uniform(0.7, 1.3) + self.burst_left
            if self.burst_left > 0:
                self.burst_left -= 1
                factor = s.burst_rate
        made = []
        for place, share in enumerate(s.shares):
            self.load[place] = 0.97 * self.load[place] + dice.gauss(0, 0.243 * s.swing)
            level = math.exp(self.load[place] - s.swing**2 / 2) * dice.uniform(0.7, 1.3)
            made.append(s.generated * share * factor * level)
        return made

    def _redo(self) -> tuple[list[float], list[float]]:
        s, dice = self.setting, self.dice
        blocks = 0.0
        if s.blocked and self.blocked_left <= 0 and dice.random() < 0.5:
            self.blocked_left = dice.uniform(2, 12) * s.blocked / (1 - s.blocked)
            blocks = 1.0
        held = min(max(self.blocked_left, 0.0), 1.0)
        self.blocked_left -= 1
        redone = []
        for place, share in enumerate(s.shares):
            # The first database is the one that is read.
            free = 1 - held if place == 0 else 1.0
            amount = min(self.recovery[place], free * share * s.redo * dice.uniform(0.9, 1.1))
            self.recovery[place] -= amount
            redone.append(amount)
        return redone, [blocks] + [0.0] * (len(redone) - 1)


def simulate(setting: Setting, seconds: int, dice: Random) -> list[Second]:
    """Warm up a stream, then return what happened in each second."""
    stream = Stream(setting, dice)
    for _ in range(setting.warm_s):
        stream.second()
    happened = [stream.second() for _ in range(seconds - CALM_S)]
    # A capture is stopped in calm: a burst under way at its end leaves the question open.
    stream.until_burst = math.inf
    return happened + [stream.second() for _ in range(CALM_S)]


def _take(from_: list[float], amount: float) -> list[float]:
    """Take bytes out of several queues, from each by what it holds."""
    held = sum(from_)
    part = min(amount / held, 1.0) if held > 0 else 0.0
    taken = [part * queue for queue in from_]
    for place, amount_taken in enumerate(taken):
        from_[place] -= amount_taken
    return taken


def _put(into: list[float], amounts: list[float]) -> None:
    for place, amount in enumerate(amounts):
        into[place] += amount


def _poisson(dice: Random, mean: float) -> float:
    if mean > 50:
        return max(0.0, round(dice.gauss(mean, math.sqrt(mean))))
    limit, count, product = math.exp(-mean), 0, dice.random()
    while product > limit:
        count += 1
        product *= dice.random()
    return float(count)
