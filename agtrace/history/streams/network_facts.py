"""Facts about the path to a replica: TCP settings, round trip, bulk copies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agtrace.history.base import View
from agtrace.resolve.replicas import HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)

UNSCALED_WINDOW = 65_535
"""Largest receive window without window scaling, bytes (RFC 9293, section 3.1: 16 bits)."""

NO_SCALE = "none"
"""Value in a handshake for an end that did not offer window scaling (RFC 7323, section 2.2)."""

OFF = ("disabled", "highlyrestricted", "restricted")


@dataclass(frozen=True)
class Handshake:
    """Window scaling of ``n`` connections between two hosts, from a packet capture.

    Parameters
    ----------
    scaled
        Whether both ends offered window scaling; without both, no window is scaled.
    ports
        Ports of the connections.
    """

    scaled: bool
    n: int
    ports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pairs:
    """Clock difference of two hosts, from entries logged by both.

    Parameters
    ----------
    seconds
        Lead of the first host's clock.
    left
        The part that remains in times of the reference clock: all of it if that has too few pairs.
    first, last
        Times of the first and last pair, seconds since 1970; None if unknown.
    """

    seconds: float
    left: float
    first: float | None
    last: float | None

    def within(self, start: float, end: float) -> bool:
        """Return whether they apply to the clocks in a span."""
        if self.first is None or self.last is None:
            return False
        return self.first <= end and start <= self.last


@dataclass(frozen=True)
class Facts:
    """The facts of a case about networks, and the skew between its hosts."""

    rows: list[dict[str, Any]]
    names: HostNames
    skew: list[dict[str, Any]]

    def tuning(self, host: str, start: float, end: float) -> str | None:
        """Return the receive window auto-tuning level of a host; None if unknown or disputed.

        Of several snapshots, the one nearest to the window counts.
        """
        own = [row for row in self._of("tcp_global") if row["autotuning_level"] and self._owner(row) == host]
        levels = {
            row["autotuning_level"].lower().replace("-", "").replace(" ", "")
            for row in _nearest(own, start, end)
        }
        return levels.pop() if len(levels) == 1 else None

    def round_trip(self, one: str, other: str, start: float, end: float) -> float | None:
        """Return the round trip between two hosts in seconds, from either end's ping."""
        found = []
        for row in self._of("ping"):
            target = self.names.host_id(row["target_host"] or "")
            ends = {row["host_id"], target}
            # A ping whose host is unknown counts for its target.
            if target in (one, other) and ends <= {one, other, None} and row["rtt_avg_ms"]:
                found.append(row)
        trips = [row["rtt_avg_ms"] / 1000 for row in _nearest(found, start, end)]
        return float(np.median(trips)) if trips else None

    def copy(self, source: str, destination: str, start: float, end: float) -> float | None:
        """Return the speed of the bulk copy to a host nearest to a window, bytes per second.

        A copy known to come from another host than ``source`` took another path and is left out.
        """
        found = []
        for row in self._of("robocopy"):
            came_from = self.names.host_id(row["source_host"]) if row["source_host"] else None
            if came_from is not None and source and came_from != source:
                continue
            goes_to = self.names.host_id(row["destination_host"] or "")
            if goes_to == destination and row["speed_bytes_per_s"]:
                found.append(row)
        speeds = [row["speed_bytes_per_s"] for row in _nearest(found, start, end)]
        return float(np.median(speeds)) if speeds else None

    def handshake(self, one: str, other: str, start: float, end: float) -> Handshake | None:
        """Return whether connections between two hosts scale their window, by a packet capture.

        An end of unknown host matches either. None without such a capture, or if its connections differ.
        """
        found = []
        for row in self._of("tcp_handshake"):
            ends = {self._end(row["client"]), self._end(row["server"])}
            is_between = len(ends) == 2 and other in ends and ends <= {one, other, None}
            if is_between and _is_scaled(row) is not None:
                found.append(row)
        near = _nearest(found, start, end)
        scaled = {_is_scaled(row) for row in near}
        if len(scaled) != 1:
            return None
        ports = sorted({row["server_port"] for row in near if row["server_port"]})
        return Handshake(bool(scaled.pop()), len(near), tuple(ports))

    @cached_property
    def _addresses(self) -> dict[str, str]:
        """Hosts by the addresses that pings to them showed."""
        return {
            row["address"]: self.names.host_id(row["target_host"])
            for row in self._of("ping")
            if row["address"] and row["target_host"] and row["target_host"] != row["address"]
        }

    def _end(self, name: str | None) -> str | None:
        """Return the host at one end of a connection; None for an unknown address."""
        if name is None:
            return None
        if name in self._addresses:
            return self._addresses[name]
        return None if ":" in name or name[:1].isdigit() else self.names.host_id(name)

    def version(self, host: str) -> int | None:
        """Return the major product version of SQL Server on a host; None if unknown or disputed."""
        majors = {
            row["product_version"].split(".")[0]
            for row in self._of("startup")
            if row["host_id"] == host and row["product_version"]
        }
        major = majors.pop() if len(majors) == 1 else ""
        return int(major) if major.isdigit() else None

    def pairs(self, one: str, other: str) -> Pairs | None:
        """Return how far the first host's clock is ahead, from both logs; None if unknown."""
        for row in self.skew:
            pair = (row["host_id"], row["other_host_id"])
            if pair in ((one, other), (other, one)):
                sign = 1 if pair == (one, other) else -1
                return Pairs(sign * row["seconds"], sign * row["left_s"], row["first_s"], row["last_s"])
        return None

    def _owner(self, row: dict[str, Any]) -> str | None:
        return self.names.host_id(row["spoken_of"]) if row["spoken_of"] else row["host_id"]

    def _of(self, topic: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["topic"] == topic]


def read_facts(view: View, names: HostNames) -> Facts:
    """Read the facts about the network from small text files, and the skew between hosts."""
    return Facts(view.rows(_sql("facts.sql")), names, view.rows(_sql("skew.sql")))


def _is_scaled(row: dict[str, Any]) -> bool | None:
    """Return whether a connection scales its window; None for an unanswered offer.

    An answer offers it only where it was offered (RFC 7323, section 2.2), so that an answer decides.
    """
    asked, answered = row["client_scale"], row["server_scale"]
    if NO_SCALE in (asked, answered):
        return False
    return None if answered is None else True


def _nearest(rows: Iterable[dict[str, Any]], start: float, end: float) -> list[dict[str, Any]]:
    """Return the rows nearest in time to a window; all of them if no time is known."""
    away = [(_away(row, start, end), row) for row in rows]
    least = min((distance for distance, _ in away), default=math.inf)
    return [row for distance, row in away if distance == least]


def _away(row: dict[str, Any], start: float, end: float) -> float:
    first, last = row["time_s"], row["time_s"]
    if first is None:
        first, last = row["from_s"], row["to_s"]
    if first is None or last is None:
        return math.inf
    return float(max(start - last, first - end, 0.0))
