"""Availability groups, databases and replicas in the captures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from agtrace.history.base import View
from agtrace.history.unrelated import group_sets, separated
from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node, load_all, mean
from agtrace.resolve.replicas import split_instance

PER_DATABASE = (c.RECEIVED, c.SEND_QUEUE, c.REDONE, c.RECOVERY_QUEUE)
RELAYED = 2.0
"""Least ratio of bytes in the direction of the log to those in the opposite one, which has
acknowledgements."""
PER_REPLICA = (c.SENT, c.WIRE_RECEIVED, c.TRANSPORT, c.FLOW_CONTROL_TIME, c.FLOW_CONTROLS)


@dataclass(eq=False)
class Group:
    """An availability group, as far as captured.

    Parameters
    ----------
    ags
        Its name; several if the captures do not show the group of a database, empty if no Availability
        Replica counter was captured.
    databases
        Its databases by lower-case name, as written.
    nodes
        The captured SQL Server instances that take part.
    is_distributed
        Whether its replicas are groups; each of `nodes` takes part for its own group.
    relays
        Names of the nodes that also take part in a distributed group: log may arrive there and be sent on.
    """

    ags: tuple[str, ...]
    databases: dict[str, str] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    is_distributed: bool = False
    relays: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Return the display name; "" if not captured."""
        return " or ".join(self.ags)

    def on(self, nodes: Iterable[Node]) -> Group:
        """Return the same group on other grids of its nodes."""
        mine = {node.name for node in self.nodes}
        found = sorted((node for node in nodes if node.name in mine), key=lambda node: node.name)
        return replace(self, nodes=found)

    def peers(self, node: Node) -> dict[str, list[str]]:
        """Return the Availability Replica instances of a node by the replica that they name."""
        found: dict[str, list[str]] = {}
        for instance in node.instances(*PER_REPLICA):
            split = split_instance(instance)
            if split and split[0] in self.ags:
                found.setdefault(split[1], []).append(instance)
        return found


def ags_of(node: Node) -> set[str]:
    """Return the names of the availability groups that a node has replicas of."""
    return {s[0] for s in map(split_instance, node.instances(*PER_REPLICA)) if s}


def databases_of(node: Node) -> list[str]:
    """Return the replicated databases of a node, as written."""
    return [
        name
        for name in node.instances(*PER_DATABASE, c.MIRRORED_WRITES, c.TRANSACTION_DELAY)
        if name and name != "_Total"
    ]


def all_groups(view: View) -> list[Group]:
    """Return the groups of a case; unrelated hosts are in different groups."""
    related = separated(group_sets(view), load_all(view), lambda node: (node.host_id, None))
    return [group for nodes in related for group in groups(nodes)]


def groups(nodes: Iterable[Node]) -> list[Group]:
    """Return the availability groups with their databases and nodes.

    Database Replica counters do not name the group. Where a node is in several groups, a database
    is in the one that all its nodes share; where they share several, the direction of its log and
    of the groups' bytes decides; where that leaves several, they stay together. A distributed group
    stands beside the groups that are its replicas, with their databases.
    """
    nodes = list(nodes)
    spanning = distributed(nodes)
    known = {id(node): ags_of(node) - spanning for node in nodes}
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
        if not mine and ags_of(node):
            continue  # it takes part in a distributed group alone
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
    relays = frozenset(node.name for node in nodes if ags_of(node) & spanning)
    ordinary = [replace(group, relays=relays) if relays else group for group in found.values()]
    everyone = [*ordinary, *(_spanning(ag, nodes) for ag in sorted(spanning))]
    for group in everyone:
        group.nodes.sort(key=lambda node: node.name)
    return sorted(everyone, key=lambda group: group.ags)


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
    """Return for each group of a node whether its replicas sent the node more bytes than they got."""
    sent, received = _bytes(node)
    return {ag: received[ag] > sent[ag] for ag in sent}


def _bytes(node: Node) -> tuple[dict[str, float], dict[str, float]]:
    """Return the mean bytes that a node sent to the replicas of each of its groups, and got from them."""
    sent: dict[str, float] = defaultdict(float)
    received: dict[str, float] = defaultdict(float)
    for instance in node.instances(*PER_REPLICA):
        if split := split_instance(instance):
            sent[split[0]] += mean(node.get(c.SENT, instance))
            received[split[0]] += mean(node.get(c.WIRE_RECEIVED, instance))
    return sent, received


def distributed(nodes: Iterable[Node]) -> set[str]:
    """Return the names of distributed groups: each replica has the name of a group, not a host.

    If only a forwarder was captured, it is recognised itself: all of its databases receive log, yet it sends
    more than it receives in one group; the log it receives comes from the distributed one.
    """
    nodes = list(nodes)
    hosts = {node.host_id.upper() for node in nodes}
    names = {ag.upper() for node in nodes for ag in ags_of(node)} - hosts
    found = set()
    for node in nodes:
        for instance in node.instances(*PER_REPLICA):
            split = split_instance(instance)
            if split and split[1].upper() in names - {split[0].upper()}:
                found.add(split[0])
        found |= _forwarded(node)
    return found


def _forwarded(node: Node) -> set[str]:
    """Return the groups whose log a node sends on to another group."""
    databases = {name.lower() for name in databases_of(node)}
    if not databases or any(mean(node.get(c.RECEIVED, name)) <= 0 for name in databases_of(node)):
        return set()
    written = {name.lower(): mean(node.get(c.FLUSHED, name)) for name in node.instances(c.FLUSHED)}
    if not databases <= written.keys():
        return set()  # the log it sends may be its own
    own = sum(rate for name, rate in written.items() if name not in databases and name != "_total")
    sent, received = _bytes(node)
    sending = [ag for ag in sent if sent[ag] > RELAYED * max(received[ag], own)]
    return {ag for ag in sent if received[ag] > RELAYED * sent[ag]} if sending else set()


def _spanning(ag: str, nodes: list[Node]) -> Group:
    """Return a distributed group: its nodes, and the databases that both of its sides have."""
    group = Group((ag,), nodes=[node for node in nodes if ag in ags_of(node)], is_distributed=True)
    sides: dict[str, set[str]] = defaultdict(set)
    for node in group.nodes:
        # Every node names the other side; those of one side name the same.
        other = "|".join(sorted(name.upper() for name in group.peers(node)))
        alone = len(ags_of(node)) <= 2  # itself, and the one group that carries it here
        for name in databases_of(node):
            sides[name.lower()].add(other)
            if alone or len(sides[name.lower()]) > 1:
                group.databases.setdefault(name.lower(), name)
    return group
