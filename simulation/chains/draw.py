"""Draws transport cases: a cause, the machines and the load that go with it, what is captured.

The truth of a case is the mechanism that is simulated. What may be answered follows from it and
from what was captured, by these rules, which name no limit of the diagnostic:

- A cause is *carried* by the captures when what tells it apart is in them: a receive window by
  the receiver's auto-tuning level together with a round trip or a bulk copy; a gate that closes for
  want of acknowledgements alone, and a slow sender, by a bulk copy and the primary's flow control;
  busy processors by the replica's processor counters; readers that block redo by Redo blocked/sec;
  everything on the replica by the replica's own side; loss that lets through less than an unscaled
  window by retransmissions, and to be named as loss. The others (bandwidth, loss, log disk, redo,
  bursts, health) are carried by the replica's side.
- A case that is not carried may be answered by its cause, by what looks the same without the
  missing part (a slow network, for whatever comes before the replica's disk), or not at all.
- Anything else is wrong. Where nothing is wrong with the stream, any verdict but health is.
- From the primary alone nothing is carried; a closed gate may be told as such there, for the finding
  then says that its reason was not captured. Health is no answer to a slow stream.
- Bursts are over four minutes before a capture ends.
- An idle replica may be called healthy or get no verdict.

One thing is left out because no capture could tell it: auto-tuning that is off on a receiver whose
path is slow for another reason is drawn only with a round trip measured, or with the losses where
they are that reason.

Where a window and losses hold back one stream, it runs at what the lower of the two lets through:
the simulated connection halves its rate with every loss, and never has more than a window under way.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from simulation.chains.model import WINDOW, Setting

HEALTHY, NETWORK, WINDOW_LIMIT = "healthy", "network_limited", "window_limited"
GATE, SENDER, HARDEN = "flow_control", "send_limited", "harden_limited"
REDO, BLOCKED = "redo_limited", "redo_blocked"

CAUSES = {
    "healthy": HEALTHY,
    "bursts": HEALTHY,
    "idle": HEALTHY,
    "bandwidth": NETWORK,
    "full card": NETWORK,
    "loss": NETWORK,
    "window": WINDOW_LIMIT,
    "window below loss": WINDOW_LIMIT,
    "loss below window": NETWORK,
    "log disk": HARDEN,
    "processors": HARDEN,
    "gate": GATE,
    "sender": SENDER,
    "redo": REDO,
    "blocked redo": BLOCKED,
}
"""The mechanisms, and the finding that names each."""

AT_ONCE = ("window below loss", "loss below window")
"""Causes of which both are there, and the first lets through less."""

BOTH, REPLICA_ONLY, PRIMARY_ONLY = "both", "replica only", "primary only"
ZONES = ((" (Korea Standard Time)(-540)", 540), (" (Eastern Daylight Time)(240)", -240),
         (" (Coordinated Universal Time)(0)", 0), (" (W. Europe Summer Time)(-120)", 120))  # fmt: skip


@dataclass
class Clock:
    """How a host's perfmon tells the time.

    Parameters
    ----------
    zone
        Text of the header; "" where it says nothing.
    offset
        Minutes local minus UTC.
    shift
        How far the clock is off, seconds; positive is ahead.
    """

    zone: str
    offset: int
    shift: float = 0.0


@dataclass
class Drawn:
    """One case: the truth, and what of it was captured."""

    number: int
    cause: str
    setting: Setting
    seconds: int
    step: int
    sides: str
    clocks: dict[str, Clock]
    clock_state: str
    tuning: dict[str, str] = field(default_factory=dict)
    ping: bool = False
    copy: float | None = None
    loss_counters: bool = True
    processor_counters: bool = True
    start: dt.datetime = dt.datetime(2024, 3, 5, 12, 0, 0)

    @property
    def expected(self) -> str:
        return CAUSES[self.cause]

    @property
    def has_replica(self) -> bool:
        """The replica's side was captured."""
        return self.sides != PRIMARY_ONLY

    @property
    def has_primary(self) -> bool:
        """The primary's side was captured at what its clock says is the same time."""
        apart = abs(self.clocks["P"].shift - self.clocks["S"].shift)
        return self.sides != REPLICA_ONLY and apart < 1

    @property
    def sees_loss(self) -> bool:
        """Segments that were sent again were captured."""
        return self.has_primary and self.loss_counters

    @property
    def titled(self) -> str:
        """What the title of the finding has to hold, where the captures carry it."""
        return "loses data" if self.cause == "loss below window" and self.carried else ""

    @property
    def carried(self) -> bool:
        """What tells the cause apart was captured."""
        if not self.has_replica or self.cause == "idle":
            return False
        if self.cause == "loss below window":
            return self.sees_loss
        if self.expected == WINDOW_LIMIT:
            return "S" in self.tuning and (self.ping or self.copy is not None)
        if self.cause in ("gate", "sender"):
            return self.copy is not None and self.has_primary
        if self.cause == "processors":
            return self.processor_counters
        return True

    @property
    def acceptable(self) -> set[str]:
        """Verdicts on the replica that are not wrong."""
        if self.carried:
            return {self.expected}
        if self.cause == "idle":
            return {HEALTHY}
        if not self.has_replica:
            return {self.expected, NETWORK, GATE} if self.expected != HEALTHY else {HEALTHY}
        alike = {GATE, SENDER} if self.cause in ("gate", "sender", "processors") else set()
        return {self.expected, NETWORK} | alike

    @property
    def is_slow(self) -> bool:
        return self.expected != HEALTHY


