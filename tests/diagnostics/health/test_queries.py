"""Which rows the queries of health choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from importlib import resources
from typing import Any

import duckdb
import pyarrow as pa

from agtrace.diagnostics import health
from agtrace.tables.topology import TOPOLOGY
from tests.diagnostics.health.cases import at

LOOK = {"ag": "AG", "replica": "B", "host_id": "A", "content_id": "log", "line": 4, "time": at(5),
        "time_local": at(5), "connected_state": "CONNECTED", "is_local": True, "availability_mode": "x",
        "failover_mode": "x", "role": "x", "session_timeout_s": 10,
        "synchronization_health": "x"}  # fmt: skip
CAPTURE = {"content_id": "log", "path": "A/ERRORLOG", "host_id": "A", "sql_instance": None,
           "kind": "cluster log"}  # fmt: skip
SETTING = {"scope": "cluster", "item": "C", "setting": "quorum_type", "value": "x", "time_local": at(5),
           "content_id": "log", "line": 4, "host_id": "A"}  # fmt: skip
EVENT = {"ag": "AG", "host_id": "A", "replica": "B", "kind": "connected", "time": at(5), "database": None,
         "value": 1.0, "text": "x",
         "witnesses": [{"source": "ERRORLOG", "host_id": "A", "content_id": "log", "line": 4}]}  # fmt: skip


def ask(query: str, **tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the rows of a query of health over some tables; without one of how groups are built."""
    text = (resources.files(health) / f"{query}.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        for name, rows in tables.items():
            connection.register(name, pa.Table.from_pylist(rows))
        if "topology" in text and "topology" not in tables:
            connection.register("topology", TOPOLOGY.empty_table())
        asked = {"least_ms": 30_000.0} if "$least_ms" in text else None
        return connection.execute(text, asked).to_arrow_table().to_pylist()


def test_hosts_of_a_group_are_those_of_its_events_its_roles_and_its_own_looks():
    found = ask(
        "grouped",
        timeline=[
            {"ag": "AG", "host_id": "A", "kind": "ddl"}, {"ag": "", "host_id": "X", "kind": "dump"},
            {"ag": "AG", "host_id": None, "kind": "ddl"},
            {"ag": "", "host_id": "D", "kind": "node_offline"},
        ],
        roles=[{"host_id": "B"}, {"host_id": None}],
        replicas=[{"is_local": True, "host_id": "C"}, {"is_local": False, "host_id": "X"},
                  {"is_local": True, "host_id": None}],
    )  # fmt: skip
    assert [row["host_id"] for row in found] == ["A", "B", "C", "D"]


def test_replicas_of_a_group_are_those_that_connect_or_are_looked_at_but_no_group_of_a_distributed_one():
    found = ask(
        "members",
        timeline=[
            {"kind": "connected", "ag": "AG", "replica": "A"}, {"kind": "ddl", "ag": "AG", "replica": "X"},
            {"kind": "connected", "ag": None, "replica": "X"}, {"kind": "ddl", "ag": "OTHER", "replica": "X"},
            {"kind": "connected", "ag": "AG", "replica": None},
        ],
        replicas=[{"ag": "AG", "replica": name} for name in ("B", "other", "far")],
        topology=[{"members": ["FAR"]}],
    )  # fmt: skip
    assert [(row["ag"], row["replica"]) for row in found] == [("AG", "A"), ("AG", "B")]
