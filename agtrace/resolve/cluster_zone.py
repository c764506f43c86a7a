"""The time of cluster logs that state none: parts of logs, copied without their first section.

A log is written in UTC or in local time, and only its head says which. What the cluster does to a group, the
servers note within seconds: three of its moments that meet what ERRORLOGs tell at one offset, and not at
another, tell it.
"""

from __future__ import annotations

from agtrace.store import CaseView
from agtrace.store.sql_files import beside

_sql = beside(__file__)

_QUERY = _sql("cluster_zone.sql")


def settle_cluster_zone(view: CaseView) -> None:
    """Set the offset of cluster logs without one to that shown by the ERRORLOGs of the case."""
    if "cluster_log" in view.filled and "messages" in view.filled:
        view.run(_QUERY)
