"""Which rows the queries of health choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from importlib import resources
from typing import Any

import duckdb
import pyarrow as pa

from agtrace.diagnostics import health
from agtrace.tables.topology import TOPOLOGY
from tests.diagnostics.health.cases import at
from tests.folded import folded

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


@folded(
    ("query", "table", "row", "others", "key"),
    [
        ("captures", "captures", CAPTURE, [{"kind": None}], "content_id"),
        ("cluster_logs", "captures", CAPTURE, [{"kind": "ERRORLOG"}, {"host_id": None}], "host"),
        ("kinds", "captures", CAPTURE, [{"kind": None}, {"host_id": None}], "host"),
        ("connected", "replicas", LOOK,
         [{"connected_state": "DISCONNECTED"}, {"host_id": None}, {"replica": None}, {"time": None}],
         "content_id"),
        ("replicas", "replicas", LOOK, [{"ag": None}, {"replica": None}], "content_id"),
        ("groups", "groups", LOOK | {"health_check_timeout_ms": 30_000},
         [{"ag": None}, {"health_check_timeout_ms": None}], "content_id"),
        ("nodes", "instance_nodes", LOOK | {"sql_instance": "I", "node": "N"}, [{"time": None}],
         "content_id"),
        ("settings", "cluster_settings", SETTING, [{"value": None}], "content_id"),
        ("seeded", "seedings", {"database": "Sales", "start": at(5)}, [{"database": None}, {"start": None}],
         "database"),
        ("timeline", "timeline", EVENT, [{"time": None}], "host_id"),
    ],
)  # fmt: skip
def test_a_row_that_lacks_what_is_asked_for_is_left_out(query, table, row, others, key):
    known = {
        name: "other" for name in ("content_id", "ag", "item", "database") if isinstance(row.get(name), str)
    }
    if query in ("cluster_logs", "kinds", "timeline"):
        known["host_id"] = "other"
    found = ask(query, **{table: [row, *(row | known | other for other in others)]})
    assert [each[key] for each in found] == [row.get(key, "A")]


def test_hosts_of_a_group_are_those_of_its_events_its_roles_and_its_own_looks():
    found = ask(
        "grouped",
        timeline=[{"ag": "AG", "host_id": "A"}, {"ag": "", "host_id": "X"}, {"ag": "AG", "host_id": None}],
        roles=[{"host_id": "B"}, {"host_id": None}],
        replicas=[{"is_local": True, "host_id": "C"}, {"is_local": False, "host_id": "X"},
                  {"is_local": True, "host_id": None}],
    )  # fmt: skip
    assert [row["host_id"] for row in found] == ["A", "B", "C"]


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


def test_waits_are_those_that_lasted_long_by_host_and_type():
    waits = [
        {"_content_id": "log", "_seq": n, "_time": at(n), "wait_type": "LCK_M_X", "duration": ms}
        for n, ms in enumerate((29_999, 30_000, 60_000))
    ]
    untimed = waits[2] | {"_time": None, "duration": 90_000}
    (found,) = ask("waits", events_wait_info=[*waits, untimed], captures=[CAPTURE])
    assert (found["host_id"], found["n"], found["longest_ms"]) == ("A", 2, 60_000)
    assert (found["first"], found["last"], found["peak"], found["line"]) == (at(1), at(2), at(2), 2)
