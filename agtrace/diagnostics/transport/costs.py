"""Costs of the transport: log lost in a failover, time of redo, wait of a commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from agtrace.diagnostics.transport import snapshots
from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.confidence import OLDER, Ground
from agtrace.diagnostics.transport.evidence import ROUND_TRIP, figure, log_writes
from agtrace.diagnostics.transport.rows import Recoveries
from agtrace.diagnostics.transport.signs import is_slow
from agtrace.diagnostics.transport.verdict import subject, window
from agtrace.history.streams import INTEGRAL, SYNCHRONOUS, Link, Look, Loss, Mode, RedoTime
from agtrace.measure import transport_counters as c
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

T = TypeVar("T")

WAITS_SHARE = 0.5
"""Share of the queue's wait time that commits waiting for it wait at least."""
LOSS = Measure("rpo", "data loss", "s")
LOSS_AT_LEAST = Measure("rpo_at_least", "data loss (at least)", "s")
GROWTH = Measure("rpo_growth", "data loss, growth in a minute", "s")
REDO_TIME = Measure("redo", "redo time", "s")
CAPACITY = Measure("redo_capacity", "redo capacity (p75 while redo had work, n = {n})", "log B/s")
COMMIT_WAIT = Measure("commit_wait", "commit wait per transaction", "ms")
QUEUED = Measure("queued_bytes", "log send queue of {replica}, at the end", "B")
WAITED = Measure("transactions_per_s", "transactions that waited, mean", "1/s")
SAMPLES = Measure("samples", "samples")


@dataclass(frozen=True)
class Bounded:
    """A duration in seconds, or a bound ("at least", "less than"); 0 was measured."""

    seconds: float
    bound: str = ""


def bounded(seconds: float, resolution: float) -> Bounded:
    """Return an estimated loss; below the sampling interval, only the interval is known, except for zero."""
    is_known = seconds >= resolution or seconds == 0
    return Bounded(figure(seconds)) if is_known else Bounded(resolution, "less than")


def of_loss(
    link: Link,
    losses: list[Loss],
    limits: Thresholds,
    looks: Sequence[Look] = (),
    awaited: CommitDelay | None = None,
) -> Judged | None:
    """Judge the data loss of a failover to a replica; its worst database counts.

    Parameters
    ----------
    looks
        Looks at the replica: what they show at their moments stands beside it.
    awaited
        The commit wait of the primary, where its commits are known to wait for this replica.
    """
    if not losses:
        return None
    worst = max(losses, key=lambda item: (item.end, item.queue))
    s, trend, step = worst.spread, worst.trend, worst.resolution
    grows = worst.growing if worst.at_least else trend is not None and trend.low > 0
    growing = grows and worst.end > limits.rpo_s
    per_min = figure(60 * trend.value) if growing and trend is not None else None
    severity = "warning" if growing else "notice" if worst.end > limits.rpo_s else "info"
    # Commits that wait for as long as the queue lasts wait for its log to arrive.
    is_awaited = awaited is not None and awaited.each.p95 / 1000 >= WAITS_SHARE * worst.end > limits.rpo_s
    severity = "notice" if is_awaited else severity
    ground = Ground.RPO_INTEGRAL if worst.method == INTEGRAL else Ground.RPO_ESTIMATE
    is_off = abs(link.left) * 1000 >= limits.skew_ms
    return Judged(
        said="rpo.awaited" if is_awaited else "rpo.counted",
        id="transport.rpo",
        severity=severity,
        subject=subject(link, []) | {"database": worst.database},
        window=window(worst.times, is_local=link.is_local),
        evidence=(
            *chain(*(_lost(link, item, worst) for item in _first(worst, losses))),
            *([] if per_min is None else [GROWTH(per_min, "least squares", worst.database)]),
            *snapshots.of_states(looks),
        ),
        confidence=ground.lowered(OLDER if worst.at_least else 0.0),
        facts={
            "replica": link.replica, "database": worst.database, "method": worst.method,
            "n": s.n, "step": step,
            "end": Bounded(max(worst.end, step), "at least") if worst.at_least else bounded(worst.end, step),
            "p50": bounded(s.p50, step), "p95": bounded(s.p95, step),
            "most": Bounded(s.max, "at least") if worst.at_least else bounded(s.max, step),
            "growth_per_min": per_min,
            "is_lower_bound": worst.at_least, "rough": worst.bounds, "is_beyond": severity != "info",
            "looks": snapshots.synchronized_at(looks),
            "wait_p95": awaited.each.p95 / 1000 if is_awaited and awaited is not None else None,
            "clocks_apart": abs(link.left) if is_off else None,
        },
    )  # fmt: skip


def _first(worst: T, items: Sequence[T]) -> list[T]:
    """Return items in their order, the one that decides first."""
    return sorted(items, key=lambda item: item is not worst)


def _lost(link: Link, item: Loss, worst: Loss) -> list[Measured]:
    source = f"{c.SEND_QUEUE[0]}\\{c.SEND_QUEUE[1]} on {link.replica}"
    if worst.method == INTEGRAL:
        source += f", {c.FLUSHED[0]}\\{c.FLUSHED[1]} on {link.primary_name}"
    return [
        Measure("rpo_end", f"data loss at the end ({item.basis})", "s")(
            figure(item.end), source, item.database
        ),
        *_spread(LOSS_AT_LEAST if item.at_least else LOSS, item, source),
        SAMPLES(item.spread.n, source, item.database),
    ]


def _spread(measure: Measure, item: Loss | RedoTime, source: str) -> list[Measured]:
    return [
        measure.stat(name)(figure(getattr(item.spread, name)), source, item.database)
        for name in ("p50", "p95", "max")
    ]


