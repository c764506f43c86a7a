"""Each group at a glance: its replicas side by side, and its last known timeouts, quorum and listener."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.health.rows import (
    CardGroups,
    CardHosts,
    CardListeners,
    CardOptions,
    CardRoles,
    Settings,
)
from agtrace.diagnostics.health.standing import Standing
from agtrace.resolve.names import host_name
from agtrace.resolve.replicas import same_replica
from agtrace.say.group_card import Cell, GroupCard, compared
from agtrace.say.said import Said

COMPARED = ("commit", "failover", "state", "session", "version", "edition", "machine")
"""Columns that are usually the same for all replicas of a group."""
OF_LOOKS = ("commit", "failover", "state", "session")
"""Columns that only a snapshot or a statement shows."""
MOST_HOSTS = 24


@dataclass(frozen=True)
class Seen:
    """The data of the cards: rows of card_*.sql, settings.sql, and the replicas in the last snapshots.

    Parameters
    ----------
    place
        Returns the file and line of a row.
    """

    groups: Sequence[CardGroups]
    hosts: Sequence[CardHosts]
    roles: Sequence[CardRoles]
    options: Sequence[CardOptions]
    listeners: Sequence[CardListeners]
    settings: Sequence[Settings]
    standings: Sequence[Standing]
    replicas: Callable[[str], list[str]]
    place: Callable[[str | None, int | None], str]

    def host(self, replica: str) -> CardHosts | None:
        """Return the row on the host of a replica."""
        named = (host_name(replica) or replica).upper()
        return next((each for each in self.hosts if each.host_id.upper() == named), None)

    def option(self, ag: str, replica: str, name: str) -> str:
        """Return the last value of an option of a group, or of one of its replicas; "" where unknown."""
        own = (each for each in self.options if (each.ag, each.option) == (ag, name))
        if not replica:
            return next((each.value for each in own if not each.replica), "")
        return next((each.value for each in own if each.replica and same_replica(each.replica, replica)), "")

    def setting(self, scope: str, name: str, item: str | None = None) -> list[Settings]:
        """Return the rows of a setting of the cluster, of one item or of all."""
        return [
            row
            for row in self.settings
            if row.scope == scope and row.setting == name and item in (None, row.item)
        ]


def cards(seen: Seen, said: Said) -> list[GroupCard]:
    """Return a card for each group, then one of the hosts that belong to none."""
    found, placed = [], set()
    for group in seen.groups:
        replicas = _replicas(seen, group.ag)
        placed |= {(host_name(name) or name).upper() for name in replicas}
        found.append(_group(seen, group, replicas, said))
    others = [each for each in seen.hosts if each.host_id.upper() not in placed]
    if others or not found:
        found.append(_hosts(seen, others, said, is_alone=not found))
    return found


def _replicas(seen: Seen, ag: str) -> list[str]:
    """Return the names of a group's replicas, the primary first."""
    named = [each.replica for each in seen.standings if each.ag == ag]
    others = [each.replica for each in seen.options if each.ag == ag and each.replica]
    for name in [*others, *(each.host_id for each in seen.roles if each.ag == ag), *seen.replicas(ag)]:
        if not any(same_replica(name, each) or _same_host(name, each) for each in named):
            named.append(name)
    order = {"PRIMARY": 0, "SECONDARY": 1}
    return sorted(named, key=lambda name: (order.get(_role(seen, ag, name)[0], 2), name))


def _same_host(one: str, other: str) -> bool:
    """Return whether two names belong to one host, at least one of them without an instance."""
    return ("\\" not in one or "\\" not in other) and host_name(one) == host_name(other) is not None


def _standing(seen: Seen, ag: str, replica: str) -> Standing | None:
    return next(
        (each for each in seen.standings if each.ag == ag and same_replica(each.replica, replica)), None
    )


def _role(seen: Seen, ag: str, replica: str) -> tuple[str, Any]:
    """Return the last role of a replica and since when; a log counts that was written after the snapshot."""
    standing = _standing(seen, ag, replica)
    logged = next((each for each in seen.roles if each.ag == ag and _same_host(each.host_id, replica)), None)
    is_later = logged and (
        standing is None or (logged.since and standing.time and logged.since > standing.time)
    )
    if logged is not None and is_later:
        return logged.role, logged.since
    return (str(standing.row.role or ""), None) if standing else ("", None)


def _group(seen: Seen, group: CardGroups, replicas: Sequence[str], said: Said) -> GroupCard:
    columns = {name: [_cell(seen, group.ag, each, name, said) for each in replicas] for name in _COLUMNS}
    settings = list(_settings(seen, group, said))
    known = [label for label, value in settings if value]
    missing = [name for name in OF_LOOKS if not any(columns[name])]
    lacking = [said.text("group.heading", {"name": name}).lower() for name in missing]
    lacking += [label.lower() for label, value in settings if label not in known]
    own = [each for each in seen.standings if each.ag == group.ag]
    last = max(own, key=lambda each: each.row.time_local, default=None)
    sources = {"at": last.at, "where": seen.place(last.row.content_id, last.row.line)} if last else {}
    ends = [host.last for each in replicas if (host := seen.host(each)) and host.last]
    return GroupCard(
        said.text("group.name", {"ag": group.ag}),
        said.text("group.as_of", {"at": None, "where": "", "end": max(ends, default=None)} | sources),
        *_table(columns, said),
        tuple((label, value) for label, value in settings if value),
        said.text("group.unknown", {"lacking": lacking}),
    )


