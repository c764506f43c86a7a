"""What the captures of each server cover, and when it was started."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from agtrace.history.base import View
from agtrace.history.seedings.collect.script import script

CAPTURED_UNTIL = """
    select host_id, max(last_time) as last from captures
    where host_id is not null and last_time is not null
      and content_id not in (select content_id from counters)
    group by host_id
"""


@dataclass(frozen=True)
class Servers:
    """What is known of hosts, by host_id; times are UTC.

    Parameters
    ----------
    logged, sampled
        Those of which an ERRORLOG was captured, and those of which perfmon was.
    restarts
        When the server started.
    captured_until
        Last instant of the captures that can tell of a seeding's end: counters go on however a
        seeding ended.
    """

    logged: Set[str]
    sampled: Set[str]
    restarts: Mapping[str, Sequence[datetime]]
    captured_until: Mapping[str, datetime]


def servers(view: View) -> Servers:
    """Read what is known of hosts."""
    restarts: dict[str, list[datetime]] = defaultdict(list)
    for row in view.rows(script("restarts.sql")):
        restarts[row["host_id"]].append(row["time"])
    return Servers(
        logged=_hosts(view, "messages"),
        sampled=_hosts(view, "counters"),
        restarts=restarts,
        captured_until={row["host_id"]: row["last"] for row in view.rows(CAPTURED_UNTIL)},
    )


def _hosts(view: View, table: str) -> Set[str]:
    rows = view.table(f"select distinct host_id from {table} where host_id is not null")
    return frozenset(rows["host_id"].to_pylist())
