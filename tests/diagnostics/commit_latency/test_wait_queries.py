"""What each query of counters and waits counts, over tables of a few rows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyarrow as pa
import pytest

from tests.diagnostics.commit_latency.asked import ask, only
from tests.diagnostics.commit_latency.made import START, at
from tests.folded import folded


def counter(
    number: int, name: str, host: str = "SQL1", instance: str = "Sales", **more: Any
) -> dict[str, Any]:
    return {
        "number": number, "object": "SQLServer:Database Replica", "counter": name, "host_id": host,
        "instance": instance, "sql_instance": None,
    } | more  # fmt: skip


def counted(counters: list[dict[str, Any]], *rows: tuple[int, float, float | None]) -> list[dict[str, Any]]:
    """Return the values of some counters: number of the counter, seconds, value."""
    of = {each["number"]: each for each in counters}
    known = [row for row in rows if row[0] in of]
    return [of[number] | {"time": at(seconds), "value": value} for number, seconds, value in known]


DELAY, RATE = counter(1, "Transaction Delay"), counter(2, "Mirrored Write Transactions/sec")


def test_how_long_a_transaction_waited_by_the_counters_of_the_primary():
    asked = {"start": at(0), "end": at(60), "host": "SQL1", "database": "SALES"}
    others = [
        counter(3, "Transaction Delay", host="SQL2"), counter(4, "Transaction Delay", instance="HR"),
        counter(5, "Log Send Queue"),
    ]  # fmt: skip
    rows = counted(
        [DELAY, RATE, *others],
        (1, 0, 100.0), (2, 0, 10.0), (1, 60, 50.0), (2, 60, 5.0), (1, 61, 9.0), (2, 61, 1.0), (1, 30, None),
        (2, 30, 5.0), (1, 31, 7.0), (2, 31, 0.0), (3, 0, 9e9), (4, 0, 9e9), (5, 0, 9e9), (1, -1, 9.0), (2,
        -1, 1.0),
    )  # fmt: skip
    found = only("counted", asked, counter_values=rows)
    assert found == {"mean": 10.0, "n": 2}


def test_the_gate_of_a_replica_by_the_counters_of_its_primary():
    asked = {
        "links": ["D1 R2"], "instances": ["AG:SQL2"], "primaries": ["SQL1"], "starts": [at(0)],
        "ends": [at(60)]
    }  # fmt: skip
    counters = [
        counter(1, "Flow Control Time (ms/sec)", instance="ag:sql2"),
        counter(2, "Flow Control Time (ms/sec)", host="SQL9", instance="AG:SQL2"),
        counter(3, "Flow Control Time (ms/sec)", instance="AG:SQL3"),
        counter(4, "Flow Control/sec", instance="AG:SQL2"),
    ]
    rows = counted(
        counters,
        (1, 0, 500.0),
        (1, 60, 250.0),
        (1, 61, 9.0),
        (1, -1, 9.0),
        (2, 1, 9.0),
        (3, 1, 9.0),
        (4, 1, 9.0),
    )
    found = sorted(ask("flow_control", asked, counter_values=rows), key=lambda row: row["time"])
    assert [tuple(row.values()) for row in found] == [
        ("D1 R2", "SQL1", "flow control", at(0), 50.0),
        ("D1 R2", "SQL1", "flow control", at(60), 25.0),
    ]


def wait(kind: str, n: int, ms: float, seconds: float = 60, **more: Any) -> dict[str, Any]:
    return {
        "host_id": "SQL1", "sql_instance": None, "wait_type": kind, "time": at(seconds), "seconds": 60.0,
        "start_local": START.replace(tzinfo=None) + timedelta(seconds=seconds - 60),
        "time_local": START.replace(tzinfo=None) + timedelta(seconds=seconds), "waiting_tasks": n,
        "wait_ms": ms,
    } | more  # fmt: skip


def stall(writes: int, ms: float, **more: Any) -> dict[str, Any]:
    return {
        "host_id": "SQL1", "sql_instance": None, "file_type": "LOG", "writes": writes, "write_stall_ms": ms,
        "start_local": at(0),
    } | more  # fmt: skip


def waited(*rows: dict[str, Any], file_io: tuple[dict[str, Any], ...] = ()) -> list[tuple[Any, ...]]:
    held = pa.Table.from_pylist([*file_io, stall(1, 1.0, file_type="ROWS")])
    found = ask("waited", {"least": 20}, waits=list(rows), file_io=held)
    names = ("host", "n", "mean", "writes", "write_mean", "write_source")
    return [tuple(row[name] for name in names) for row in found]


def test_what_commits_waited_and_the_log_by_waits():
    rows = [
        wait("HADR_SYNC_COMMIT", 10, 50.0),
        wait("HADR_SYNC_COMMIT", 10, 30.0, 120),
        wait("WRITELOG", 5, 10.0),
    ]
    assert waited(*rows) == [("SQL1", 20, 4.0, 5, 2.0, "WRITELOG of SQL1")]
    assert waited(*rows[:2]) == [("SQL1", 20, 4.0, 0, None, "WRITELOG of SQL1")]
    assert waited(*rows[1:]) == []
    assert waited(*[row | {"host_id": None} for row in rows]) == []
    assert waited(wait("OTHER", 99, 9.0), wait("WRITELOG", 99, 9.0)) == []


def test_how_often_commits_of_a_host_waited():
    rows = [wait("HADR_SYNC_COMMIT", 2, 1.0), wait("HADR_SYNC_COMMIT", 3, 1.0), wait("WRITELOG", 9, 1.0)]
    rows += [wait("HADR_SYNC_COMMIT", 7, 1.0, host_id=None)]
    assert ask("waits", waits=rows) == [{"host_id": "SQL1", "n": 5}]


EXPLAINS = {
    "types": ["HADR_SYNC_COMMIT", "WRITELOG", "LOGBUFFER", "GATE", "THROTTLE", "THREADPOOL"],
    "causes": ["replica", "log", "log_buffer", "flow_control", "catch_up", "threads"],
}
STREAM = {"primary_host_id": "SQL1", "primary_replica": None, "replica_host_id": "SQL2"}


def explained(
    *rows: dict[str, Any], streams: Any = (STREAM,), queues: Any = (), counters: Any = ()
) -> list[Any]:
    queue = [counter(1, "Log Send Queue", host="SQL2"), *counters]
    unmeant = counter(9, "Redone Bytes/sec")
    values = counted([*queue, unmeant], (9, 0, 0.0), *queues)
    return ask("explained", EXPLAINS, waits=list(rows), streams=list(streams), counter_values=values)


@pytest.mark.parametrize(
    ("kind", "n", "is_told"),
    [
        ("HADR_SYNC_COMMIT", 1, True), ("HADR_SYNC_COMMIT", 0, False), ("GATE", 1, True), ("THROTTLE", 1,
        True),
        ("WRITELOG", 9, False), ("LOGBUFFER", 9, False), ("THREADPOOL", 9, False),
    ],
)  # fmt: skip
def test_intervals_are_told_in_which_commits_or_log_waited_for_replicas(kind, n, is_told):
    assert len(explained(wait(kind, n, 10.0 * n))) == is_told


@pytest.mark.parametrize("unknown", [{"host_id": None}, {"seconds": 0.0}])
def test_an_interval_without_a_host_or_a_length_is_left_out(unknown):
    assert explained(wait("HADR_SYNC_COMMIT", 1, 10.0) | unknown) == []


def queue(*queues: Any, **more: Any) -> tuple[Any, Any, Any]:
    (found,) = explained(wait("HADR_SYNC_COMMIT", 1, 10.0), queues=queues, **more)
    return found["replica"], found["queue_bytes"], found["samples"]


@pytest.mark.parametrize(
    ("stream", "is_meant"),
    [
        ({}, True),
        ({"primary_host_id": None, "primary_replica": "sql1.example.org"}, True),
        ({"primary_host_id": None, "primary_replica": r"sql1\I2"}, True),
        ({"primary_host_id": "SQL9"}, False),
        ({"replica_host_id": None}, False),
        ({"primary_host_id": "SQL1", "replica_host_id": "SQL1"}, False),
    ],
)
def test_the_queue_is_that_of_a_replica_of_the_server(stream, is_meant):
    assert (queue((1, 30, 10.0), streams=[STREAM | stream])[0] == "SQL2") is is_meant


def compared(rows: list[dict[str, Any]], queues: list[Any], counters: Any = ()) -> list[tuple[Any, ...]]:
    values = counted([DELAY, RATE, *counters], *queues)
    found = ask("waits_and_counters", waits=rows, counter_values=values)
    return [
        (row["host"], row["start"], row["end"], row["waited"], row["waits"], row["other"], row["n"])
        for row in found
    ]


def test_waits_and_counters_of_the_same_minutes():
    rows = [
        wait("HADR_SYNC_COMMIT", 10, 50.0),
        wait("HADR_SYNC_COMMIT", 30, 30.0, 600),
        wait("WRITELOG", 9, 9.0),
    ]
    others = [
        counter(3, "Transaction Delay", instance="_Total"), counter(4, "Log Send Queue"),
        counter(5, "Transaction Delay", host="SQL2"), counter(6, "Transaction Delay", sql_instance="I2"),
    ]  # fmt: skip
    queues = [
        (1, 0, 99.0), (2, 0, 1.0), (1, 30, 100.0), (2, 30, 10.0), (1, 60, 20.0), (2, 60, 2.0), (1, 61,
        99.0), (2, 61, 1.0),
        (3, 30, 99.0), (4, 30, 99.0), (5, 30, 99.0), (6, 30, 99.0), (1, 40, 5.0), (2, 50, 5.0),
    ]  # fmt: skip
    assert compared(rows, queues, others) == [("SQL1", at(0), at(60), 5.0, 10, 10.0, 2)]
    for unknown in ({"time": None}, {"host_id": None}):
        assert compared([rows[0] | unknown, rows[2]], queues) == []


def test_all_databases_of_the_host_are_counted_together():
    more = [
        counter(3, "Transaction Delay", instance="HR"),
        counter(4, "Mirrored Write Transactions/sec", instance="HR"),
    ]
    queues = [(1, 30, 100.0), (2, 30, 10.0), (3, 30, 20.0), (4, 30, 2.0)]
    assert compared([wait("HADR_SYNC_COMMIT", 10, 50.0)], queues, more)[0][5:] == (10.0, 1)


def evented(
    rows: list[dict[str, Any]], *commits: tuple[float, int], instance: Any = None
) -> list[tuple[Any, ...]]:
    waited = [
        {"host_id": "SQL1", "sql_instance": instance, "time": at(seconds), "ms": us / 1e3}
        for seconds, us in commits
    ]
    found = ask("waits_and_events", waits=rows, commit_waits=waited)
    return [(row["host"], row["waited"], row["waits"], row["other"], row["n"]) for row in found]


def test_waits_and_commits_of_the_same_minutes():
    rows = [wait("HADR_SYNC_COMMIT", 10, 50.0), wait("WRITELOG", 9, 9.0)]
    commits = (0, 9000), (30, 4000), (60, 8000), (61, 9000), (40, 0)
    assert evented(rows, *commits) == [("SQL1", 5.0, 10, 6.0, 2)]
    # An interval that reaches beyond the session is not compared.
    assert evented(rows, *commits[1:]) == []
    assert evented(rows, *commits[:2]) == []
    assert evented([rows[0] | {"time": None}, rows[1]], *commits) == []
    assert evented(rows, *commits, instance="I2") == []
    assert evented([rows[0] | {"host_id": "SQL9"}], *commits) == []


@folded(
    ("roles", "replicas", "ag"),
    [
        ([("G1", "PRIMARY")], [], "G1"),
        ([("G1", "PRIMARY"), ("G2", "SECONDARY")], [], "G1"),
        ([("G1", "PRIMARY"), ("G2", "PRIMARY")], [], ""),
        ([("G1", "SECONDARY")], [], "G1"),
        ([("G1", "SECONDARY"), ("G2", "SECONDARY")], [], ""),
        ([], [("G1", "PRIMARY", True)], "G1"),
        ([], [("G1", "PRIMARY", False)], None),
        ([(None, "PRIMARY")], [], None),
        ([("G1", None), ("G2", "PRIMARY")], [], "G2"),
    ],
)  # fmt: skip
def test_the_group_that_a_host_has_the_primary_of(roles, replicas, ag):
    told = pa.table({
        "host_id": pa.array(["SQL1"] * len(roles), pa.string()), "ag": pa.array([a for a, _ in roles],
        pa.string()),
        "role": pa.array([r for _, r in roles], pa.string()),
    })  # fmt: skip
    looked = pa.table({
        "host_id": pa.array(["SQL1"] * len(replicas), pa.string()),
        "ag": pa.array([a for a, _, _ in replicas], pa.string()),
        "role": pa.array([r for _, r, _ in replicas], pa.string()),
        "is_local": pa.array([is_own for *_, is_own in replicas], pa.bool_()),
    })  # fmt: skip
    assert ask("groups", roles=told, replicas=looked) == (
        [] if ag is None else [{"host_id": "SQL1", "ag": ag}]
    )


def test_how_long_commits_waited_one_by_one():
    rows = [{"group_database_id": "d1", "ms": ms} for ms in (1.0, 3.0, 0.0)]
    found = only("commit_waits", commit_waits=rows)
    assert (found["group_database_id"], found["n"], found["mean"], found["quantiles"][0]) == (
        "d1", 2, 2.0, 2.0,
    )  # fmt: skip
    assert [round(each, 2) for each in found["quantiles"][1:]] == [2.9, 2.98]
