"""The verdict for each link: the limiting hop, and the confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agtrace.diagnostics.transport.cause import Cause, cause
from agtrace.diagnostics.transport.confidence import ON_ITS_WAY, UNALIGNED, Ground
from agtrace.diagnostics.transport.rows import BlockedRedo
from agtrace.diagnostics.transport.signs import Signs, log_write, signs
from agtrace.diagnostics.transport.verdict import (
    FULL_CARD,
    GATE_ALONE,
    HEALTHY,
    HEALTHY_UNSCALED,
    LOSSY_PATH,
    MOVEMENT_SUSPENDED,
    NOT_CAPTURED,
    REDO_BLOCKED,
    REDO_LIMITED,
    Verdict,
)
from agtrace.history.streams import (
    BEHIND,
    FINE,
    IDLE,
    LOG,
    SUSPENDED,
    Link,
    Part,
    StreamFacts,
    databases_of,
    read_chain,
    read_stream,
)
from agtrace.measure.grid import Node
from agtrace.thresholds import Thresholds


def judge(
    link: Link, parts: list[Part], known: StreamFacts, looked: Sequence[BlockedRedo] = ()
) -> list[Verdict]:
    """Return the verdicts for a link: databases that share one share the verdict.

    Parameters
    ----------
    looked
        Rows of blocked_redo.sql: looks at which redo waited for a session.
    """
    if link.secondary is None:
        return _primary_only(link, known)
    found = []
    stalled = [part for part in parts if SUSPENDED in part.states]
    if stalled:
        found.append(_suspended(link, known, stalled))
    behind = [part for part in parts if BEHIND in part.states]
    if behind:
        found.append(_behind(link, known, behind))
    fine = [part for part in parts if FINE in part.states and part.redo_lag is None]
    if fine:
        fine += [part for part in parts if IDLE in part.states and part.redo_lag is None]
        fine.sort(key=lambda part: part.database.lower())
        found.append(_healthy(link, known, fine))
    return found + _redo(link, known, [part for part in parts if part.redo_lag], looked)


def stretches(link: Link, parts: list[Part]) -> list[tuple[Node | None, slice]]:
    """Return the rows of both nodes covered by a link's verdicts."""
    if not len(link.times):
        return []
    wanted: set[tuple[int | None, int | None]] = {(None, None)}
    wanted |= {part.stale for part in parts if part.stale is not None}
    lags = [lag for part in parts for lag in (part.send_lag, part.redo_lag) if lag is not None]
    wanted |= {(lag.first, lag.last) for lag in lags}
    found = []
    for first, last in wanted:
        here, there = _sides(link, slice(first, last))
        found += [(link.primary, link.of_primary(here)), (link.secondary, link.of_secondary(there))]
    return found


def _sides(link: Link, rows: slice) -> tuple[slice, slice]:
    """Return the rows of primary and replica at the time of some rows of the window."""
    times = link.times[rows]
    at_primary = slice(None)
    if link.primary is not None and link.aligned:
        moments = link.primary.times[link.primary_rows]
        # A rate covers the interval before its sample.
        ends = [float(times[0]), float(times[-1]) + link.primary.step]
        first, last = np.searchsorted(moments, ends)
        at_primary = slice(int(first), int(last))
    return at_primary, slice(0, 0) if link.secondary is None else rows


def _verdict(link: Link, known: StreamFacts, parts: list[Part], rows: slice) -> Verdict:
    sending = known.sending(link)
    read = read_stream(link, sending.counted)
    whole = read_chain(link, [part.database for part in parts])
    times = whole.times[rows]
    around = (float(times[0]), float(times[-1]))
    at_primary, at_replica = _sides(link, rows)
    chains = [part.chain for part in parts]
    gathered = signs(link, read, chains, around, (at_primary, at_replica), known)
    return Verdict(link, whole, parts, read, gathered, sending, rows=rows, primary_rows=at_primary)


