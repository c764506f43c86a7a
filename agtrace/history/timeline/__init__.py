"""What happened to the group and its servers: one timeline over all nodes and all files.

The same event told by several files or nodes is one row with several witnesses.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.timeline.clocks import skews
from agtrace.history.timeline.counters import strained
from agtrace.history.timeline.named import named
from agtrace.tables.group import TIMELINE

EVENTS = {
    "errors.sql": ("error_reported", ("error_number", "message")),
    "states.sql": (
        "availability_replica_state_change",
        ("availability_group_name", "previous_state", "current_state"),
    ),
    "leases.sql": ("availability_group_lease_expired", ("availability_group_name", "state")),
    "statements.sql": (
        "alwayson_ddl_executed",
        ("availability_group_name", "ddl_phase", "statement"),
    ),
    "resources.sql": (
        "availability_group_state_change",
        ("availability_group_name", "target_state"),
    ),
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

ALWAYS = (
    "errorlog.sql",
    "components.sql",
    "cluster_log.sql",
    "lease_samples.sql",
    "os_events.sql",
    "looks.sql",
)


def make(view: View) -> dict[str, pa.Table]:
    """Give the events of all files, in order of time."""
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
    for name in (*ALWAYS, *chosen):
        query = _sql(name)
        used = {key: value for key, value in numbers.items() if f"${key}" in query}
        view.run(f"insert into scratch.timeline_told by name {query}", used)
    view.run(f"insert into scratch.timeline_told by name {_sql('restarts.sql')}")
    moments = [row["moment"] for row in view.rows(_sql("moments.sql"))]
    slow_ms = 1000 * limits.slow_disk_s
    short = {
        "cpu": limits.starved_processor_percent,
        "disk_read_ms": slow_ms,
        "disk_write_ms": slow_ms,
    }
    found = strained(view, moments, short)
    view.run(f"insert into scratch.timeline_told by name {_sql('counters.sql')}", found)
    clocks = skews(view.rows("select * from skew"))
    view.run(_sql("clocks.sql"), {"hosts": list(clocks), "ms": list(clocks.values())})
    view.run(_sql("groups.sql"))
    merged = view.table(_sql("merged.sql"))
    view.run(_sql("dropped.sql"))
    return {"timeline": merged.select(TIMELINE.names)}


def _sql(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


MAKER = Maker(("timeline",), make)
