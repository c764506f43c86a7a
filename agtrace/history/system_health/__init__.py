"""Data of system_health besides states of components: processors each minute, and long waits."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

PROCESSORS = "scheduler_monitor_system_health_ring_buffer_recorded"
KEPT = {
    "processor_minutes": (PROCESSORS, {"system_idle", "process_utilization"}),
    "long_waits": ("wait_info", {"wait_type", "duration"}),
}
"""Event of each relation, and the fields needed."""


def make(view: View) -> dict[str, pa.Table | Query]:
    """Return the query of each: a session may have kept years of them."""
    return {
        name: Query(_sql(f"{name}.sql")) if view.fields(event) >= fields else no_rows(RELATIONS[name])
        for name, (event, fields) in KEPT.items()
    }


MAKER = Maker(
    tuple(KEPT),
    make,
    Sources(events=tuple(event for event, _fields in KEPT.values())),
    is_view=True,
    is_by_host=True,
)
