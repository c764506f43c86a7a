"""Why a verdict names the hop that it names, in words. Plain text."""

from __future__ import annotations

import numpy as np

from agtrace.diagnostics import words
from agtrace.diagnostics.transport.cause import CARD, LOSS, PROCESSORS
from agtrace.diagnostics.transport.counting import flags
from agtrace.diagnostics.transport.counting import why as why_counted
from agtrace.diagnostics.transport.network import UNSCALED_WINDOW
from agtrace.diagnostics.transport.stats import slope
from agtrace.diagnostics.transport.verdict import Verdict

COUNTED = ("window_limited", "network_limited", "send_limited", "flow_control", "harden_limited")
"""Verdicts on a stream that is too slow: they say what was counted as sent."""


def change(bytes_per_s: float) -> str:
    """Word the growth of a queue."""
    return ("+" if bytes_per_s > 0 else "") + words.rate(bytes_per_s)


def why(verdict: Verdict) -> list[str]:
    """Say what points to the hop that the verdict names."""
    signs, name = verdict.signs, verdict.id.removeprefix("transport.")
    told = []
    if name in ("window_limited", "network_limited"):
        told.append(_idle_behind(verdict))
        told += _of_copies(verdict)
    if name == "window_limited":
        told.append(f"Signs of an unscaled receive window: {words.listing(signs.window)}.")
        told += _arithmetic(verdict)
    if name == "network_limited":
        if verdict.by:
            told.append(_of_path(verdict))
        elif signs.window_against:
            told.append(
                f"{signs.window_against}, which speaks against an unscaled window: bandwidth "
                "or loss on the path is likelier."
            )
        else:
            seen = f" (seen: {words.listing(signs.window)})" if signs.window else ""
            told.append(
                "A TCP receive window without scaling would look like this; that is a hypothesis "
                f"here{seen}, and so is a path without bandwidth."
            )
        told += _arithmetic(verdict)
    if name in ("send_limited", "flow_control") and signs.copy_fast and signs.top:
        told.append(
            f"A bulk copy to the same replica ran at {words.wire_rate(signs.copy)}, "
            f"{words.number((signs.copy or 0) / signs.top)} times the stream's "
            f"{words.wire_rate(signs.top)} (p95): the network is free."
        )
    if name in COUNTED:
        told += _of_counting(verdict)
    told += _of_gate(verdict)
    if name == "send_limited":
        told.append("What is left is the sender: log capture, its single send thread, or CPU.")
    if name == "harden_limited":
        told.append(_of_harden(verdict))
    if name == "suspended":
        # Frozen at the first sample, it froze at an unknown moment before it.
        least = "at least " if not verdict.rows.start else ""
        length = words.span(float(verdict.times[-1] - verdict.times[0]))
        held = f"The queue has not moved for {least}{length}"
        told.append(f"{held} and nothing was received: its value is old, not small.")
        if verdict.message is not None:
            reason = verdict.message["reason"]
            told.append(
                "The ERRORLOG says that data movement was suspended"
                + (f" ({words.plain(reason)})." if reason else ".")
            )
    if name in ("redo_limited", "redo_blocked"):
        told.append(_of_redo(verdict))
    if name == "healthy" and signs.tuning_off:
        told.append(
            f"Its TCP auto-tuning is {words.plain(signs.tuning)}: at this distance it does no harm; "
            f"over a longer round trip {UNSCALED_WINDOW:,} bytes per round trip would limit the stream."
        )
    if name == "quality.not_captured":
        told.append(
            "Fewer bytes sent than flushed prove nothing: what the counter counts depends on version, "
            "commit mode and trace flags, and the queue is only known on the replica."
        )
    return told


def _of_copies(verdict: Verdict) -> list[str]:
    """Put the bulk copies from the primary side by side: the path is slow, or SQL Server alone."""
    signs = verdict.signs
    if signs.copy is None:
        return []
    told = (
        f"A bulk copy ran at {words.wire_rate(signs.copy)}, to {words.plain(verdict.link.replica)}"
    )
    others = [
        f"{words.wire_rate(speed)}, to {words.plain(name)}"
        for name, speed in signs.other_copies.items()
    ]
    told += f", against {words.listing(others)}" if others else ""
    if signs.cards_idle:
        card = max(signs.cards, key=lambda card: card.share)
        told += f", while the busier card carries {words.number(100 * card.share)} % of its {words.bits(card.bandwidth)}"
    return [
        f"{told}: any copy is as slow, not SQL Server alone." if signs.copy_slow else f"{told}."
    ]


def _of_counting(verdict: Verdict) -> list[str]:
    """Say what the primary counted as sent, where that is not the log received, and which flags were on."""
    sent, received = verdict.stream.sent or verdict.stream.transport, verdict.chain.received
    told = flags(verdict.sending)
    if sent is None or received is None:
        return told
    ratio = sent_per_log(verdict)
    if ratio is not None and (text := why_counted(verdict.sending, ratio)):
        both = f"{words.rate(sent.mean_of(verdict.primary_rows))} sent, {words.rate(received.mean_of(verdict.rows))} of log received"
        told.insert(0, f"Counted for this replica: {both}. {text}")
    return told