def _behind(link: Link, known: StreamFacts, parts: list[Part]) -> Verdict:
    limits, machines = known.limits, known.machines
    lags = [part.send_lag for part in parts if part.send_lag is not None]
    rows = slice(min(lag.first for lag in lags), max(lag.last for lag in lags))
    verdict = _verdict(link, known, parts, rows)
    names = verdict.databases
    here, there = link.of_primary(verdict.primary_rows), link.of_secondary(rows)
    verdict.primary_write = log_write(link.primary, here, names, machines)
    verdict.secondary_write = log_write(link.secondary, there, names, machines)
    verdict.kind, verdict.confidence = cause(verdict)
    growing = [lag for lag in lags if lag.growing and lag.open_end]
    lost = any(lag.share > 1 - limits.received_share for lag in growing)
    if growing:
        verdict.severity = "critical" if lost else "warning"
    else:
        verdict.severity = "warning" if any(lag.open_end for lag in lags) else "notice"
    return verdict


def _gate_alone(signs: Signs) -> Cause:
    """Return the cause of the closed gate, judged by the primary alone."""
    kind = FULL_CARD if signs.card_full else LOSSY_PATH if signs.loss_binds else GATE_ALONE
    return kind, Ground.GATE_PRIMARY_ONLY.confidence


def _healthy(link: Link, known: StreamFacts, parts: list[Part]) -> Verdict:
    verdict = _verdict(link, known, parts, slice(None))
    _keeps_up(verdict)
    both = verdict.chain.flushed is not None
    away = UNALIGNED if both and not link.aligned else 0.0
    verdict.on_its_way = _on_its_way(verdict, known.limits)
    unseen = ON_ITS_WAY if verdict.on_its_way else 0.0
    ground = Ground.HEALTHY_BOTH_SIDES if both else Ground.HEALTHY_SECONDARY_ONLY
    verdict.confidence = ground.lowered(away, unseen)
    return verdict


def _keeps_up(verdict: Verdict) -> None:
    if verdict.signs.tuning_off:
        verdict.kind, verdict.severity = HEALTHY_UNSCALED, "notice"
    else:
        verdict.kind, verdict.severity = HEALTHY, "info"


def _on_its_way(verdict: Verdict, limits: Thresholds) -> float | None:
    """Return the share of the generated log that neither arrived nor waits in the queue.

    The primary's transport holds what is not acknowledged: a path that is a little too slow fills it for
    as long as an hour before the queue grows.
    """
    link, read = verdict.link, verdict.chain
    if not link.aligned or read.flushed is None or read.received is None:
        return None
    assert link.primary is not None
    assert link.secondary is not None
    if read.flushed.mean <= 0 or len(read.times) < limits.min_samples:
        return None
    seconds = float(read.times[-1] - read.times[0])
    seen = read.received.mean * seconds + (read.queue_end or 0.0)
    share = 1 - seen / (read.flushed.mean * seconds)
    # The two were not sampled at the same moments: at either end an interval may be one side's alone.
    open_s = 2 * max(link.primary.step, link.secondary.step)
    if share < limits.on_its_way_share or share * seconds < limits.behind_s + open_s:
        return None
    return share


def _suspended(link: Link, known: StreamFacts, parts: list[Part]) -> Verdict:
    stale = [part.stale for part in parts if part.stale is not None]
    rows = slice(min(s[0] for s in stale), max(s[1] for s in stale))
    verdict = _verdict(link, known, parts, rows)
    verdict.kind, verdict.severity = MOVEMENT_SUSPENDED, "critical"
    verdict.message = _suspension(link, parts, known.events)
    is_over = rows.stop < len(verdict.chain.times) - 3
    if is_over:
        verdict.severity = "warning"
    if verdict.message is not None:
        verdict.confidence = Ground.SUSPENDED_MESSAGE.confidence
    elif verdict.chain.flushed is not None:
        away = UNALIGNED if not link.aligned else 0.0
        verdict.confidence = Ground.SUSPENDED_BOTH_SIDES.lowered(away)
    else:
        verdict.confidence = Ground.SUSPENDED_SECONDARY_ONLY.confidence
    return verdict


def _suspension(link: Link, parts: list[Part], events: list[dict[str, Any]]) -> dict[str, Any] | None:
    names = {part.database.lower() for part in parts}
    hosts = {node.host_id for node in (link.primary, link.secondary) if node is not None}
    for event in events:
        named = (event["database"] or "").lower() in names
        if event["message_id"] == 35264 and event["host_id"] in hosts and named:
            return event
    return None


