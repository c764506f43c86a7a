"""Which availability groups, databases and replicas the captures speak of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node, mean
from agtrace.resolve.replicas import HostNames, split_instance

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


def groups(nodes: Iterable[Node], names: HostNames) -> list[Group]:
    """Put databases and nodes into availability groups.

    Database Replica counters do not name the group. Where a node is in several groups, a database
    is in the one that all its nodes share; where they share several, the direction of its log and
    of the groups' bytes decides; where that leaves several, they stay together.
    """
    nodes = list(nodes)
    known = {id(node): ags_of(node) for node in nodes}
    found: dict[tuple[str, ...], Group] = {}
    for node in nodes:
        mine = known[id(node)]
        for database in databases_of(node):
            holders = [
                n
                for n in nodes
                if database.lower() in map(str.lower, databases_of(n)) and (known[id(n)] & mine)
            ]
            shared = set.intersection(*(known[id(n)] for n in holders)) if holders else mine
            candidates = shared or mine
            if len(candidates) > 1:
                candidates = _same_direction(node, database, candidates) or candidates
            group = found.setdefault(tuple(sorted(candidates)), Group(tuple(sorted(candidates))))
            group.databases.setdefault(database.lower(), database)
            if node not in group.nodes:
                group.nodes.append(node)
    for node in nodes:  # a replica can be captured without its Database Replica counters
        for ag in known[id(node)]:
            if not any(ag in group.ags for group in found.values()):
                found[(ag,)] = Group((ag,))
            for group in found.values():
                if group.ags == (ag,) and node not in group.nodes:
                    group.nodes.append(node)
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


def _same_direction(node: Node, database: str, candidates: set[str]) -> set[str]:
    arriving = mean(node.get(c.RECEIVED, database)) > 0
    chosen = set()
    for ag in candidates:
        sent = received = 0.0
        for instance in node.instances(*PER_REPLICA):
            split = split_instance(instance)
            if split and split[0] == ag:
                sent += mean(node.get(c.SENT, instance))
                received += mean(node.get(c.WIRE_RECEIVED, instance))
        if (received > sent) == arriving:
            chosen.add(ag)
    return chosen
