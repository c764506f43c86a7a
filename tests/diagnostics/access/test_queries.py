"""Which rows the queries choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics import access
from agtrace.history import cluster_items
from tests.diagnostics.asking import ask as ask_of

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
TIMES = {"time": NOON, "time_local": LOCAL}
WRITTEN = {"content_id": "log", "line": 4, "host_id": "A", **TIMES}
NO_TIME = {"time": None, "time_local": None}
ENDPOINT = WRITTEN | {"topic": "endpoint", "fields": {"event": "disabled", "kind": "Database Mirroring"}}
SETTING = WRITTEN | {"item": "LSN", "setting": "HostRecordTTL", "value": "300"}


def ask(query: str, asked: dict[str, Any] | None = None, **tables: Any) -> list[dict]:
    return ask_of(access, query, asked, **tables)


@pytest.mark.parametrize("name", ["RegisterAllProvidersIP", "HostRecordTTL"])
def test_two_settings_tell_how_a_name_is_registered(name):
    assert [
        row["setting"] for row in ask("name_settings", cluster_settings=[SETTING | {"setting": name}])
    ] == [name]


@pytest.mark.parametrize("event", ["stopped_listening", "disabled"])
def test_an_endpoint_that_stopped_does_not_listen(event):
    row = ENDPOINT | {"fields": {"event": event, "kind": "Database Mirroring"}}
    assert [each["event"] for each in ask("own_endpoints", log_messages=[row])] == [event]


@pytest.mark.parametrize(
    ("gone", "when"), [({}, 0), ({"asked": None}, 1), ({"asked": None, "last_sign": None}, 2)]
)
def test_a_server_was_gone_from_its_first_known_sign(gone, when):
    row = {"host_id": "A", "ready": NOON, "asked": NOON, "last_sign": NOON + timedelta(seconds=1),
           "started": NOON + timedelta(seconds=2)}  # fmt: skip
    # A row that is not chosen keeps the columns' types.
    found = ask("away", restarts=[row | gone, row | {"host_id": None}])
    assert [each["gone"] for each in found] == [NOON + timedelta(seconds=when)]


GROUPS = {name: [{"ag": "", "host_id": "", "is_local": True}]
          for name in ("timeline", "roles", "replicas", "listeners")}  # fmt: skip


@pytest.mark.parametrize("table", sorted(GROUPS))
def test_each_relation_tells_groups_of_hosts(table):
    row = {"ag": "AG", "host_id": "A", "is_local": True}
    lacking = [{"ag": "", "host_id": "B"}, {"ag": None, "host_id": "B"}, {"ag": "X", "host_id": None}]
    rows = [row, *(row | each for each in lacking)]
    found = ask("groups_of_hosts", **GROUPS | {table: rows})
    assert found == [{"ag": "AG", "host_id": "A"}]


def test_of_looks_at_replicas_the_one_that_is_there_tells_the_group():
    rows = [{"ag": "AG", "host_id": "A", "is_local": local} for local in (False, None)]
    assert ask("groups_of_hosts", **GROUPS | {"replicas": [*rows, GROUPS["replicas"][0]]}) == []


# What is written of listeners.

ENTRY = WRITTEN | {"source": "ERRORLOG", "error": 19452, "text": "x"}
EVENT = WRITTEN | {"event_id": 1069, "message": "x", "source": "Microsoft-Windows-FailoverClustering"}
OF_CLUSTER = WRITTEN | {"level": "INFO", "resource": None, "text": "quiet"}
KEPT = {"source": "Extended Events", "time_local": None}


def entries(*logged):
    """Return rows of listener_entries over one row of each kind that is not chosen, and some others."""
    return ask(
        "listener_entries", {"numbers": [19452], "events": [1069], "most": 9},
        log_entries=[ENTRY | {"error": 1}, *logged], os_events=[EVENT | {"event_id": 1}],
        cluster_log=[OF_CLUSTER],
    )  # fmt: skip


@pytest.mark.parametrize("lacking", [NO_TIME, {"text": None}])
def test_an_entry_without_a_time_or_a_text_tells_nothing(lacking):
    assert [row["host_id"] for row in entries(ENTRY, ENTRY | {"host_id": "B"} | lacking)] == ["A"]


@pytest.mark.parametrize(
    ("written", "sources"),
    [
        ({}, ["ERRORLOG"]),
        ({"error": 19456}, ["Extended Events"]),
        ({"host_id": "B"}, ["ERRORLOG", "Extended Events"]),
    ],
)
def test_a_session_counts_where_the_errorlog_of_its_server_has_no_such_entry(written, sources):
    assert sorted(row["source"] for row in entries(ENTRY | written, ENTRY | KEPT)) == sources


# What is written of refused connections.

REFUSED = ENTRY | {"error": 979, "text": "The target database ('Sales') is in an availability group"}


def test_a_refusal_without_a_time_is_left_out():
    rows = [REFUSED, REFUSED | {"host_id": "B"} | NO_TIME, REFUSED | {"host_id": "C", "error": 1}]
    found = ask("refused", {"numbers": [979], "most": 9}, log_entries=rows)
    assert [(row["host_id"], row["database"], row["n"]) for row in found] == [("A", "Sales", 1)]


def resolving(*logged):
    """Return the periods without a role of a replica, with entries under a minute apart in one."""
    rows = ask("resolving", {"numbers": [983], "apart_s": 60, "most": 9}, log_entries=list(logged))
    return [(row["host_id"], row["source"], row["n"], row["databases"]) for row in rows]


def without_role(seconds, database="Sales", **more):
    moments = {"time": NOON + timedelta(seconds=seconds), "time_local": LOCAL + timedelta(seconds=seconds)}
    return ENTRY | {"error": 983, "text": f"Unable to access database '{database}'"} | moments | more


def test_an_entry_without_a_time_or_a_host_is_of_no_stretch():
    rows = [
        without_role(0),
        without_role(0) | {"host_id": "B"} | NO_TIME,
        without_role(0) | {"host_id": None},
    ]
    assert resolving(*rows) == [("A", "ERRORLOG", 1, ["Sales"])]


def kept_without_role(seconds):
    return without_role(seconds, **KEPT)


@pytest.mark.parametrize(
    ("logged", "kept", "told"),
    [
        # At the same time: the source that tells more, and of two that tell as much the session.
        ([0, 9], [0], [("A", "ERRORLOG", 2)]),
        ([0], [0, 9], [("A", "Extended Events", 2)]),
        ([0], [0], [("A", "Extended Events", 1)]),
        # One ends as the other begins.
        ([0, 9], [9, 10, 11], [("A", "Extended Events", 3)]),
        ([9, 10], [0, 5, 9], [("A", "Extended Events", 3)]),
        # At other times both.
        ([0, 9], [10, 11, 12], [("A", "ERRORLOG", 2), ("A", "Extended Events", 3)]),
        ([10, 11], [0, 5, 9], [("A", "Extended Events", 3), ("A", "ERRORLOG", 2)]),
    ],
)
def test_what_a_session_keeps_of_a_stretch_in_the_log_counts_once(logged, kept, told):
    found = resolving(*map(without_role, logged), *map(kept_without_role, kept))
    assert [row[:3] for row in found] == told


def test_a_stretch_of_another_server_is_its_own():
    rows = [without_role(0) | {"host_id": "B"}, without_role(9) | {"host_id": "B"}]
    told = [("A", "Extended Events", 1), ("B", "ERRORLOG", 2)]
    assert [row[:3] for row in resolving(*rows, kept_without_role(0))] == told


# What the cluster's resources show.


def resource(item="LSN", scope="resource", content_id="out", at=NOON, **settings):
    given = {"state": "Failed", "resource_type": "Network Name", "owner_group": "AG"} | settings
    return [
        {"scope": scope, "content_id": content_id, "item": item, "setting": name, "value": value,
         "host_id": "A", "time": at, "time_local": LOCAL, "line": 4}
        for name, value in given.items()
    ]  # fmt: skip


def last_resources(rows):
    items = ask_of(cluster_items, "cluster_items", cluster_settings=rows)
    return ask_of(access, "resources", cluster_items=items)


@pytest.mark.parametrize(
    ("more", "n"),
    [
        ({}, 1),
        ({"state": "Offline"}, 1),
        ({"state": "Online"}, 0),
        ({"state": None}, 0),
        ({"resource_type": "IP Address"}, 0),
        ({"scope": "role"}, 0),
    ],
)
def test_a_name_that_the_list_of_resources_shows_failed_or_offline_is_told(more, n):
    rows = last_resources([*resource(**more), *resource("x", state="Online")])
    assert [(row["resource"], row["role"]) for row in rows] == [("LSN", "AG")] * n


@pytest.mark.parametrize(("then", "n"), [("Online", 0), ("Failed", 1)])
def test_the_last_list_of_resources_counts(then, n):
    later = resource(content_id="later", at=NOON + timedelta(hours=1), state=then)
    assert len(last_resources([*resource(), *later])) == n


# Connections between replicas.

SIGN = {"host_id": "A", "replica": "B", "replica_host_id": "B", "ag": None, "content_id": "log", "line": 4,
        "text": "x"}  # fmt: skip


def sign(kind: str, seconds: float | None = 0, **more: Any) -> dict[str, Any]:
    time = None if seconds is None else NOON + timedelta(seconds=seconds)
    is_connected = kind == "connected"
    return SIGN | {"kind": kind, "time": time, "is_connected": is_connected} | more


def partners(*rows: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["host_id"], row["replica_host_id"]): row for row in ask("partners", connections=list(rows))}


def test_who_is_ones_other_replica_has_it_as_its_own():
    found = partners(sign("connected", replica="B\\I2", ag="AG"), sign("snapshot", replica_host_id="A"))
    assert set(found) == {("A", "B"), ("A", "A"), ("B", "A")}
    other = found["B", "A"]
    assert (other["replica"], other["ag"], other["since"], other["last"]) == ("A", "AG", None, None)
    both = partners(sign("connected"), sign("connected", host_id="B", replica="a.x", replica_host_id="A"))
    assert {pair: row["replica"] for pair, row in both.items()} == {("A", "B"): "B", ("B", "A"): "a.x"}


def test_a_pair_has_the_first_name_and_group_that_snapshots_show_before_logs():
    rows = [
        sign("connected", 1, replica="first", ag="LOG"),
        sign("snapshot", 3, replica="late", ag="AG"),
        sign("snapshot", None, replica="early", ag=""),
    ]
    found = partners(*rows)["A", "B"]
    assert (found["replica"], found["ag"]) == ("early", "AG")


@pytest.mark.parametrize(
    ("kinds", "since"),
    [
        (("connection_failed", "snapshot"), None),
        (("connection_failed", "connection_timeout", "connected"), 1),
        (("snapshot", "connected"), 1),
    ],
)
def test_a_connection_is_known_from_any_entry_but_of_an_attempt_that_failed(kinds, since):
    found = partners(*(sign(kind, seconds) for seconds, kind in enumerate(kinds)))["A", "B"]
    assert found["since"] == (None if since is None else NOON + timedelta(seconds=since))


@pytest.mark.parametrize(
    ("rows", "last"),
    [
        ([sign("connected", 2), sign("connection_timeout", 1)], "connected"),
        ([sign("connected", 2), sign("snapshot", 2)], "connected"),
        ([sign("connected", 2), sign("snapshot", 3)], "snapshot"),
        ([sign("connected", 2), sign("snapshot", None)], "connected"),
        ([sign("connected", 2), sign("connection_timeout", None)], "connected"),
    ],
)
def test_the_last_sign_is_that_of_the_latest_time_and_of_a_log_before_a_snapshot(rows, last):
    assert partners(*rows)["A", "B"]["last"]["kind"] == last


def test_connections_and_attempts_are_in_order_of_time_logs_first():
    rows = [
        sign("snapshot", 1, is_connected=True, line=1),
        sign("snapshot", 0, is_connected=False),
        sign("connected", 1, line=2),
        sign("connection_failed", 0, line=3),
        sign("connection_timeout", 0),
        sign("connected", None),
    ]
    assert [row["line"] for row in ask("connections", connections=rows)] == [3, 2, 1]
