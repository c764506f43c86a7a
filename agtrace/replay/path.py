"""The limit of a stream after a change: the path, the hop after it, or flow control."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from agtrace.replay import limits as hops
from agtrace.replay.change import SCALED, Change
from agtrace.replay.limits import Beside
from agtrace.replay.load import Load
from agtrace.replay.samples import Carrying, steady

COPY_SPREAD = 0.2
"""A bulk copy shows what the stream will carry to about a fifth (one sigma): they share no connection."""
OTHER_COPY_SPREAD = 0.35
"""One to another replica took another path."""
SHARED_SPREAD = 0.02
"""Relative error (one sigma) of a stream's share of a path that a seeding also uses."""
PACKED_SPREAD = 0.03
"""Relative difference (one sigma) of the compression ratio between streams of the same log."""


@dataclass(eq=False)
class Notes:
    """Keys of what an estimate cannot answer, of what it leaves out, and of its assumptions."""

    whys: list[str] = field(default_factory=list)
    leaves_out: list[str] = field(default_factory=list)
    assumes: list[str] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Ways:
    """A stream before a change, and the parts that the change itself alters.

    Parameters
    ----------
    after
        The load after the change, for example with other compression.
    packs
        Throughput of compression after the change, log bytes per second; None if not measured.
    """

    load: Load
    after: Load
    beside: Beside
    change: Change
    packs: float | None = None

    @property
    def wire_per_log(self) -> float:
        """Bytes on the wire of a byte of log, after the change."""
        return wire_per_log(self.after)

    @property
    def times_wire(self) -> float:
        """So many times as much has to go over the wire."""
        return self.change.times_load * self.wire_per_log / wire_per_log(self.load)


def wire_per_log(load: Load) -> float:
    return float(load.on_wire[-1] / load.received[-1]) if load.received[-1] > 0 else 1.0


def changed_path(notes: Notes, ways: Ways, path: Carrying | None) -> Carrying | None:
    """Return what limits the log after a change; None if nothing does, or with a reason in the notes.

    Parameters
    ----------
    path
        The limit before the change; None if the path was never seen at its limit.
    """
    change, limit = ways.change, ways.beside.limit
    asks_path = change.window or change.capacity or change.rtt_ms or change.loss is not None
    changed = path
    if path is None:
        changed = _never_full(notes, ways, asks_path=bool(asks_path))
    elif asks_path and limit not in ("", *hops.PATH):
        notes.assumes.append("other_hop_limits")
    else:
        changed = _other_path(notes, ways, path)
    if notes.whys:
        return None
    if change.compression is not None and limit in (hops.SENDER, hops.PROCESSORS):
        # Its processors are what holds it back, and compression takes more of them, or less.
        notes.whys.append("processors_limit")
        return None
    if change.disk is not None:
        if limit == hops.DISK and changed is not None:
            changed = changed.times(change.disk)
        else:
            notes.assumes.append("disk_not_limiting")
    if change.seeding_bytes_per_s is not None:
        changed = _with_seeding(notes, ways, changed, change.seeding_bytes_per_s)
    if changed is not None and ways.after is not ways.load and change.compression:
        changed = replace(changed, spread=float(np.hypot(changed.spread, PACKED_SPREAD)))
    if changed is not None and ways.packs is not None:
        changed = replace(changed, level=np.minimum(changed.level, ways.packs * ways.wire_per_log))
    return _gated(notes, ways, changed)


def gate(beside: Beside, change: Change) -> float | None:
    """Return what flow control lets through after a change, log bytes per second."""
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    return hops.gate(beside, trip)


def _never_full(notes: Notes, ways: Ways, *, asks_path: bool) -> Carrying | None:
    """Return the capacity of a path that was never seen full, from a bulk copy if there was one."""
    change = ways.change
    if change.capacity is not None and change.capacity < 1:
        notes.whys.append("path_not_seen")
        return None
    if ways.times_wire > 1 and not _goes_on(ways.load, ways.times_wire):
        if ways.beside.copy is None:
            notes.whys.append("path_not_seen")
            return None
        return _copied(notes, ways)
    if asks_path:
        notes.assumes.append("path_not_limiting")
    return None