def sent_per_log(verdict: Verdict) -> float | None:
    """Give the bytes that the primary counted as sent, per byte of log received; None where unseen."""
    sent, received = verdict.stream.sent or verdict.stream.transport, verdict.chain.received
    if sent is None or received is None or len(verdict.parts) < len(verdict.link.group.databases):
        return None
    log = received.mean_of(verdict.rows)
    counted = sent.mean_of(verdict.primary_rows)
    return counted / log if log > 0 and counted > 0 else None


def _of_gate(verdict: Verdict) -> list[str]:
    """Say how long the gate was closed, and what was ruled out before it was blamed."""
    flow, signs, link = verdict.stream.flow_control_time, verdict.signs, verdict.link
    if flow is None or not flow.known_in(verdict.primary_rows):
        return []
    closed = flow.mean_of(verdict.primary_rows)
    if closed < signs.limits.flow_control_ms_per_s:
        return []
    told = [
        f"The send gate was closed for {words.number(closed)} ms of each second: the replica "
        "acknowledges too late."
    ]
    if verdict.id != "transport.flow_control":
        return told
    if link.secondary is None:
        return [*told, "Slow log writes, busy processors there and a slow network all close it."]
    innocent = []
    if verdict.secondary_write is not None:
        innocent.append(f"a log write takes {words.number(verdict.secondary_write.ms, 'ms')} there")
    if signs.processors is not None:
        innocent.append(f"its processors are used to {words.number(signs.processors.percent)} %")
    if signs.cards:
        share = 100 * max(card.share for card in signs.cards)
        innocent.append(f"the busiest network card to {words.number(share)} %")
    if innocent:
        told.append(f"None of what could make it late does: {words.listing(innocent)} (medians).")
    return told


def _of_path(verdict: Verdict) -> str:
    """Say what shows that the network itself is full or loses segments."""
    signs = verdict.signs
    if verdict.by == CARD:
        card = max(signs.cards, key=lambda card: card.share)
        return (
            f"The network card of {words.plain(card.host_id)} moves {words.wire_rate(card.bytes_per_s)}: "
            f"{words.number(100 * card.share)} % of its {words.bits(card.bandwidth)}, so it is full."
        )
    assert verdict.by == LOSS
    lost = []
    if signs.lost is not None and signs.lost.share > 0:
        lost.append(
            f"{words.number(100 * signs.lost.share)} % of its segments "
            f"({words.number(signs.lost.per_s)} each second, n = {signs.lost.n})"
        )
    if signs.resent > 0:
        lost.append(f"{words.number(signs.resent)} messages each second")
    return f"The primary has to send {words.listing(lost)} again: the path loses data."


def _of_harden(verdict: Verdict) -> str:
    if verdict.by == PROCESSORS and verdict.signs.processors is not None:
        used = verdict.signs.processors
        told = f"Its processors are used to {words.number(used.percent)} % (median, n = {used.n})"
        write = verdict.secondary_write
        return told + (
            f", while a log write takes {words.number(write.ms, 'ms')}."
            if write is not None
            else "."
        )
    assert verdict.secondary_write is not None
    other = verdict.primary_write
    told = f"A log write takes {words.number(verdict.secondary_write.ms, 'ms')} there (median)"
    return told + (
        f", {words.number(other.ms, 'ms')} on the primary." if other is not None else "."
    )


def _idle_behind(verdict: Verdict) -> str:
    read = verdict.chain
    end = read.recovery_end
    if end is None or read.redone is None:
        return ""
    return f"What arrives is redone at once: its recovery queue ends at {words.size(end)}."


def _of_redo(verdict: Verdict) -> str:
    read, rows = verdict.chain, verdict.rows
    assert read.recovery_queue is not None
    values = read.recovery_queue.values[rows]
    known = values[~np.isnan(values)]
    fit = slope(read.times[rows], values)
    told = f"The recovery queue went from {words.size(known[0])} to {words.size(known[-1])}"
    told += f" ({change(fit.value)})" if fit is not None else ""
    told += " while the send queue held nothing back."
    if any("behind" in part.states for part in verdict.parts):
        told = told.replace(" while the send queue held nothing back.", ".")
    if read.redo_blocked is not None:
        blocked = read.redo_blocked.values[rows]
        share = float((np.nan_to_num(blocked) > 0).mean())
        told += f" Redo was blocked in {words.number(100 * share)} % of the samples."
    return told


def _arithmetic(verdict: Verdict) -> list[str]:
    """Word the window arithmetic: what one unscaled window carries per round trip."""
    signs = verdict.signs
    if signs.round_trip is None or signs.top is None:
        return []
    carries = UNSCALED_WINDOW / signs.round_trip
    told = [
        f"With a round trip of {words.span(signs.round_trip)} one window of {UNSCALED_WINDOW:,} B "
        f"carries {words.wire_rate(carries)}; the stream's p95 is {words.wire_rate(signs.top)}."
    ]
    if signs.fits:
        fitting = [words.plain(name) for name in signs.fits]
        told.append(f"That fits {words.listing(fitting)}.")
    return told
