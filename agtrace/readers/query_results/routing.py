"""Read-only routing lists: the targets to which the primary sends read-only connections.

Queries choose their own column names; a header belongs to a routing list if it has a priority and the two
replicas. A query of the view alone returns replica ids instead of names.
Source: Microsoft Learn, "sys.availability_read_only_routing_lists"; "Modifying AlwaysOn
Read Only Routing Lists" (alwaysonpro); AlwaysOnDiagScript of SQL LogScout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agtrace.readers.fact_text import Fact
from agtrace.readers.query_results.layouts.table import Notice

MAX_ROUTES = 10_000

_NAMES = {
    "ag": ("availabilitygroup", "agname", "groupname", "name"),
    "replica": (
        "whenthisserverisprimary", "whenprimaryreplicais", "whenprimary", "whenprimaryis", "ifprimary",
        "sourcereplica", "replicaservername", "primaryreplica", "primaryservername", "replicaid",
    ),
    "priority": ("priority", "routingpriority"),
    "routed_to": (
        "routetothisserver", "roroutedto", "routeto", "routedto", "routesto", "readonlyreplica",
        "readonlyreplicaservername", "readonlyreplicaname", "readonlyreplicaid",
    ),
    "connections_allowed": ("connectionsallowed", "secondaryroleallowconnectionsdesc"),
    "routing_url": ("routingurl", "readonlyroutingurl"),
}  # fmt: skip
_KEYS = {name: key for key, names in _NAMES.items() for name in names}
_NEEDED = ("replica", "priority", "routed_to")
_OTHER = re.compile(r"[^a-z]")

Header = dict[str, int]
"""Place of each column, by key of the fact."""


def header_of(names: Sequence[str]) -> Header | None:
    """Return the place of each column by its key; None where the names are those of no routing list."""
    found: Header = {}
    for place, name in enumerate(names):
        key = _KEYS.get(_OTHER.sub("", name.lower()))
        # Queries that name no column show both replicas as replica_server_name.
        if key == "replica" and key in found:
            key = "routed_to"
        if key:
            found.setdefault(key, place)
    return found if all(key in found for key in _NEEDED) else None


@dataclass
class Routes:
    """The routes under one header.

    Parameters
    ----------
    line
        Line of the header, from 1.
    places
        Place of each column, by key of the fact.
    rows
        Line and values of each route.
    """

    line: int
    places: Header
    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def take(self, line: int, cells: Sequence[str | None]) -> bool:
        """Add the route of a row, and return whether it is one."""
        found = {key: (cells[place] or "")[:300] for key, place in self.places.items() if place < len(cells)}
        values = {key: value for key, value in found.items() if value}
        is_route = all(key in values for key in _NEEDED)
        if is_route and len(self.rows) < MAX_ROUTES:
            self.rows.append((line, values))
        return is_route


def facts_of(lists: Sequence[Routes], lines: int, notices: list[Notice]) -> Iterator[Fact]:
    """Return one item for each route, and how many routes each list shows.

    Parameters
    ----------
    lines
        Lines of the text: a header without rows at its end may be the beginning of a list.
    notices
        Gets a notice of such a header.
    """
    item = number = 0
    for routes in lists:
        if not routes.rows and lines <= routes.line + 1:
            notices.append(
                Notice("truncated", "a routing list without a row or an end: it may be cut off", routes.line)
            )
            continue
        for line, values in routes.rows:
            for key, value in values.items():
                yield Fact("read_only_route", item, key, value, None, line)
            item += 1
        yield Fact("read_only_routing_list", number, "routes", str(len(routes.rows)), "n", routes.line)
        number += 1
