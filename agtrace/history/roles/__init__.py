"""Roles over time: one row per span in which a replica of a group had a role."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.log_gaps import log_gaps
from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import UNKNOWN, Role
from agtrace.resolve.names import instance_name
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside
from agtrace.tables.group import ROLES
from agtrace.tables.rows import table_of

__all__ = ["MAKER", "UNKNOWN", "Group", "Role"]

_sql = beside(__file__)

if TYPE_CHECKING:
    from agtrace.history.roles.collect import Gap
    from agtrace.measure.grid import Node

NEEDED = {"availability_group_name", "availability_replica_name", "previous_state", "current_state"}
"""Fields of availability_replica_state_change."""


def make(view: View) -> dict[str, pa.Table]:
    """Return the roles of each replica with counters or messages."""
    from agtrace import thresholds
    from agtrace.history.roles import cast
    from agtrace.history.roles.collect import roles
    from agtrace.history.roles.groups import all_groups
    from agtrace.history.roles.logged import replicas

    names = HostNames(view.rows(HOSTS))
    events = view.rows(_sql("messages.sql")) + _state_changes(view, names)
    captured = all_groups(view)
    of_host = defaultdict(list)
    for event in events:
        of_host[event["host_id"]].append(event)
    present = [(group, node, of_host[node.host_id]) for group in captured for node in group.nodes]
    present += replicas(events, captured)
    samples = thresholds.of(view).role_samples
    left_out = log_gaps(view)
    rows = [
        row
        for group, node, told in present
        for row in cast.rows(group, node, roles(group, node, told, samples, _gaps(left_out, node)))
    ]
    return {"roles": table_of(rows, ROLES)}


def _gaps(left_out: list[dict[str, Any]], node: Node) -> list[Gap]:
    """Return the gaps in the logs of a node's server, on its axis, in chronological order."""
    axis = "local_" if node.is_local else ""
    found = []
    for row in left_out:
        is_other = node.sql_instance and row["sql_instance"] not in (None, node.sql_instance)
        if row["host_id"] != node.host_id or is_other:
            continue
        begin, end = row[f"{axis}from_s"], row[f"{axis}to_s"]
        found.append((-math.inf if begin is None else begin, math.inf if end is None else end))
    ordered: list[Gap] = []
    for begin, end in sorted(found):
        # Two copies of one log have the same gaps.
        begin = max(begin, ordered[-1][1]) if ordered else begin
        if end > begin:
            ordered.append((begin, end))
    return ordered


def _state_changes(view: View, names: HostNames) -> list[dict[str, Any]]:
    """Return the state changes in AlwaysOn_health, if its events have the needed fields."""
    if not view.fields("availability_replica_state_change") >= NEEDED:
        return []
    rows = view.rows(_sql("state_changes.sql"))
    for row in rows:
        if row["replica"]:
            row["host_id"] = names.host_id(row["replica"])
            row["sql_instance"] = instance_name(row["replica"])
    return [row for row in rows if row["host_id"]]


SOURCES = Sources(
    topics=("role_change", "replica_state"),
    events=("availability_replica_state_change",),
    tables=("counters",),
)
MAKER = Maker(("roles",), make, SOURCES)
