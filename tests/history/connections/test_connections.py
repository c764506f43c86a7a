"""Signs of connections, by the host of the other replica."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import table_of
from tests.diagnostics.tiny import Case

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
HOSTS = [{"host_id": "A"}, {"host_id": "B", "aliases": ["BLADE7"]}]


def signs(columns: str, **relations: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    told = {name: table_of(rows, RELATIONS[name]) for name, rows in relations.items()}
    rows = Case({"hosts": HOSTS}, told=told).rows(f"select {columns} from connections")
    return [tuple(row.values()) for row in rows]


def event(kind: str, seconds: int = 0, **more: Any) -> dict[str, Any]:
    witnesses = [{"content_id": content, "line": 4} for content in ("log", "session")]
    at = NOON + timedelta(seconds=seconds)
    return {"host_id": "A", "replica": "B\\I2", "kind": kind, "time": at, "witnesses": witnesses} | more


def snapshot(state: str | None, **more: Any) -> dict[str, Any]:
    row = {"host_id": "B", "replica": "A", "connected_state": state, "time": NOON, "is_local": False}
    return row | {"content_id": "dmv", "line": 7} | more


@pytest.mark.parametrize(
    ("kind", "is_connected"),
    [
        ("connected", True),
        ("database_connected", True),
        ("connection_failed", False),
        ("connection_timeout", False),
        ("database_disconnected", False),
    ],
)
def test_an_event_that_names_the_other_replica_is_a_sign(kind, is_connected):
    rows = [event(kind), event("replica_state"), event(kind, replica=None), event(kind, host_id=None)]
    assert signs("kind, is_connected, content_id, line", timeline=rows) == [(kind, is_connected, "log", 4)]


@pytest.mark.parametrize(
    ("state", "is_connected"), [("CONNECTED", True), ("DISCONNECTED", False), (None, None)]
)
def test_a_snapshot_shows_the_other_replicas_of_a_server(state, is_connected):
    rows = [snapshot(state), snapshot(state, is_local=True)]
    assert signs("host_id, kind, is_connected, content_id, line", replicas=rows) == [
        ("B", "snapshot", is_connected, "dmv", 7)
    ]


@pytest.mark.parametrize(
    ("replica", "host"), [("B\\I2", "B"), ("blade7.contoso.com", "B"), ("other.contoso.com", "OTHER")]
)
def test_the_other_replica_is_found_by_every_name_of_its_host(replica, host):
    assert signs("replica, replica_host_id", timeline=[event("connected", replica=replica)]) == [
        (replica, host)
    ]


def test_rows_are_in_order_of_time():
    rows = signs(
        "kind, time",
        timeline=[event("connection_timeout", -1), event("connected", -3)],
        replicas=[snapshot("CONNECTED"), snapshot("CONNECTED", time=None)],
    )
    assert rows == [
        ("snapshot", None),
        ("connected", NOON - timedelta(seconds=3)),
        ("connection_timeout", NOON - timedelta(seconds=1)),
        ("snapshot", NOON),
    ]