def draw(number: int, dice: Random, causes: Sequence[str] = tuple(CAUSES)) -> Drawn:
    """Draw a case; causes take turns, so that every run has seen all of them."""
    cause = causes[number % len(causes)]
    setting = _setting(cause, dice)
    tuning = {host: "normal" for host in "PS" if dice.random() < 0.6}
    sides = dice.choices((BOTH, REPLICA_ONLY, PRIMARY_ONLY), (80, 14, 6))[0]
    clocks, state = _clocks(dice)
    step = dice.choice((1, 5, 5, 10, 15))
    drawn = Drawn(
        number, cause, setting, dice.randint(20, 45) * 60, step, sides, clocks, state,
        tuning=tuning, ping=dice.random() < 0.5,
        loss_counters=dice.random() < 0.7, processor_counters=dice.random() < 0.9,
    )  # fmt: skip
    if dice.random() < 0.5:
        drawn.copy = _copy(cause, setting, dice)
    _switch_tuning_off(drawn, dice)
    return drawn


def _setting(cause: str, dice: Random) -> Setting:
    """Draw machines on which everything has room, then make one hop too small."""
    generated = 10 ** dice.uniform(5.5, 7.3)
    shares = dice.choice(((1.0,), (0.7, 0.3), (0.5, 0.3, 0.2)))
    round_trip = 10 ** dice.uniform(-3.3, -0.8)
    message = min(10 ** dice.uniform(3.6, 4.75), 60_000)
    card = dice.choice((1.25e8, 1.25e9, 1.25e9))
    room = dice.uniform(4, 20)
    write_ms = dice.uniform(0.3, 4)
    s = Setting(
        generated, shares,
        swing=dice.uniform(0.1, 0.5), bandwidth=card, card=card,
        other_traffic=card * dice.uniform(0.001, 0.2), round_trip=round_trip,
        loss=10 ** dice.uniform(-8, -6.5), compression=dice.choice((1.0, 1.0, dice.uniform(0.2, 0.7))),
        message=message, gate=dice.choice((1792.0, 7168.0)),
        write_ms=write_ms, primary_write_ms=dice.uniform(0.3, 3),
        writers=max(1.0, room * generated * write_ms / 1000 / message),
        processor_percent=dice.uniform(4, 70), redo=generated * dice.uniform(4, 15),
    )  # fmt: skip
    # A gate that is wide enough for the distance: unacknowledged bytes for several round trips.
    needed = 4 * generated * round_trip / s.gate
    s = replace(s, message=max(s.message, min(needed, 60_000)))
    return _limited(cause, s, dice)


def _limited(cause: str, s: Setting, dice: Random) -> Setting:
    share = dice.uniform(0.25, 0.9)
    if cause in ("loss", "loss below window"):
        # The formula is good to a third: a path that it gives a tenth too little may carry all of it.
        share *= 0.75
    if cause == "healthy":
        return s
    if cause == "idle":
        return replace(s, generated=dice.choice((0.0, dice.uniform(1, 100))))
    if cause == "bursts":
        # Twenty to forty seconds at several times what passes; drained within three minutes.
        bandwidth = 3 * s.generated * s.compression
        return replace(
            s, bandwidth=min(bandwidth, s.card), burst_rate=dice.uniform(4, 7), bandwidth_swing=0.05,
            burst_s=dice.uniform(20, 40), burst_every=dice.uniform(240, 480), swing=0.2,
        )  # fmt: skip
    if cause in ("redo", "blocked redo"):
        if cause == "redo":
            return replace(s, redo=share * s.generated)
        # Free for so little of the time that redo cannot keep up.
        free = share * s.generated / s.redo
        return replace(s, blocked=1 - max(free, 0.02))
    if cause == "bandwidth":
        bandwidth = share * s.generated * s.compression
        return _warm(replace(s, bandwidth=bandwidth, bandwidth_swing=dice.uniform(0.03, 0.3)), share)
    if cause == "full card":
        left = share * s.generated * s.compression
        card = max(1.25e8, 10 * left) if left < 1e8 else 1.25e9
        return _warm(replace(s, card=card, bandwidth=card, other_traffic=card - left), share)
    if cause == "loss":
        round_trip, loss = dice.uniform(0.01, 0.12), 10 ** dice.uniform(-3.5, -2)
        passes = 1460 / round_trip * 1.22 / loss**0.5
        return _warm(
            replace(s, round_trip=round_trip, loss=loss, generated=passes / s.compression / share), share
        )  # fmt: skip
    if cause == "window":
        round_trip = dice.uniform(0.02, 0.25)
        passes = WINDOW * dice.uniform(0.93, 1.0)
        generated = passes / round_trip / s.compression / share
        return _warm(replace(s, round_trip=round_trip, window=passes, generated=generated), share)
    if cause in AT_ONCE:
        round_trip = 10 ** dice.uniform(-2.7, -0.6)
        window = WINDOW * dice.uniform(0.93, 1.0)
        # What loss lets through, of what the window does: 1.2 to 30 times as much, or a sixth to five sixths.
        is_window = cause == "window below loss"
        ratio = 10 ** (dice.uniform(0.08, 1.5) if is_window else dice.uniform(-0.8, -0.08))
        loss = (1.22 * 1460 / (ratio * window)) ** 2
        generated = min(ratio, 1.0) * window / round_trip / s.compression / share
        return _warm(replace(s, round_trip=round_trip, window=window, loss=loss, generated=generated), share)
    if cause == "log disk":
        writers = dice.uniform(1, 3)
        manages = share * s.generated
        write_ms = 1000 * writers * s.message / manages
        if not 15 <= write_ms <= 150:
            write_ms = min(max(write_ms, dice.uniform(15, 60)), 150)
            manages = 1000 * writers * s.message / write_ms
        return _warm(replace(s, writers=writers, write_ms=write_ms, generated=manages / share), share)
    if cause == "processors":
        busy = dice.uniform(95, 100)
        return _warm(replace(s, processors=share * s.generated, processor_percent=busy), share)
    if cause == "sender":
        return replace(s, sender=share * s.generated, warm_s=dice.randint(0, 600))
    # The gate: small messages over a long way.
    round_trip, message = dice.uniform(0.08, 0.25), dice.uniform(600, 2000)
    acknowledged = 1792 * message / round_trip
    return replace(
        s, round_trip=round_trip, message=message, gate=1792.0, compression=1.0,
        generated=acknowledged / share, card=1.25e9, bandwidth=1.25e9,
        writers=20 * acknowledged / share * s.write_ms / 1000 / message,
        redo=10 * acknowledged / share, loss=1e-8, warm_s=dice.randint(0, 300),
    )  # fmt: skip


