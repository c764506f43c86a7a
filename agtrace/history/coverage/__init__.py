"""Spans in which each host and instance was watched, by source: the basis for claims of absence.

A capture covers the time from its first record to its last. Outside of it the state of its server is
unknown, whatever other captures of the case contain.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.coverage.watch import ROLE_SOURCES, Coverage, Piece, Stretch, coverage
from agtrace.history.reference_clock.shifting import by_host
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS

_sql = beside(__file__)

__all__ = ["MAKER", "ROLE_SOURCES", "Coverage", "Piece", "Stretch", "coverage"]

STEP_US = 10_000_000
TIMED = "time is not null, epoch_us(coalesce(time::timestamp, time_local)), time_local"
RECORDS = {"errorlog": STEP_US, "ticks": 1, "cluster_log": STEP_US, "os_events": STEP_US}
"""Relations whose records have a time, and the length of one step of each."""
LOOKS = f"""
    select content_id, 'look', first_time is not null,
           unnest([epoch_us(coalesce(first_time::timestamp, first_local)),
                   epoch_us(coalesce(last_time::timestamp, last_local))]),
           unnest([first_local, last_local]), {STEP_US}
    from captures
    where reader not in ('errorlog', 'xel', 'cluster_log', 'event_log') and has_part
      and first_local is not null
      and content_id not in (select content_id from counters)
"""
"""Outputs of snapshots: their start and end."""
STEADY = {
    "scheduler_monitor_system_health_ring_buffer_recorded": (
        "system_health",
        "scheduler monitor, each minute",
    ),
    "sp_server_diagnostics_component_result": ("system_health", "results of sp_server_diagnostics"),
    "component_health_result": ("SQLDIAG", "states of the components of sp_server_diagnostics"),
}
"""Events written at a steady pace: the session that writes each, and a description."""
STATES = ("availability_replica_state_change", "availability_replica_manager_state_change")
"""Events that only AlwaysOn_health keeps."""


def make(view: View) -> dict[str, pa.Table]:
    """Return the spans of every source, ordered by host, instance, source and time."""
    from agtrace import thresholds

    sources = {name: f"({by_host(name)})" if name in RELATIONS else name for name in RECORDS}
    records = [
        f"select content_id, '{name}', {TIMED}, {step} from {sources[name]}" for name, step in RECORDS.items()
    ]
    records += [
        f"select _content_id, 'event', true, epoch_us(_time), null::timestamp, {STEP_US} from "
        f"{_quoted(event)}"
        for event in sorted(view.events)
    ]
    records.append(LOOKS)
    instants = [
        f"select _content_id as content_id, epoch_us(_time) as us, '{expected}' as expected from "
        f"{_quoted(f'events_{event}')}"
        for event, (_session, expected) in STEADY.items()
        if f"events_{event}" in view.events
    ]
    instants.append(
        "select null::varchar as content_id, null::bigint as us, null::varchar as expected where false"
    )
    sessions = [
        f"select distinct _content_id as content_id, '{session}' as source from {_quoted(f'events_{event}')}"
        for event, session in _sessions()
        if f"events_{event}" in view.events
    ]
    limits = {"gap_steps": thresholds.of(view).gap_steps}
    view.run(_sql("spans.sql").replace("/* records */", "\nunion all\n".join(_named(records))), limits)
    view.run(_sql("steady.sql").replace("/* instants */", "\nunion all\n".join(instants)))
    view.run(
        "create or replace table scratch.coverage_sessions as select content_id, min(source) as source from ("
        + "\nunion all\n".join(sessions or ["select null::varchar as content_id, null::varchar as source"])
        + ") group by content_id"
    )
    found = view.table(_sql("coverage.sql"), limits)
    view.run(
        "drop table scratch.coverage_spans; drop table scratch.coverage_steady; drop table "
        "scratch.coverage_sessions"
    )
    return {"coverage": found}


def _sessions() -> list[tuple[str, str]]:
    return [(event, "AlwaysOn_health") for event in STATES] + [
        (event, session) for event, (session, _expected) in STEADY.items()
    ]


def _named(queries: list[str]) -> list[str]:
    """Name the columns of all queries as in the first."""
    head = (
        "select null::varchar as content_id, null::varchar as told, false as is_utc, null::bigint as us, "
        "null::timestamp as time_local, "
        "1 as step_us where false"
    )
    return [head, *queries]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


MAKER = Maker(
    ("coverage",),
    make,
    Sources(tables=("errorlog", "ticks", "cluster_log", "os_events", "facts", "rowset_heads"), events=("",)),
    is_by_host=True,
)
