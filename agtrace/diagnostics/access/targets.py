"""access.routing: routes that lead to a replica whose databases do not move, or to the port of an endpoint.

Sources: Microsoft documentation, "Configure read-only routing for an Always On availability group" and
"sys.dm_hadr_database_replica_states (Transact-SQL)".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import Halted, Routes
from agtrace.measures import Measured, quoted
from agtrace.resolve.replicas import same_replica
from agtrace.say.finding import window
from agtrace.say.said import Judged

HALTED, PORT = "halted", "port"
SHOWN, CONFIGURED = 0.85, 0.8
ENDPOINT_PORT = 5022
"""The endpoint port that wizards and documentation use for mirroring; never a port of T-SQL."""
_PORT = re.compile(r":(?P<port>\d{1,5})/?\s*$")


def halted(routes: Sequence[Routes], rows: Iterable[Halted], known: KnownConnections) -> list[Judged]:
    """Judge each replica that read intent is routed to while its databases do not move.

    Parameters
    ----------
    routes
        Rows of routes.sql.
    rows
        Rows of halted.sql.
    """
    found = []
    stopped = list(rows)
    names = [row.replica for row in stopped]
    for row in stopped:
        own = [route for route in routes if same_replica(route.routed_to, row.replica)]
        if not own:
            continue
        only = sorted({each.replica for each in own if _leads_nowhere(each.replica, routes, names)})
        ag = own[0].ag
        place = known.place(row.content_id, row.line, "a snapshot of the replica states")
        label = f"{row.replica}: {'suspended' if row.suspended else 'NOT SYNCHRONIZING'}"
        found.append(
            Judged(
                said=f"routing.{HALTED}",
                id="access.routing",
                severity="warning" if only else "notice",
                subject={"ag": ag, "host": row.replica, "kind": HALTED}
                if ag
                else {"host": row.replica, "kind": HALTED},
                window=window(row.time, row.time) if row.time else {},
                evidence=(
                    quoted(label, ", ".join(name for name in row.databases if name) or "yes", place),
                    *(_route(route, known) for route in own[:5]),
                ),
                confidence=SHOWN,
                facts={
                    "replica": row.replica,
                    "databases": [name for name in row.databases if name],
                    "is_suspended": bool(row.suspended),
                    "reason": row.reason,
                    "only": only,
                },
            )
        )
    return found


def _leads_nowhere(primary: str, routes: Iterable[Routes], stopped: Sequence[str]) -> bool:
    targets = [route.routed_to for route in routes if same_replica(route.replica, primary)]
    return all(any(same_replica(target, name) for name in stopped) for target in targets)


def of_endpoints(routes: Sequence[Routes], known: KnownConnections) -> list[Judged]:
    """Judge the routes whose address has the port of an endpoint, where clients cannot connect.

    Parameters
    ----------
    routes
        Rows of routes.sql.
    """
    wrong = {route.routed_to: route for route in routes if _port(route.routing_url) == ENDPOINT_PORT}
    if not wrong:
        return []
    first = next(iter(wrong.values()))
    return [
        Judged(
            said=f"routing.{PORT}",
            id="access.routing",
            severity="warning",
            subject={"ag": first.ag, "kind": PORT} if first.ag else {"kind": PORT},
            window={},
            evidence=tuple(_route(route, known) for route in wrong.values()),
            confidence=CONFIGURED,
            facts={
                "ag": first.ag,
                "replicas": sorted(wrong),
                "port": str(ENDPOINT_PORT),
                "url": first.routing_url,
                "right": _PORT.sub(":1433", first.routing_url or ""),
            },
        )
    ]


def _port(url: str | None) -> int | None:
    match = _PORT.search(url or "")
    return int(match["port"]) if match else None


def _route(route: Routes, known: KnownConnections) -> Measured:
    label = f"read-only route of {route.replica}, priority {route.priority}"
    address = f"{route.routed_to} ({route.routing_url})" if route.routing_url else route.routed_to
    return quoted(label, address, known.place(route.content_id, route.line, "the routing list"))
