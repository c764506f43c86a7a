"""The test set-up: servers, the group and its settings, such as allowed memory and read routing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.diagnostics.workload.rows import MaxMemory, RoutingLists, StatedOptions
from agtrace.history.trials import Trial, moments
from agtrace.measure import network_cards, processors
from agtrace.measure.processors import Start
from agtrace.measure.starts import starts, values
from agtrace.measure.usage import moment
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words

UNLIMITED = 2_147_483_647
"""The default of max server memory, in MB."""
NOT_READABLE = "NO"
MAX_MEMORY = Measure("max_server_memory_mb", "max server memory", "MB")
ROUTES = Measure("routes", "read-only routes", "n")


_NAMES = {
    "edition": "edition", "product": "SQL Server", "product_version": "build", "os": "operating system",
    "system_manufacturer": "manufacturer", "system_model": "model", "sockets": "sockets", "cores": "cores",
    "logical_processors": "logical processors", "memory_mb": "RAM (MB)",
}  # fmt: skip
MOST = 500
"""Most settings in a list."""


@dataclass(frozen=True)
class Memory:
    """The memory of all hosts, as far as known.

    Parameters
    ----------
    stretches
        Rows of max_memory.sql: the limit (MB) with start and end, unbounded if unknown.
    starts
        Installed memory, by host.
    """

    stretches: Sequence[MaxMemory]
    starts: Mapping[str, tuple[Start, ...]]

    def during(self, trials: Sequence[Trial]) -> dict[str, list[MaxMemory]]:
        """Return the periods in which some of these tests ran, by host."""
        spans = [
            (moment(trial.start_us), moment(trial.end_us))
            for trial in trials
            if trial.start_us is not None and trial.end_us is not None
        ]
        found: dict[str, list[MaxMemory]] = {}
        for row in self.stretches:
            start, end = row.start, row.end
            if any((start is None or start < last) and (end is None or end > first) for first, last in spans):
                found.setdefault(row.host, []).append(row)
        return found


def read_memory(view: View, sql: Callable[[str], str]) -> Memory:
    """Read the setting and the memory of every host; stretches whose times are not known are left out."""
    return Memory(view.records(MaxMemory, sql("max_memory.sql")), processors.starts(view))


def megabytes(mb: int) -> str:
    """Format a setting."""
    return "not limited" if mb >= UNLIMITED else f"{mb:,} MB"


def told_memory(memory: Memory, trials: Sequence[Trial]) -> dict[str, Any]:
    """Return max server memory during some tests, by host, and whether it changed between them."""
    found = sorted(memory.during(trials).items())
    return {
        "hosts": [
            {
                "host": host,
                "limits": list(dict.fromkeys(megabytes(row.mb) for row in stretches)),
                "installed": processors.installed(memory.starts.get(host, ()), moments(trials)),
            }
            for host, stretches in found
        ],
        "changed": any(len({row.mb for row in stretches}) > 1 for _host, stretches in found),
    }


def memory_in_force(memory: Memory, trials: Sequence[Trial]) -> Iterator[Measured]:
    """Yield the settings in force during some tests."""
    for host, stretches in sorted(memory.during(trials).items()):
        measure = MAX_MEMORY.called(f"{MAX_MEMORY.label} of {host}")
        yield from (measure(row.mb, row.source) for row in stretches)


@dataclass(frozen=True)
class Routes:
    """The routing lists of the case (rows of routing_lists.sql), and whether they were captured."""

    each: Sequence[RoutingLists]
    looked: bool

    @property
    def is_empty(self) -> bool:
        return self.looked and not self.each

    @property
    def closed(self) -> list[str]:
        """Replicas that reads are sent to and that allow no connection as a secondary."""
        return sorted({row.routed_to for row in self.each if row.connections_allowed == NOT_READABLE})


def read_routes(view: View, sql: Callable[[str], str]) -> Routes:
    """Read the routing lists; a list shown by several hosts counts once."""
    return Routes(view.records(RoutingLists, sql("routing_lists.sql")), view.has_rows("routing"))


def routes_configured(routes: Routes) -> Iterator[Measured]:
    """Yield the entries of the lists."""
    if routes.is_empty:
        yield ROUTES(0, "sys.availability_read_only_routing_lists")
    for row in routes.each:
        label = f"read-only route of {row.replica}, priority {row.priority}"
        yield quoted(label, row.routed_to, row.source)


def rows(
    view: View, sql: Callable[[str], str], during: Sequence[datetime], memory: Memory, routes: Routes
) -> list[dict[str, str]]:
    """Return one row per setting: its host or group, name, value, and source.

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
    for row in memory.stretches:
        since = f", from {row.start:%Y-%m-%d %H:%M:%S} UTC on" if row.start else ", before"
        found.append(_row(row.host, "max server memory", megabytes(row.mb) + since, row.source))
    for route in routes.each:
        parts = (route.routed_to, route.connections_allowed, route.routing_url)
        what, value = f"read-only route, priority {route.priority}", " ".join(filter(None, parts))
        found.append(_row(route.replica, what, value, route.source))
    for stated in _stated(view, sql):
        name, value = stated.option.replace("_", " "), stated.value
        value = "yes" if (name, value) == ("basic", "ON") else value
        found.append(_row(stated.of, name, value, stated.source))
    return found[:MOST]


def _stated(view: View, sql: Callable[[str], str]) -> list[StatedOptions]:
    """Return the options that statements set."""
    return view.records(StatedOptions, sql("stated_options.sql")) if view.has_rows("group_options") else []


def _row(of: str, setting: str, value: str, source: str) -> dict[str, str]:
    return {"of": of, "setting": setting, "value": value, "source": source}


def basic(view: View, sql: Callable[[str], str], during: Sequence[datetime]) -> str:
    """Return what shows that the group is a basic one: its own statement, or the tests' edition.

    Standard Edition has basic availability groups only (SQL Server 2016 and later, documentation
    "Basic Always On availability groups for a single database").
    """
    for stated in _stated(view, sql):
        if stated.option == "basic" and stated.value.upper() != "OFF":
            return f"CREATE AVAILABILITY GROUP ... WITH (BASIC) in {stated.source}"
    editions = {host: told for host, own in starts(view).items() if (told := values(own, "edition", during))}
    if editions and all(each.startswith("Standard") for told in editions.values() for each in told):
        return f"Standard Edition in the ERRORLOG of {min(editions)}"
    return ""
