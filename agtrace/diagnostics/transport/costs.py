"""Findings about what the transport costs: data loss, redo time, commit wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agtrace.diagnostics.transport import snapshots
from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.confidence import OLDER, Ground
from agtrace.diagnostics.transport.evidence import figure, of_log_writes
from agtrace.diagnostics.transport.loss import INTEGRAL, Loss, RedoTime
from agtrace.diagnostics.transport.narrative import subject, window
from agtrace.diagnostics.transport.signs import is_slow
from agtrace.history.streams.byte_units import SYNCHRONOUS
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.database_looks import Look
from agtrace.history.streams.links import Link
from agtrace.measure import transport_counters as c
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

NOT_ZERO = "No loss is claimed to be zero: the captures do not show a synchronised state."
DETECTION = (
    "Detection (by default up to 30 s of health check and a lease of 20 s) and fail-over itself come "
    "on top; neither is in these captures."
)


def at_most(seconds: float, resolution: float) -> str:
    """Word an estimated loss; below the sampling interval only the interval is known."""
    return words.span(seconds) if seconds >= resolution else f"at most {words.span(resolution)}"


def of_loss(link: Link, losses: list[Loss], limits: Thresholds, looks: Sequence[Look] = ()) -> Finding | None:
    """Say what a failover to a replica would lose; its worst database counts.

    Parameters
    ----------
    looks
        Looks at the replica: what they show at their moments stands beside it.
    """
    if not losses:
        return None
    worst = max(losses, key=lambda item: (item.end, item.queue))
    s, trend = worst.spread, worst.trend
    grows = worst.growing if worst.at_least else trend is not None and trend.low > 0
    growing = grows and worst.end > limits.rpo_s
    severity = "warning" if growing else "notice" if worst.end > limits.rpo_s else "info"
    how = (
        "the time in which the primary flushed as much log as the queue holds"
        if worst.method == INTEGRAL
        else "an estimate: queue / mean log generated, for want of the primary's log sample by sample"
    )
    ground = Ground.RPO_INTEGRAL if worst.method == INTEGRAL else Ground.RPO_ESTIMATE
    loses = _at_least(worst)
    told = [
        f"Worst database {words.plain(worst.database)}: {loses} at the end "
        f"of the window, median {at_most(s.p50, worst.resolution)}, "
        f"p95 {at_most(s.p95, worst.resolution)}, worst {at_most(s.max, worst.resolution)} (n = {s.n}); {how}."
    ]
    if growing and trend is not None:
        told.append(f"It grows by {words.span(60 * trend.value)} per minute.")
    if worst.at_least:
        told.append(
            "What the queue holds is older than the first sample, so that the time since then is a lower "
            f"bound, and so are the percentiles where it is ({words.count(worst.bounds, 'sample')})."
        )
    elif worst.bounds:
        told.append(
            f"{words.count(worst.bounds, 'sample')} that {'reaches' if worst.bounds == 1 else 'reach'} back "
            f"before the capture or into a stale queue {'is' if worst.bounds == 1 else 'are'} rough."
        )
    told.append(snapshots.say_without_loss(looks) or NOT_ZERO)
    skewed = _skew(link, limits)
    if skewed:
        told.append(skewed)
    source = f"{c.SEND_QUEUE[0]}\\{c.SEND_QUEUE[1]} on {link.replica}" + (
        f", {c.FLUSHED[0]}\\{c.FLUSHED[1]} on {link.primary_name}" if worst.method == INTEGRAL else ""
    )
    found = []
    for item in losses:
        each = item.spread
        found += [
            Evidence(f"{item.database}: data loss at the end ({item.basis})", figure(item.end), "s", source),
            Evidence(f"{item.database}: data loss, p50", figure(each.p50), "s", source),
            Evidence(f"{item.database}: data loss, p95", figure(each.p95), "s", source),
            Evidence(f"{item.database}: data loss, max", figure(each.max), "s", source),
            Evidence(f"{item.database}: samples", each.n, "", source),
        ]
    found += snapshots.of_states(looks)
    return Finding(
        "transport.rpo",
        severity,
        f"A failover to {words.plain(link.replica)} would lose {loses} of log "
        f"({words.plain(worst.database)}, at the end)",
        " ".join(told),
        subject(link, []) | {"database": worst.database},
        window(worst.times, is_local=link.is_local),
        tuple(found),
        "Compare it with the data loss that was agreed; the hop named for this replica decides it."
        if severity != "info"
        else "Compare it with the data loss that was agreed.",
        ground.lowered(OLDER if worst.at_least else 0.0),
    )


def _at_least(item: Loss) -> str:
    if item.at_least:
        return f"at least {words.span(max(item.end, item.resolution))}"
    return at_most(item.end, item.resolution)


def _skew(link: Link, limits: Thresholds) -> str:
    if link.skew is None or abs(link.skew) * 1000 < limits.skew_ms:
        return ""
    return (
        f"The hosts' clocks are {words.span(abs(link.skew))} apart; it is not corrected here and "
        "shifts these times by as much."
    )


def _rough(seconds: float) -> str:
    """Word a redo time; queues are sampled, so that fractions of a second mean nothing."""
    return words.span(seconds) if seconds >= 1 else "less than 1 s"


def _bounded(item: RedoTime) -> str:
    bound = "at most " if item.at_most and item.end >= 1 else ""
    return bound + _rough(item.end)


def of_redo_time(link: Link, times: list[RedoTime], without: list[str], limits: Thresholds) -> Finding | None:
    """Say how long redo would take at a failover to a replica; its worst database counts.

    Parameters
    ----------
    without
        Databases for which it cannot be told.
    """
    if not times:
        return None
    worst = max(times, key=lambda item: item.end)
    s = worst.spread
    source = f"{c.RECOVERY_QUEUE[0]}\\{c.RECOVERY_QUEUE[1]}, {c.REDONE[1]} on {link.replica}"
    found = []
    for item in times:
        each = item.spread
        found += [
            Evidence(f"{item.database}: redo time at the end", figure(item.end), "s", source),
            Evidence(f"{item.database}: redo time, p50", figure(each.p50), "s", source),
            Evidence(f"{item.database}: redo time, p95", figure(each.p95), "s", source),
            Evidence(f"{item.database}: redo time, max", figure(each.max), "s", source),
            Evidence(
                f"{item.database}: redo capacity (p75 while redo had work, n = {item.n})",
                figure(item.capacity), "log B/s", source,
            ),
        ]  # fmt: skip
    told = (
        f"Worst database {words.plain(worst.database)}: {_rough(worst.end)} of redo at the end of the "
        f"window, median {_rough(s.p50)}, p95 {_rough(s.p95)}, worst {_rough(s.max)}, at a redo "
        f"capacity of {words.rate(worst.capacity)} of log bytes (p75 over {worst.n} samples with a recovery "
        f"queue). {DETECTION}"
    )
    if worst.at_most:
        told += " Redo kept up with what arrived, so that it may be able to do more: times are upper bounds."
    if without:
        listed = words.listing([words.plain(name) for name in without])
        told += f" Not available for {listed}: too few samples with a recovery queue."
    return Finding(
        "transport.rto",
        "notice" if worst.end > limits.rto_s else "info",
        f"Redo on {words.plain(link.replica)} would take {_bounded(worst)} at a failover "
        f"({words.plain(worst.database)}, at the end)",
        told,
        subject(link, []) | {"database": worst.database},
        window(worst.times, is_local=link.is_local),
        tuple(found),
        "Compare it with the recovery time that was agreed, with detection and fail-over added.",
        Ground.RTO.confidence,
    )


def _find_the_hop(delay: CommitDelay) -> str:
    """Say what is left to measure of a commit wait whose hop is not known."""
    unwritten = [words.plain(hop.replica) for hop in delay.hops if hop.write is None]
    unreached = [words.plain(hop.replica) for hop in delay.hops if hop.round_trip is None]
    steps = [f"capture log write latency on {words.listing(unwritten)}"] if unwritten else []
    steps += [f"ping {words.listing(unreached)} from the primary"] if unreached else []
    if steps:
        return f"Find the hop: {words.listing(steps)}."
    return "Find the hop: capture the data-movement events (Extended Events) on both sides."


def _say_modes(modes: Mapping[str, Mode]) -> str:
    """Say which replicas a commit waits for, as far as that is known."""
    waited = [words.plain(name) for name, mode in modes.items() if mode.mode == SYNCHRONOUS]
    if not waited:
        return "Which replicas commit synchronously is not in the counters."
    return f"{words.listing(waited)} {'commits' if len(waited) == 1 else 'commit'} synchronously."


def of_commit(delay: CommitDelay, modes: Mapping[str, Mode], limits: Thresholds) -> Finding:
    """Say what synchronous commit costs per transaction, and where the time goes.

    Parameters
    ----------
    modes
        The commit mode of each replica of which it is known.
    """
    primary = words.plain(delay.primary.name)
    source = (
        f"{c.TRANSACTION_DELAY[0]}\\{c.TRANSACTION_DELAY[1]} / {c.MIRRORED_WRITES[1]} on {delay.primary.name}"
    )
    found = [
        Evidence("commit wait per transaction, mean", figure(delay.mean), "ms", source),
        Evidence("commit wait per transaction, p50 of samples", figure(delay.each.p50), "ms", source),
        Evidence("commit wait per transaction, p95 of samples", figure(delay.each.p95), "ms", source),
        Evidence("transactions that waited, mean", figure(delay.transactions_per_s), "1/s", source),
        Evidence("samples", delay.each.n, "", source),
    ]
    found += [
        Evidence(f"{name}: commit wait per transaction, mean", figure(ms), "ms", source)
        for name, ms in delay.per_database.items()
    ]
    told = [
        f"Over {delay.each.n} samples a transaction waited {words.number(delay.mean, 'ms')} for the "
        f"synchronous replicas on average (median of samples {words.number(delay.each.p50, 'ms')}, p95 "
        f"{words.number(delay.each.p95, 'ms')}); {words.number(delay.transactions_per_s)} transactions "
        "waited each second.",
        _say_modes(modes),
    ]
    found += [
        Evidence(f"commit mode of {replica}", mode.mode, "", mode.why) for replica, mode in modes.items()
    ]
    advice = "Nothing to do." if delay.mean < limits.commit_delay_ms else _find_the_hop(delay)
    slow = []
    for hop in delay.hops:
        name = words.plain(hop.replica)
        if hop.round_trip is not None:
            told.append(f"The round trip to {name} is {words.span(hop.round_trip)}.")
            found.append(
                Evidence(f"round trip to {hop.replica}", figure(hop.round_trip * 1000), "ms", "ping")
            )
        if hop.write is not None:
            told.append(f"A log write on {name} takes {words.number(hop.write.ms, 'ms')} (median).")
            found += of_log_writes(hop.write)
            if is_slow(hop.write, delay.own_write, limits):
                slow.append(name)
    if slow:
        told.append(f"The slow hop is the log disk of {words.listing(slow)}.")
        if delay.mean >= limits.commit_delay_ms:
            advice = f"Give the transaction logs on {words.listing(slow)} a faster disk."
    who = {"primary": delay.primary.name, "host": delay.primary.host_id}
    if delay.group.name:
        who["ag"] = delay.group.name
    times = delay.primary.times[delay.rows]
    return Finding(
        "transport.commit_delay",
        "notice" if delay.mean >= limits.commit_delay_ms else "info",
        f"Synchronous commit costs {words.number(delay.mean, 'ms')} per transaction on {primary}",
        " ".join(told),
        who,
        window(times, is_local=delay.primary.is_local),
        tuple(found),
        advice,
        Ground.COMMIT_DELAY.confidence,
    )
