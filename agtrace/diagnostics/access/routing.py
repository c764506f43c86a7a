"""access.routing: connections with read intent that end on the primary or fail, or lack it on a secondary.

Sources: Microsoft documentation, "Database Engine events and errors 0 to 999" (978, 979, 982, 983),
"Configure read-only routing for an Always On availability group", "Connect to a replica with read-only
access".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from agtrace.diagnostics.access.measures import REFUSALS, ROUTES
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import Members, Refused, Resolving, Routes
from agtrace.measures import Measured, quoted
from agtrace.resolve.replicas import same_replica
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

PRIMARY, NOBODY, WITHOUT_INTENT = "on_primary", "no_secondary", "without_intent"
KINDS = {979: PRIMARY, 982: NOBODY, 978: WITHOUT_INTENT}
NUMBERS = tuple(KINDS)
SEVERITIES = {PRIMARY: "warning", NOBODY: "warning", WITHOUT_INTENT: "notice"}
NOT_READABLE = "NO"
RESOLVING, NO_ROLE = "resolving", 983
APART_S = 120
"""Clients retry within seconds: entries further apart belong to different role changes."""
COUNTED, CONFIGURED = 0.9, 0.8
SHOWN = 3


def refused(
    rows: Iterable[Refused],
    routes: Sequence[Routes],
    listed: bool,
    groups: Mapping[str, Sequence[str]],
    known: KnownConnections,
) -> list[Judged]:
    """Judge the connections refused by databases of groups; one finding per replica and kind.

    Parameters
    ----------
    rows, routes
        Rows of refused.sql and routes.sql.
    listed
        Whether routing lists were captured.
    groups
        Groups of each host.
    """
    of: dict[tuple[str, str], list[Refused]] = defaultdict(list)
    for row in rows:
        of[row.host_id, KINDS[row.number]].append(row)
    found = []
    for (host, kind), own in sorted(of.items()):
        ags = groups.get(host, ())
        ag = ags[0] if len(ags) == 1 else ""
        n = sum(row.n for row in own)
        is_local = any(row.is_local for row in own)
        ends = min(row.first for row in own), max(row.last for row in own)
        first, last = (end.replace(tzinfo=None) for end in ends) if is_local else ends
        theirs = [row for row in routes if same_replica(row.replica, host) and (not ag or row.ag in ("", ag))]
        subject = {"ag": ag, "host": host, "kind": kind}
        found.append(
            Judged(
                said=f"routing.{kind}",
                id="access.routing",
                severity=SEVERITIES[kind] if known.is_grouped(host) else "info",
                subject={name: value for name, value in subject.items() if value},
                window=window(first, last, is_local=is_local),
                evidence=(
                    REFUSALS(n, f"{own[0].source} of {host or 'an unknown host'}"),
                    *(_text(row, known) for row in own[:SHOWN]),
                    *_routes(theirs, known),
                ),
                confidence=COUNTED,
                facts={
                    "ag": ag,
                    "host": host or "an unknown host",
                    "n": n,
                    "first": first,
                    "last": last,
                    "databases": sorted({row.database for row in own if row.database}),
                    "routes": len(theirs),
                    "listed": listed or bool(routes),
                    "closed": sorted({row.routed_to for row in theirs if _is_closed(row)}),
                },
            )
        )
    return found


def resolving(
    rows: Iterable[Resolving],
    groups: Mapping[str, Sequence[str]],
    known: KnownConnections,
    limits: Thresholds,
) -> list[Judged]:
    """Judge each replica that was neither primary nor secondary for longer than a change of role takes.

    Parameters
    ----------
    rows
        Rows of resolving.sql.
    groups
        Groups of each host.
    """
    long = [row for row in rows if (row.last - row.first).total_seconds() >= 60 * limits.disconnect_minutes]
    return [_resolving(row, groups.get(row.host_id, ()), known) for row in long]


def _resolving(row: Resolving, ags: Sequence[str], known: KnownConnections) -> Judged:
    ag, host = ags[0] if len(ags) == 1 else "", row.host_id
    ends = row.first, row.last
    first, last = (end.replace(tzinfo=None) for end in ends) if row.is_local else ends
    subject = {"ag": ag, "host": host, "kind": RESOLVING}
    return Judged(
        said=f"routing.{RESOLVING}",
        id="access.routing",
        severity="notice" if known.is_grouped(host) else "info",
        subject={name: value for name, value in subject.items() if value},
        window=window(first, last, is_local=row.is_local),
        evidence=(REFUSALS(row.n, f"{row.source} of {host}"), _text(row, known)),
        confidence=COUNTED,
        facts={
            "host": host,
            "n": row.n,
            "first": first,
            "last": last,
            "databases": row.databases or [],
            "seconds": (last - first).total_seconds(),
        },
    )


def lists(routes: Sequence[Routes], members: Iterable[Members], known: KnownConnections) -> list[Judged]:
    """Judge routing lists that are missing or invalid, so that read intent stays on the primary.

    If no replica has a list, routing is not in use and there is no finding.

    Parameters
    ----------
    routes, members
        Rows of routes.sql and members.sql.
    """
    of_group: dict[str, list[str]] = defaultdict(list)
    for row in members:
        of_group[row.ag].append(row.replica)
    found = []
    for ag, own in _by_group(routes, of_group).items():
        replicas = of_group.get(ag, [])
        without = [name for name in replicas if not any(same_replica(row.replica, name) for row in own)]
        leads_nowhere = [
            name
            for name in sorted({row.replica for row in own})
            if all(_is_closed(row) for row in own if row.replica == name)
        ]
        if not without and not leads_nowhere:
            continue
        times = [row.time for row in own if row.time is not None]
        found.append(
            Judged(
                said="routing.lists",
                id="access.routing",
                severity="notice",
                subject={"ag": ag, "kind": "lists"} if ag else {"kind": "lists"},
                window=window(min(times), max(times)) if times else {},
                evidence=(
                    *(ROUTES.about(replica=name)(0, _place(own[0], known)) for name in without),
                    *_routes(own, known),
                ),
                confidence=CONFIGURED,
                facts={
                    "ag": ag,
                    "without": without,
                    "nowhere": leads_nowhere,
                    "closed": sorted({row.routed_to for row in own if _is_closed(row)}),
                    "other": _other((without or leads_nowhere)[0], replicas),
                    "first_without": (without or leads_nowhere)[0],
                },
            )
        )
    return found


def _by_group(routes: Sequence[Routes], of_group: Mapping[str, Sequence[str]]) -> dict[str, list[Routes]]:
    """Return the routes of each group; unnamed groups match the only one with their replicas."""
    found: dict[str, list[Routes]] = defaultdict(list)
    for row in routes:
        ag = row.ag
        if not ag:
            fits = [
                name for name, own in of_group.items() if any(same_replica(row.replica, each) for each in own)
            ]
            ag = fits[0] if len(fits) == 1 else ""
        found[ag].append(row)
    return found


def _other(name: str, replicas: Sequence[str]) -> str:
    """Return a replica that may serve the reads of another."""
    return next((each for each in replicas if not same_replica(each, name)), "replica")


def _is_closed(row: Routes) -> bool:
    return row.connections_allowed == NOT_READABLE


def _routes(rows: Sequence[Routes], known: KnownConnections) -> list[Measured]:
    found = []
    for row in rows[:10]:
        label = f"read-only route of {row.replica}, priority {row.priority}"
        allowed = f" ({row.connections_allowed})" if row.connections_allowed else ""
        found.append(quoted(label, f"{row.routed_to}{allowed}", _place(row, known)))
    return found


def _text(row: Refused | Resolving, known: KnownConnections) -> Measured:
    return quoted(f"its text, {row.n:,} x", row.text, _place(row, known, row.source))


def _place(
    row: Refused | Resolving | Routes, known: KnownConnections, otherwise: str = "the routing list"
) -> str:
    return known.place(row.content_id, row.line, otherwise)
