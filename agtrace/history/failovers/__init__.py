"""Changes of a group's primary: old and new primary, time and cause. Judgements are in the diagnostics."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.log_gaps import log_gaps
from agtrace.history.reference_clock import reference_clock
from agtrace.history.unrelated import GroupSet, group_sets, separated
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside
from agtrace.tables.group import FAILOVERS
from agtrace.tables.rows import table_of

_sql = beside(__file__)


_OF_LOCAL_TIME = """(
    select * replace (time_local at time zone 'UTC' as "time") from timeline
    where "time" is null and time_local is not null and host_id = $host
)"""


def make(view: View) -> dict[str, pa.Table]:
    """Return the failovers of all groups, in chronological order."""
    from agtrace.history.failovers.event import events_of, stood_still
    from agtrace.history.failovers.rows import failovers

    names = HostNames(view.rows(HOSTS))
    told = events_of(view.table(_sql("events.sql")), names)
    told += stood_still(view.rows("select * from standstills order by start, host_id"), reference_clock(view))
    roles = [one["ag"] for one in view.rows(_sql("groups.sql"))]
    sets = group_sets(view)
    related = separated(sets, told, lambda one: (one.host, one.ag))
    found = [
        row
        for number, events in enumerate(related)
        for row in failovers(events, _of_set(roles, sets, number), log_gaps(view))
    ]
    found.sort(key=lambda row: (row["end"], row["ag"]))
    found = [row | {"failover_id": number} for number, row in enumerate(found, 1)]
    return {"failovers": table_of(found, FAILOVERS)}


def _of_set(ags: list[str], sets: list[GroupSet], number: int) -> list[str]:
    """Return the groups that can be of a set: those that no other set names."""
    others = {ag for place, one in enumerate(sets) if place != number for ag in one.ags}
    return [ag for ag in ags if ag not in others]


def in_local_time(view: View, host: str) -> list[dict[str, Any]]:
    """Return the failovers shown by the logs of a single host whose offset from UTC is unknown.

    Returns
    -------
    list of dict
        Rows of the relation with a `failover_id` of their own; their times are the host's local time,
        marked as UTC.
    """
    from agtrace.history.failovers.event import events_of
    from agtrace.history.failovers.rows import failovers

    query = _sql("events.sql").replace("from timeline", f"from {_OF_LOCAL_TIME}")
    told = events_of(view.table(query, {"host": host}), HostNames(view.rows(HOSTS)))
    return failovers(told, ())


MAKER = Maker(("failovers",), make, Sources(relations=("timeline", "standstills")))
