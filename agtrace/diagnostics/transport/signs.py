"""Signs of an unscaled TCP window, of a free network, and of a slow log disk on the secondary."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from agtrace.history.streams import (
    OFF,
    UNSCALED_WINDOW,
    Bounds,
    Chain,
    Handshake,
    Link,
    Series,
    Stream,
    StreamFacts,
)
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import Spread, spread, together
from agtrace.measure.grid import Node
from agtrace.measure.machines import Card, Lost, Machines, Processors, lost
from agtrace.thresholds import Thresholds


@dataclass(frozen=True, eq=False)
class Signs:
    """Everything known about why a stream is slow.

    Parameters
    ----------
    rate
        The stream while its queue was filled: wire bytes if captured, else the nearest unit.
    per_database
        Median log bytes received of each database in the same rows.
    tuning, primary_tuning
        Auto-tuning level of the receiver and of the primary; None if unknown.
    round_trip
        Seconds; None if not measured.
    copy
        Bulk copy to the replica, bytes per second.
    other_copies
        Bulk copies to the other replicas of the group, bytes per second.
    handshake
        Connections between the two in a packet capture; None without one.
    on_linux
        The names of those of the two that run on Linux.
    lost
        Segments retransmitted by the primary; None if not captured.
    resent
        Messages of the group resent by the primary, mean per second; packets are not included.
    processors
        Processors of the replica.
    log_reads
        Reads of the primary from its log disk to fill the log cache, mean per second of the database
        with most; None if not captured.
    """

    rate: Series | None
    ceiling: Spread | None
    per_database: dict[str, float]
    tuning: str | None
    primary_tuning: str | None
    round_trip: float | None
    copy: float | None
    cards: list[Card]
    limits: Thresholds
    resent: float
    fits: list[str] = field(default_factory=list)
    lost: Lost | None = None
    processors: Processors | None = None
    log_reads: float | None = None
    other_copies: dict[str, float] = field(default_factory=dict)
    handshake: Handshake | None = None
    on_linux: frozenset[str] = frozenset()

    @property
    def is_unscaled(self) -> bool:
        """A packet capture shows connections without window scaling."""
        return self.handshake is not None and not self.handshake.scaled

    @property
    def tuning_off(self) -> bool:
        return self.tuning in OFF

    @property
    def tuning_on(self) -> bool:
        return self.tuning is not None and self.tuning not in OFF

    @property
    def bounds(self) -> Bounds:
        """Return the rates that an unscaled window and the loss on the path would allow."""
        seen = self.lost is not None and self.lost.n >= self.limits.min_samples
        return Bounds(self.round_trip, self.lost.share if self.lost and seen else None)

    @property
    def may_be_unscaled(self) -> bool:
        """Return whether an unscaled window is known, or fits the rate without evidence of scaling."""
        if self.tuning_off or self.is_unscaled:
            return True
        is_open = self.tuning is None and self.handshake is None
        return is_open and self.in_window

    @property
    def near_loss(self) -> bool | None:
        """Return whether the stream is near the rate allowed by the loss; None if unknown."""
        bound, s = self.bounds.loss, self.ceiling
        if bound is None or s is None:
            return None
        return self.limits.loss_low <= s.mean / bound <= self.limits.loss_high

    @property
    def loss_binds(self) -> bool:
        """Return whether loss limits the stream: it is the lower bound, and the stream is near it."""
        share = self.bounds.share
        if not share or (self.may_be_unscaled and not self.bounds.loss_is_lower):
            return False
        near = self.near_loss
        return share >= self.limits.lost_share if near is None else near

    @property
    def bounds_close(self) -> bool:
        """Return whether loss and an unscaled window allow about the same rate: either may be the limit."""
        return self.may_be_unscaled and self.bounds.is_close(self.limits.bounds_close_ratio)

    @property
    def loss_unseen(self) -> bool:
        """Return whether the rate varies from that of an unscaled window, and losses were not captured."""
        window, s = self.bounds.window, self.ceiling
        if self.bounds.share is not None or s is None:
            return False
        below = window is not None and s.p50 < self.limits.window_met_share * window
        return below or not self.is_ceiling

    @property
    def processors_busy(self) -> bool:
        """The replica's processors are near their limit in half of the samples or more."""
        found, limits = self.processors, self.limits
        if found is None or found.n < limits.min_samples:
            return False
        return found.percent >= limits.processors_busy_percent

    @property
    def card_full(self) -> bool:
        """A network card moves about as much as it can."""
        return any(card.share >= self.limits.card_full_share for card in self.cards)

    @property
    def reads_log(self) -> bool:
        """Return whether the primary reads log back from disk: log capture is behind the log cache."""
        return self.log_reads is not None and self.log_reads > self.limits.log_reads_per_s

    @property
    def is_ceiling(self) -> bool:
        s, limits = self.ceiling, self.limits
        if s is None or s.n < limits.min_samples or s.p50 <= 0:
            return False
        return s.p95 / s.p50 < limits.ceiling_ratio

    @property
    def top(self) -> float | None:
        """The rate that the stream does not exceed: its 95th percentile, bytes per second."""
        return self.ceiling.p95 if self.ceiling is not None and self.ceiling.p95 > 0 else None

    @property
    def cards_idle(self) -> bool | None:
        """Return whether every captured network card is idle; None if none was captured."""
        if not self.cards:
            return None
        return all(card.share < self.limits.network_idle_share for card in self.cards)

    @property
    def copy_slow(self) -> bool:
        """A bulk copy is about as slow as the stream, with idle network cards."""
        if self.copy is None or self.top is None or not self.cards_idle:
            return False
        ratio = self.copy / self.top
        return 1 / self.limits.copy_slow_ratio <= ratio <= self.limits.copy_slow_ratio

    @property
    def copy_fast(self) -> bool:
        """A bulk copy is much faster than the stream: the network is free."""
        if self.copy is None or self.top is None:
            return False
        return self.copy >= self.limits.copy_fast_ratio * self.top

    @property
    def in_window(self) -> bool:
        return bool(self.fits)

    @property
    def window(self) -> list[str]:
        """Return the signs of an unscaled receive window that hold, as used in texts."""
        named = {
            "handshake": self.is_unscaled,
            "tuning": self.tuning_off,
            "ceiling": self.is_ceiling,
            "fits": self.in_window,
            "copy": self.copy_slow,
        }
        return [name for name, holds in named.items() if holds]

    @property
    def under_way(self) -> float | None:
        """How many unscaled windows the rate and the round trip put under way."""
        if self.round_trip is None or self.top is None:
            return None
        return self.top * self.round_trip / UNSCALED_WINDOW

    @property
    def window_against(self) -> str:
        """Return the measurement that contradicts an unscaled window; "" if there is none."""
        if self.handshake is not None and self.handshake.scaled:
            return "handshake"
        if self.tuning_on and len(self.window) < 3:
            return "tuning"
        if self.under_way is not None and not self.in_window:
            return "rate"
        return "loss" if self.loss_binds else ""

    @property
    def is_window(self) -> bool:
        """Return whether two signs of an unscaled window hold without contradiction.

        One of them has to be of the window itself: any path that is full has a ceiling and an equally
        slow copy.
        """
        if not self.tuning_off and not self.in_window and not self.is_unscaled:
            return False
        is_known = self.tuning is not None or self.handshake is not None
        if not is_known and self.loss_unseen and (self.under_way or 0) < self.limits.window_met_share:
            return False  # Loss, or the receiver, that was not captured lets through as much.
        return len(self.window) >= 2 and not self.window_against