def _redo(link: Link, known: StreamFacts, parts: list[Part], looked: Sequence[BlockedRedo]) -> list[Verdict]:
    found, limits = [], known.limits
    blocked = [
        part for part in parts if _is_blocked(part, limits) or _was_seen_blocked(link, part, looked, limits)
    ]
    rest = [part for part in parts if part not in blocked]
    for kind, ground, chosen in (
        (REDO_BLOCKED, Ground.REDO_BLOCKED, blocked),
        (REDO_LIMITED, Ground.REDO_LIMITED, rest),
    ):
        if not chosen:
            continue
        lags = [part.redo_lag for part in chosen if part.redo_lag is not None]
        rows = slice(min(lag.first for lag in lags), max(lag.last for lag in lags))
        verdict = _verdict(link, known, chosen, rows)
        verdict.kind, verdict.confidence = kind, ground.confidence
        if link.secondary is not None:
            verdict.disks = known.machines.disks(link.secondary, link.secondary_rows)
        growing = [lag for lag in lags if lag.growing and lag.open_end]
        severe = any(lag.share > 1 - limits.received_share for lag in growing)
        verdict.severity = "critical" if severe else "warning"
        if not any(lag.open_end for lag in lags):
            verdict.severity = "notice"
        found.append(verdict)
    return found


def _is_blocked(part: Part, limits: Thresholds) -> bool:
    """Return whether redo was blocked by readers, or stopped since a block, in a share of the samples."""
    blocked, lagging, redone = part.chain.redo_blocked, part.redo_lag, part.chain.redone
    if blocked is None or lagging is None:
        return False
    values = blocked.values[lagging.rows]
    known = ~np.isnan(values)
    if not known.any():
        return False
    held = np.nan_to_num(values) > 0
    if redone is not None:
        # A block is counted once, at its start; redo then does not move for as long as it lasts.
        still = redone.values[lagging.rows] == 0
        for place in np.flatnonzero(still):
            held[place] |= place > 0 and held[place - 1]
    return float(held[known].mean()) >= limits.redo_blocked_share


def _was_seen_blocked(link: Link, part: Part, looked: Sequence[BlockedRedo], limits: Thresholds) -> bool:
    """Judge redo that snapshots show waiting for a session, for a share of the time that its queue grew."""
    secondary, lagging = link.secondary, part.redo_lag
    if secondary is None or secondary.is_local or lagging is None:
        return False
    first, last = (float(link.times[lagging.rows][end]) for end in (0, -1))
    least = max(limits.redo_blocked_s, limits.redo_blocked_share * (last - first))
    return any(
        row.host_id == secondary.host_id
        and (row.at is None or first <= row.at <= last)
        and row.waited_s is not None
        and row.waited_s >= least
        and (row.database or part.database).lower() == part.database.lower()
        for row in looked
    )


def _primary_only(link: Link, known: StreamFacts) -> list[Verdict]:
    """Return the primary-only verdict; without the secondary the queue is unknown."""
    limits = known.limits
    read = read_stream(link, known.sending(link).counted)
    flushed = read_chain(link, databases_of(link)).flushed
    sent = read.sent or read.transport
    if sent is None or sent.spread is None or sent.spread.n < limits.min_samples:
        return []
    parts = [Part(read_chain(link, [name])) for name in databases_of(link)]
    verdict = _verdict(link, known, parts, slice(None))
    flow = read.flow_control_time
    if flow is not None and flow.mean >= limits.flow_control_dominant_ms_per_s:
        verdict.severity = "warning"
        verdict.kind, verdict.confidence = _gate_alone(verdict.signs)
        return [verdict]
    generated = flushed.mean if flushed is not None and sent.unit == LOG else -np.inf
    if generated >= limits.idle_log_bytes_per_s and sent.mean >= (1 - limits.growth_share) * generated:
        _keeps_up(verdict)
        verdict.confidence = Ground.HEALTHY_PRIMARY_ONLY.confidence
        return [verdict]
    verdict.kind, verdict.severity, verdict.confidence = NOT_CAPTURED, "notice", 1.0
    return [verdict]
