"""What a machine and its path show beside the stream: lost segments, busy processors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.diagnostics.transport.stats import spread
from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node

SEGMENT = 1460
"""Payload of a TCP segment on Ethernet, bytes."""

MATHIS = 1.22
"""What a lossy path carries is at most ``MATHIS x SEGMENT / (round trip x sqrt(loss))``.

M. Mathis et al., "The macroscopic behavior of the TCP congestion avoidance algorithm", 1997.
"""


@dataclass(frozen=True)
class Lost:
    """Segments that the sender had to send again.

    Parameters
    ----------
    share
        Of all segments that it sent.
    per_s
        Segments sent again each second, mean.
    """

    share: float
    per_s: float
    n: int
    source: str


def lost(node: Node | None, rows: slice) -> Lost | None:
    """Measure retransmissions of a host over some rows; None where they were not captured."""
    if node is None:
        return None
    again, sent = node.get(c.RETRANSMITTED, ""), node.get(c.SEGMENTS_SENT, "")
    if again is None or sent is None:
        return None
    both = ~np.isnan(again[rows]) & ~np.isnan(sent[rows])
    total = float(sent[rows][both].sum())
    if total <= 0:
        return None
    repeated = again[rows][both]
    source = f"{c.RETRANSMITTED[0]}\\{c.RETRANSMITTED[1]} / {c.SEGMENTS_SENT[1]} on {node.host_id}"
    return Lost(float(repeated.sum()) / total, float(repeated.mean()), int(both.sum()), source)


@dataclass(frozen=True)
class Processors:
    """How busy the processors of a host are: median of the samples, percent of all of them."""

    percent: float
    n: int
    source: str


def processors(node: Node | None, rows: slice) -> Processors | None:
    """Measure a host's processors over some rows; None where they were not captured."""
    if node is None:
        return None
    for counter in (c.PROCESSOR, c.PROCESSORS):
        values = node.get(counter, "_Total")
        s = spread(values[rows]) if values is not None else None
        if s is not None:
            source = f"{counter[0]}(_Total)\\{counter[1]} on {node.host_id}"
            return Processors(s.p50, s.n, source)
    return None
