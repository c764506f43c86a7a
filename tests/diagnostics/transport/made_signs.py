"""What is known of a slow stream, made by hand: rates of 10^6 bytes a second, cards, losses, writes."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

from agtrace.diagnostics.transport.signs import LogWrite, Signs
from agtrace.history.streams.network_facts import Handshake
from agtrace.measure.gapped import Spread
from agtrace.measure.machines import Card, Lost
from tests.diagnostics.transport.made import LIMITS

MB = 1e6


def rate(p95: float = 1.2 * MB, n: int = 20, p50: float = MB, mean: float = MB) -> Spread:
    """Return a stream of 1 MB/s that does not exceed 1.2 MB/s."""
    return Spread(n, mean, p50, p50, p95, p95)


VARYING = rate(2 * MB)


def signs(**more: Any) -> Signs:
    """Return the signs of a varying stream, whose path is otherwise unknown."""
    known: dict[str, Any] = {
        "rate": None, "ceiling": VARYING, "per_database": {}, "tuning": None, "primary_tuning": None,
        "round_trip": None, "copy": None, "cards": [], "limits": LIMITS, "resent": 0.0,
    }  # fmt: skip
    return Signs(**known | more)


def lost(share: float, n: int = 20) -> Lost:
    return Lost(share, 1, n, "perfmon")


def card(share: float) -> Card:
    return Card("P", share * 1e9, 1e9)


IDLE, FULL = [card(0.01)], [card(0.9)]
SCALED, UNSCALED = Handshake(scaled=True, n=2), Handshake(scaled=False, n=2)


def write(ms: float, n: int = 20, busy: float | None = None, *, is_log: bool = True) -> LogWrite:
    return LogWrite(ms, n, is_log, "perfmon", busy)


LINK = Facts(replica="S", ag="AG", primary_name="P", secondary=Facts(host_id="HS"),
             group=Facts(databases={"sales": "Sales", "stock": "Stock"}))  # fmt: skip