def signs(
    link: Link,
    stream: Stream,
    chains: list[Chain],
    times: tuple[float, float],
    rows: tuple[slice, slice],
    known: StreamFacts,
) -> Signs:
    """Gather the signs for a link over the stretch in which its queue was filled.

    Parameters
    ----------
    times
        First and last moment of the stretch.
    rows
        Rows of the link on the primary, and on the replica, that belong to it.
    """
    facts, limits = known.facts, known.limits
    here, there = link.of_primary(rows[0]), link.of_secondary(rows[1])
    rate = stream.wire or stream.transport or stream.sent or _received(chains)
    ceiling = None
    if rate is not None:
        side = link.primary if rate in (stream.transport, stream.sent) else link.secondary
        ceiling = spread(rate.values[rows[0] if side is link.primary else rows[1]])
    per_database = {
        chain.databases[0]: chain.received.spread.p50
        for chain in chains
        if chain.received is not None and chain.received.spread is not None
    }
    host = link.secondary.host_id if link.secondary is not None else facts.names.host_id(link.replica)
    source = link.primary.host_id if link.primary is not None else facts.names.host_id(link.primary_name)
    round_trip = facts.round_trip(source, host, *times)
    fits = []
    if round_trip is not None and ceiling is not None:
        fits = _fitting(ceiling.p95, per_database, round_trip, limits)
    ends = known.machines.of(link.primary, here), known.machines.of(link.secondary, there)
    others = {
        node.name: copied
        for node in link.group.nodes
        if node.host_id not in (source, host)
        and (copied := facts.copy(source, node.host_id, *times)) is not None
    }
    return Signs(
        rate, ceiling, per_database, facts.tuning(host, *times), facts.tuning(source, *times),
        round_trip, facts.copy(source, host, *times),
        [end.card for end in ends if end.card is not None], limits,
        stream.resent.mean_of(rows[0]) if stream.resent is not None else 0.0, fits,
        lost(link.primary, here), ends[1].processors, _log_reads(link, rows[0]), others,
        facts.handshake(source, host, *times),
        frozenset(
            name for name, each in ((link.replica, host), (link.primary_name, source)) if known.is_linux(each)
        ),
    )  # fmt: skip


