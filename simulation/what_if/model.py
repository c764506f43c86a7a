"""Blocks of log on their way to a replica, one after the other, with jitter, competing traffic and a window.

A block is flushed by the primary, captured, sent when the connection has room (window, acknowledgements,
other traffic), arrives after its way, is written by one of several writers of the replica's log disk,
acknowledged, and redone. Nothing here is taken from the toolkit, and nothing of it is a formula of queues:
times of single blocks follow from what is free when.

Units: bytes, seconds.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
SEGMENT = 1460
FIRST_WINDOW = 10 * SEGMENT
UNSCALED = 65_535
LARGEST_BLOCK = 60 * 1024
CHUNK = 64 * 1024
"""What a seeding sends at a time, bytes."""


@dataclass(frozen=True)
class Setting:
    """Load, path and replica.

    Parameters
    ----------
    blocks_per_s
        Blocks that are flushed, mean.
    block
        Median bytes of a block; they scatter as a lognormal does.
    burst_rate, burst_s, burst_every_s
        A burst multiplies the load for some seconds, about so often.
    swing
        How far the load moves in minutes, relative.
    bandwidth
        What the path carries, wire bytes; other traffic takes a share that comes and goes.
    competing
        Mean share of it.
    round_trip, jitter
        Of the path; jitter is the mean of what single blocks take longer.
    window
        Largest receive window.
    loss
        Share of segments that are lost.
    packed
        Wire bytes of a byte of log, mean; it goes with the log. 1 is a stream that is not compressed.
    pack_s, unpack_s
        What compressing and decompressing a byte of log takes, one block after the other.
    seeding
        What a copy of a database asks of the path, wire bytes per second; of a full one it gets half.
    is_bunched
        Blocks of more load come with those that there are; else on their own.
    write_s, writers
        What a log write of the replica takes, and how many it has under way.
    gate
        Blocks without an acknowledgement from which on no more are sent.
    redo
        Log that redo of a database manages.
    backlog
        Log that waits at the start.
    """

    databases: int = 1
    blocks_per_s: float = 25.0
    block: float = 20_000.0
    burst_rate: float = 1.0
    burst_s: float = 20.0
    burst_every_s: float = 240.0
    swing: float = 0.2
    bandwidth: float = 50e6
    competing: float = 0.1
    round_trip: float = 0.002
    jitter: float = 0.0002
    window: float = math.inf
    loss: float = 0.0
    packed: float = 1.0
    pack_s: float = 0.0
    unpack_s: float = 0.0
    seeding: float = 0.0
    is_bunched: bool = False
    write_s: float = 0.001
    local_write_s: float = 0.001
    write_spread: float = 0.3
    writers: int = 8
    gate: int = 1792
    redo: float = 200e6
    backlog: float = 0.0


@dataclass(frozen=True, eq=False)
class Load:
    """Blocks as the primary flushes them."""

    begun: Values
    bytes: Values
    packed: Values
    database: NDArray[np.int64]


@dataclass(eq=False)
class Happened:
    """When each block was where, seconds since the start."""

    load: Load
    flushed: Values
    captured: Values
    compressed: Values
    started: Values
    sent: Values
    received: Values
    decompressed: Values
    begun_writing: Values
    hardened: Values
    ack_sent: Values
    ack_received: Values
    redone: Values
    other: dict[str, float] = field(default_factory=dict)

    @property
    def commit(self) -> Values:
        return np.maximum(self.ack_received, self.flushed) - self.load.begun


def load(setting: Setting, seconds: float, dice: Random, times: float = 1.0) -> Load:
    """Draw the blocks of some time; ``times`` makes more of the same load, at the same moments."""
    at, level, until_burst, burst_left = 0.0, 0.0, setting.burst_every_s * dice.uniform(0.1, 1.0), 0.0
    begun: list[float] = []
    sizes: list[float] = []
    packed: list[float] = []
    databases: list[int] = []
    content = 0.0
    if setting.backlog:
        left = setting.backlog
        while left > 0:
            size = _size(setting, dice)
            begun.append(0.0)
            sizes.append(size)
            packed.append(_packed(setting, dice.lognormvariate(0, 0.1)))
            databases.append(dice.randrange(setting.databases))
            left -= size
    extra = dice.getrandbits(32)
    more = Random(extra)
    while at < seconds:
        level = 0.995 * level + dice.gauss(0, 0.1 * setting.swing)
        rate = setting.blocks_per_s * math.exp(level - setting.swing**2 / 2)
        if burst_left > 0:
            rate *= setting.burst_rate
        gap = dice.expovariate(rate)
        at += gap
        if setting.burst_rate > 1:
            until_burst -= gap
            burst_left -= gap
            if until_burst <= 0:
                burst_left = setting.burst_s * dice.uniform(0.5, 1.5)
                until_burst = setting.burst_every_s * dice.uniform(0.6, 1.4) + burst_left
        content = 0.99 * content + dice.gauss(0, 0.03)
        size = _size(setting, dice)
        ratio = _packed(setting, math.exp(content))
        database = min(int(dice.random() ** 1.5 * setting.databases), setting.databases - 1)
        copies = int(times) + (more.random() < times - int(times))
        for number in range(copies):
            later = number * 1e-4 if setting.is_bunched or not number else more.expovariate(rate)
            begun.append(at + later)
            sizes.append(size)
            packed.append(ratio)
            databases.append(database)
    order = np.argsort(np.array(begun), kind="stable")
    return Load(
        np.array(begun)[order], np.array(sizes)[order], np.array(packed)[order], np.array(databases)[order]
    )


def _size(setting: Setting, dice: Random) -> float:
    return min(max(setting.block * dice.lognormvariate(0, 0.6), 512), LARGEST_BLOCK)


def _packed(setting: Setting, content: float) -> float:
    """Return the wire bytes per byte of log."""
    return 1.0 if setting.packed == 1.0 else min(setting.packed * content, 1.05)


class Traffic:
    """What other traffic leaves of a path, changing every half second."""

    def __init__(self, setting: Setting, seconds: float, dice: Random) -> None:
        n, level = int(seconds * 2) + 20_000, 0.0
        self.free = []
        for _ in range(n):
            level = 0.9 * level + dice.gauss(0, 0.15)
            taken = setting.competing * math.exp(level)
            self.free.append(setting.bandwidth * max(1 - taken, 0.15))

    def at(self, t: float) -> float:
        return self.free[min(int(t * 2), len(self.free) - 1)]


class Seeding:
    """A copy of a database that goes over the same path: neither it nor the log gets more of a full one."""

    def __init__(self, setting: Setting, traffic: Traffic) -> None:
        self.rate, self.traffic = setting.seeding, traffic
        self.next = 0.0
        self.ahead = 0.0

    def before(self, there: float, ready: float, link_free: float, wire: float) -> float:
        """Send what goes before a block of the log, and give when that can be sent.

        Parameters
        ----------
        there
            When the block was there, were the path free.
        """
        if not self.rate:
            return ready
        while self.next <= ready and (self.next <= there or self.ahead <= 0):
            begin = max(self.next, link_free)
            link_free = begin + CHUNK / self.traffic.at(begin)
            # What could not be sent in time is not read in time either: it is not made up for.
            self.next = max(self.next + CHUNK / self.rate, begin)
            self.ahead = self.ahead + CHUNK if begin >= there else 0.0
            ready = max(ready, link_free)
        self.ahead = max(self.ahead - wire, -float(CHUNK))
        return ready


def run(setting: Setting, load: Load, dice: Random) -> Happened:
    """Run every block of a load."""
    n = len(load.begun)
    seconds = float(load.begun[-1])
    traffic = Traffic(setting, seconds * 3, dice)
    begun, sizes, wires = load.begun.tolist(), load.bytes.tolist(), (load.bytes * load.packed).tolist()
    bases = load.database.tolist()
    names = [
        "flushed",
        "captured",
        "compressed",
        "started",
        "sent",
        "received",
        "decompressed",
        "begun_writing",
        "hardened",
        "ack_sent",
        "ack_received",
        "redone",
    ]
    out = {name: [0.0] * n for name in names}
    half = setting.round_trip / 2
    link_free = arrived = last_ack = last_hard = 0.0
    # Bytes under way: each with the time at which the other end's acknowledgement is back.
    under_way: list[tuple[float, float]] = []
    head, flying = 0, 0.0
    congestion, threshold = float(FIRST_WINDOW), math.inf
    writers = [0.0] * setting.writers
    redo_free = [0.0] * setting.databases
    lost = 0.0
    acks = out["ack_received"]
    local_free = packer = unpacker = 0.0
    seeding = Seeding(setting, traffic)
    gauss, lognormal, exponential, uniform = dice.gauss, dice.lognormvariate, dice.expovariate, dice.random
    for i in range(n):
        born, size, wire = begun[i], sizes[i], wires[i]
        write = setting.local_write_s * lognormal(0, setting.write_spread)
        local = max(born, local_free) + write
        local_free = local if write > 2 * setting.local_write_s else max(local_free, born)
        captured = born + 5e-6 + 20e-6 * uniform()
        compressed = packer = max(captured, packer) + size * setting.pack_s
        there = compressed + 80e-6 * lognormal(0, 0.3)
        ready = max(there, link_free)
        if i >= setting.gate:
            ready = max(ready, acks[i - setting.gate])
        # A connection that was idle begins with a small window again.
        if under_way and head == len(under_way) and ready - under_way[-1][0] > 1.0:
            congestion = max(float(FIRST_WINDOW), congestion / 2)
        while head < len(under_way):
            back, amount = under_way[head]
            room = min(congestion, setting.window)
            if back <= ready or (flying + wire > room and flying > 0):
                ready = max(ready, back)
                flying -= amount
                head += 1
                congestion += amount if congestion < threshold else SEGMENT * amount / congestion
                congestion = min(congestion, 64e6)
            else:
                break
        if setting.loss and uniform() < 1 - (1 - setting.loss) ** max(wire / SEGMENT, 1):
            threshold = congestion = max(congestion / 2, 2.0 * SEGMENT)
            lost += 1
        ready = seeding.before(there, ready, link_free, wire)
        finish = ready + wire / traffic.at(ready)
        link_free = finish
        way = half + setting.jitter * exponential(1.0)
        arrived = max(arrived, finish + way)
        under_way.append((arrived + half, wire))
        flying += wire
        place = heapq.heappop(writers)
        decompressed = unpacker = max(arrived, unpacker) + size * setting.unpack_s
        writing = max(decompressed + 60e-6, place)
        hard = writing + setting.write_s * lognormal(0, setting.write_spread)
        heapq.heappush(writers, hard)
        last_hard = max(last_hard, hard)
        ack_out = last_hard + 100e-6 * lognormal(0, 0.3)
        last_ack = max(last_ack, ack_out + half + setting.jitter * exponential(1.0))
        base = bases[i]
        redo_free[base] = max(redo_free[base], last_hard) + size / setting.redo * abs(1 + 0.1 * gauss(0, 1))
        out["flushed"][i], out["captured"][i], out["started"][i], out["sent"][i] = (
            local,
            captured,
            ready,
            finish,
        )
        out["compressed"][i], out["decompressed"][i] = compressed, decompressed
        out["received"][i], out["begun_writing"][i], out["hardened"][i] = arrived, writing, last_hard
        out["ack_sent"][i], out["ack_received"][i], out["redone"][i] = ack_out, last_ack, redo_free[base]
    return Happened(load, **{name: np.array(values) for name, values in out.items()}, other={"lost": lost})