MEASURED = Measure("measured_recovery", "longest measured recovery", "s")


def _rough(seconds: float) -> Bounded:
    """Return a rounded redo time; queues are sampled, so fractions of a second have no meaning."""
    return Bounded(figure(seconds)) if seconds >= 1 or seconds == 0 else Bounded(1.0, "less than")


def of_redo_time(
    link: Link,
    times: list[RedoTime],
    without: list[str],
    limits: Thresholds,
    recoveries: Iterable[Recoveries] = (),
) -> Judged | None:
    """Judge how long redo would take at a failover to a replica; its worst database counts.

    Parameters
    ----------
    without
        Databases for which it is unknown.
    recoveries
        Rows of recoveries.sql: durations of past recoveries.
    """
    if not times:
        return None
    worst = max(times, key=lambda item: item.end)
    s, step = worst.spread, link.secondary.step if link.secondary is not None else 0.0
    source = f"{c.RECOVERY_QUEUE[0]}\\{c.RECOVERY_QUEUE[1]}, {c.REDONE[1]} on {link.replica}"
    found: list[Measured] = []
    for item in _first(worst, times):
        found += [
            Measure("redo_end", "redo time at the end", "s")(figure(item.end), source, item.database),
            *_spread(REDO_TIME, item, source),
            CAPACITY.about(n=item.n)(figure(item.capacity), source, item.database),
        ]
    about = subject(link, []) | {"database": worst.database}
    own = {item.database.lower() for item in times}
    measured = [row for row in recoveries if row.host_id == about.get("host") and row.database.lower() in own]
    longest = max(measured, key=lambda row: row.seconds, default=None)
    found += [MEASURED(row.seconds, row.place, row.database) for row in measured]
    most = max(worst.end, longest.seconds if longest and longest.is_failover else 0.0)
    return Judged(
        said="rto",
        id="transport.rto",
        severity="notice" if most > limits.rto_s else "info",
        subject=about,
        window=window(worst.times, is_local=link.is_local),
        evidence=tuple(found),
        confidence=Ground.RTO.confidence,
        facts={
            "replica": link.replica, "database": worst.database, "is_upper_bound": worst.at_most,
            "bound": "at most" if worst.at_most and worst.end >= 1 else "",
            "end": _rough(worst.end), "p50": _rough(s.p50), "p95": _rough(s.p95), "most": _rough(s.max),
            "capacity": worst.capacity, "n": worst.n, "without": without, "step": step,
            "measured": longest,
        },
    )  # fmt: skip


def of_commit(
    delay: CommitDelay,
    modes: Mapping[str, Mode],
    limits: Thresholds,
    queued: Mapping[str, float] | None = None,
) -> Judged:
    """Judge the cost of synchronous commit per transaction, and its parts.

    Parameters
    ----------
    modes
        The commit mode of each replica of which it is known.
    queued
        Log that waited at the end to be sent to synchronous replicas that fall behind, bytes.
    """
    queued = queued or {}
    is_blocked = delay.each.p95 >= limits.commit_blocked_ms
    unwritten = [hop.replica for hop in delay.hops if hop.write is None]
    unreached = [hop.replica for hop in delay.hops if hop.round_trip is None]
    steps = {"writes": unwritten, "ping": unreached}
    is_long = delay.mean >= limits.commit_delay_ms
    who = {"primary": delay.primary.name, "host": delay.primary.host_id}
    return Judged(
        said="commit_delay",
        id="transport.commit_delay",
        severity="critical" if is_blocked else "notice" if is_long else "info",
        subject=who | ({"ag": delay.group.name} if delay.group.name else {}),
        window=window(delay.primary.times[delay.rows], is_local=delay.primary.is_local),
        evidence=(
            *_waited(delay, modes),
            *(QUEUED.about(replica=name)(figure(size), c.SEND_QUEUE[1]) for name, size in queued.items()),
        ),
        confidence=Ground.COMMIT_DELAY.confidence,
        facts={
            "delay": delay,
            "is_long": is_long,
            "queued": [{"replica": name, "bytes": size} for name, size in queued.items()] if is_long else [],
            "unwritten": unwritten,
            "unreached": unreached,
            "synchronous": [name for name, mode in modes.items() if mode.mode == SYNCHRONOUS],
            "slow": [hop.replica for hop in delay.hops if is_slow(hop.write, delay.own_write, limits)],
            "steps": [step for step, names in steps.items() if names],
        },
    )


def _waited(delay: CommitDelay, modes: Mapping[str, Mode]) -> tuple[Measured, ...]:
    wait, mean = COMMIT_WAIT, COMMIT_WAIT.stat("mean")
    source = (
        f"{c.TRANSACTION_DELAY[0]}\\{c.TRANSACTION_DELAY[1]} / {c.MIRRORED_WRITES[1]} on {delay.primary.name}"
    )
    found = [
        mean(figure(delay.mean), source),
        wait.stat("p50 of samples")(figure(delay.each.p50), source),
        wait.stat("p95 of samples")(figure(delay.each.p95), source),
        WAITED(figure(delay.transactions_per_s), source),
        SAMPLES(delay.each.n, source),
        *(mean(figure(ms), source, name) for name, ms in delay.per_database.items()),
        *(quoted(f"commit mode of {replica}", mode.mode, mode.why) for replica, mode in modes.items()),
    ]
    for hop in delay.hops:
        if hop.round_trip is not None:
            measure = ROUND_TRIP.called(f"{ROUND_TRIP.label} to {hop.replica}")
            found.append(measure(figure(hop.round_trip * 1000), "ping"))
        found += log_writes(hop.write)
    return tuple(found)
