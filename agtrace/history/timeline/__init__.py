"""What happened to the group and its servers: one timeline over all nodes and all files.

The same event told by several files or nodes is one row with several witnesses.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.history.timeline.counters import strained
from agtrace.history.timeline.named import named
from agtrace.measure.platforms import LINUX, platforms
from agtrace.measure.sampler import with_sampled
from agtrace.store.sql_files import beside
from agtrace.tables.restarts import RESTARTS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

EVENTS = {
    "errors.sql": ("error_reported", ("error_number", "message")),
    "states.sql": (
        "availability_replica_state_change",
        ("availability_group_name", "previous_state", "current_state"),
    ),
    "leases.sql": ("availability_group_lease_expired", ("availability_group_name", "state")),
    "validations.sql": (
        "availability_replica_automatic_failover_validation",
        ("availability_group_name", "joined_and_synchronized"),
    ),
    "statements.sql": ("alwayson_ddl_executed", ("availability_group_name", "ddl_phase", "statement")),
    "resources.sql": ("availability_group_state_change", ("availability_group_name", "target_state")),
    "alive.sql": ("availability_group_is_alive_failure", ("availability_group_name", "reason")),
    "exits.sql": ("sql_exit_invoked", ("shutdown_option",)),
    "resource_messages.sql": ("info_message", ("data",)),
    "resource_samples.sql": ("info_message", ("data",)),
    "processors.sql": (
        "scheduler_monitor_system_health_ring_buffer_recorded",
        ("system_idle", "process_utilization"),
    ),
}
"""Queries over Extended Events: the event and the fields that each takes."""

DATED = ("availability_group_lease_expired", ("new_timeout", "current_time"))
"""What tells, beside an expiry, since when the lease had run out: not every build has it."""

BY_REFERENCE = frozenset(
    ("cluster_log.sql", "components.sql", "counters.sql", "lease_samples.sql", "looks.sql", "os_events.sql")
)
"""Queries over relations and windows, which are on the reference clock already."""

TOLD = {
    "errorlog.sql": Sources(
        tables=("errorlog",),
        topics=(
            "role_change", "replica_state", "lease", "connection", "database_connection", "data_movement",
            "preparing", "ag_failure", "cluster", "fault", "database_fault", "long_io", "long_sync_io",
            "flush_cache", "memory_paged_out", "ready", "stop",
        ),
    ),
    "components.sql": Sources(relations=("component_health",)),
    "cluster_log.sql": Sources(relations=("cluster_log",)),
    "lease_samples.sql": Sources(topics=("lease_sample",)),
    "os_events.sql": Sources(relations=("os_events",)),
    "pacemaker.sql": Sources(topics=("pacemaker_event",)),
    "looks.sql": Sources(relations=("replicas", "database_states")),
}  # fmt: skip
"""Queries over all else, and what each takes."""

GAUGES = {
    "processors.sql": """
        select _content_id as content_id, host_id, 100 - try_cast(system_idle as double) as machine,
               try_cast(process_utilization as double) as sql
        from events_scheduler_monitor_system_health_ring_buffer_recorded
        join (select content_id as _content_id, min(host_id) as host_id from captures group by 1)
            using (_content_id)""",
    "components.sql": """
        select content_id, host_id, system_cpu_percent as machine, sql_cpu_percent as sql
        from component_health""",
}
"""Samples of the gauges of processors, by the query that takes them."""


def make(view: View) -> dict[str, pa.Table | Query]:
    """Return the events of all files, in time order."""
    from agtrace import thresholds

    limits = thresholds.of(view)
    numbers = {
        "busy_percent": limits.starved_processor_percent,
        "low_memory_bytes": limits.low_memory_mb * 2**20,
        "slow_disk_s": limits.slow_disk_s,
    }
    view.run(_sql("kinds.sql"))
    view.run(_sql("told.sql"))
    chosen = [name for name, (event, fields) in EVENTS.items() if view.fields(event) >= set(fields)]
    if "errors.sql" in chosen:
        texts = [row["message"] for row in view.rows(_sql("texts.sql"))]
        view.run(_sql("named.sql"), named(texts))
    there = [name for name, sources in TOLD.items() if sources.are_in(view)]
    _judge_gauges(view, [*there, *chosen], limits.gauge_samples)
    for name in (*there, *chosen):
        _add(view, name, numbers)
    if "leases.sql" in chosen and view.fields(DATED[0]) >= set(DATED[1]):
        view.run(_sql("lease_ticks.sql"))
    restarts = _restarts(view)
    moments = [row["moment"] for row in view.rows(_sql("moments.sql"))]
    slow_ms = 1000 * limits.slow_disk_s
    short = {"cpu": limits.starved_processor_percent, "disk_read_ms": slow_ms, "disk_write_ms": slow_ms}
    found = strained(view, moments, short)
    if found["host"]:
        _add(view, "counters.sql", found)
    view.run(_sql("groups.sql"))
    view.run(_sql("same.sql"))
    return {"timeline": Query(_sql("merged.sql"), is_kept=True), "restarts": restarts}


def _add(view: View, name: str, given: dict[str, Any]) -> None:
    """Add the events of a query by the reference clock."""
    moved = 0 if name in BY_REFERENCE else 1
    script = _sql("added.sql").replace("/* events */", _sql(name).rstrip().rstrip(";"))
    view.run(script, given | {"moved": moved})


def _judge_gauges(view: View, chosen: Collection[str], least: int) -> None:
    """Create ``scratch.gauges`` if a query needs it: the files that hold gauges which do not move."""
    samples = [sql for name, sql in GAUGES.items() if name in chosen]
    if samples:
        linux = [host for host, name in platforms(view).items() if name == LINUX]
        script = _sql("gauges.sql").replace("/* samples */", "\nunion all\n".join(samples))
        view.run(script, {"gauge_samples": least, "linux": linux})


def _restarts(view: View) -> pa.Table:
    """Return the starts of instances that ran before, and add them to the timeline."""
    if not view.rows("select 1 from scratch.timeline_told where kind = 'ready' limit 1"):
        return no_rows(RESTARTS)
    view.run(_sql("restart_signs.sql"))
    if "samples" in view.filled:
        with_sampled(view)
        view.run(_sql("restart_samples.sql"))
    view.run(_sql("restarts.sql"))
    found = view.table("select * from scratch.timeline_restarts")
    for name in ("restart_starts", "restart_signs", "timeline_restarts"):
        view.run(f"drop table scratch.{name}")
    return found


SOURCES = reduce(or_, TOLD.values(), Sources(events=tuple(event for event, _ in EVENTS.values())))
SCRATCH = ("timeline_told", "timeline_same", "timeline_groups", "timeline_kinds", "timeline_named", "gauges")
MAKER = Maker(("timeline", "restarts"), make, SOURCES, scratch=SCRATCH)
