"""The tables of endpoints, listeners and routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agtrace.diagnostics.access.endpoints import Trouble, ended
from agtrace.diagnostics.access.listener import last_looks
from agtrace.diagnostics.access.measures import CONNECTIONS, FAILURES, LISTENERS, ROUTED
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import Listeners, PartnersLast, Routes
from agtrace.measures import frame
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd


def troubles(found: Sequence[Trouble], known: KnownConnections) -> pd.DataFrame:
    """Return pairs with their trouble, one per row."""
    rows = [
        (
            each.host, each.most.replica, each.kind, each.n, each.first, each.last, ended(each, known)[0],
            words.plain(each.most.text, 160),
        )
        for each in found
    ]  # fmt: skip
    return frame(FAILURES, rows)


def connections(known: KnownConnections) -> pd.DataFrame:
    """Return the last sign of each connection between replicas, by the end that logged it."""
    rows = [
        (pair.host_id, last.replica, last.ag or pair.ag, _seen(last), last.time)
        for pair in known.pairs
        if (last := pair.last) is not None
    ]
    return frame(CONNECTIONS, rows)


def _seen(last: PartnersLast) -> str:
    if last.kind != "snapshot":
        return (last.kind or "").replace("_", " ")
    return "looked at: connected" if last.is_connected else "looked at: not shown as connected"


def listeners(looks: Sequence[Listeners]) -> pd.DataFrame:
    """Return each address of each listener's last snapshot."""
    rows = [
        (ag, name, row.port, row.ip_address, row.subnet_mask, row.state, look.time)
        for (ag, name), look in sorted(last_looks(looks).items())
        for row in look.rows
    ]
    return frame(LISTENERS, rows)


def routes(found: Sequence[Routes]) -> pd.DataFrame:
    """Return the routes, one per row."""
    return frame(ROUTED, found)
