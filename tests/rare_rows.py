"""Rows of relations that no sample has: rare faults, and states that servers seldom are in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from agtrace.store.connection import connect
from agtrace.tables.history import RELATIONS

AT = datetime(2024, 2, 6, 14, 45, tzinfo=UTC)
LOCAL = AT.replace(tzinfo=None)
BEFORE, AFTER = AT - timedelta(minutes=2), AT + timedelta(minutes=2)
SPAN = {"start": BEFORE, "end": AFTER}
HOST = {"host_id": "A"}
DATABASE = {"database": "Sales"}
SEEN = {"time": AT, "time_local": LOCAL}

ROWS: dict[str, list[dict[str, Any]]] = {
    "ag_names": [
        {"kind": "replica", "id": "r1", "name": name} for name in ("B", "B2")
    ],
    "backups": [{"start": AT, "server": "A", "status": "failed", "failure_texts": ["no space"], **DATABASE}],
    "blocked_redo": [{**HOST, **SEEN, "session_id": 60, "program": "report"}],
    "cluster_settings": [{"item": "AG", "setting": "LeaseTimeout", "value": each} for each in ("1", "2")],
    "collections": [{**HOST, "scenarios": "Basic"}],
    "component_health": [{**HOST, "time": AT, "pending_tasks": 9, "workers_created": 5, "max_workers": 5}],
    "connections": [{**HOST, "time": AT, "replica": "B", "kind": "snapshot", "is_connected": False}],
    "database_faults": [{**HOST, **DATABASE, "cause_error": 824, "cause": "page"}],
    "database_states": [
        {**DATABASE, "replica": "B", "is_failover_ready": False, "redo_queue_kb": 9.0, "redo_rate_kb_s": 3.0}
    ],
    "databases": [{**DATABASE, "recovery_model": model} for model in ("FULL", "SIMPLE")],
    "failovers": [
        {"failover_id": number, "ag": ag, "start": AT, "end": AFTER} for number, ag in enumerate(("X", "Y"))
    ],
    "file_io": [
        {**DATABASE, **SEEN, "file_id": 2, "file_type": "LOG", "mean_write_ms": 30.0,
         "write_stall_ms": 99_000, "start_local": LOCAL - timedelta(seconds=60)}
    ],
    "flow_control": [{"gate": "send gate", "gate_id": "r1", "is_closed": True}],
    "group_databases": [{"database_key": "d1", "ag": ag} for ag in ("X", "Y")],
    "groups": [{"ag": "X", "primary_replica": name} for name in ("A", "B")],
    "hadr_requests": [{**DATABASE, **SEEN, "pending_disk_io": 4}],
    "hadr_traces": [{"time": AT, "text": "Reverting"}],
    "instance_nodes": [{**HOST, "sql_instance": "I", "is_cluster_instance": True}],
    "listeners": [
        {"ag": "X", "listener": "L", "ip_address": address, "state": "OFFLINE", "is_conformant": False}
        for address in ("10.0.0.1", "10.1.0.1")
    ],
    "log_entries": [
        {**HOST, **SEEN, "line": 1, "source": "ucs_connection_setup", "text": "SalesDB is not reachable"}
    ],
    "log_gaps": [{**HOST, **SPAN}],
    "long_transactions": [{**HOST, **SEEN, "session_id": 60, "seconds": 4000, "login": "app"}],
    "long_waits": [{**HOST, "time": AFTER, "wait_type": "THREADPOOL", "ms": 300_000.0}],
    "os_events": [{**HOST, "time": AT, "source": "disk", "event_id": 153}],
    "perfmon_gaps": [{**HOST, **SPAN, "missing_s": 60.0}],
    "power_plans": [{**HOST, "plan": plan, "guid": plan} for plan in ("Balanced", "Power saver")],
    "readable_roles": [{**HOST, "role": "SECONDARY", "start_local": LOCAL, "is_local": True}],
    "recoveries": [{**HOST, **DATABASE, "vlf_limit": 10_000}],
    "redo_locks": [{**HOST, "time": AT}],
    "replicas": [
        {**SEEN, "ag": "X", "replica": "B", "connected_state": "DISCONNECTED", "session_timeout_s": 5}
    ],
    "roles": [{"ag": "X", "host_id": host} for host in "AB"],
    "routing": [
        {"replica": "A", "priority": 1, "routed_to": each, "connections_allowed": "NO"} for each in "BC"
    ],
    "row_versions": [
        {**HOST, "counter": name, "value": 2048.0}
        for name in ("Free Space in tempdb (KB)", "Longest Transaction Running Time")
    ],
    "rowsets": [{"name": "x", "row": 0, "column": "text", "value": "an error"}],
    "seedings": [{**DATABASE, "target_host": "B", "attempts": 2, "failures": []}],
    "server_properties": [{**HOST, "version": "15.0.2"}],
    "server_starts": [{**HOST, "instant_file_initialization": "disabled"}],
    "server_versions": [{"host_id": "A", "version": "15"}, {"host_id": "B", "version": "16"}],
    "standstills": [{**HOST, **SPAN, "seconds_low": 60.0, "clock_gained_s": 60.0}],
    "temporary_statistics": [{**DATABASE, "object": "t", "name": name} for name in ("s1", "s2")],
    "topology": [{"ag": "X", "members": [], "is_distributed": True, "cluster_instances": ["I"], "how": "x"}],
    "waits": [
        {**HOST, **SEEN, "wait_type": name, "wait_ms": 100, "seconds": 60.0, "waiting_tasks": 3}
        for name in ("PARALLEL_REDO_TRAN_TURN", "THREADPOOL")
    ],
}  # fmt: skip


def rare(spill: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with these rows, each relation with its declared columns and types."""
    connection = connect(spill)
    contents = pa.schema([("content_id", pa.string()), ("path", pa.string())])
    for name, schema in {**RELATIONS, "contents": contents}.items():
        rows = ROWS.get(name, [])
        unknown = {column for row in rows for column in row} - {*schema.names}
        assert not unknown, f"{name} has no {', '.join(unknown)}"
        connection.register("made", pa.Table.from_pylist(rows, pa.schema([(f.name, f.type) for f in schema])))
        connection.execute(f'create table "{name}" as from made')
        connection.unregister("made")
    return connection
