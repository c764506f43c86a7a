"""Replicas known only from messages and events: their counters were not captured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from agtrace.history.roles.groups import Group
from agtrace.measure.grid import Node

Events = list[dict[str, Any]]


def replicas(events: Events, captured: Iterable[Group]) -> list[tuple[Group, Node, Events]]:
    """Return the replicas outside captured groups, with the events of each.

    A server has at most one replica of a group. Message 1480 does not name the group: databases of
    a server that say the same one after the other are taken for one group of unknown name, those
    that do not say nothing.
    """
    captured = list(captured)
    known = {(ag, node.host_id) for group in captured for ag in group.ags for node in group.nodes}
    named: dict[tuple[str, str], Events] = defaultdict(list)
    nameless: dict[str, dict[str, Events]] = defaultdict(lambda: defaultdict(list))
    for event in events:
        if event["topic"] != "role_change":
            if event["ag"]:
                named[event["ag"], event["host_id"]].append(event)
        elif event["database"]:
            nameless[event["host_id"]][event["database"].lower()].append(event)
    found = [
        (Group((ag,)), _node(host, told), told)
        for (ag, host), told in sorted(named.items(), key=lambda item: item[0])
        if (ag, host) not in known
    ]
    hosts = {node.host_id for group in captured for node in group.nodes}
    hosts |= {host for _ag, host in named}
    for host, databases in sorted(nameless.items()):
        if host in hosts or len({tuple(e["after"] for e in one) for one in databases.values()}) > 1:
            continue
        told = [event for one in databases.values() for event in one]
        group = Group((), {key: one[0]["database"] for key, one in databases.items()})
        found.append((group, _node(host, told), told))
    return found


def _node(host: str, events: Events) -> Node:
    instances = [e["sql_instance"] for e in events if e["sql_instance"]]
    is_local = all(e["time_s"] is None for e in events)
    return Node(host, instances[0] if instances else None, is_local)
