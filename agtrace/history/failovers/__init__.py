"""Each change of a group's primary: from whom to whom, since when, why. No judgement: that is the
diagnostics'.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.log_gaps import log_gaps
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.tables.group import FAILOVERS


def make(view: View) -> dict[str, pa.Table]:
    """Tell the failovers of all groups, in order of time."""
    from agtrace.history.failovers.event import events_of, stood_still
    from agtrace.history.failovers.rows import failovers

    names = HostNames(view.rows(HOSTS))
    told = events_of(view.table(_sql("events.sql")), names)
    told += stood_still(view.rows("select * from standstills order by start, host_id"), told)
    roles = [one["ag"] for one in view.rows(_sql("groups.sql"))]
    found = failovers(told, roles, log_gaps(view))
    return {"failovers": pa.Table.from_pylist(found, schema=FAILOVERS)}


def _sql(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


MAKER = Maker(("failovers",), make, Sources(relations=("timeline", "standstills")))
