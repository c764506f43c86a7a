"""Replicas that only messages and events tell of: no counter of theirs was captured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agtrace.history.roles.groups import Group
from agtrace.measure.grid import Node

Events = list[dict[str, Any]]


def replicas(events: Events, captured: Iterable[Group]) -> list[tuple[Group, Node]]:
    """Give the replicas of messages and events that are no node of a captured group.

    A server has at most one replica of a group. Message 1480 does not name the group: databases of
    a server that say the same one after the other are taken for one group of unknown name, those
    that do not say nothing.
    """
    captured = list(captured)
    hosts = {node.host_id for group in captured for node in group.nodes}
    known = {(ag, node.host_id) for group in captured for ag in group.ags for node in group.nodes}
    named = {(e["ag"], e["host_id"]) for e in events if e["topic"] != "role_change" and e["ag"]}
    found = [
        (Group((ag,)), _node(host, [e for e in events if e["host_id"] == host and e["ag"] == ag]))
        for ag, host in sorted(named - known)
    ]
    hosts |= {host for _ag, host in named}
    for host in sorted({e["host_id"] for e in events} - hosts):
        mine = [e for e in events if e["host_id"] == host and e["database"]]
        databases = {e["database"].lower(): e["database"] for e in mine}
        told = {
            tuple(e["after"] for e in mine if e["database"].lower() == key) for key in databases
        }
        if len(told) == 1:
            found.append((Group((), databases), _node(host, mine)))
    return found


def _node(host: str, events: Events) -> Node:
    instances = [e["sql_instance"] for e in events if e["sql_instance"]]
    is_local = all(e["time_s"] is None for e in events)
    return Node(host, instances[0] if instances else None, is_local)
