"""The physics behind the log send queue case: log generated, sent, received, hardened, redone.

Everything is counted in whole bytes on a grid of half seconds, with additions, multiplications and
divisions only, and with the Mersenne Twister's uniform numbers, so that every platform and every
Python gives the same numbers (``math`` functions, ``random.gauss`` and ``sum`` of floats do not).

Time ``t`` is in seconds since the start of the window. The hosts are named by the part that they
play at the start: P is the primary, S the synchronous secondary beside it, A the asynchronous
secondary on the other side of the world.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

DATABASES = ("JBDB", "JBSDBDW", "StackOverflow2010")
STEP = 0.5
LEAD = 60
"""Seconds simulated before the window starts, and after it ends."""
WINDOW_BYTES = 65535
"""Largest TCP receive window without window scaling (the header field has 16 bits)."""
UNSCALED = 10**9
HARDEN_SECONDS = 0.05
"""From the arrival of log to the end of its write."""
REDO_BYTES_PER_SECOND = 20_000_000
"""What redo of one database can do."""
OUTAGE = 9
"""Seconds without a primary in a failover."""

INITIAL_BACKLOG = {"JBDB": 70_000_000, "JBSDBDW": 94_440_000, "StackOverflow2010": 51_400_000}
"""The queue had been growing before the capture was started."""

SCENARIOS = (
    "network",
    "healthy",
    "harden",
    "redo",
    "redo_blocked",
    "suspended",
    "failover",
    "commit_delay",
    "fixed",
)
WINDOW_SCENARIOS = ("network", "failover", "fixed")
"""Scenarios in which the asynchronous replica sits behind an unscaled window."""
FIXED_AT = 53.5 * 60
"""When auto-tuning was switched on and the connections were opened again."""
FIXED_RATE = 22_870_000
"""What the path to the far replica carries once its window scales, bytes per second."""


class Curve:
    """A running total in whole units, known at every step and straight in between."""

    def __init__(self) -> None:
        self.totals = [0]

    def grow(self, amount: int) -> None:
        """Add the amount of the next step."""
        self.totals.append(self.totals[-1] + amount)

    def at(self, t: float) -> int:
        """Return the total at ``t`` (rounded down)."""
        place = (t + LEAD) / STEP
        index = int(place)
        if place <= 0:
            return self.totals[0]
        if index >= len(self.totals) - 1:
            return self.totals[-1]
        low, high = self.totals[index], self.totals[index + 1]
        return low + int((high - low) * (place - index))


@dataclass
class Wave:
    """Smooth noise around ``middle``: random knots each ``every`` seconds, straight in between."""

    chance: random.Random
    middle: float
    swing: float
    every: float = 1.0
    knots: list[float] = field(default_factory=list)

    def at(self, t: float) -> float:
        """Return the value at ``t``."""
        place = (t + LEAD + 5) / self.every
        index = int(place)
        while len(self.knots) < index + 2:
            self.knots.append(self.middle + self.swing * (2 * self.chance.random() - 1))
        low, high = self.knots[index], self.knots[index + 1]
        return low + (high - low) * (place - index)


@dataclass
class Link:
    """The path from the primary to one secondary."""

    lag: Wave
    """Seconds from the flush on the primary to the arrival, once nothing queues."""
    log_sent: dict[str, Curve]
    """Log bytes that have left the send queue, per database."""
    wire: Curve
    """Bytes handed to the transport: compressed log, headers, heartbeats."""


class Model:
    """One simulated run.

    Parameters
    ----------
    seed
        Seed of the noise.
    minutes
        Length of the window.
    scenario
        One of `SCENARIOS`.
    """

    def __init__(self, seed: int, minutes: int, scenario: str) -> None:
        if scenario not in SCENARIOS:
            raise ValueError(f"scenario {scenario!r} is none of {SCENARIOS}")
        self.scenario = scenario
        self.seconds = minutes * 60
        self.change = self.seconds / 2 if scenario in ("suspended", "failover") else None
        """When movement is suspended, the roles swap, or the window scales again."""
        if scenario == "fixed":
            self.change = FIXED_AT
        self.steps = int((self.seconds + 2 * LEAD) / STEP)
        self.seed = seed
        self.rtt = {"S": Wave(self.noise("rtt S"), 0.0009, 0.0003), "A": self.far_round_trip()}
        self.flushed = {database: Curve() for database in DATABASES}
        self.content: dict[str, list[tuple[int, int]]] = {database: [] for database in DATABASES}
        self.generate()
        self.links = {"S": self.near_link(), "A": self.far_link()}
        self.slow_redo = Wave(self.noise("slow redo"), 180_000, 55_000, 4.0)
        self.redo = {
            (host, database): self.redo_curve(host, database) for host in "PSA" for database in DATABASES
        }

    def noise(self, name: str) -> random.Random:
        """Return the stream of random numbers of one part, independent of all others."""
        return random.Random(f"{self.seed} {name}")

    def far_round_trip(self) -> Wave:
        return Wave(self.noise("rtt A"), 0.115, 0.009)

    def window_rate(self, t: float) -> float:
        """Return what one window carries to the far replica, in bytes per second."""
        if self.scenario == "fixed" and t >= FIXED_AT:
            return FIXED_RATE
        return WINDOW_BYTES / self.rtt["A"].at(t)

    # What the primary writes

    def generate(self) -> None:
        """Write to the three databases: an OLTP load, imports of posts, warehouse batches.

        Beside each step's bytes stands how well that log compresses, in thousandths.
        """
        batches = self.batches()
        waves = {name: Wave(self.noise(name), 1.0, 0.45, 2.0) for name in DATABASES}
        bursts = self.bursts("oltp", every=34, length=6)
        imports = self.bursts("import", every=150, length=22)
        for step in range(self.steps):
            t = step * STEP - LEAD
            batch = next((rate for start, end, rate, _ in batches if start <= t < end), 0)
            dense = next((ratio for start, end, _, ratio in batches if start <= t < end), 1180)
            edge = t < 25 or t > self.seconds - 30
            rates = {
                "JBDB": (232_000 + (260_000 if not edge and self.inside(bursts, t) else 0), 1090),
                "JBSDBDW": (48_000 + batch, dense),
                "StackOverflow2010": (
                    205_000 + (610_000 if not edge and self.inside(imports, t) else 0),
                    1290,
                ),
            }
            for name, (rate, ratio) in rates.items():
                swing = waves[name].at(t)
                if name == "JBSDBDW" and batch:
                    swing = 1 + (swing - 1) * 0.1
                amount = 0 if self.is_outage(t) else int(rate * swing * STEP)
                self.flushed[name].grow(amount)
                self.content[name].append((amount, int(ratio * (1 + (swing - 1) * 0.05))))

    def batches(self) -> list[tuple[float, float, int, int]]:
        """Return the warehouse batches: start, end, bytes per second, compression in thousandths.

        Each third one rebuilds an index; its log compresses more than three times.
        """
        chance, found, start, number = self.noise("batches"), [], 80.0, 0
        while start < self.seconds - 60:
            length = 24 + 5 * chance.random()
            rebuild = number % 3 == 0
            rate = 4_130_000 + int(180_000 * chance.random())
            found.append((start, start + length, rate, 3400 if rebuild else 1240))
            start += 330 + 60 * chance.random()
            number += 1
        return found

    def bursts(self, name: str, every: float, length: float) -> list[tuple[float, float]]:
        chance, found, start = self.noise(name), [], -50.0
        while start < self.seconds:
            start += every * (0.6 + 0.8 * chance.random())
            found.append((start, start + length * (0.6 + 0.8 * chance.random())))
        return found

    @staticmethod
    def inside(spans: list[tuple[float, float]], t: float) -> bool:
        return any(start <= t < end for start, end in spans)

    def is_outage(self, t: float) -> bool:
        return (
            self.scenario == "failover"
            and self.change is not None
            and self.change <= t < self.change + OUTAGE
        )

    # How it travels

    def near_link(self) -> Link:
        """Carry the log to the synchronous replica: uncompressed, at once."""
        wire = Curve()
        for step in range(self.steps):
            amount = sum(self.content[name][step][0] for name in DATABASES)
            wire.grow(amount + amount // 64 + 150)
        return Link(Wave(self.noise("lag S"), 0.22, 0.02), dict(self.flushed), wire)

    def far_link(self) -> Link:
        """Carry the log to the asynchronous replica: compressed, through what limits it.

        The databases share the connection (or the log disk) equally, first in, first out each.
        """
        chance = self.noise("share")
        disk = Wave(self.noise("slow disk"), 600_000, 260_000, 7.0)
        blip = self.bursts("blip", every=210, length=1.6)
        queues: dict[str, deque[list[int]]] = {name: deque() for name in DATABASES}
        sent, wire = {name: Curve() for name in DATABASES}, Curve()
        if self.scenario in WINDOW_SCENARIOS:
            for name in DATABASES:
                queues[name].append([INITIAL_BACKLOG[name], 1180])
        for step in range(self.steps):
            t = step * STEP - LEAD
            for name in DATABASES:
                queues[name].append(list(self.content[name][step]))
            if self.scenario in WINDOW_SCENARIOS:
                budget = int(self.window_rate(t) * STEP * (0.75 if self.inside(blip, t) else 1))
            elif self.scenario == "harden":
                budget = int(disk.at(t) * STEP)
            else:
                budget = UNSCALED
            if self.is_outage(t) or (
                self.scenario == "suspended" and self.change is not None and t >= self.change
            ):
                budget = 0
            payload = budget - budget // 64
            used, moved = self.share(queues, payload, chance, in_log_bytes=self.scenario == "harden")
            for name in DATABASES:
                sent[name].grow(moved[name])
            wire.grow(used + used // 64 + (0 if self.is_outage(t) else 150))
        return Link(Wave(self.noise("lag A"), 0.24, 0.04), sent, wire)

    @staticmethod
    def share(
        queues: dict[str, deque[list[int]]], budget: int, chance: random.Random, *, in_log_bytes: bool
    ) -> tuple[int, dict[str, int]]:
        """Take what the budget allows from the queues; give wire bytes used and log bytes moved."""
        moved, used, left = dict.fromkeys(queues, 0), 0, budget
        hungry = [name for name in queues if queues[name]]
        weights = {name: 80 + int(40 * chance.random()) for name in queues}
        while hungry and left > len(hungry):
            whole, grants = sum(weights[name] for name in hungry), {}
            for name in hungry:
                grants[name] = left * weights[name] // whole
            for name in list(hungry):
                grant, queue = grants[name], queues[name]
                while queue and grant > 0:
                    log, ratio = queue[0]
                    cost = log if in_log_bytes else log * 1000 // ratio
                    if cost <= grant:
                        queue.popleft()
                        take = cost
                    else:
                        take = grant
                        log = take if in_log_bytes else take * ratio // 1000
                        queue[0][0] -= log
                    grant, left = grant - take, left - take
                    moved[name] += log
                    used += log * 1000 // ratio if in_log_bytes else take
                if not queue:
                    hungry.remove(name)
        return used, moved

    # What each host sees. P, S and A are hosts; who is primary depends on the time.

    def primary(self, t: float) -> str:
        """Return which host is the primary at ``t``."""
        return "S" if self.scenario == "failover" and t >= self.turn else "P"

    @property
    def turn(self) -> float:
        """When the other host has become primary, in the middle of the outage."""
        return (self.change or 0) + OUTAGE / 2

    def link(self, host: str) -> Link:
        """Return the link that feeds a host while it is a secondary."""
        return self.links["A" if host == "A" else "S"]

    def log_generated(self, database: str, t: float) -> int:
        """Return the log generated by the group, in bytes since the simulation began."""
        return self.flushed[database].at(t)

    def log_received(self, host: str, database: str, t: float) -> int:
        """Return the log that has arrived at a host; constant while the host is primary."""
        if self.scenario == "failover" and host != "A":
            t = min(t, self.turn) if host == "S" else max(t, self.turn)
        elif host == self.primary(t):
            return 0
        link = self.link(host)
        return link.log_sent[database].at(t - link.lag.at(t))

    def log_flushed(self, host: str, database: str, t: float) -> int:
        """Return what a host has written to its own log: generated, or hardened as a secondary."""
        if host == self.primary(t):
            return self.log_generated(database, t)
        return self.log_hardened(host, database, t)

    def redo_curve(self, host: str, database: str) -> Curve:
        """Return the redo of hardened log: at once under light load, behind under heavy load."""
        curve, wave = Curve(), Wave(self.noise(f"redo {host} {database}"), 1.0, 0.4, 3.0)
        curve.totals[0] = self.log_received(host, database, -LEAD)
        for step in range(self.steps):
            t = (step + 1) * STEP - LEAD
            rate = self.log_hardened(host, database, t) - self.log_hardened(host, database, t - 1)
            behind = min(1.0, wave.at(t) * rate / REDO_BYTES_PER_SECOND)
            ready = self.log_hardened(host, database, t - behind) - curve.totals[-1]
            curve.grow(max(0, min(ready, int(self.redo_pace(host, database, t) * STEP))))
        return curve

    def log_hardened(self, host: str, database: str, t: float) -> int:
        """Return what a secondary has written of the log it received."""
        return self.log_received(host, database, t - HARDEN_SECONDS)

    def redo_pace(self, host: str, database: str, t: float) -> int:
        """Return the possible redo rate, in log bytes per second."""
        if host == "A" and self.scenario == "redo":
            return int(self.slow_redo.at(t))
        if self.is_reader_busy(host, database, t):
            return 0 if self.is_redo_blocked(host, database, t) else 350_000
        return REDO_BYTES_PER_SECOND

    def is_reader_busy(self, host: str, database: str, t: float) -> bool:
        """Return whether long reports read the database (StackOverflow2010 on A only)."""
        busy = self.scenario == "redo_blocked" and host == "A" and database == "StackOverflow2010"
        return busy and t > self.seconds * 0.2

    def is_redo_blocked(self, host: str, database: str, t: float) -> bool:
        """Return whether a reader's schema lock holds redo up just now."""
        return self.is_reader_busy(host, database, t) and t % 90 > 8

    def log_redone(self, host: str, database: str, t: float) -> int:
        """Return the log redone on a host."""
        return self.redo[host, database].at(t)

    def send_queue(self, host: str, database: str, t: float) -> int:
        """Return the log not yet sent to a host, in bytes, as last reported by the primary.

        Once movement is suspended nobody tells: the value stands still while log is generated.
        """
        if host == self.primary(t):
            return 0
        if self.scenario == "suspended" and host == "A" and self.change is not None:
            t = min(t, self.change)
        return self.backlog(host, database, t)

    def backlog(self, host: str, database: str, t: float) -> int:
        """Return the log not yet sent to a host, in bytes, as it really is."""
        before = INITIAL_BACKLOG[database] if host == "A" and self.scenario in WINDOW_SCENARIOS else 0
        return max(0, before + self.log_generated(database, t) - self.log_received(host, database, t))

    def recovery_queue(self, host: str, database: str, t: float) -> int:
        """Return the log hardened and not yet redone on a host, in bytes."""
        if host == self.primary(t):
            return 0
        return max(0, self.log_hardened(host, database, t) - self.log_redone(host, database, t))
