"""What was set during the tests: how much memory SQL Server was allowed, and where reads were to go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.history.trials.trial import Trial, moments
from agtrace.measure import processors
from agtrace.measure.processors import Start
from agtrace.measure.usage import moment
from agtrace.measures import Measure, Measured, quoted

UNLIMITED = 2_147_483_647
"""The default of max server memory, in MB."""
NOT_READABLE = "NO"
MAX_MEMORY = Measure("max_server_memory_mb", "max server memory", "MB")
ROUTES = Measure("routes", "read-only routes", "n")


@dataclass(frozen=True)
class Stretch:
    """Max server memory of a host over a stretch of time.

    Parameters
    ----------
    mb
        What it was, in MB.
    start, end
        UTC; None where nothing bounds it.
    source
        What says so.
    """

    host: str
    mb: int
    start: datetime | None
    end: datetime | None
    source: str

    def shares(self, start: datetime, end: datetime) -> bool:
        """Say whether any of it lies between two moments."""
        return (self.start is None or self.start < end) and (self.end is None or self.end > start)


@dataclass(frozen=True)
class Memory:
    """What is known of the memory of all hosts; ``starts`` by host tell what was installed."""

    stretches: tuple[Stretch, ...]
    starts: Mapping[str, tuple[Start, ...]]

    def during(self, trials: Sequence[Trial]) -> dict[str, list[Stretch]]:
        """Give the stretches in which some of these tests ran, by host."""
        found: dict[str, list[Stretch]] = {}
        for stretch in self.stretches:
            if any(
                stretch.shares(moment(trial.start_us), moment(trial.end_us))
                for trial in trials
                if trial.start_us is not None and trial.end_us is not None
            ):
                found.setdefault(stretch.host, []).append(stretch)
        return found


def read_memory(view: View, sql: Callable[[str], str]) -> Memory:
    """Read the setting and the memory of every host; stretches whose times are not known are left out."""
    stretches = [
        Stretch(
            row["host_id"],
            int(row["value"]),
            row["start"],
            row["end"],
            f"{row['what']}, {row['path']}, line {row['line']}",
        )
        for row in view.rows(sql("max_memory.sql"))
    ]
    return Memory(tuple(stretches), processors.starts(view))


def megabytes(mb: int) -> str:
    """Word a setting."""
    return "not limited" if mb >= UNLIMITED else f"{mb:,} MB"


def told_memory(memory: Memory, trials: Sequence[Trial]) -> dict[str, Any]:
    """Give what max server memory was during some tests, by host, and whether it changed between them."""
    found = sorted(memory.during(trials).items())
    return {
        "hosts": [
            {
                "host": host,
                "limits": list(dict.fromkeys(megabytes(stretch.mb) for stretch in stretches)),
                "installed": processors.installed(memory.starts.get(host, ()), moments(trials)),
            }
            for host, stretches in found
        ],
        "changed": any(len({s.mb for s in stretches}) > 1 for _host, stretches in found),
    }


def memory_in_force(memory: Memory, trials: Sequence[Trial]) -> Iterator[Measured]:
    """Give the settings in force during some tests."""
    for host, stretches in sorted(memory.during(trials).items()):
        measure = MAX_MEMORY.called(f"{MAX_MEMORY.label} of {host}")
        yield from (measure(stretch.mb, stretch.source) for stretch in stretches)


@dataclass(frozen=True)
class Route:
    """One entry of a routing list."""

    replica: str
    priority: int | None
    routed_to: str
    connections: str
    url: str
    source: str


@dataclass(frozen=True)
class Routes:
    """The routing lists of the case; ``looked`` where any output of them was captured."""

    each: tuple[Route, ...]
    looked: bool

    @property
    def is_empty(self) -> bool:
        return self.looked and not self.each

    @property
    def closed(self) -> list[str]:
        """Replicas that reads are sent to and that allow no connection as a secondary."""
        return sorted({route.routed_to for route in self.each if route.connections == NOT_READABLE})


def read_routes(view: View, sql: Callable[[str], str]) -> Routes:
    """Read the routing lists; a list shown by several hosts counts once."""
    rows = view.rows(sql("routing_lists.sql"))
    found: dict[tuple[str, int | None, str], Route] = {}
    for row in rows:
        key = (row["replica"], row["priority"], row["routed_to"])
        source = f"{row['path'] or row['host_id'] or 'the routing list'}, line {row['line']}"
        route = Route(*key, row["connections_allowed"] or "", row["routing_url"] or "", source)
        found.setdefault(key, route)
    looked = bool(found) or view.table(sql("routing_lists_looked_at.sql")).num_rows > 0
    return Routes(tuple(found.values()), looked)


def routes_configured(routes: Routes) -> Iterator[Measured]:
    """Give the entries of the lists."""
    if routes.is_empty:
        yield ROUTES(0, "sys.availability_read_only_routing_lists")
    for route in routes.each:
        yield quoted(
            f"read-only route of {route.replica}, priority {route.priority}", route.routed_to, route.source
        )
