"""Draws groups that are watched, then changed: what is held back by what, and what is captured."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from simulation.what_if.model import UNSCALED, Setting

STREAMS = ("bandwidth", "window", "round trip", "log disk", "load", "compression", "seeding")
COMMITS = (
    "commit rtt", "commit disk", "commit asynchronous", "commit load", "commit replicas",
    "commit compression",
)  # fmt: skip
KINDS = (*STREAMS, *COMMITS)
"""What is changed: of streams that perfmon watches, of commits whose blocks are captured."""
OF_FILES = 5
"""Of so many cases of commits one goes through files of events, and is short: writing them takes its time."""
BLOCKS_OF_FILES = 3000


@dataclass(frozen=True)
class Drawn:
    """A case.

    Parameters
    ----------
    setting, after
        As it is watched, and as it is changed.
    change
        The change as a user asks for it: arguments of ``case.what_if``.
    times
        So many times the load afterwards.
    has_compressed
        Another replica was watched whose stream is compressed, while that of this one is not.
    """

    number: int
    kind: str
    setting: Setting
    after: Setting
    change: dict[str, Any]
    seconds: float
    step: float
    times: float = 1.0
    ping: bool = False
    copy: float | None = None
    tuning_off: bool = False
    with_primary: bool = True
    has_compressed: bool = False

    @property
    def is_stream(self) -> bool:
        return self.kind in STREAMS

    def line(self) -> str:
        change = ", ".join(f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
                           for name, value in self.change.items())  # fmt: skip
        return f"#{self.number} {self.kind} ({change}; {self.seconds / 60:.0f} min every {self.step:g} s)"


def draw(number: int, dice: Random, kinds: tuple[str, ...] = KINDS) -> Drawn:
    """Draw a case."""
    kind = kinds[number % len(kinds)]
    return _stream(number, kind, dice) if kind in STREAMS else _commit(number, kind, dice)


def _stream(number: int, kind: str, dice: Random) -> Drawn:
    seconds = dice.choice((1200.0, 1500.0, 1800.0))
    base = Setting(
        databases=dice.choice((1, 2, 3)),
        blocks_per_s=dice.uniform(12, 25),
        block=dice.uniform(8_000, 26_000),
        swing=dice.uniform(0.05, 0.3),
        burst_rate=dice.choice((1.0, dice.uniform(2, 5))),
        burst_s=dice.uniform(15, 60),
        burst_every_s=dice.uniform(150, 400),
        competing=dice.uniform(0.02, 0.25),
        round_trip=dice.uniform(0.001, 0.03),
        jitter=dice.uniform(0.0001, 0.001),
        packed=dice.choice((1.0, dice.uniform(0.35, 0.8))),
    )
    bursts = 1 + (base.burst_rate - 1) * base.burst_s / (base.burst_every_s + base.burst_s)
    log = base.blocks_per_s * base.block * math.exp(0.18) * bursts
    wire = log * base.packed
    # How much of its load the stream carries as it is watched.
    share = dice.uniform(0.55, 1.02)
    backlog = dice.choice((0.0, *[log * dice.uniform(60, 600)] * 3))
    captured: dict[str, Any] = {
        "step": dice.choice((1.0, 5.0, 5.0, 10.0, 15.0)),
        "with_primary": dice.random() < 0.8,
        "ping": dice.random() < 0.5,
    }
    if kind == "compression":
        return _compression(number, dice, replace(base, backlog=backlog), wire, share, seconds, captured)
    if kind == "seeding":
        carried = wire * dice.uniform(0.9, 2)
        setting = replace(base, bandwidth=carried / (1 - base.competing), backlog=max(backlog, log * 60))
        rate = setting.bandwidth * dice.uniform(0.1, 0.6)
        after = replace(setting, seeding=rate)
        return Drawn(number, kind, setting, after, {"seeding": rate}, seconds, **captured)
    if kind in ("bandwidth", "load"):
        setting = replace(base, bandwidth=wire * share / (1 - base.competing), backlog=backlog)
        if kind == "load":
            times = dice.uniform(1.1, 1.6)
            # Full at first, and by more load again, or for good.
            carried = wire * dice.uniform(0.7, 1.8) / (1 - base.competing)
            setting = replace(
                setting, bandwidth=carried, backlog=max(backlog, log * 60), is_bunched=dice.random() < 0.5
            )
            return Drawn(number, kind, setting, setting, {"load": times}, seconds, times=times, **captured)
        k = dice.uniform(1.15, 6)
        after = replace(setting, bandwidth=setting.bandwidth * k)
        return Drawn(number, kind, setting, after, {"capacity": k}, seconds, **captured)
    if kind in ("window", "round trip"):
        trip = min(max(UNSCALED * 0.7 / (wire * share), 0.012), 0.25)
        setting = replace(base, round_trip=trip, window=UNSCALED, bandwidth=wire * dice.uniform(4, 20),
                          backlog=backlog)  # fmt: skip
        captured |= {"ping": True, "tuning_off": True}
        if kind == "window":
            after = replace(setting, window=math.inf)
            copy = setting.bandwidth * (1 - base.competing) * dice.uniform(0.9, 1.05)
            return Drawn(number, kind, setting, after, {"window": "scaled"}, seconds, copy=copy, **captured)
        new = trip * dice.uniform(0.3, 0.9)
        after = replace(setting, round_trip=new)
        return Drawn(number, kind, setting, after, {"rtt": 1000 * new}, seconds, **captured)
    # A log disk that writes two blocks at a time, slowly; so few may be under way that minutes show it.
    write = base.block * math.exp(0.18) / (log * share) / math.exp(0.045)
    setting = replace(base, write_s=write * 2, writers=2, bandwidth=wire * 30, gate=60)
    k = dice.uniform(1.2, 5)
    after = replace(setting, write_s=setting.write_s / k)
    return Drawn(number, kind, setting, after, {"disk": k}, seconds, **captured)


def _compression(
    number: int, dice: Random, base: Setting, wire: float, share: float, seconds: float,
    captured: dict[str, Any],
) -> Drawn:  # fmt: skip
    """Draw a stream that is compressed and is not afterwards, or the other way round."""
    log, ratio = wire / base.packed, dice.uniform(0.35, 0.8)
    is_off = dice.random() < 0.5
    packed, other = (ratio, 1.0) if is_off else (1.0, ratio)
    # Off: it keeps up by its compression, more or less; on: it would keep up with it.
    carried = log * packed * (dice.uniform(0.9, 1.6) if is_off else share)
    setting = replace(base, packed=packed, bandwidth=carried / (1 - base.competing))
    if is_off:
        setting = replace(setting, backlog=max(base.backlog, log * 60))
    after = replace(setting, packed=other)
    change = {"compression": not is_off}
    return Drawn(
        number, "compression", setting, after, change, seconds, has_compressed=not is_off, **captured
    )


def _commit(number: int, kind: str, dice: Random) -> Drawn:
    base = Setting(
        databases=dice.choice((1, 2)),
        blocks_per_s=dice.uniform(20, 120),
        block=dice.uniform(3_000, 20_000),
        swing=dice.uniform(0.05, 0.4),
        burst_rate=dice.choice((1.0, dice.uniform(1.5, 3))),
        burst_s=5.0,
        burst_every_s=30.0,
        competing=dice.uniform(0.02, 0.4),
        bandwidth=dice.uniform(10e6, 120e6),
        round_trip=dice.uniform(0.0005, 0.03),
        jitter=dice.uniform(0.00005, 0.002),
        write_s=dice.uniform(0.0004, 0.006),
        local_write_s=dice.uniform(0.0004, 0.004),
        write_spread=dice.uniform(0.2, 0.7),
        writers=dice.choice((1, 2, 8)),
    )
    seconds = dice.uniform(40, 90)
    if number % OF_FILES == 0:
        seconds = min(seconds, BLOCKS_OF_FILES / base.blocks_per_s)
    if kind == "commit rtt":
        new = dice.uniform(0.0005, 0.04)
        return Drawn(number, kind, base, replace(base, round_trip=new), {"rtt": 1000 * new}, seconds, 1.0)
    if kind == "commit disk":
        k = dice.uniform(0.7, 6)
        after = replace(base, write_s=base.write_s / k)
        return Drawn(number, kind, base, after, {"disk": k}, seconds, 1.0)
    if kind == "commit asynchronous":
        return Drawn(number, kind, base, base, {"commit": "asynchronous"}, seconds, 1.0)
    if kind == "commit load":
        times = dice.uniform(1.1, 2.0)
        base = replace(base, is_bunched=dice.random() < 0.5)
        return Drawn(number, kind, base, base, {"load": times}, seconds, 1.0, times=times)
    if kind == "commit compression":
        cost = {"pack_s": dice.uniform(4e-9, 100e-9), "unpack_s": dice.uniform(1e-9, 30e-9)}
        packed = replace(base, packed=dice.uniform(0.2, 0.8), **cost)
        pair = (packed, base) if dice.random() < 0.5 else (base, packed)
        return Drawn(number, kind, *pair, {"compression": pair[1] is packed}, seconds, 1.0)
    return Drawn(number, kind, base, base, {"replicas": dice.choice((2, 3))}, seconds, 1.0)