def _log_reads(link: Link, rows: slice) -> float | None:
    found = [link.on_primary(c.LOG_POOL_DISK_READS, db) for db in link.group.databases]
    known = [v[rows] for v in found if v is not None and not np.isnan(v[rows]).all()]
    return max((float(np.nanmean(values)) for values in known), default=None)


def _fitting(top: float, per_database: dict[str, float], round_trip: float, limits: Thresholds) -> list[str]:
    """Name what fits an unscaled window: the stream, or each database if every one of them does.

    Were each database sent over a connection of its own, the same window would hold back all.
    """

    def holds(value: float) -> bool:
        return limits.window_low <= value * round_trip / UNSCALED_WINDOW <= limits.window_high

    each = list(per_database) if all(map(holds, per_database.values())) else []
    return (["the stream to the replica"] if holds(top) else []) + each


def _received(chains: list[Chain]) -> Series | None:
    found = [chain.received for chain in chains if chain.received is not None]
    total = together([series.values for series in found])
    if total is None:
        return None
    return Series(total, found[0].unit, found[0].source)


@dataclass(frozen=True, eq=False)
class LogWrite:
    """How long a log write takes on a node.

    Parameters
    ----------
    ms
        Milliseconds per write: median over the samples with writes.
    is_log
        True when measured by SQL Server for the databases' logs; False for a disk.
    busy
        Writes under way at any moment, mean: 1 is a disk that always writes; None for a disk.
    """

    ms: float
    n: int
    is_log: bool
    source: str
    busy: float | None = None


def log_write(node: Node | None, rows: slice, databases: list[str], machines: Machines) -> LogWrite | None:
    """Measure a node's log writes: Log Flush Write Time / Log Flushes, else the disk written to most."""
    if node is None:
        return None
    spent = [node.get(c.FLUSH_WRITE_TIME, db) for db in databases]
    times = [node.get(c.FLUSHES, db) for db in databases]
    pairs = [(s[rows], t[rows]) for s, t in zip(spent, times, strict=True) if s is not None and t is not None]
    if pairs:
        ms = np.sum([np.nan_to_num(s) for s, _ in pairs], axis=0)
        writes = np.sum([np.nan_to_num(t) for _, t in pairs], axis=0)
        busy = writes > 0
        if busy.any():
            each = ms[busy] / writes[busy]
            source = f"{c.FLUSH_WRITE_TIME[1]} / {c.FLUSHES[1]} on {node.name}"
            under_way = float(ms[busy].mean()) / 1000
            return LogWrite(float(np.median(each)), int(busy.sum()), True, source, under_way)
    disk = machines.of(node, rows).disk
    if disk is None:
        return None
    return LogWrite(disk.ms, disk.n, False, f"Avg. Disk sec/Write of {disk.source}")


def is_slow(write: LogWrite | None, other: LogWrite | None, limits: Thresholds) -> bool:
    """Return whether log writes are slow, absolutely or against the primary's of the same kind."""
    if write is None or write.n < limits.min_samples or write.ms < limits.log_write_floor_ms:
        return False
    if write.ms >= limits.log_write_ms:
        return True
    same = other is not None and other.is_log == write.is_log and other.ms > 0
    return bool(same and other is not None and write.ms >= limits.log_write_ratio * other.ms)


def is_idle(write: LogWrite, limits: Thresholds) -> bool:
    """Return whether a log disk mostly waits for log, so that it is not the limit, even if slow."""
    return write.busy is not None and write.busy < limits.log_idle_share


def is_saturated(write: LogWrite, limits: Thresholds) -> bool:
    """Return whether a log disk is writing nearly all the time."""
    return write.busy is not None and write.busy >= 1 - limits.log_idle_share
