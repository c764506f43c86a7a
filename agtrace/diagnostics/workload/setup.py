"""What was tested on: servers, the group and its settings, each with what says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from agtrace.diagnostics.base import View
from agtrace.diagnostics.workload.memory_and_routes import Memory, Routes, megabytes
from agtrace.measure import network_cards
from agtrace.measure.starts import starts, values
from agtrace.say import words

_NAMES = {
    "edition": "edition", "product": "SQL Server", "product_version": "build", "os": "operating system",
    "system_manufacturer": "manufacturer", "system_model": "model", "sockets": "sockets", "cores": "cores",
    "logical_processors": "logical processors", "memory_mb": "RAM (MB)",
}  # fmt: skip
MOST = 500
"""Settings that are listed."""


def rows(
    view: View, sql: Callable[[str], str], during: Sequence[datetime], memory: Memory, routes: Routes
) -> list[dict[str, str]]:
    """Give one row per setting: of which host or group, its name, its value, what says so.

    Of a server that was changed between the moments of the tests every value has a row.
    """
    found = [
        _row(host, name, value, path)
        for host, own in starts(view).items()
        for key, name in sorted(_NAMES.items())
        for value, path in values(own, key, during).items()
    ]
    for host, cards in network_cards.by_host(view).items():
        for card in cards.counted:
            if card.bandwidth is not None:
                link = f"{words.number(card.bandwidth * 8 / 1e9)} Gbit/s"
                found.append(_row(host, f"network card {card.name}", link, card.path))
    for stretch in memory.stretches:
        since = f", from {stretch.start:%Y-%m-%d %H:%M:%S} UTC on" if stretch.start else ", before"
        found.append(_row(stretch.host, "max server memory", megabytes(stretch.mb) + since, stretch.source))
    for route in routes.each:
        what = f"read-only route, priority {route.priority}"
        value = " ".join(filter(None, (route.routed_to, route.connections, route.url)))
        found.append(_row(route.replica, what, value, route.source))
    for row in view.rows(sql("stated_options.sql")) if view.has_rows("group_options") else ():
        name, value = row["option"].replace("_", " "), row["value"]
        found.append(
            _row(row["of"], name, "yes" if name == "basic" and value == "ON" else value, row["source"])
        )
    return found[:MOST]


def _row(of: str, setting: str, value: str, source: str) -> dict[str, str]:
    return {"of": of, "setting": setting, "value": value, "source": source}
