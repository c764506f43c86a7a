"""What the captures of each server cover, and when it was started."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from agtrace.history.base import View
from agtrace.history.coverage import Coverage, coverage
from agtrace.store.sql_files import beside

_sql = beside(__file__)

ENDS = ("ERRORLOG", "AlwaysOn_health", "other Extended Events", "support output")
"""What can tell of a seeding's end: counters go on however a seeding ended."""


@dataclass(frozen=True)
class Servers:
    """What is known of hosts, by host_id; times are UTC.

    Parameters
    ----------
    logged, sampled
        Those of which an ERRORLOG was captured, and those of which perfmon was.
    restarts
        When the server started.
    coverage
        When each was watched.
    """

    logged: Set[str]
    sampled: Set[str]
    restarts: Mapping[str, Sequence[datetime]]
    coverage: Coverage


def servers(view: View) -> Servers:
    """Read what is known of hosts."""
    restarts: dict[str, list[datetime]] = defaultdict(list)
    for row in view.rows(_sql("restarts.sql")):
        restarts[row["host_id"]].append(row["time"])
    return Servers(
        logged=_hosts(view, "messages"),
        sampled=_hosts(view, "counters"),
        restarts=restarts,
        coverage=coverage(view),
    )


def _hosts(view: View, table: str) -> Set[str]:
    rows = view.table(f"select distinct host_id from {table} where host_id is not null")
    return frozenset(rows["host_id"].to_pylist())
