"""Which rows the queries of looks, clocks and sessions give: whole rows of small tables."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.diagnostics import health
from agtrace.diagnostics.health import unhealthy
from agtrace.diagnostics.health.rows import Unhealthy
from agtrace.history import cluster_items
from tests.diagnostics.asking import ask
from tests.diagnostics.health.cases import at, findings, told
from tests.folded import folded

LOCAL = datetime(2024, 3, 5, 12)


def clock(host="B", minutes=120, hours=0, reader="errorlog"):
    name = f"{host}-{minutes}-{hours}-{reader}"
    capture = {"capture_id": name, "host_id": host, "reader": reader}
    known = {"capture_id": name, "offset_minutes": minutes, "local_from": LOCAL + timedelta(hours=hours)}
    return capture, known


def test_offsets_are_those_of_files_in_local_time_of_known_hosts():
    rows = [
        clock(), clock(hours=5, minutes=60), clock("A", -300), clock(None), clock(minutes=None),
        clock(reader="xel"), clock(reader="cluster_log"),
    ]  # fmt: skip
    captures, clocks = zip(*rows, strict=True)
    again = clocks[0] | {"capture_id": "again"}
    found = ask(health, "offsets", captures=[*captures, captures[0] | {"capture_id": "again"}],
                clocks=[*clocks, again])  # fmt: skip
    assert [(row["host"], row["minutes"], row["since"]) for row in found] == [
        ("A", -300, LOCAL + timedelta(hours=5)),
        ("B", 120, LOCAL - timedelta(hours=2)),
        ("B", 60, LOCAL + timedelta(hours=4)),
    ]


def shown(setting, value, item="DTC", content="log", line=4, scope="resource", seconds=5):
    local = LOCAL + timedelta(seconds=5)
    return {"scope": scope, "item": item, "setting": setting, "value": value, "content_id": content,
            "line": line, "host_id": "A", "time": at(seconds), "time_local": local}  # fmt: skip


def test_a_resource_is_told_with_its_type_and_role_as_it_stood_last():
    rows = [
        shown("state", "Online", seconds=1, content="early"),
        shown("state", "Failed", line=9),
        shown("resource_type", "Distributed Transaction Coordinator", line=7),
        shown("owner_group", "AG", line=8), shown("restart_period", "x", line=20),
        shown("state", "Failed", scope="group", item="AG"),
        shown("resource_type", "Physical Disk", item="Disk"),
    ]  # fmt: skip
    items = ask(cluster_items, "cluster_items", cluster_settings=rows)
    assert ask(health, "resources", cluster_items=items) == [
        {"content_id": "log", "item": "DTC", "state": "Failed", "type": "Distributed Transaction Coordinator",
         "role": "AG", "host_id": "A", "time": at(5), "time_local": LOCAL + timedelta(seconds=5), "line": 7}
    ]  # fmt: skip


MEMBER = {"scope": "member", "setting": "member_state", "value": "UP", "item": "n1", "host_id": "A",
          "time_local": LOCAL, "content_id": "log", "line": 3}  # fmt: skip


@pytest.mark.parametrize(
    "lacks",
    [{"scope": "cluster"}, {"setting": "quorum_votes"}, {"value": None}, {"item": None}, {"host_id": None},
     {"time_local": None}],
)  # fmt: skip
def test_a_member_is_told_with_its_last_state_and_where_that_stands(lacks):
    later = MEMBER | {"value": "DOWN", "item": "N1", "time_local": LOCAL + timedelta(hours=1), "line": 9,
                      "content_id": "later"}  # fmt: skip
    other = MEMBER | {"value": "PAUSED", "host_id": "B", "line": 5} | lacks
    found = ask(health, "readiness_members", cluster_settings=[later, MEMBER, other])
    assert found == [
        {"host_id": "A", "node": "N1", "state": "DOWN", "time_local": LOCAL + timedelta(hours=1),
         "content_id": "later", "line": 9}
    ]  # fmt: skip


OPTION = {"option_id": 1, "is_look": False, "option": "failover_mode", "ag": "AG", "replica": "B",
          "value": "manual", "time": at(5), "content_id": "log"}  # fmt: skip


@pytest.mark.parametrize(
    "lacks",
    [{"is_look": True}, {"option": "seeding_mode"}, {"ag": None}, {"replica": None}, {"value": None},
     {"time": None}],
)  # fmt: skip
def test_statements_that_set_a_mode_are_given_in_the_order_of_their_numbers(lacks):
    first = OPTION | {"option_id": 0, "option": "availability_mode", "value": "SYNCHRONOUS_COMMIT"}
    other = OPTION | {"option_id": 2} | lacks
    assert ask(health, "readiness_options", group_options=[other, OPTION, first]) == [
        {"ag": "AG", "replica": "B", "option": name, "value": value, "time": at(5), "content_id": "log"}
        for name, value in (("availability_mode", "SYNCHRONOUS_COMMIT"), ("failover_mode", "MANUAL"))
    ]


REPLICA = {
    "ag": "AG", "replica": "B", "node": "B", "host_id": "A", "sql_instance": None, "is_local": False,
    "role": "SECONDARY", "availability_mode": "SYNCHRONOUS_COMMIT", "failover_mode": "MANUAL",
    "connected_state": "CONNECTED", "synchronization_health": "HEALTHY", "last_connect_error": None,
    "time": at(5), "time_local": LOCAL, "capture_id": "look", "content_id": "log", "line": 3,
}  # fmt: skip
EARLIER = {"time_local": LOCAL - timedelta(hours=1)}
NO_GROUP = [{"capture_id": "none", "ag": "none", "primary_replica": None}]
NO_TOPOLOGY = [{"ag": "DAG", "is_distributed": True}, {"ag": "AG", "is_distributed": False}]


def replicas(*rows, groups=NO_GROUP):
    return ask(health, "readiness_replicas", replicas=list(rows), groups=groups, topology=NO_TOPOLOGY)


@pytest.mark.complete
@folded(
    "lacks",
    [{"ag": None}, {"replica": None}, {"host_id": None}, {"time_local": None}, {"ag": "DAG"}, EARLIER,
     {"line": 4}, {"capture_id": "second"}],
)  # fmt: skip
def test_a_replica_is_given_once_as_the_last_look_of_a_server_shows_it(lacks):
    assert replicas(REPLICA | lacks, REPLICA) == [REPLICA | {"primary_replica": None}]


def test_the_primary_is_the_one_that_the_look_knew():
    known = (("look", "AG", None), ("look", "AG", "A"), ("look", "AH", "X"), ("other", "AG", "Y"))
    groups = [{"capture_id": name, "ag": ag, "primary_replica": primary} for name, ag, primary in known]
    assert [row["primary_replica"] for row in replicas(REPLICA, groups=groups)] == ["A"]


STATE = {
    "ag": "AG", "database": "Sales", "replica": "B", "host_id": "A", "sql_instance": None, "is_local": False,
    "synchronization_state": "SYNCHRONIZED", "is_suspended": False, "suspend_reason": None, "is_joined": True,
    "is_failover_ready": True, "log_send_queue_kb": 1, "redo_queue_kb": 2, "redo_rate_kb_s": 3,
    "last_commit_local": LOCAL, "time_local": LOCAL, "capture_id": "look", "content_id": "log", "line": 3,
}  # fmt: skip


def databases(*rows):
    return ask(health, "readiness_databases", database_states=list(rows))


@pytest.mark.parametrize(
    "lacks",
    [{"ag": None}, {"database": None}, {"host_id": None}, {"time_local": None}, EARLIER, {"line": 4},
     {"capture_id": "second"}],
)  # fmt: skip
def test_a_database_is_given_once_as_the_last_look_of_a_server_shows_it(lacks):
    expected = {name: value for name, value in STATE.items() if name != "capture_id"}
    assert databases(STATE | lacks, STATE) == [expected]


HEALTH = {"host_id": "A", "sql_instance": None, "max_workers": 512, "workers_created": 90,
          "pending_tasks": 1, "time": at(5), "content_id": "log"}  # fmt: skip


@pytest.mark.parametrize(
    "lacks", [{"max_workers": 0}, {"max_workers": None}, {"host_id": None}, {"time": None}]
)
def test_worker_threads_are_those_of_the_last_state_and_the_most_that_were_created(lacks):
    rows = [HEALTH | {"time": at(9), "max_workers": 640, "content_id": "later"},
            HEALTH | {"workers_created": 99, "pending_tasks": 7}, HEALTH]  # fmt: skip
    other = HEALTH | {"host_id": "B", "workers_created": 200} | lacks
    assert ask(health, "workers_most", component_health=[*rows, other]) == [
        {"host_id": "A", "sql_instance": "", "most": 640, "created": 99, "waiting": 7, "content_id": "later"}
    ]


SET = {"host_id": "A", "sql_instance": None, "option": "Max Worker Threads", "value": "1000",
       "content_id": "log", "line": 3, "start_local": LOCAL, "end_local": None}  # fmt: skip
ENDED = {"end_local": LOCAL + timedelta(hours=1)}


@pytest.mark.parametrize(
    "other",
    [{"option": "cost threshold for parallelism"}, {"value": "many"}, {"value": None}, ENDED,
     {"start_local": LOCAL - timedelta(hours=1)}, {"start_local": None}],
)  # fmt: skip
def test_max_worker_threads_are_what_was_set_last(other):
    rows = [SET | {"value": "2000", "line": 9} | other, SET]
    for given in (rows, rows[::-1]):
        assert ask(health, "workers_configured", server_options=given) == [
            {"host_id": "A", "sql_instance": "", "most": 1000, "content_id": "log", "line": 3}
        ]


@pytest.mark.parametrize("more", [{"host_id": "B"}, {"sql_instance": "ONE"}])
def test_each_instance_has_its_own_max_worker_threads(more):
    assert len(ask(health, "workers_configured", server_options=[SET, SET | ENDED | more])) == 2


STOOD = {
    "ag": "AG", "replica": "B", "host_id": None, "time_local": None, "connected_state": "CONNECTED",
    "synchronization_health": "NOT_HEALTHY", "content_id": "rows", "line": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "n"),
    [
        ({}, 1),
        ({"synchronization_health": None, "connected_state": "DISCONNECTED"}, 1),
        ({"synchronization_health": "HEALTHY"}, 0),
        ({"host_id": "A"}, 1),
        ({"host_id": "A", "time_local": LOCAL}, 0),
    ],
)
def test_rows_without_a_host_or_time_show_replicas_that_are_not_healthy(more, n):
    states = [STOOD | {"database": "Sales", "synchronization_state": None, "is_suspended": True}]
    found = ask(health, "unhealthy", replicas=[STOOD | more, STOOD | {"replica": None}],
                database_states=states)  # fmt: skip
    assert [row["replica"] for row in found] == ["B"] * n


def test_a_replica_that_rows_show_as_not_healthy_is_one_finding_with_its_databases():
    states = [
        STOOD | {"database": name, "synchronization_state": "NOT SYNCHRONIZING", "is_suspended": suspended}
        for name, suspended in (("Sales", False), ("Stock", None), ("Held", True))
    ]
    rows = ask(health, "unhealthy", replicas=[STOOD | {"replica": None}], database_states=states)
    rows = [Unhealthy(**row) for row in rows]
    (found,) = findings(unhealthy.unhealthy, told(), rows)
    assert found.id == "health.not_synchronizing"
    assert found.subject == {"ag": "AG", "replica": "B"}
    assert found.confidence == 0.6
    assert found.title == "B of AG was not healthy (2 databases) when its state was read"
