"""The replica holds the log back: its log disk, its processors, its redo, or it takes none in."""

from __future__ import annotations

import numpy as np

from agtrace.diagnostics.transport.kinds.stream import change, of_counting, of_gate
from agtrace.diagnostics.transport.verdict import Kind, Verdict
from agtrace.history.streams.parts import BEHIND
from agtrace.measure.gapped import slope
from agtrace.say import words


def _why_writes(verdict: Verdict) -> list[str]:
    assert verdict.secondary_write is not None
    other = verdict.primary_write
    told = f"A log write takes {words.number(verdict.secondary_write.ms, 'ms')} there (median)"
    told += f", {words.number(other.ms, 'ms')} on the primary." if other is not None else "."
    return [*of_counting(verdict), *of_gate(verdict), told]


def _why_processors(verdict: Verdict) -> list[str]:
    used, write = verdict.signs.processors, verdict.secondary_write
    assert used is not None
    told = f"Its processors are used to {words.number(used.percent)} % (median, n = {used.n})"
    told += f", while a log write takes {words.number(write.ms, 'ms')}." if write is not None else "."
    return [*of_counting(verdict), *of_gate(verdict), told]


def _why_suspended(verdict: Verdict) -> list[str]:
    # Frozen at the first sample, it froze at an unknown moment before it.
    least = "at least " if not verdict.rows.start else ""
    length = words.span(float(verdict.times[-1] - verdict.times[0]))
    held = f"The queue has not moved for {least}{length}"
    told = [*of_gate(verdict), f"{held} and nothing was received: its value is old, not small."]
    if verdict.message is not None:
        reason = verdict.message["reason"]
        told.append(
            "The ERRORLOG says that data movement was suspended"
            + (f" ({words.plain(reason)})." if reason else ".")
        )
    return told


def _why_redo(verdict: Verdict) -> list[str]:
    read, rows = verdict.chain, verdict.rows
    assert read.recovery_queue is not None
    values = read.recovery_queue.values[rows]
    known = values[~np.isnan(values)]
    fit = slope(read.times[rows], values)
    told = f"The recovery queue went from {words.size(known[0])} to {words.size(known[-1])}"
    told += f" ({change(fit.value)})" if fit is not None else ""
    is_behind = any(BEHIND in part.states for part in verdict.parts)
    told += "." if is_behind else " while the send queue held nothing back."
    if read.redo_blocked is not None:
        blocked = read.redo_blocked.values[rows]
        share = float((np.nan_to_num(blocked) > 0).mean())
        told += f" Redo was blocked in {words.number(100 * share)} % of the samples."
    return [*of_gate(verdict), told]


def _faster_log_disk(verdict: Verdict) -> str:
    return (
        f"Give the transaction logs on {verdict.replica} a disk as fast as the primary's, or move other "
        "load off it."
    )


def _relieve_the_processors(verdict: Verdict) -> str:
    return (
        f"Find what uses the processors of {verdict.replica} and move it elsewhere or to other hours, or give it "
        "more of them: taking in log needs a share of them at once."
    )


def _resume(verdict: Verdict) -> str:
    return (
        f"Find out why movement to {verdict.replica} stopped, then resume it: `ALTER DATABASE ... SET "
        "HADR RESUME` there. The log on the primary cannot be truncated until then."
    )


def _look_at_redo(verdict: Verdict) -> str:
    cpu = "" if verdict.signs.processors is not None else "CPU and "
    return f"Look at {cpu}data-file latency on {verdict.replica}, and whether redo runs in parallel there."


def _find_the_readers(verdict: Verdict) -> str:
    return (
        f"Find the readers on {verdict.replica} that hold schema locks (Extended Event lock_redo_blocked) "
        "and shorten them, or move schema changes away from them."
    )


LOG_DISK_SLOW = Kind(
    "transport.harden_limited",
    "The log disk of {replica} is too slow for the log that arrives",
    _why_writes,
    _faster_log_disk,
    slow="hardened",
)
PROCESSORS_BUSY = Kind(
    "transport.harden_limited",
    "The processors of {replica} are too busy for the log that arrives",
    _why_processors,
    _relieve_the_processors,
    slow="hardened",
)
MOVEMENT_SUSPENDED = Kind(
    "transport.suspended",
    "No log moves to {replica}: its send queue is stale",
    _why_suspended,
    _resume,
    slow="received",
    is_stale=True,
)
REDO_LIMITED = Kind(
    "transport.redo_limited",
    "{replica} redoes log slower than it arrives",
    _why_redo,
    _look_at_redo,
    slow="redone",
)
REDO_BLOCKED = Kind(
    "transport.redo_blocked", "Readers block redo on {replica}", _why_redo, _find_the_readers, slow="redone"
)
