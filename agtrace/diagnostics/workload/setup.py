"""What was tested on: servers, the group and its settings, each with what says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

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
_GROUP = re.compile(r"AVAILABILITY\s+GROUP\s+\[(?P<name>[^\]]{1,128})\]", re.IGNORECASE)
_REPLICA = re.compile(r"(?:\bREPLICA\s+ON|,)\s*N?'(?P<name>[^']{1,256})'\s*WITH", re.IGNORECASE)
_OPTION = re.compile(
    r"\b(?P<name>[A-Z][A-Z_ ]{2,60}?)\s*=\s*(?P<value>\(?N?'[^']{0,256}'\)?|\w{1,60})|\b(?P<basic>BASIC)\b(?!\s*=)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"^N?'(.*)'$", re.DOTALL)
_LISTENER = re.compile(
    r"\bLISTENER\s+N?'(?P<name>[^']{1,128})'(?:[^']{0,200}?\bIP\s*\(\s*\(\s*N?'(?P<ip>[^']{1,64})')?",
    re.IGNORECASE,
)
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
    if view.fields("alwayson_ddl_executed"):
        for row in view.rows(sql("groups.sql")):
            found += _options(row)
    return found[:MOST]


def _row(of: str, setting: str, value: str, source: str) -> dict[str, str]:
    return {"of": of, "setting": setting, "value": value, "source": source}


def _options(row: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Give the options that a statement names, each of the group or of the replica before it."""
    statement = str(row["statement"])[:100_000]
    group = _GROUP.search(statement)
    source = row["path"] or row["host_id"]
    replicas = [(match.start(), match["name"]) for match in _REPLICA.finditer(statement)]
    for match in _OPTION.finditer(statement):
        of = group["name"] if group else ""
        for at, name in replicas:
            if at < match.start():
                of = name
        if match["basic"]:
            yield _row(of, "basic", "yes", source)
        else:
            value = _QUOTED.sub(r"\1", match["value"].strip("()"))
            yield _row(of, match["name"].strip().lower().replace("_", " "), value, source)
    if listener := _LISTENER.search(statement):
        value = " ".join(filter(None, (listener["name"], listener["ip"])))
        yield _row(group["name"] if group else "", "listener", value, source)
