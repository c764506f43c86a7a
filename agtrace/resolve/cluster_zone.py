"""The UTC offset of cluster logs that do not state it: parts of logs, copied without their first section.

A log is written in UTC or in local time, and only its header says which. SQL Server logs each action of the
cluster on a group within seconds. The offset is accepted if three such events match entries of ERRORLOGs at
one offset and at no other.
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