def _warm(s: Setting, share: float) -> Setting:
    """Fill the unacknowledged messages up to the gate before the capture begins."""
    fills = s.gate * s.message / ((1 - share) * s.generated)
    return replace(_roomy(s), warm_s=int(min(1.3 * fills + 60, 6000)))


def _roomy(s: Setting) -> Setting:
    """Keep the hops that are not the cause above the load, where the cause set the load anew."""
    least = 4 * s.generated * s.write_ms / 1000 / s.message
    redo = max(s.redo, 4 * s.generated)
    return replace(s, redo=redo, writers=s.writers if s.write_ms > 10 else max(s.writers, least))


def _copy(cause: str, s: Setting, dice: Random) -> float:
    """Draw the speed of a copy of one large file over the same path, one connection."""
    if cause == "bandwidth":
        return s.bandwidth * dice.uniform(0.5, 1.3)
    if cause == "full card":
        return (s.card - s.other_traffic) * dice.uniform(0.5, 1.5)
    if cause == "loss":
        return 1460 / s.round_trip * 1.22 / s.loss**0.5 * dice.uniform(0.6, 1.4)
    if cause == "window":
        return s.window / s.round_trip * dice.uniform(0.85, 1.7)
    if cause in AT_ONCE:
        loss = 1460 * 1.22 / s.loss**0.5
        return min(s.window, loss) / s.round_trip * dice.uniform(0.6, 1.4)
    return min(s.bandwidth, s.card - s.other_traffic) * dice.uniform(0.4, 0.9)


def _switch_tuning_off(drawn: Drawn, dice: Random) -> None:
    s = drawn.setting
    if drawn.cause == "window" or drawn.cause in AT_ONCE:
        if drawn.cause == "loss below window" and not drawn.sees_loss:
            drawn.ping = True
        drawn.tuning |= {host: "disabled" for host in drawn.tuning if host == "S" or dice.random() < 0.3}
        return
    # An unscaled window does no harm where the way is short.
    harmless = WINDOW / s.round_trip > 3 * s.generated * s.compression * s.burst_rate
    if harmless and "S" in drawn.tuning and dice.random() < 0.2 and (not drawn.is_slow or drawn.ping):
        s.window = WINDOW
        drawn.tuning["S"] = "disabled"
        if drawn.copy is not None and not drawn.cause.startswith(("bandwidth", "full", "loss")):
            drawn.copy = min(drawn.copy, WINDOW / s.round_trip)


def _clocks(dice: Random) -> tuple[dict[str, Clock], str]:
    clocks = {host: Clock(*dice.choice(ZONES)) for host in "PS"}
    state = dice.choices(("right", "shifted", "unknown"), (60, 25, 15))[0]
    host = dice.choice("PS")
    if state == "shifted":
        hour = 3600.0
        clocks[host].shift = dice.choice((1, -1)) * dice.choice(
            (dice.uniform(180, 3000), hour, 2 * hour, 9 * hour, 24 * hour, 44 * 365.25 * 24 * hour)
        )
    elif state == "unknown":
        for each in host if dice.random() < 0.5 else "PS":
            clocks[each].zone = ""
    return clocks, state
