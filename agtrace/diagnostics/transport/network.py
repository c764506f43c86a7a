"""What the facts say about the path to a replica: TCP settings, round trip, bulk copies, cards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agtrace.diagnostics.transport.links import Link
from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node
from agtrace.resolve.replicas import HostNames

UNSCALED_WINDOW = 65_535
"""Largest receive window without window scaling, bytes (RFC 9293, section 3.1: 16 bits)."""

OFF = ("disabled", "highlyrestricted", "restricted")
NETSH = "netsh interface tcp set global rss=enabled autotuninglevel=normal"


@dataclass(frozen=True)
class Facts:
    """The facts of a case that speak about networks, and the skew between its hosts."""

    rows: list[dict[str, Any]]
    names: HostNames
    skew: list[dict[str, Any]]

    def tuning(self, host: str) -> str | None:
        """Give the receive window auto-tuning level of a host; None where unknown or disputed."""
        levels = {
            (row["autotuning_level"] or "").lower().replace("-", "").replace(" ", "")
            for row in self._of("tcp_global")
            if row["autotuning_level"] and self._owner(row) == host
        }
        return levels.pop() if len(levels) == 1 else None

    def round_trip(self, one: str, other: str) -> float | None:
        """Give the round trip between two hosts in seconds, from either end's ping."""
        found = []
        for row in self._of("ping"):
            target = self.names.host_id(row["target_host"] or "")
            ends = {row["host_id"], target}
            # A ping whose host is unknown counts for its target.
            if target in (one, other) and ends <= {one, other, None} and row["rtt_avg_ms"]:
                found.append(row["rtt_avg_ms"] / 1000)
        return float(np.median(found)) if found else None

    def copy(self, source: str, destination: str, start: float, end: float) -> float | None:
        """Give the speed of the bulk copy to a host that lies nearest to a window, bytes per second.

        A copy known to come from another host than ``source`` took another path and is left out.
        """
        found = []
        for row in self._of("robocopy"):
            came_from = self.names.host_id(row["source_host"]) if row["source_host"] else None
            if came_from is not None and source and came_from != source:
                continue
            goes_to = self.names.host_id(row["destination_host"] or "")
            if goes_to == destination and row["speed_bytes_per_s"]:
                at = row["time_s"]
                away = math.inf if at is None else max(start - at, at - end, 0.0)
                found.append((away, row["speed_bytes_per_s"]))
        if not found:
            return None
        nearest = min(away for away, _ in found)
        return float(np.median([speed for away, speed in found if away == nearest]))

    def version(self, host: str) -> int | None:
        """Give the major product version of SQL Server on a host; None where unknown or disputed."""
        majors = {
            row["product_version"].split(".")[0]
            for row in self._of("startup")
            if row["host_id"] == host and row["product_version"]
        }
        major = majors.pop() if len(majors) == 1 else ""
        return int(major) if major.isdigit() else None

    def clock_skew(self, one: str, other: str) -> float | None:
        """Give how many seconds the first host's clock is ahead; None where unknown."""
        for row in self.skew:
            pair = (row["host_id"], row["other_host_id"])
            if pair == (one, other):
                return float(row["ms"]) / 1000
            if pair == (other, one):
                return -float(row["ms"]) / 1000
        return None

    def _owner(self, row: dict[str, Any]) -> str | None:
        return self.names.host_id(row["spoken_of"]) if row["spoken_of"] else row["host_id"]

    def _of(self, topic: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["topic"] == topic]


@dataclass(frozen=True)
class Card:
    """The busiest network card of a host: mean bytes per second against its bandwidth."""

    host_id: str
    bytes_per_s: float
    bandwidth: float

    @property
    def share(self) -> float:
        return self.bytes_per_s / self.bandwidth


def cards(link: Link, here: slice, there: slice) -> list[Card]:
    """Give the busiest network card of each captured side over rows of the primary and the replica."""
    sides = ((link.primary, here), (link.secondary, there))
    found = (_busiest(node, rows) for node, rows in sides if node is not None)
    return [card for card in found if card is not None]


def _busiest(node: Node, rows: slice) -> Card | None:
    best: Card | None = None
    for name in node.instances(c.CARD_BANDWIDTH):
        bits = _mean(node, c.CARD_BANDWIDTH, name, rows)
        # Full duplex: the busier direction counts; the total of both only where nothing else is.
        directions = [_mean(node, d, name, rows) for d in (c.CARD_SENT, c.CARD_RECEIVED)]
        carried = max((d for d in directions if d is not None), default=None)
        if carried is None:
            carried = _mean(node, c.CARD_BYTES, name, rows)
        if not bits or carried is None:
            continue
        card = Card(node.host_id, carried, bits / 8)
        if best is None or card.share > best.share:
            best = card
    return best


def _mean(node: Node, counter: c.Counter, instance: str, rows: slice) -> float | None:
    values = node.get(counter, instance)
    if values is None or np.isnan(values[rows]).all():
        return None
    return float(np.nanmean(values[rows]))