def _other_path(notes: Notes, ways: Ways, path: Carrying) -> Carrying | None:
    change, beside = ways.change, ways.beside
    changed: Carrying | None = path
    if change.capacity is not None:
        changed = path.times(change.capacity)
    elif change.window == SCALED:
        if beside.limit not in (hops.WINDOW, ""):
            notes.assumes.append("window_not_limiting")
        elif beside.copy is None:
            notes.whys.append("no_copy")
            return None
        else:
            changed = _copied(notes, ways)
    if change.rtt_ms is not None:
        changed = _by_round_trip(notes, ways, changed)
    if change.loss is not None:
        changed = _by_loss(notes, ways, changed)
    return changed


def _goes_on(load: Load, times_load: float) -> bool:
    """Return whether a scaled load is below what the stream was seen to carry."""
    rates = np.diff(load.received) / np.diff(load.times)
    return bool(times_load * load.rate <= np.percentile(rates, 99) and times_load <= 1.2)


def _copied(notes: Notes, ways: Ways) -> Carrying:
    beside = ways.beside
    assert beside.copy is not None
    notes.assumes.append("copy_to_other" if beside.copied_to else "copy")
    rate = beside.copy if beside.card is None else min(beside.copy, beside.card)
    return steady(ways.load, rate, OTHER_COPY_SPREAD if beside.copied_to else COPY_SPREAD)


def _by_round_trip(notes: Notes, ways: Ways, path: Carrying | None) -> Carrying | None:
    """Return what a path carries over another round trip; unchanged if nothing seen depends on it."""
    beside, asked = ways.beside, ways.change.rtt_ms
    assert asked is not None
    if beside.limit == hops.NETWORK:
        notes.assumes.append("bandwidth_limits")
        return path
    if beside.round_trip is None:
        notes.whys.append("no_round_trip")
        return path
    if path is None:
        return None
    after = asked / 1000
    factor = beside.round_trip / after
    if beside.window is None or beside.limit == hops.LOSS:
        return path.times(factor)
    # Part of the time between two windows may be no round trip: sending, and waiting for blocks.
    between = max(beside.window / float(path.level.mean()), beside.round_trip)
    other = between / (between - beside.round_trip + after)
    spread = max(abs(np.log(factor / other)) / 2, 0.02)
    return replace(path.times(factor), spread=float(np.hypot(path.spread, spread)))


def _by_loss(notes: Notes, ways: Ways, path: Carrying | None) -> Carrying | None:
    beside, change = ways.beside, ways.change
    assert change.loss is not None
    if beside.round_trip is None or path is None:
        notes.whys.append("no_round_trip")
        return path
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    if change.loss > 0:
        bound = hops.mathis(trip, change.loss)
        return replace(path, level=np.minimum(path.level, bound))
    if beside.limit == hops.LOSS:
        if beside.copy is None:
            notes.whys.append("no_copy")
            return path
        notes.assumes.append("copy_to_other" if beside.copied_to else "copy")
        return Carrying(np.full(len(path.level), beside.copy), np.ones(1), COPY_SPREAD)
    notes.assumes.append("loss_not_limiting")
    return path


def _with_seeding(notes: Notes, ways: Ways, path: Carrying | None, rate: float) -> Carrying | None:
    """Leave a part of the path to a seeding.

    Of a path that was full it gets what it asks for, at most half. Where something else held the log back
    there may be room beside it, which a copy tells.
    """
    if path is not None and ways.beside.limit in ("", hops.NETWORK):
        left = path.less(rate)
        return replace(left, spread=float(np.hypot(left.spread, SHARED_SPREAD)))
    if ways.beside.copy is None:
        notes.whys.append("path_not_seen")
        return None
    left = _copied(notes, ways).less(rate)
    if path is None:
        return left
    notes.assumes.append("seeding_apart")
    is_less = float(left.level.mean()) < float(path.level.mean())
    return left if is_less else path


def _gated(notes: Notes, ways: Ways, path: Carrying | None) -> Carrying | None:
    """Limit a path to what flow control lets through."""
    most = gate(ways.beside, ways.change)
    if most is None:
        notes.leaves_out.append("gate")
        return path
    if path is None:
        return path
    return replace(path, level=np.minimum(path.level, most * ways.wire_per_log))