_COLUMNS = ("replica", "role", "commit", "failover", "state", "session", "version", "edition", "machine")


def _cell(seen: Seen, ag: str, replica: str, column: str, said: Said) -> str:
    host, standing = seen.host(replica), _standing(seen, ag, replica)
    option = {"commit": "availability_mode", "failover": "failover_mode", "session": "session_timeout"}.get(
        column
    )
    facts: dict[str, Any] = {
        "replica": replica,
        "host": host,
        "value": seen.option(ag, replica, option or ""),
    }
    if column in ("commit", "failover") and standing is not None and option:
        facts["value"] = standing.mode(option) or facts["value"]
    if column == "role":
        role, since = _role(seen, ag, replica)
        facts |= {"value": role, "since": since}
    if column == "state":
        states = (
            sorted({str(row.synchronization_state or "") for row in standing.databases} - {""})
            if standing
            else []
        )
        facts |= {"states": states, "health": standing.row.synchronization_health if standing else None}
        facts |= {"connected": standing.row.connected_state if standing else None}
        facts |= {"n": len({row.database for row in standing.databases}) if standing else 0}
    return said.text(f"group.{column}", facts)


def _table(columns: dict[str, list[str]], said: Said) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return headings and rows of the columns that have any value."""
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    marked = [
        compared(cells) if name in COMPARED else list(map(Cell, cells)) for name, cells in shown.items()
    ]
    headings = tuple(said.text("group.heading", {"name": name}) for name in shown)
    return headings, tuple(zip(*marked, strict=True))


def _settings(seen: Seen, group: CardGroups, said: Said) -> Iterator[tuple[str, str]]:
    """Yield the options of a group and of its cluster; unknown values are empty."""
    check = next(iter(seen.setting("group", "HealthCheckTimeout", group.ag)), None)
    lease = next(iter(seen.setting("group", "LeaseTimeout", group.ag)), None)
    level, timeout = group.failure_condition_level, group.health_check_timeout_ms
    votes = [(row.item, row.value) for row in seen.setting("member", "quorum_votes")]
    states = {row.item: row.value for row in seen.setting("member", "member_state")}
    facts = {
        "level": level if level is not None else seen.option(group.ag, "", "failure_condition_level"),
        "timeout_ms": _number(timeout if timeout is not None else check.value if check else
                              seen.option(group.ag, "", "health_check_timeout")),
        "lease_ms": _number(lease.value if lease else None),
        "quorum": next((row.value for row in seen.setting("cluster", "quorum_type")), ""),
        "quorum_state": next((row.value for row in seen.setting("cluster", "quorum_state")), ""),
        "votes": [{"node": node, "votes": n, "state": states.get(node, "")} for node, n in votes],
        "listeners": [each._asdict() for each in seen.listeners if each.ag == group.ag],
    }  # fmt: skip
    is_clustered = group.cluster_type != "NONE" and group.kind not in ("read-scale", "distributed", "link")
    for name in (
        "level",
        "health_check",
        *(("lease", "quorum", "votes") if is_clustered else ()),
        "listener",
    ):
        yield said.text("group.heading", {"name": name}), said.text(f"group.{name}", facts)
    if group.kind and group.kind != "ordinary":
        yield said.text("group.heading", {"name": "kind"}), said.text("group.kind", {"kind": group.kind})


def _number(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None


def _hosts(seen: Seen, hosts: Sequence[CardHosts], said: Said, *, is_alone: bool) -> GroupCard:
    shown = hosts[:MOST_HOSTS]
    roles = {each.host_id: each.role for each in seen.roles}
    names = ("host", "role", "version", "edition", "machine", "os", "captured")
    columns: dict[str, list[str]] = {name: [] for name in names}
    for host in shown:
        facts = {"replica": host.host_id, "host": host, "value": roles.get(host.host_id, ""), "since": None}
        for name in names:
            columns[name].append(said.text(f"group.{'replica' if name == 'host' else name}", facts))
    headings, rows = _table(columns, said)
    # Hosts that belong to no group differ as they please.
    plain = tuple(tuple(Cell(cell.text) for cell in row) for row in rows)
    counts = {"is_alone": is_alone, "left": len(hosts) - len(shown), "n": len(hosts)}
    return GroupCard(
        said.text("group.hosts", counts), said.text("group.hosts_as_of", counts), headings, plain
    )


def seen_by(
    ask: Callable[[type], list[Any]],
    settings: Sequence[Settings],
    standings: Iterable[Standing],
    replicas: Callable[[str], list[str]],
    place: Callable[[str | None, int | None], str],
) -> Seen:
    """Return the data of the cards, from queries of an analysis."""
    kinds = (CardGroups, CardHosts, CardRoles, CardOptions, CardListeners)
    groups, hosts, roles, options, listeners = (ask(kind) for kind in kinds)
    return Seen(groups, hosts, roles, options, listeners, settings, list(standings), replicas, place)
