"""The values used in the texts of a verdict: facts of its link, path, replica and sender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agtrace.diagnostics.transport import evidence
from agtrace.diagnostics.transport.signs import Signs
from agtrace.diagnostics.transport.verdict import Verdict, mean, mended, subject, window
from agtrace.history.streams import BEHIND, LOG, OFF, SEGMENT, UNSCALED_WINDOW, WIRE, Sending, Series
from agtrace.history.trace_flags import FlagSpan
from agtrace.measure.gapped import Slope, slope
from agtrace.measure.grid import Values
from agtrace.measure.platforms import LINUX, WINDOWS
from agtrace.say.said import Judged

SENT_AS = {LOG: "log", WIRE: "wire"}


@dataclass(frozen=True)
class Course:
    """How a queue went over the rows of a verdict, bytes."""

    first: float
    last: float
    slope: Slope | None


def judged(verdict: Verdict) -> Judged:
    """Return a verdict with its measures and the facts for its texts."""
    link = verdict.link
    return Judged(
        said=verdict.kind.said,
        id=verdict.kind.id,
        severity=verdict.severity,
        subject=subject(link, verdict.databases),
        window=window(verdict.times, is_local=link.is_local),
        evidence=evidence.of_verdict(verdict),
        confidence=verdict.confidence,
        facts=_of_link(verdict) | _of_path(verdict) | _of_replica(verdict) | _of_sender(verdict),
    )


def flags_on(sending: Sending) -> dict[str, FlagSpan]:
    """Return the trace flags on compression that were on, by their number."""
    return {str(number): span for number, span in sending.flags if span.is_on}


def clocks_apart(verdict: Verdict) -> float | None:
    """Return the clock error of a separately captured primary, in seconds."""
    apart = verdict.link.apart
    return abs(apart.shift.seconds) if apart is not None and apart.shift is not None else None


def _of_link(verdict: Verdict) -> dict[str, Any]:
    """Return sender and receiver, what moved, and what was not seen of it."""
    link, read, stream, rows = verdict.link, verdict.chain, verdict.stream, verdict.rows
    node, sent = link.secondary or link.primary, stream.sent or stream.transport
    times, gate, flushed = verdict.times, verdict.gate, mean(read.flushed, verdict.primary_rows)
    is_closed = gate is not None and gate >= verdict.signs.limits.flow_control_ms_per_s
    return {
        "verdict": verdict, "link": link, "signs": verdict.signs, "replica": link.replica,
        "primary": link.primary_name or "the primary", "flushed": flushed,
        "received": mean(read.received, rows),
        "side": "replica" if link.primary is None else "primary" if link.secondary is None else "both",
        "length": float(times[-1] - times[0]),
        "averaged": node.step if node is not None and node.averaged else None,
        "flushed_unseen": read.flushed is None and link.primary is not None,
        "redone": mean(read.redone, rows), "sent": mean(sent, verdict.primary_rows),
        "sent_as": SENT_AS.get(sent.unit) if sent is not None else None,
        "queue": _course(read.times, read.send_queue, rows), "clocks_apart": clocks_apart(verdict),
        "gate": gate if is_closed else None, "among": None, "weaker": None,
    }  # fmt: skip


def _of_path(verdict: Verdict) -> dict[str, Any]:
    """Return what is known of the path to the replica, and what is left to measure."""
    signs, link = verdict.signs, verdict.link
    unknown: dict[str, list[str]] = {WINDOWS: [], LINUX: []}
    ends = ((signs.tuning, link.replica), (signs.primary_tuning, link.primary_name))
    for level, name in ends:
        if level is None:
            unknown[_system(signs, name)].append(name or "the primary")
    is_open = {
        "show_windows": bool(unknown[WINDOWS]),
        "show_linux": bool(unknown[LINUX]),
        "ping": signs.round_trip is None,
        "copy_file": signs.copy is None,
    }
    off = [name for level, name in ends if level in OFF]
    system = WINDOWS if off else _system(signs, link.replica)
    is_unsure = not off and signs.tuning is None
    return {
        "card": max(signs.cards, key=lambda card: card.share, default=None),
        "linked": _linked(verdict),
        "tuning_unknown": unknown,
        "steps": [step for step in is_open if is_open[step]],
        "loss": _loss(signs),
        "segment": SEGMENT,
        "copy_tool": "rsync" if link.primary_name in signs.on_linux else "robocopy",
        "scale": {"hosts": off or [link.replica], "system": system, "is_unsure": is_unsure},
        "is_unscaled": signs.tuning_off or signs.is_unscaled,
        "window_bytes": UNSCALED_WINDOW,
        "resent": signs.resent if signs.resent >= signs.limits.resent_per_s else None,
        "mended": mended(verdict) if verdict.kind.slow == "received" else None,
    }


def _linked(verdict: Verdict) -> dict[str, Any] | None:
    """Return how the busiest card is linked, and whether the log alone fills it."""
    signs = verdict.signs
    card = max(signs.cards, key=lambda card: card.share, default=None)
    if card is None:
        return None
    ends = [other.fastest or other.bandwidth for other in signs.cards]
    fastest = max(ends) if max(ends) > 1.5 * card.bandwidth else None
    log = mean(verdict.stream.sent or verdict.stream.transport, verdict.primary_rows)
    log = mean(verdict.chain.received, verdict.rows) if log is None else log
    return {
        "is_slow": 8 * card.bandwidth <= 1e6 * signs.limits.slow_link_mbit_per_s,
        "fastest": fastest,
        "is_log": log is not None and log >= signs.limits.log_of_card_share * card.bytes_per_s,
    }


def _of_replica(verdict: Verdict) -> dict[str, Any]:
    """Return what the replica did with received log."""
    read, rows = verdict.chain, verdict.rows
    is_redo = verdict.kind.slow == "redone"
    blocked = read.redo_blocked.values[rows] if is_redo and read.redo_blocked is not None else None
    return {
        "write": verdict.secondary_write,
        "own_write": verdict.primary_write,
        "recovery": _course(read.times, read.recovery_queue, rows) if is_redo else None,
        "recovery_end": read.recovery_end if read.redone is not None else None,
        "is_behind": any(BEHIND in part.states for part in verdict.parts),
        "blocked": None if blocked is None else float((np.nan_to_num(blocked) > 0).mean()),
        # Frozen at the first sample, the queue froze at an unknown moment before it.
        "is_older": not rows.start,
        "blocker": None,
        "disks": _disks(verdict) if is_redo else None,
    }


def _disks(verdict: Verdict) -> dict[str, Any] | None:
    """Return the slowest times and the busiest disk of a replica, and whether its disks keep up."""
    limits = verdict.signs.limits
    times = [ms for disk in verdict.disks for ms in (disk.read_ms, disk.write_ms) if ms is not None]
    busy = [disk.busy for disk in verdict.disks if disk.busy is not None]
    if not times:
        return None
    is_idle = not busy or max(busy) <= limits.data_disk_busy_percent
    return {
        "slowest_ms": max(times),
        "busy": max(busy, default=None),
        "is_fast": max(times) <= limits.data_file_ms and is_idle,
    }


def _of_sender(verdict: Verdict) -> dict[str, Any]:
    """Return how the primary counts what it sends, and what was ruled out before its gate."""
    signs, sending = verdict.signs, verdict.sending
    ratio = verdict.sent_per_log
    is_less = ratio is not None and 1 / ratio >= signs.limits.compressed_ratio
    seen = {
        "writes": verdict.secondary_write is not None,
        "processors": signs.processors is not None,
        "cards": bool(signs.cards),
        "round_trip": signs.round_trip is not None,
    }
    return {
        "ratio": ratio if is_less and sending.counted.unit == WIRE else None,
        "counted_why": sending.counted.why,
        "mode": sending.mode and sending.mode.mode,
        "copy_ratio": signs.copy / signs.top if signs.copy and signs.top and signs.copy_fast else None,
        "ruled_out": [name for name in seen if seen[name] and name != "round_trip"],
        "unmeasured": [f"measure_{name}" for name in seen if not seen[name] and name != "cards"],
        "flags_on": flags_on(sending),
    }


def _course(times: Values, series: Series | None, rows: slice) -> Course | None:
    values = series.values[rows] if series is not None else np.empty(0)
    known = values[~np.isnan(values)]
    return Course(float(known[0]), float(known[-1]), slope(times[rows], values)) if len(known) else None


def _system(signs: Signs, name: str) -> str:
    return LINUX if name in signs.on_linux else WINDOWS


def _loss(signs: Signs) -> dict[str, Any] | None:
    """Weigh what the loss would let through against the stream, and against an unscaled window."""
    bounds = signs.bounds
    windows, loss = bounds.loss_in_windows, bounds.loss
    if windows is None or (loss is None and not signs.may_be_unscaled):
        return None
    lower, is_close = "loss" if bounds.loss_is_lower else "window", False
    if loss is None or (
        signs.may_be_unscaled and (signs.loss_binds if bounds.loss_is_lower else signs.is_window)
    ):
        met, is_close = lower, loss is not None and signs.bounds_close
    elif signs.near_loss:
        met = "near"
    elif signs.ceiling is not None and signs.ceiling.mean > loss:
        met = "exceeded"
    else:
        met = "far_from_both" if signs.may_be_unscaled else "far"
    return {"share": bounds.share, "windows": windows, "bytes_per_s": loss, "met": met, "is_close": is_close}
