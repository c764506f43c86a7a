"""The verdict for each link: which hop holds the log back, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agtrace.diagnostics.thresholds import Thresholds
from agtrace.diagnostics.transport import counters as c
from agtrace.diagnostics.transport.chain import LOG, Chain, Stream, chain, databases_of, stream
from agtrace.diagnostics.transport.confidence import BOTH_FIT, ONE_SIDE, UNALIGNED, confidence
from agtrace.diagnostics.transport.links import Link
from agtrace.diagnostics.transport.network import Facts
from agtrace.diagnostics.transport.panel import Values
from agtrace.diagnostics.transport.parts import BEHIND, FINE, IDLE, SUSPENDED, Part
from agtrace.diagnostics.transport.signs import LogWrite, Signs, is_slow, log_write, signs


@dataclass(eq=False)
class Verdict:
    """One statement about a link and some of its databases.

    Parameters
    ----------
    rows
        Rows of the link's window on the secondary (or where only that was captured, the primary)
        that the statement is about.
    primary_rows
        The rows of the primary at the same time; all of its window where a clock is unknown.
    """

    id: str
    severity: str
    confidence: float
    link: Link
    chain: Chain
    parts: list[Part]
    stream: Stream
    signs: Signs
    primary_write: LogWrite | None = None
    secondary_write: LogWrite | None = None
    message: dict[str, Any] | None = None
    rows: slice = field(default_factory=lambda: slice(None))
    primary_rows: slice = field(default_factory=lambda: slice(None))

    @property
    def databases(self) -> list[str]:
        return [part.database for part in self.parts]

    @property
    def times(self) -> Values:
        return self.chain.times[self.rows]


def judge(
    link: Link,
    parts: list[Part],
    facts: Facts,
    events: list[dict[str, Any]],
    limits: Thresholds,
) -> list[Verdict]:
    """Give the verdicts for a link: databases that share one share the verdict."""
    read = stream(link, facts.version(link.primary.host_id) if link.primary else None)
    if link.secondary is None:
        return _primary_only(link, read, facts, limits)
    found = []
    stalled = [part for part in parts if SUSPENDED in part.states]
    if stalled:
        found.append(_suspended(link, stalled, read, facts, events, limits))
    behind = [part for part in parts if BEHIND in part.states]
    if behind:
        found.append(_behind(link, behind, read, facts, limits))
    fine = [part for part in parts if FINE in part.states and part.redo_lag is None]
    if fine:
        fine += [part for part in parts if IDLE in part.states and part.redo_lag is None]
        fine.sort(key=lambda part: part.database.lower())
        found.append(_healthy(link, fine, read, facts, limits))
    found += _redo(link, [part for part in parts if part.redo_lag], read, facts, limits)
    return found


def _verdict(
    link: Link, parts: list[Part], read: Stream, facts: Facts, limits: Thresholds, rows: slice
) -> Verdict:
    whole = chain(link, [part.database for part in parts])
    times = whole.times[rows]
    around = (float(times[0]), float(times[-1]))
    gathered = signs(link, read, [part.chain for part in parts], around, facts, limits)
    at_primary = slice(None)
    if link.primary is not None and link.aligned:
        moments = link.primary.times[link.primary_rows]
        # A rate covers the interval before its sample.
        first, last = np.searchsorted(moments, [around[0], around[1] + link.primary.step])
        at_primary = slice(int(first), int(last)) if last > first else slice(None)
    return Verdict(
        "", "info", 1.0, link, whole, parts, read, gathered, rows=rows, primary_rows=at_primary
    )


def _behind(
    link: Link, parts: list[Part], read: Stream, facts: Facts, limits: Thresholds
) -> Verdict:
    lags = [part.send_lag for part in parts if part.send_lag is not None]
    rows = slice(min(lag.first for lag in lags), max(lag.last for lag in lags))
    verdict = _verdict(link, parts, read, facts, limits, rows)
    names = verdict.databases
    verdict.primary_write = log_write(link.primary, link.primary_rows, names)
    verdict.secondary_write = log_write(link.secondary, link.secondary_rows, names)
    verdict.id, verdict.confidence = _cause(verdict, limits)
    growing = [lag for lag in lags if lag.growing and lag.open_end]
    lost = any(lag.share > 1 - limits.received_share for lag in growing)
    if growing:
        verdict.severity = "critical" if lost else "warning"
    else:
        verdict.severity = "warning" if any(lag.open_end for lag in lags) else "notice"
    return verdict


def _cause(verdict: Verdict, limits: Thresholds) -> tuple[str, float]:
    """Name the hop that holds the log back before it is received and hardened."""
    signs, link = verdict.signs, verdict.link
    away = UNALIGNED if link.primary is not None and not link.aligned else 0.0
    flow = verdict.stream.flow_control_time
    closed = flow.mean_of(verdict.primary_rows) if flow is not None else 0.0
    write = verdict.secondary_write
    slow_disk = write is not None and is_slow(write, verdict.primary_write, limits)
    if write is not None and slow_disk and not signs.copy_slow and not signs.in_window:
        kind = "log write time" if write.is_log else "disk only"
        return "transport.harden_limited", confidence(f"harden_limited, {kind}", away)
    if signs.copy_fast:
        if closed >= limits.flow_control_ms_per_s:
            return "transport.flow_control", confidence("flow_control, network shown free", away)
        name = "send_limited, log read back from disk" if _reads_back(link) else "send_limited"
        return "transport.send_limited", confidence(name, away)
    count = len(signs.window)
    is_window = count >= 2 and not signs.window_contradicted
    if closed >= limits.flow_control_dominant_ms_per_s and signs.cards_idle and not is_window:
        return "transport.flow_control", confidence("flow_control, otherwise", away)
    one_side = ONE_SIDE if link.primary is None else 0.0
    if is_window:
        both = BOTH_FIT if len(signs.fits) > 1 else 0.0
        words = {2: "two", 3: "three", 4: "four"}[count]
        named = f"window_limited, {words} signs"
        return "transport.window_limited", confidence(named, both, one_side, away)
    if signs.copy_slow or signs.in_window:
        return "transport.network_limited", confidence(
            "network_limited, with one sign", one_side, away
        )
    name = "secondary only" if link.primary is None else "primary and secondary"
    return "transport.network_limited", confidence(f"network_limited, {name}", away)


def _reads_back(link: Link) -> bool:
    """The primary reads log back from disk to send it: its capture is behind the log cache."""
    if link.primary is None:
        return False
    reads = [link.on_primary(c.LOG_POOL_DISK_READS, db) for db in link.group.databases]
    return any(values is not None and float(np.nanmean(values)) > 1 for values in reads)


def _healthy(
    link: Link, parts: list[Part], read: Stream, facts: Facts, limits: Thresholds
) -> Verdict:
    verdict = _verdict(link, parts, read, facts, limits, slice(None))
    verdict.id = "transport.healthy"
    verdict.severity = "notice" if verdict.signs.tuning_off else "info"
    both = verdict.chain.flushed is not None
    away = UNALIGNED if both and not link.aligned else 0.0
    verdict.confidence = confidence(
        "healthy, both sides" if both else "healthy, secondary only", away
    )
    return verdict


def _suspended(
    link: Link,
    parts: list[Part],
    read: Stream,
    facts: Facts,
    events: list[dict[str, Any]],
    limits: Thresholds,
) -> Verdict:
    stale = [part.stale for part in parts if part.stale is not None]
    rows = slice(min(s[0] for s in stale), max(s[1] for s in stale))
    verdict = _verdict(link, parts, read, facts, limits, rows)
    verdict.id, verdict.severity = "transport.suspended", "critical"
    verdict.message = _suspension(link, parts, events)
    is_over = rows.stop < len(verdict.chain.times) - 3
    if is_over:
        verdict.severity = "warning"
    if verdict.message is not None:
        verdict.confidence = confidence("suspended, message 35264")
    elif verdict.chain.flushed is not None:
        away = UNALIGNED if not link.aligned else 0.0
        verdict.confidence = confidence("suspended, both sides", away)
    else:
        verdict.confidence = confidence("suspended, secondary only")
    return verdict


def _suspension(
    link: Link, parts: list[Part], events: list[dict[str, Any]]
) -> dict[str, Any] | None:
    names = {part.database.lower() for part in parts}
    hosts = {node.host_id for node in (link.primary, link.secondary) if node is not None}
    for event in events:
        named = (event["database"] or "").lower() in names
        if event["message_id"] == 35264 and event["host_id"] in hosts and named:
            return event
    return None


def _redo(
    link: Link, parts: list[Part], read: Stream, facts: Facts, limits: Thresholds
) -> list[Verdict]:
    found = []
    for wanted, name in ((True, "redo_blocked"), (False, "redo_limited")):
        chosen = [part for part in parts if _is_blocked(part, limits) == wanted]
        if not chosen:
            continue
        lags = [part.redo_lag for part in chosen if part.redo_lag is not None]
        rows = slice(min(lag.first for lag in lags), max(lag.last for lag in lags))
        verdict = _verdict(link, chosen, read, facts, limits, rows)
        verdict.id = f"transport.{name}"
        verdict.confidence = confidence(name)
        growing = [lag for lag in lags if lag.growing and lag.open_end]
        severe = any(lag.share > 1 - limits.received_share for lag in growing)
        verdict.severity = "critical" if severe else "warning"
        if not any(lag.open_end for lag in lags):
            verdict.severity = "notice"
        found.append(verdict)
    return found


def _is_blocked(part: Part, limits: Thresholds) -> bool:
    blocked, lagging = part.chain.redo_blocked, part.redo_lag
    if blocked is None or lagging is None:
        return False
    values = blocked.values[lagging.rows]
    known = ~np.isnan(values)
    return bool(known.any()) and float((values[known] > 0).mean()) >= limits.redo_blocked_share


def _primary_only(link: Link, read: Stream, facts: Facts, limits: Thresholds) -> list[Verdict]:
    """Say what the primary alone can say: little, for it does not know the queue."""
    flushed = chain(link, databases_of(link)).flushed
    sent = read.sent or read.transport
    if sent is None or sent.spread is None or sent.spread.n < limits.min_samples:
        return []
    parts = [Part(chain(link, [name])) for name in databases_of(link)]
    verdict = _verdict(link, parts, read, facts, limits, slice(None))
    flow = read.flow_control_time
    if flow is not None and flow.mean >= limits.flow_control_dominant_ms_per_s:
        verdict.id, verdict.severity = "transport.flow_control", "warning"
        verdict.confidence = confidence("flow_control, otherwise")
        return [verdict]
    generated = flushed.mean if flushed is not None and sent.unit == LOG else 0.0
    least = (1 - limits.growth_share) * generated
    if generated >= limits.idle_log_bytes_per_s and sent.mean >= least:
        verdict.id = "transport.healthy"
        verdict.confidence = confidence("healthy, sent and flushed only")
        verdict.severity = "notice" if verdict.signs.tuning_off else "info"
        return [verdict]
    verdict.id, verdict.severity, verdict.confidence = "quality.not_captured", "notice", 1.0
    return [verdict]
