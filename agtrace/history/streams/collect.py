"""All log streams of a case: sender, receiver and window, and the databases of each stream."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agtrace import thresholds
from agtrace.history.base import View
from agtrace.history.roles.cast import read_cast
from agtrace.history.roles.groups import Group, all_groups
from agtrace.history.roles.role import Role
from agtrace.history.streams.known import StreamFacts, known
from agtrace.history.streams.links import Link, links
from agtrace.history.streams.network_facts import read_facts
from agtrace.history.streams.parts import Part, parts_of
from agtrace.measure.base import once_per_case
from agtrace.measure.grid import Node, load, load_all
from agtrace.resolve.replicas import HOSTS, HostNames


@dataclass(frozen=True, eq=False)
class Streams:
    """The groups of a case, their roles over time, and the streams between their replicas.

    Parameters
    ----------
    roles
        By the group's names, then by the node's name.
    links
        Each link with its databases, by group.
    """

    nodes: list[Node]
    groups: list[Group]
    roles: dict[tuple[str, ...], dict[str, list[Role]]]
    links: list[tuple[Link, list[Part]]]
    known: StreamFacts


def read_streams(view: View, start: datetime | None = None, end: datetime | None = None) -> Streams:
    """Read the streams of every availability group of a case.

    Parameters
    ----------
    view
        The opened case.
    start, end
        Only samples from ``start`` (included) to ``end`` (left out); without both, those of the case are read
        once.
    """
    whole = start is None and end is None
    return _read_all(view) if whole else _read(view, load(view, start, end))


@once_per_case
def _read_all(view: View) -> Streams:
    return _read(view, load_all(view))


def _read(view: View, nodes: list[Node]) -> Streams:
    limits = thresholds.of(view)
    names = HostNames(view.rows(HOSTS))
    facts = read_facts(view, names)
    beside = known(view, facts, limits)
    # Membership in groups does not depend on the selected part.
    present = [group.on(nodes) for group in all_groups(view)]
    told = read_cast(view)
    cast: dict[tuple[str, ...], dict[str, list[Role]]] = {}
    for group in present:
        # Unrelated groups may have one name, and never one node.
        cast.setdefault(group.ags, {}).update({n.name: told.of(group, n) for n in group.nodes})
    found = [
        (link, parts_of(link, limits))
        for group in present
        for link in links(group, cast[group.ags], facts, limits)
    ]
    for link, _parts in found:
        if link.primary is not None and link.secondary is not None:
            pairs = facts.pairs(link.primary.host_id, link.secondary.host_id)
            link.skew, link.left = (pairs.seconds, pairs.left) if pairs else (None, 0.0)
    return Streams(nodes, present, cast, found, beside)
