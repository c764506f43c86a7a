"""What the routing list says: where reads are to go, as it was configured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agtrace.diagnostics.base import View
from agtrace.say import words
from agtrace.say.finding import Evidence

NOT_READABLE = "NO"


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


def read_routes(view: View, sql: Callable[[str], str]) -> Routes:
    """Read the routing lists; a list shown by several hosts counts once."""
    rows = view.rows(sql("routes.sql"))
    found: dict[tuple[str, int | None, str], Route] = {}
    for row in rows:
        key = (row["replica"], row["priority"], row["routed_to"])
        source = f"{row['path'] or row['host_id'] or 'the routing list'}, line {row['line']}"
        route = Route(*key, row["connections_allowed"] or "", row["routing_url"] or "", source)
        found.setdefault(key, route)
    looked = bool(found) or view.table(sql("looked.sql")).num_rows > 0
    return Routes(tuple(found.values()), looked)


def say(routes: Routes, *, basic: bool) -> str:
    """Say what the lists are, one or two sentences; "" where none was captured."""
    if routes.is_empty:
        return "The routing list is empty: nothing is routed."
    told = [
        f"reads of {words.plain(r.replica)} to {words.plain(r.routed_to)}"
        + (f" (priority {r.priority})" if r.priority is not None else "")
        for r in routes.each
    ]
    if not told:
        return ""
    text = f"The routing list sends {words.listing(told)}"
    text += ", which no basic group can do." if basic else "."
    closed = [words.plain(r.routed_to) for r in routes.each if r.connections == NOT_READABLE]
    if closed:
        text += f" {words.listing(sorted(set(closed)))} allows no connection as a secondary."
    return text


def evidence(routes: Routes) -> list[Evidence]:
    """Give the entries of the lists."""
    if routes.is_empty:
        return [Evidence("read-only routes", 0, "n", "sys.availability_read_only_routing_lists")]
    return [
        Evidence(
            f"read-only route of {words.plain(r.replica)}, priority {r.priority}",
            words.plain(r.routed_to),
            "",
            words.plain(r.source),
        )
        for r in routes.each
    ]
