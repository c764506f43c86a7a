"""What is said of a stream whoever holds it back: how its queue grew, what was counted as sent, its gate."""

from __future__ import annotations

from agtrace.diagnostics.transport.counting import flags, why
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.say import words

CAPTURE = "docs/capture.md lists the counters to capture on every replica"


def change(bytes_per_s: float) -> str:
    """Word the growth of a queue."""
    return ("+" if bytes_per_s > 0 else "") + words.rate(bytes_per_s)


def of_counting(verdict: Verdict) -> list[str]:
    """Say what the primary counted as sent, where that is not the log received, and which flags were on."""
    sent, received = verdict.stream.sent or verdict.stream.transport, verdict.chain.received
    told = flags(verdict.sending)
    if sent is None or received is None:
        return told
    ratio = sent_per_log(verdict)
    if ratio is not None and (text := why(verdict.sending, ratio)):
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


def of_resent(verdict: Verdict) -> list[str]:
    """Say what the group's own messages that were sent again are a sign of."""
    resent = verdict.signs.resent
    if resent < verdict.signs.limits.resent_per_s:
        return []
    return [
        f"The group sent {words.number(resent)} messages each second again: a sign of connections that "
        "were opened anew, not of loss by itself."
    ]


def of_gate(verdict: Verdict) -> list[str]:
    """Say how long the gate was closed, where it was."""
    flow = verdict.stream.flow_control_time
    if flow is None or not flow.known_in(verdict.primary_rows):
        return []
    closed = flow.mean_of(verdict.primary_rows)
    if closed < verdict.signs.limits.flow_control_ms_per_s:
        return []
    return [
        f"The send gate was closed for {words.number(closed)} ms of each second: the replica "
        "acknowledges too late."
    ]
