"""Incidents: groups of related events, from lost connections and leases to failovers of all groups.

Events that share a host or a group belong to one incident if each starts within a minute of the ones
before, or during them: lost connections of both ends, quorum, leases, restarts, standstills and failovers.
No judgement.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.group import INCIDENTS

_sql = beside(__file__)

Row = dict[str, Any]


def make(view: View) -> dict[str, pa.Table]:
    """Return the incidents of all hosts and groups, in chronological order."""
    view.run(_sql("parts.sql"))
    keys = view.rows(_sql("keys.sql"))
    given = {
        "island": [row["island"] for row in keys],
        "host": [row["host_id"] for row in keys],
        "other": [row["other"] for row in keys],
        "ag": [row["ag"] for row in keys],
        "number": together(keys),
    }
    found = view.table(_sql("incidents.sql"), given)
    view.run("drop table scratch.incident_parts")
    return {"incidents": found.select(INCIDENTS.names)}


Node = tuple[int, str, str]


def together(keys: Iterable[Row]) -> list[int]:
    """Return the incident number of each row: equal if hosts or groups join them in one period.

    Rows on the membership of a cluster whose nodes nothing else names, or that name no node, belong to the
    only incident of their period; with several, they are an incident of their own.
    """
    rows = list(keys)
    leader: dict[Node, Node] = {}

    def lead(one: Node) -> Node:
        leader.setdefault(one, one)
        while leader[one] != one:
            leader[one] = leader[leader[one]]
            one = leader[one]
        return one

    named = [_names(row) for row in rows]
    for names in named:
        for one in names[1:]:
            leader[lead(one)] = lead(names[0])
    of_servers: dict[int, set[Node]] = {}
    for row, names in zip(rows, named, strict=True):
        if not row["is_membership"]:
            of_servers.setdefault(row["island"], set()).add(lead(names[0]))
    numbers: dict[Node, int] = {}
    found = []
    for row, names in zip(rows, named, strict=True):
        key, those = lead(names[0]), of_servers.get(row["island"], set())
        if key not in those and len(those) == 1:
            (key,) = those
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def _names(row: Row) -> list[Node]:
    found = [(row["island"], "host", row[key]) for key in ("host_id", "other") if row[key]]
    found += [(row["island"], "group", row["ag"])] if row["ag"] else []
    return found or [(row["island"], "", "")]


MAKER = Maker(("incidents",), make, Sources(relations=("timeline", "standstills")))
