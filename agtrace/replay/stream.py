"""A change of a stream that perfmon watched: the queue, what arrives, redo, and the next limit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from agtrace.measure.grid import Values
from agtrace.replay import limits as hops
from agtrace.replay import packing
from agtrace.replay.change import Change
from agtrace.replay.check import QUEUE, RECEIVED, RECOVERY, errors, holds
from agtrace.replay.limits import Beside, Capacity
from agtrace.replay.load import Load
from agtrace.replay.outcome import Course, Figures
from agtrace.replay.path import Notes, Ways, changed_path, gate, wire_per_log
from agtrace.replay.samples import LEVELS, Carrying, Replayed, carrying, caught_up, redo, replay
from agtrace.thresholds import Thresholds

MODEL_SPREAD = 0.02
"""Error of the model itself; measured on simulated groups."""
UNDER_WAY_S = 0.5
"""So much of the log may be under way, seconds of what is generated, where no queue is predicted."""
TIME_SPREAD = 0.03
"""Error (one sigma) of the time until a queue is empty, which depends on the difference of two rates."""
PATH_SPREAD = 0.02
"""Minimum difference (one sigma) between the future capacity of a path and the captured one."""
FEWEST_STRETCHES = 6
"""Parts of a capture from which it is seen how its load swings."""
LOAD_SPREAD = 0.15
"""Additional error per factor of e in load: a queue is the small difference of large rates."""


@dataclass(eq=False)
class Streamed(Notes):
    """Result of the replay of a stream; `agtrace.replay.outcome` explains each part."""

    captured: Figures = field(default_factory=Figures)
    replayed: Figures = field(default_factory=Figures)
    errors: dict[str, float] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    capacities: list[Capacity] = field(default_factory=list)
    course: Course | None = None


def streamed(load: Load, beside: Beside, change: Change, limits: Thresholds) -> Streamed:
    """Replay a stream as it was, check that, and replay it changed."""
    found = Streamed()
    seen = hops.busy(load, 1.0)
    is_seen = seen.n >= limits.min_samples
    path = carrying(load, seen) if is_seen else None
    was = replay(load, path)
    floor = limits.behind_s * load.rate
    found.captured = _captured(load)
    found.replayed = _figures(load, was)
    redo_seen = {each.database: _redo_capacity(each, load, limits) for each in load.databases}
    if load.databases:
        recovery = _recovery(load, was, Change(), redo_seen)
        found.replayed = replace(found.replayed, **_of_recovery(recovery))
    found.errors = errors(found.replayed, found.captured, floor)
    if not holds(found.errors, (*QUEUE, *RECEIVED), limits):
        found.whys.append("queue_differs")
        return found
    if not load.has_primary:
        found.assumes.append("generated_as_received")
    if load.wire is None:
        found.leaves_out.append("wire")
    ways = _ways(found, load, beside, change)
    after_path = changed_path(found, ways, path) if not found.whys else None
    if found.whys:
        return found
    after = replay(ways.after, after_path, change.times_load)
    _tell(found, ways, after, after_path, was)
    if load.databases and (change.redo or change.times_load != 1 or not change.is_nothing):
        _tell_redo(found, load, change, after, redo_seen, limits)
    found.capacities = _capacities(ways, after_path, redo_seen)
    known = [each for each in found.capacities if each.is_known]
    if known:
        least = min(known, key=lambda each: each.rate)
        found.after |= {"next_limit": least.hop, "carries_bytes_per_s": least.rate}
    return found


def _ways(found: Streamed, load: Load, beside: Beside, change: Change) -> Ways:
    """Change the compression of a stream if requested, and compute its cost in processor time."""
    after, why, assumed = packing.changed(load, change.compression, beside.packing)
    found.whys += [why] if why else []
    found.assumes += [assumed] if assumed else []
    is_packed = wire_per_log(after) < packing.PLAIN
    packs = packing.carries(load, beside.packing, is_packed=is_packed)
    if after is not load:
        taken = packing.cores(load, beside.packing, change.compression, change.times_load)
        found.after["compression_cores"] = taken
        if taken is None:
            found.leaves_out.append("compression_cost")
    return Ways(load, after, beside, change, packs)


def _captured(load: Load) -> Figures:
    recovery = sum((each.queue for each in load.databases), np.zeros(len(load.times)))
    return Figures(
        send_queue_p95_bytes=float(np.percentile(load.queue, 95)),
        send_queue_end_bytes=float(load.queue[-1]),
        received_bytes_per_s=load.received_rate,
        **(_of_recovery(recovery) if load.databases else {}),
    )


def _of_recovery(recovery: Values) -> dict[str, float]:
    return {
        "recovery_queue_p95_bytes": float(np.percentile(recovery, 95)),
        "recovery_queue_end_bytes": float(recovery[-1]),
    }


def _figures(load: Load, found: Replayed) -> Figures:
    return Figures(
        send_queue_p95_bytes=float(np.median(np.percentile(found.queue, 95, axis=-1))),
        send_queue_end_bytes=float(np.median(found.queue[..., -1])),
        received_bytes_per_s=float(np.median(found.received[..., -1])) / load.seconds,
    )


def _band(values: Values, error: float, times_load: float = 1.0) -> tuple[float, float, float]:
    """Return middle, low and high of a figure over draws: captured and future loads are both draws."""
    middle = float(np.median(values))
    low, high = np.quantile(values, (0.05, 0.95))
    model = MODEL_SPREAD + LOAD_SPREAD * abs(np.log(times_load))
    wider = float(np.hypot(error, model)) * middle
    return (
        middle,
        max(middle - np.hypot((middle - low) * np.sqrt(2), wider), 0.0),
        middle + float(np.hypot((high - middle) * np.sqrt(2), wider)),
    )


def _tell(found: Streamed, ways: Ways, after: Replayed, path: Carrying | None, was: Replayed) -> None:
    load, change = ways.load, ways.change
    error = max((found.errors[name] for name in (*QUEUE, *RECEIVED) if name in found.errors), default=0.0)
    p95 = _band(np.percentile(after.queue, 95, axis=-1), error, change.times_load)
    end = _band(after.queue[..., -1], error, change.times_load)
    # Log in flight of an unlimited stream is not a real queue, but is counted as one.
    under_way = UNDER_WAY_S * load.rate * change.times_load
    p95, end = (
        (middle, low, max(high, under_way) if middle < under_way else high)
        for middle, low, high in (p95, end)
    )
    received = _band(after.received[..., -1] / load.seconds, found.errors.get(RECEIVED[0], 0.0))
    found.after |= {
        "send_queue_p95_bytes": p95[0],
        "send_queue_p95_low_bytes": p95[1],
        "send_queue_p95_high_bytes": p95[2],
        "send_queue_end_bytes": end[0],
        "send_queue_end_low_bytes": end[1],
        "send_queue_end_high_bytes": end[2],
        "received_bytes_per_s": received[0],
        "received_low_bytes_per_s": received[1],
        "received_high_bytes_per_s": received[2],
    }
    level = gone_level(load, change.times_load)
    found.after |= _caught_up(load, after, level)
    if path is not None:
        found.after |= _from_end(ways, path)
    low, middle, high = np.quantile(after.queue, (0.05, 0.5, 0.95), axis=0)
    first, times = float(load.queue[0]), change.times_load
    found.course = Course(
        load.times,
        load.queue,
        np.median(was.queue, axis=0),
        middle,
        np.maximum(middle - np.sqrt(2) * (middle - low), 0),
        middle + np.sqrt(2) * (high - middle),
        first + load.generated,
        first + times * load.generated,
        load.rate * times,
    )


def gone_level(load: Load, times_load: float = 1.0) -> Values:
    """Return the level at which a queue counts as gone: a second of the generated log."""
    return np.full(len(load.times), max(times_load * load.rate, 64 * 1024))


def _caught_up(load: Load, after: Replayed, level: Values) -> dict[str, float | None]:
    each = [caught_up(load.times, queue, level) for queue in after.queue]
    ends = np.array([np.inf if value is None else value for value in each])
    # Between a time and never there is nothing to interpolate.
    low, middle, high = np.quantile(ends, (0.05, 0.5, 0.95), method="nearest")
    if not np.isfinite(middle):
        return {"caught_up_s": None, "caught_up_low_s": _finite(low), "caught_up_high_s": None}
    model = 1.645 * TIME_SPREAD * middle
    return {
        "caught_up_s": float(middle),
        "caught_up_low_s": max(float(middle - np.hypot(np.sqrt(2) * (middle - low), model)), 0.0),
        "caught_up_high_s": _finite(middle + np.hypot(np.sqrt(2) * (high - middle), model)),
    }


def _from_end(ways: Ways, path: Carrying) -> dict[str, float | None]:
    """Return how long the final queue takes to drain if the change is made then.

    The future load is assumed to be like windows of the captured one; the spread of the means of such windows
    is part of the band.
    """
    waits = float(ways.load.queue[-1])
    need = ways.load.rate * ways.change.times_load
    carries = float(path.level.mean()) / ways.wire_per_log
    usual = None if carries <= need else waits / (carries - need)
    lasts = ways.load.seconds if usual is None else min(usual, ways.load.seconds)
    drifts = float(path.level.std() / path.level.mean()) / np.sqrt(LEVELS)
    away = 1.645 * np.hypot(
        carries * np.hypot(max(path.spread, PATH_SPREAD), drifts),
        ways.change.times_load * _swing(ways.load, lasts),
    )

    def seconds(rate: float) -> float | None:
        return waits / rate if rate > 0 else None

    return {
        "caught_up_from_end_s": usual,
        "caught_up_from_end_low_s": seconds(carries - need + away),
        "caught_up_from_end_high_s": seconds(carries - need - away),
    }


def _swing(load: Load, seconds: float) -> float:
    """Return how much means of separate load periods differ, bytes per second, one sigma."""
    length = min(max(seconds, 1.0), load.seconds / FEWEST_STRETCHES)
    n = int(load.seconds // length)
    ends = load.times[0] + np.arange(n + 1) * length
    means = np.diff(np.interp(ends, load.times, load.generated)) / length
    of_one = float(means.std(ddof=1))
    # Longer ones, and the mean of the capture itself, lie closer to what is usual.
    return of_one * float(np.sqrt(length / max(seconds, length) + 1 / n))


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _redo_capacity(each: Any, load: Load, limits: Thresholds) -> float | None:
    """Return the redo rate of a database while its queue is filled; None if it never was."""
    took = np.diff(load.times)
    rates = np.diff(each.redone) / took
    level = max(64 * 1024, float(each.flushed[-1]) / load.seconds)
    filled = each.queue > level
    steps = filled[1:] & filled[:-1] & (rates > 0)
    return float(rates[steps].mean()) if int(steps.sum()) >= limits.min_samples else None


def _recovery(load: Load, after: Replayed, change: Change, seen: dict[str, float | None]) -> Values:
    total = np.zeros(len(load.times))
    for each in load.databases:
        total += redo(load, each, after, change.redo or 1.0, change.times_load, seen[each.database])
    return total


def _tell_redo(
    found: Streamed,
    load: Load,
    change: Change,
    after: Replayed,
    seen: dict[str, float | None],
    limits: Thresholds,
) -> None:
    if not holds(found.errors, RECOVERY, limits):
        found.leaves_out.append("redo_differs")
        return
    if not any(seen.values()):
        found.leaves_out.append("redo_not_seen")
        if change.redo is not None:
            found.assumes.append("redo_not_limiting")
    recovery = _recovery(load, after, change, seen)
    found.after |= _of_recovery(recovery)


def _capacities(ways: Ways, path: Carrying | None, redo_seen: dict[str, float | None]) -> list[Capacity]:
    load, beside, change = ways.load, ways.beside, ways.change
    found = []
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    most = gate(beside, change)
    tops = [each for each in (most, ways.packs) if each is not None]
    if path is not None:
        rate = float(path.level.mean()) / ways.wire_per_log
        hop = beside.limit or hops.NETWORK
        basis = hops.SEEN
        if len(path.ratios) == 1:
            hop, basis = hops.NETWORK, hops.COPIED
        if tops and rate >= 0.99 * min(tops):
            # It carries more than flow control or compression lets through.
            basis = hops.AT_LEAST
        found.append(Capacity(hop, rate, basis))
    else:
        rates = np.diff(load.received) / np.diff(load.times)
        found.append(Capacity(hops.NETWORK, float(np.percentile(rates, 99)), hops.AT_LEAST))
    if most is not None:
        found.append(Capacity(hops.GATE, most, hops.COMPUTED))
    if ways.packs is not None:
        found.append(Capacity(hops.PACKING, ways.packs, hops.COMPUTED))
    if beside.window is not None and trip and change.window is None and beside.limit != hops.WINDOW:
        found.append(Capacity(hops.WINDOW, beside.window / trip / ways.wire_per_log, hops.COMPUTED))
    if beside.disk_at_least is not None and beside.limit != hops.DISK:
        found.append(Capacity(hops.DISK, beside.disk_at_least * (change.disk or 1.0), hops.AT_LEAST))
    known = {name: rate for name, rate in redo_seen.items() if rate is not None}
    if known:
        whole = float(load.received[-1])
        # A database's redo ends where its share of the log does.
        ends = [
            known[each.database] * (change.redo or 1.0) * whole / max(float(each.flushed[-1]), 1.0)
            for each in load.databases
            if each.database in known
        ]
        found.append(Capacity(hops.REDO, min(ends), hops.SEEN))
    return found
