"""Events that sessions of Extended Events keep of commits, flow control, redo and reverts."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

KEPT = {
    "commit_waits": {"hadr_db_commit_mgr_harden": {"ag_database_id", "time_to_commit"}},
    "flow_control": {
        "hadr_transport_flow_control_action": {"control_action", "target_availability_replica_id"},
        "hadr_database_flow_control_action": {"control_action", "database_replica_id"},
    },
    "redo_locks": {"lock_redo_blocked": {"database_name", "object_id"}},
    "hadr_traces": {"hadr_trace_message": {"hadr_message"}},
}
"""Events of each relation, and the fields needed; the query of each has the relation's name."""


def make(view: View) -> dict[str, pa.Table | Query]:
    """Return the query of each relation: a session may have kept years of its events."""
    return {name: _rows(view, name, events) for name, events in KEPT.items()}


def _rows(view: View, name: str, events: dict[str, set[str]]) -> pa.Table | Query:
    there = [event for event, fields in events.items() if view.fields(event) >= fields]
    queries = [_sql(f"{event}.sql") for event in there]
    return Query("\nunion all\n".join(queries)) if queries else no_rows(RELATIONS[name])


MAKER = Maker(
    tuple(KEPT),
    make,
    Sources(events=tuple(event for events in KEPT.values() for event in events)),
    is_view=True,
    is_by_host=True,
)
