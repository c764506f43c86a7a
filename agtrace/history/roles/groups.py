"""Which availability groups, databases and replicas the captures speak of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node, mean
from agtrace.resolve.replicas import split_instance

PER_DATABASE = (c.RECEIVED, c.SEND_QUEUE, c.REDONE, c.RECOVERY_QUEUE)
PER_REPLICA = (c.SENT, c.WIRE_RECEIVED, c.TRANSPORT, c.FLOW_CONTROL_TIME, c.FLOW_CONTROLS)


@dataclass(eq=False)
class Group:
    """An availability group as far as it was captured.

    Parameters
    ----------
    ags
        Its name; several where the captures do not tell which group a database is in, none
        where no Availability Replica counter was captured.
    databases
        Its databases by lower-case name, as written.
    nodes
        The captured SQL Server instances that take part.
    """

    ags: tuple[str, ...]
    databases: dict[str, str] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name to show; "" where it was not captured."""
        return " or ".join(self.ags)

    def on(self, nodes: Iterable[Node]) -> Group:
        """Give the same group on other grids of its nodes."""
        mine = {node.name for node in self.nodes}
        found = sorted((node for node in nodes if node.name in mine), key=lambda node: node.name)
        return Group(self.ags, self.databases, found)

    def peers(self, node: Node) -> dict[str, list[str]]:
        """Give the Availability Replica instances of a node by the replica that they name."""
        found: dict[str, list[str]] = {}
        for instance in node.instances(*PER_REPLICA):
            split = split_instance(instance)
            if split and split[0] in self.ags:
                found.setdefault(split[1], []).append(instance)
        return found


def ags_of(node: Node) -> set[str]:
    """Give the names of the availability groups that a node has replicas of."""
    return {s[0] for s in map(split_instance, node.instances(*PER_REPLICA)) if s}


def databases_of(node: Node) -> list[str]:
    """Give the replicated databases of a node, as written."""
    return [
        name
        for name in node.instances(*PER_DATABASE, c.MIRRORED_WRITES, c.TRANSACTION_DELAY)
        if name and name != "_Total"
    ]


def groups(nodes: Iterable[Node]) -> list[Group]:
    """Put databases and nodes into availability groups.

    Database Replica counters do not name the group. Where a node is in several groups, a database
    is in the one that all its nodes share; where they share several, the direction of its log and
    of the groups' bytes decides; where that leaves several, they stay together.
    """
    nodes = list(nodes)
    known = {id(node): ags_of(node) for node in nodes}
    replicated = {id(node): databases_of(node) for node in nodes}
    holding: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        for database in dict.fromkeys(map(str.lower, replicated[id(node)])):
            holding[database].append(node)
    streams = {id(node): _streams(node) for node in nodes}
    found: dict[tuple[str, ...], Group] = {}
    taken: set[tuple[tuple[str, ...], int]] = set()

    def take(ags: tuple[str, ...], node: Node) -> Group:
        group = found.setdefault(ags, Group(ags))
        if (ags, id(node)) not in taken:
            taken.add((ags, id(node)))
            group.nodes.append(node)
        return group

    for node in nodes:
        mine = known[id(node)]
        for database in replicated[id(node)]:
            holders = [n for n in holding[database.lower()] if known[id(n)] & mine]
            shared = set.intersection(*(known[id(n)] for n in holders)) if holders else mine
            candidates = shared or mine
            if len(candidates) > 1:
                arriving = mean(node.get(c.RECEIVED, database)) > 0
                told = {ag for ag in candidates if streams[id(node)].get(ag, False) == arriving}
                candidates = told or candidates
            group = take(tuple(sorted(candidates)), node)
            group.databases.setdefault(database.lower(), database)
    covered = {ag for ags in found for ag in ags}
    for node in nodes:  # a replica can be captured without its Database Replica counters
        for ag in known[id(node)]:
            if ag not in covered or (ag,) in found:
                covered.add(ag)
                take((ag,), node)
    _adopt_nameless(found)
    for group in found.values():
        group.nodes.sort(key=lambda node: node.name)
    return sorted(found.values(), key=lambda group: group.ags)


def _adopt_nameless(found: dict[tuple[str, ...], Group]) -> None:
    """Put the databases of a node without group names into the group that has them elsewhere."""
    nameless = found.get(())
    if nameless is None:
        return
    named = [g for g in found.values() if g.ags and nameless.databases.keys() & g.databases.keys()]
    if len(named) == 1:
        named[0].nodes.extend(n for n in nameless.nodes if n not in named[0].nodes)
        del found[()]


def _streams(node: Node) -> dict[str, bool]:
    """Tell of each group of a node whether its replicas sent more bytes to the node than they got from it."""
    sent: dict[str, float] = defaultdict(float)
    received: dict[str, float] = defaultdict(float)
    for instance in node.instances(*PER_REPLICA):
        if split := split_instance(instance):
            sent[split[0]] += mean(node.get(c.SENT, instance))
            received[split[0]] += mean(node.get(c.WIRE_RECEIVED, instance))
    return {ag: received[ag] > sent[ag] for ag in sent}
