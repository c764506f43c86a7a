"""How replicas stood at a look, as literals: what the rules of readiness and of worker threads judge."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.health.rows import ReadinessDatabases, ReadinessReplicas
from agtrace.diagnostics.health.standing import Standing
from tests.diagnostics.asking import record
from tests.diagnostics.health.cases import at

LOOKED = 600.0


def row(replica: str = "B", **more: Any) -> ReadinessReplicas:
    """Return a row of readiness_replicas.sql, of A: one replica, synchronous and automatic."""
    known = {
        "ag": "AG", "replica": replica, "node": replica, "host_id": "A", "sql_instance": None,
        "is_local": replica == "A", "role": "PRIMARY" if replica == "A" else "SECONDARY",
        "availability_mode": "SYNCHRONOUS_COMMIT", "failover_mode": "AUTOMATIC",
        "connected_state": "CONNECTED", "synchronization_health": "HEALTHY", "last_connect_error": None,
        "time": at(LOOKED), "time_local": at(LOOKED).replace(tzinfo=None), "content_id": "log-A", "line": 4,
    }  # fmt: skip
    return record(ReadinessReplicas, **known | more)


def standing(replica: str = "B", databases: Any = (), *, knows: bool = True, **more: Any) -> Standing:
    """Return a replica beside its primary A, unless ``primary`` is another row or None."""
    primary = more.pop("primary", row("A"))
    commits = more.pop("commits", {})
    return Standing(row(replica, **more), primary, knows, tuple(databases), commits)


def database(name: str = "Sales", **more: Any) -> ReadinessDatabases:
    """Return a row of readiness_databases.sql of a database that is synchronised."""
    known = {
        "ag": "AG", "database": name, "replica": "B", "synchronization_state": "SYNCHRONIZED",
        "is_suspended": False, "suspend_reason": None, "is_joined": True, "is_failover_ready": None,
        "log_send_queue_kb": None, "redo_queue_kb": None, "redo_rate_kb_s": None, "last_commit_local": None,
        "content_id": "log-A", "line": 5,
    }  # fmt: skip
    return record(ReadinessDatabases, **known | more)
