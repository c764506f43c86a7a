"""Groups of one case that have nothing in common: no replica, no host and no time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from agtrace.history.base import View
from agtrace.measure.base import once_per_case
from agtrace.resolve.attribution import is_placeholder
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)

Row = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class GroupSet:
    """Groups that are related, with their hosts.

    Parameters
    ----------
    ags
        Names of the groups; none where only their databases are known.
    hosts
        Every host that they name, captured or not.
    captured
        Those of which something was captured.
    first, last
        The time that the captures of the hosts cover; None where no time is known.
    """

    ags: tuple[str, ...]
    hosts: frozenset[str]
    captured: tuple[str, ...]
    first: datetime | None
    last: datetime | None


def names_of(sets: Sequence[GroupSet]) -> list[str]:
    """Return a name for each set: of its groups, with its first host where that is not unique."""
    names = [", ".join(one.ags or one.captured) for one in sets]
    return [
        f"{name} ({one.captured[0]})" if names.count(name) > 1 else name
        for name, one in zip(names, sets, strict=True)
    ]


def place(sets: Sequence[GroupSet], host: str | None, ag: str | None = None) -> int:
    """Return the number of the set of a row, by its host or else its group; 0 where neither tells."""
    by_host = (number for number, one in enumerate(sets) if host and host in one.hosts)
    by_group = (number for number, one in enumerate(sets) if ag and ag in one.ags)
    return next(by_host, next(by_group, 0))


def separated(
    sets: Sequence[GroupSet], items: Iterable[T], of: Callable[[T], tuple[str | None, str | None]]
) -> list[list[T]]:
    """Return items by the set that they belong to; all in one list where there is one set or none.

    Parameters
    ----------
    of
        Returns the host and the group of an item.
    """
    found: list[list[T]] = [[] for _ in sets] or [[]]
    for item in items:
        found[place(sets, *of(item))].append(item)
    return found


@once_per_case
def group_sets(view: View) -> list[GroupSet]:
    """Return the unrelated sets of groups of a case, in order of time; one, or none, in most cases."""
    names = HostNames(view.rows(HOSTS))
    members = [
        row | {"replica": names.host_id(row["replica"]) if row["replica"] else None}
        for row in view.rows(_sql("unrelated_members.sql"))
    ]
    if len({row["host_id"] for row in members}) < 2:
        return []
    query = (
        "select host_id, coalesce(first::timestamp, first_local) as first, "
        "coalesce(last::timestamp, last_local) as last from coverage order by all"
    )
    return sets_of(members, view.rows(query))


def sets_of(members: Sequence[Row], watched: Sequence[Row]) -> list[GroupSet]:
    """Return the unrelated sets of groups.

    Hosts are related if they name each other, were watched at the same time, and name the same group or,
    without a group, the same database. Two hosts that name the same group at different times are unrelated
    only if each names its own partners.

    Parameters
    ----------
    members
        Rows of host_id, ag, replica (a host) and database; some values are None.
    watched
        Rows of host_id, first and last, of the relation ``coverage``.
    """
    roots: dict[str, str] = {}

    def root(host: str) -> str:
        roots.setdefault(host, host)
        while roots[host] != host:
            host = roots[host]
        return host

    def unite(one: str, other: str) -> None:
        roots[root(one)] = root(other)

    groups = {row["ag"].casefold() for row in members if row["ag"]}
    partners: dict[str, set[str]] = defaultdict(set)
    named: dict[str, set[str]] = defaultdict(set)
    for row in members:
        root(row["host_id"])
        if row["ag"]:
            named[row["host_id"]].add(row["ag"])
        # A replica of a distributed group is a group.
        if row["replica"] and row["replica"].casefold() not in groups:
            unite(row["host_id"], row["replica"])
            if row["replica"] != row["host_id"]:
                partners[row["host_id"]].add(row["replica"])
        elif row["replica"]:
            named[row["host_id"]].add(row["replica"])
    own = sorted({row["host_id"] for row in members})
    for host, before in _together(own, watched):
        unite(host, before)
    holders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for host in own:
        for ag in named[host]:
            holders["ag", ag.casefold()].append(host)
    for row in members:
        if row["database"] and not named[row["host_id"]]:
            holders["database", row["database"].casefold()].append(row["host_id"])
    for (kind, _name), hosts in holders.items():
        unsure = [host for host in hosts if kind == "database" or not _is_sure(host, partners)]
        for host in hosts if unsure else ():
            unite(host, unsure[0])
    found: dict[str, list[str]] = defaultdict(list)
    for host in sorted(roots):
        found[root(host)].append(host)
    made = [_set(hosts, own, named, watched) for hosts in found.values() if set(hosts) & set(own)]
    return sorted(made, key=lambda one: (one.first is None, one.first, one.captured))


def _is_sure(host: str, partners: dict[str, set[str]]) -> bool:
    return bool(partners[host]) and not is_placeholder(host)


def _together(hosts: Sequence[str], watched: Sequence[Row]) -> Iterable[tuple[str, str]]:
    """Return pairs of hosts that were watched at the same time."""
    spans = [row for row in watched if row["host_id"] in hosts and row["first"] and row["last"]]
    reaching: Row | None = None
    for row in sorted(spans, key=lambda row: (row["first"], row["last"])):
        if reaching is not None and row["first"] <= reaching["last"]:
            yield row["host_id"], reaching["host_id"]
        if reaching is None or row["last"] > reaching["last"]:
            reaching = row


def _set(
    hosts: Sequence[str], own: Sequence[str], named: dict[str, set[str]], watched: Sequence[Row]
) -> GroupSet:
    spans = [row for row in watched if row["host_id"] in hosts and row["first"] and row["last"]]
    return GroupSet(
        tuple(sorted({ag for host in hosts for ag in named.get(host, ())})),
        frozenset(hosts),
        tuple(host for host in own if host in hosts),
        min((row["first"] for row in spans), default=None),
        max((row["last"] for row in spans), default=None),
    )
