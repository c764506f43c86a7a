"""Why a primary counts fewer or more bytes as sent than log arrives, in words. Plain text."""

from __future__ import annotations

from agtrace.history.streams.byte_units import ASYNCHRONOUS, SYNCHRONOUS, WIRE
from agtrace.history.streams.known import Sending
from agtrace.history.trace_flags import ASYNCHRONOUS_OFF, SYNCHRONOUS_ON
from agtrace.say import words

COMPRESSED = 1.05
"""Bytes of log per byte on the wire from which a stream counts as compressed: headers take some."""

MEANING = {
    ASYNCHRONOUS_OFF: "streams to asynchronous replicas are not compressed",
    SYNCHRONOUS_ON: "streams to synchronous replicas are compressed as well",
}


def flags(sending: Sending) -> list[str]:
    """Tell of each trace flag on compression that was on, and what says so."""
    return [
        f"Trace flag {number} was on at {words.plain(span.host)} ({words.plain(span.where)}): {MEANING[number]}."
        for number, span in sending.flags
        if span.is_on
    ]


def why(sending: Sending, sent_per_log: float) -> str:
    """Say why the bytes counted as sent are not the log bytes received; "" where they are.

    Parameters
    ----------
    sent_per_log
        Bytes that the primary counted as sent, per byte of log that the replica received.
    """
    counted = f"{sending.counted.why[0].upper()}{sending.counted.why[1:]}"
    ratio = f"{sent_per_log:.2f} bytes counted as sent per byte of log received"
    if sending.counted.unit != WIRE or 1 / sent_per_log < COMPRESSED:
        return ""
    return f"{counted}, so {ratio} are the same log, compressed. {compressed_by(sending)}"


def compressed_by(sending: Sending) -> str:
    """Say what a compressed stream fits."""
    mode = sending.mode.mode if sending.mode is not None else None
    if mode == SYNCHRONOUS:
        if sending.has(SYNCHRONOUS_ON):
            return "That is what trace flag 9592 does to synchronous replicas."
        return "SQL Server does so to a synchronous replica only with trace flag 9592."
    told = "SQL Server compresses the stream to asynchronous replicas unless trace flag 1462 is on"
    if sending.has(ASYNCHRONOUS_OFF):
        return (
            "That does not fit trace flag 1462: DBCC TRACEON without -1 holds for its session alone, "
            "and a stream keeps what it began with."
        )
    return f"{told}{', which this replica is' if mode == ASYNCHRONOUS else '; the figures fit one'}."
