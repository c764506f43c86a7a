"""Roles as rows of the relation, and back on the axis of a node's grid."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from agtrace.history.base import View
from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import UNKNOWN, Role
from agtrace.measure.grid import Node

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SNAP_S = 1e-5
"""Rows have whole microseconds; a row of a grid may be between two of them."""


def rows(group: Group, node: Node, found: list[Role]) -> list[dict[str, Any]]:
    """Return the rows of a node's roles in a group."""
    suffix = "_local" if node.is_local else ""
    return [
        {
            "ag": group.name or None,
            "host_id": node.host_id,
            "sql_instance": node.sql_instance,
            "role": None if role.role == UNKNOWN else role.role,
            f"start{suffix}": _microseconds(role.start),
            f"end{suffix}": _microseconds(role.end),
            "evidence": role.evidence,
        }
        for role in found
    ]


def read_cast(view: View) -> Cast:
    """Read the relation."""
    query = "select * from roles order by coalesce(start, start_local at time zone 'UTC') nulls first"
    return Cast(view.rows(query))


class Cast:
    """Roles over time: rows of the relation, those of a replica in chronological order."""

    def __init__(self, told: Iterable[dict[str, Any]]) -> None:
        self._rows: dict[tuple[str, str, str | None], list[dict[str, Any]]] = defaultdict(list)
        for row in told:
            self._rows[row["ag"] or "", row["host_id"], row["sql_instance"]].append(row)

    def of(self, group: Group, node: Node) -> list[Role]:
        """Return the roles of a node in a group, in chronological order, on the node's axis."""
        suffix = "_local" if node.is_local else ""
        return [
            Role(
                row["role"] or UNKNOWN,
                _on_grid(row[f"start{suffix}"], node, -math.inf),
                _on_grid(row[f"end{suffix}"], node, math.inf),
                row["evidence"],
            )
            for row in self._rows[group.name, node.host_id, node.sql_instance]
        ]


def _microseconds(at: float) -> int | None:
    return None if math.isinf(at) else round(at * 1e6)


def _on_grid(moment: datetime | None, node: Node, without: float) -> float:
    if moment is None:
        return without
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    at = ((aware - EPOCH) // timedelta(microseconds=1)) / 1e6
    place = int(np.searchsorted(node.times, at - SNAP_S))
    if place < len(node.times) and abs(node.times[place] - at) <= SNAP_S:
        return float(node.times[place])
    return at
