"""A change of a stream that perfmon watched: the queue, what arrives, redo, and the next limit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from agtrace.measure.grid import Values
from agtrace.replay import limits as hops
from agtrace.replay.change import SCALED, Change
from agtrace.replay.check import QUEUE, RECEIVED, RECOVERY, errors, holds
from agtrace.replay.limits import Beside, Busy, Capacity
from agtrace.replay.load import Load
from agtrace.replay.outcome import Course, Figures
from agtrace.replay.samples import Carrying, Replayed, carrying, caught_up, redo, replay, steady
from agtrace.thresholds import Thresholds

COPY_SPREAD = 0.2
"""A bulk copy shows what the stream will carry to about a fifth (one sigma): they share no connection."""
OTHER_COPY_SPREAD = 0.35
"""One to another replica took another path."""

MODEL_SPREAD = 0.02
"""What the model itself is off; measured on simulated groups."""
LOAD_SPREAD = 0.15
"""What another load adds to that, for each factor of e: a queue is the small rest of large rates."""


@dataclass(eq=False)
class Streamed:
    """What the replay of a stream says; `agtrace.replay.outcome` has the meaning of each part."""

    captured: Figures = field(default_factory=Figures)
    replayed: Figures = field(default_factory=Figures)
    errors: dict[str, float] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    whys: list[str] = field(default_factory=list)
    leaves_out: list[str] = field(default_factory=list)
    assumes: list[str] = field(default_factory=list)
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
    after_path = _path(found, load, beside, change, seen, path)
    if found.whys:
        return found
    after = replay(load, after_path, change.times_load)
    _tell(found, load, beside, change, after, after_path, was)
    if load.databases and (change.redo or change.times_load != 1 or not change.is_nothing):
        _tell_redo(found, load, change, after, redo_seen, limits)
    found.capacities = _capacities(load, beside, change, after_path, redo_seen)
    known = [each for each in found.capacities if each.is_known]
    if known:
        least = min(known, key=lambda each: each.rate)
        found.after |= {"next_limit": least.hop, "carries_bytes_per_s": least.rate}
    return found


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


def _path(
    found: Streamed, load: Load, beside: Beside, change: Change, seen: Busy, path: Carrying | None
) -> Carrying | None:
    """Give what holds the log back after a change; reasons where the captures do not tell that."""
    wire_per_log = float(load.on_wire[-1] / load.received[-1]) if load.received[-1] > 0 else 1.0
    is_path = beside.limit in ("", *hops.PATH)
    changed = path
    asks_path = change.window or change.capacity or change.rtt_ms or change.loss is not None
    if path is None:
        if change.capacity is not None and change.capacity < 1:
            found.whys.append("path_not_seen")
        if change.times_load > 1 and not _goes_on(load, change.times_load):
            # Nobody saw where the path ends; a copy tells what it carries.
            if beside.copy is None:
                found.whys.append("path_not_seen")
                return None
            changed = _copied(found, load, beside)
        if asks_path and change.times_load <= 1:
            found.assumes.append("path_not_limiting")
    elif asks_path and not is_path:
        found.assumes.append("other_hop_limits")
    elif path is not None and is_path:
        if change.capacity is not None:
            changed = path.times(change.capacity)
        elif change.window == SCALED:
            if beside.limit not in (hops.WINDOW, ""):
                found.assumes.append("window_not_limiting")
            elif beside.copy is None:
                found.whys.append("no_copy")
                return None
            else:
                changed = _copied(found, load, beside)
        if change.rtt_ms is not None:
            changed = _by_round_trip(found, beside, change, changed)
        if change.loss is not None:
            changed = _by_loss(found, beside, change, changed, wire_per_log)
    if change.disk is not None:
        if beside.limit == hops.DISK and changed is not None:
            changed = changed.times(change.disk)
        else:
            found.assumes.append("disk_not_limiting")
    if change.compression is not None:
        found.whys.append("compression_not_seen")
    if change.seeding_bytes_per_s is not None:
        if changed is None:
            if beside.copy is None:
                found.whys.append("path_not_seen")
                return None
            changed = _copied(found, load, beside)
        changed = changed.less(change.seeding_bytes_per_s)
    return _gated(found, load, beside, change, changed, wire_per_log)


def _goes_on(load: Load, times_load: float) -> bool:
    """Tell whether so many times the load is less than what the stream was seen to carry."""
    rates = np.diff(load.received) / np.diff(load.times)
    return bool(times_load * load.rate <= np.percentile(rates, 99) and times_load <= 1.2)


def _copied(found: Streamed, load: Load, beside: Beside) -> Carrying:
    assert beside.copy is not None
    found.assumes.append("copy_to_other" if beside.copied_to else "copy")
    rate = beside.copy if beside.card is None else min(beside.copy, beside.card)
    return steady(load, rate, OTHER_COPY_SPREAD if beside.copied_to else COPY_SPREAD)


def _by_round_trip(found: Streamed, beside: Beside, change: Change, path: Carrying | None) -> Carrying | None:
    """Give what a path carries over another round trip; as it was where it goes by nothing seen."""
    assert change.rtt_ms is not None
    if beside.limit == hops.NETWORK:
        found.assumes.append("bandwidth_limits")
        return path
    if beside.round_trip is None:
        found.whys.append("no_round_trip")
        return path
    if path is None:
        return None
    after = change.rtt_ms / 1000
    factor = beside.round_trip / after
    if beside.window is None or beside.limit == hops.LOSS:
        return path.times(factor)
    # Part of the time between two windows may be no round trip: sending, and waiting for blocks.
    between = max(beside.window / float(path.level.mean()), beside.round_trip)
    other = between / (between - beside.round_trip + after)
    spread = max(abs(np.log(factor / other)) / 2, 0.02)
    return replace(path.times(factor), spread=float(np.hypot(path.spread, spread)))


def _by_loss(
    found: Streamed, beside: Beside, change: Change, path: Carrying | None, wire_per_log: float
) -> Carrying | None:
    assert change.loss is not None
    if beside.round_trip is None or path is None:
        found.whys.append("no_round_trip")
        return path
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    if change.loss > 0:
        bound = hops.mathis(trip, change.loss)
        return Carrying(np.minimum(path.level, bound), path.ratios, path.spread)
    if beside.limit == hops.LOSS:
        if beside.copy is None:
            found.whys.append("no_copy")
            return path
        found.assumes.append("copy_to_other" if beside.copied_to else "copy")
        return Carrying(np.full(len(path.level), beside.copy), np.ones(1), COPY_SPREAD)
    found.assumes.append("loss_not_limiting")
    return path


def _gated(
    found: Streamed, load: Load, beside: Beside, change: Change, path: Carrying | None, wire_per_log: float
) -> Carrying | None:
    """Let flow control hold back what goes beyond it."""
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    most = hops.gate(beside, trip)
    if most is None:
        found.leaves_out.append("gate")
        return path
    if path is None:
        return path
    return Carrying(np.minimum(path.level, most * wire_per_log), path.ratios, path.spread)


def _band(values: Values, error: float, times_load: float = 1.0) -> tuple[float, float, float]:
    """Give middle, low and high of a figure over draws: what comes is a draw, as what was captured was."""
    middle = float(np.median(values))
    low, high = np.quantile(values, (0.05, 0.95))
    model = MODEL_SPREAD + LOAD_SPREAD * abs(np.log(times_load))
    wider = float(np.hypot(error, model)) * middle
    return (
        middle,
        max(middle - np.hypot((middle - low) * np.sqrt(2), wider), 0.0),
        middle + float(np.hypot((high - middle) * np.sqrt(2), wider)),
    )


def _tell(
    found: Streamed, load: Load, beside: Beside, change: Change, after: Replayed, path: Carrying | None,
    was: Replayed,
) -> None:  # fmt: skip
    error = max((found.errors[name] for name in (*QUEUE, *RECEIVED) if name in found.errors), default=0.0)
    p95 = _band(np.percentile(after.queue, 95, axis=-1), error, change.times_load)
    end = _band(after.queue[..., -1], error, change.times_load)
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
        found.after |= _from_end(load, change, path)
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
    """Give the level at which a queue counts as gone: a second of the log that is generated."""
    return np.full(len(load.times), max(times_load * load.rate, 64 * 1024))


def _caught_up(load: Load, after: Replayed, level: Values) -> dict[str, float | None]:
    each = [caught_up(load.times, queue, level) for queue in after.queue]
    ends = np.array([np.inf if value is None else value for value in each])
    # Between a time and never there is nothing to interpolate.
    low, middle, high = np.quantile(ends, (0.05, 0.5, 0.95), method="nearest")
    if not np.isfinite(middle):
        return {"caught_up_s": None, "caught_up_low_s": _finite(low), "caught_up_high_s": None}
    away = np.sqrt(2)
    return {
        "caught_up_s": float(middle),
        "caught_up_low_s": max(float(middle - away * (middle - low)), 0.0),
        "caught_up_high_s": _finite(middle + away * (high - middle)),
    }


def _from_end(load: Load, change: Change, path: Carrying) -> dict[str, float | None]:
    """Give how long what waits at the end takes to be gone if the change is made then."""
    wire_per_log = float(load.on_wire[-1] / load.received[-1]) if load.received[-1] > 0 else 1.0
    waits = float(load.queue[-1])
    need = load.rate * change.times_load
    carries = float(path.level.mean()) / wire_per_log
    away = 1.645 * max(path.spread, 0.05)

    def seconds(rate: float) -> float | None:
        return waits / (rate - need) if rate > need else None

    return {
        "caught_up_from_end_s": seconds(carries),
        "caught_up_from_end_low_s": seconds(carries * np.exp(away)),
        "caught_up_from_end_high_s": seconds(carries * np.exp(-away)),
    }


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _redo_capacity(each: Any, load: Load, limits: Thresholds) -> float | None:
    """Give what redo of a database carries while its queue is filled; None where it never was."""
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


def _capacities(
    load: Load, beside: Beside, change: Change, path: Carrying | None, redo_seen: dict[str, float | None]
) -> list[Capacity]:
    wire_per_log = float(load.on_wire[-1] / load.received[-1]) if load.received[-1] > 0 else 1.0
    found = []
    trip = change.rtt_ms / 1000 if change.rtt_ms is not None else beside.round_trip
    most = hops.gate(beside, trip)
    if path is not None:
        rate = float(path.level.mean()) / wire_per_log
        hop = beside.limit or hops.NETWORK
        basis = hops.SEEN
        if len(path.ratios) == 1:
            hop, basis = hops.NETWORK, hops.COPIED
        if most is not None and rate >= 0.99 * most:
            # It carries more than flow control lets through.
            basis = hops.AT_LEAST
        found.append(Capacity(hop, rate, basis))
    else:
        rates = np.diff(load.received) / np.diff(load.times)
        found.append(Capacity(hops.NETWORK, float(np.percentile(rates, 99)), hops.AT_LEAST))
    if most is not None:
        found.append(Capacity(hops.GATE, most, hops.COMPUTED))
    if beside.window is not None and trip and change.window is None and beside.limit != hops.WINDOW:
        found.append(Capacity(hops.WINDOW, beside.window / trip / wire_per_log, hops.COMPUTED))
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
