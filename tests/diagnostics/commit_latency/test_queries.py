"""What each query of commits counts, over tables of a few rows."""

from __future__ import annotations

from datetime import timedelta
from importlib import resources
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from agtrace.diagnostics import commit_latency
from agtrace.tables.history import RELATIONS
from tests.diagnostics.asking import ask as ask_of
from tests.diagnostics.commit_latency.made import START, at

SCHEMA = RELATIONS["log_blocks"]


def blocks(*rows: dict[str, Any]) -> pa.Table:
    """Blocks of Sales from SQL1 to SQL2, one a second; times in seconds."""
    made = []
    for n, row in enumerate(rows):
        known = {
            "ag": "AG", "database": "Sales", "group_database_id": "D1", "primary_host": "SQL1",
            "replica_host": "SQL2", "replica": "SQL2", "replica_id": "R2", "log_block_id": n, "attempt": 1,
            "bytes": 1000, "t_first": n, "joined": True,
        } | row  # fmt: skip
        times = {
            name: at(value) for name, value in known.items() if name.startswith("t_") and value is not None
        }
        made.append({**known, **times})
    return pa.Table.from_pylist(made, schema=SCHEMA)


def ask(query: str, asked: dict[str, Any] | None = None, **more: Any) -> list[dict[str, Any]]:
    return ask_of(commit_latency, query, asked, **more)


def text_of(query: str) -> str:
    return (resources.files(commit_latency) / f"{query}.sql").read_text(encoding="utf-8")


def only(query: str, asked: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    (row,) = ask(query, asked, **more)
    return row


# Blocks.


@pytest.mark.parametrize("query", ["common", "hops", "links"])
def test_of_a_replica_with_joined_blocks_those_alone_count(query):
    both = blocks({"commit_ms": 1.0}, {"commit_ms": 9.0, "joined": False})
    alone = blocks({"commit_ms": 1.0, "joined": False}, {"commit_ms": 9.0, "joined": False})
    n = {"common": "n", "hops": "n", "links": "blocks"}[query]
    # Of two that are as slow each is among the slowest.
    assert ask(query, log_blocks=both)[0][n] == 1
    assert ask(query, log_blocks=alone)[0][n] == (1 if query == "common" else 2)


def test_the_slowest_of_a_hundred_and_their_bytes_minute_and_hour():
    rows = [{"commit_ms": 1.0, "t_first": n} for n in range(98)]
    rows += [{"commit_ms": 90.0, "t_first": 3600 * n, "bytes": 9000} for n in (1, 2)]
    found = only("common", log_blocks=blocks(*rows))
    assert (found["n"], found["slow_bytes"], found["bytes"]) == (2, 9000.0, 1000.0)
    assert (found["in_minute"], found["minutes"], found["in_hour"], found["hours"]) == (1, 4, 1, 3)
    assert {found["minute"], found["hour"]} <= {at(3600), at(7200)}
    assert (found["databases"], found["slow_there"], found["share_of_slow"], found["share_of_all"]) == (
        1,
        2,
        1.0,
        1.0,
    )


def test_the_slow_commits_of_a_database_among_all_that_are_sent_to_the_replica():
    rows = [{"commit_ms": 1.0} for _ in range(150)] + [{"commit_ms": 90.0}, {"commit_ms": 91.0}]
    rows += [{"commit_ms": 1.0, "group_database_id": "D2"} for _ in range(47)]
    rows += [{"commit_ms": 5.0, "group_database_id": "D2"}]
    rows += [{"commit_ms": 1.0, "group_database_id": "D3", "replica_id": "R3"}]
    found = {row["group_database_id"]: row for row in ask("common", log_blocks=blocks(*rows))}
    told = {name: (row["databases"], row["slow_there"], row["share_of_slow"]) for name, row in found.items()}
    assert told == {"D1": (2, 2, 1.0), "D2": (2, 2, 0.0), "D3": (1, 1, 1.0)}
    assert (found["D1"]["share_of_all"], found["D2"]["share_of_all"]) == (152 / 200, 48 / 200)


def test_blocks_without_a_commit_have_nothing_in_common():
    assert ask("common", log_blocks=blocks({"commit_ms": None}, {"commit_ms": None})) == []


def test_each_hop_over_all_blocks_and_the_slowest():
    rows = [{"commit_ms": 1.0, "send_ms": 1.0} for _ in range(99)]
    rows.append({"commit_ms": 50.0, "send_ms": 31.0, "t_flushed": 2.5, "t_ack_processed": 2.0})
    rows.append({"commit_ms": 50.0, "t_flushed": 2.0, "t_ack_processed": 2.5})
    found = {row["hop"]: row for row in ask("hops", log_blocks=blocks(*rows))}
    assert set(found) == {"commit", "send", "outlasting"}
    assert (found["send"]["n"], round(found["send"]["mean"], 2), found["send"]["slow_mean"]) == (
        100,
        1.3,
        31.0,
    )
    assert (found["commit"]["slow_mean"], found["commit"]["quantiles"][:2]) == (50.0, [1.0, 1.0])
    assert (found["outlasting"]["n"], found["outlasting"]["mean"]) == (2, 250.0)


def test_every_hop_has_its_name():
    names = (
        "capture", "compression", "send", "network", "receive", "decompression", "remote_harden",
        "acknowledgement", "local_harden", "remote", "commit", "commit_wait",
    )  # fmt: skip
    found = ask("hops", log_blocks=blocks({f"{name}_ms": float(n) for n, name in enumerate(names)}))
    assert {row["hop"]: row["mean"] for row in found} == {
        name.replace("_", " "): float(n) for n, name in enumerate(names)
    }


def test_what_is_known_of_a_way():
    found = only(
        "links",
        log_blocks=blocks(
            {"t_sent": 0.0, "t_received": 0.5, "skew_ms": 400.0, "skew_spread_ms": 20.0, "t_flushed": 1.0,
             "t_ack_processed": 1.5, "t_committed": 1.499, "commit_mode": "synchronous"},
            {"t_sent": 1.0, "t_received": 1.5, "skew_ms": 600.0, "skew_spread_ms": 40.0, "t_flushed": 3.0,
             "t_ack_processed": 2.5, "t_committed": 2.498},
            {"t_committed": 9.0},
            {"t_ack_processed": 9.0},
        ),
    )  # fmt: skip
    assert (found["blocks"], found["watched"], found["early"]) == (4, 2, 1)
    assert (found["skew_ms"], found["spread_ms"], found["waiting_ms"]) == (500.0, 30.0, 250.0)
    assert (found["start"], found["end"], found["is_joined"]) == (at(0), at(3), True)
    assert (found["has_primary"], found["has_replica"], found["commit_mode"]) == (True, True, "synchronous")
    assert (found["ag"], found["database"], found["replica"]) == ("AG", "Sales", "SQL2")
    assert (found["primary_host"], found["replica_host"]) == ("SQL1", "SQL2")


@pytest.mark.parametrize(
    ("sent", "received", "start"), [(None, 5.0, 5.0), (3.0, None, 2.0)], ids=["replica", "primary"]
)
def test_a_way_that_one_side_saw(sent, received, start):
    first = None if sent is None else 2.0
    row = {"t_first": first, "t_sent": sent, "t_received": received, "joined": False}
    found = only("links", log_blocks=blocks(row))
    assert (found["has_primary"], found["has_replica"]) == (sent is not None, received is not None)
    assert (found["start"], found["is_joined"], found["drift_hours"]) == (at(start), False, None)


def drifting(seconds: int, every: float = 1.0) -> list[dict[str, Any]]:
    """Blocks whose way takes 100 ms and a millisecond more in each second."""
    return [
        {"t_first": n * every, "t_sent": n * every, "t_received": n * every * 1.001 + 0.1, "skew_ms": 5.0}
        for n in range(int(seconds / every))
    ]


def test_the_clocks_are_compared_in_stretches_of_ten_seconds():
    found = only("links", log_blocks=blocks(*drifting(30)))
    # 12:00:00 is the begin of a stretch; the median lies in its middle.
    assert [round(each, 1) for each in found["drift_ahead"]] == [104.5, 114.5, 124.5]
    hours = [round((each - found["drift_hours"][0]) * 3600, 1) for each in found["drift_hours"]]
    assert hours == [0.0, 10.0, 20.0]


def test_the_clocks_are_compared_in_no_more_than_thirty_stretches():
    found = only("links", log_blocks=blocks(*drifting(900, 2.0)))
    assert 28 <= len(found["drift_ahead"]) <= 31


def test_a_stretch_of_few_blocks_tells_nothing_of_clocks():
    assert len(only("links", log_blocks=blocks(*drifting(29)))["drift_ahead"]) == 2
    assert len(only("links", log_blocks=blocks(*drifting(30)))["drift_ahead"]) == 3


@pytest.mark.parametrize("unknown", ["skew_ms", "t_sent", "t_received"])
def test_blocks_without_both_times_tell_nothing_of_clocks(unknown):
    rows = [row | {unknown: None} for row in drifting(30)]
    assert only("links", log_blocks=blocks(*rows))["drift_ahead"] is None


def test_commits_over_time():
    rows = [{"commit_ms": float(n % 2), "t_first": n / 2} for n in range(4)]
    rows.append({"commit_ms": 7.0, "commit_mode": "asynchronous"})
    rows.append({"commit_ms": None})
    rows.append({"commit_ms": 3.0, "t_first": 1.0, "database": None, "replica": None})
    found = ask("over_time", log_blocks=blocks(*rows))
    assert [(row["database"], row["replica"], row["time"], row["n"], row["p50"]) for row in found] == [
        ("D1", "R2", at(1), 1, 3.0), ("Sales", "SQL2", at(0), 2, 0.5), ("Sales", "SQL2", at(1), 2, 0.5)
    ]  # fmt: skip
    assert round(found[1]["p95"], 6) == 0.95
    assert round(found[1]["p99"], 6) == 0.99


def test_commits_over_a_long_time_are_about_two_hundred_stretches():
    rows = [{"commit_ms": 1.0, "t_first": n * 10} for n in range(401)]
    assert len(ask("over_time", log_blocks=blocks(*rows))) == 201


def test_blocks_that_were_joined_and_why_others_were_not():
    found = ask("unjoined", log_blocks=blocks({}, {}, {"joined": False, "why_not": "no replica"}))
    assert [(row["joined"], row["why_not"], row["blocks"]) for row in found] == [
        (False, "no replica", 1), (True, None, 2)
    ]  # fmt: skip


# What was busy then.


def sample(seconds: float, value: float, host: str = "SQL2", what: str = "disk write") -> dict[str, Any]:
    return {"link": "D1 R2", "host": host, "what": what, "time": at(seconds), "value": value}


LINKS = {"links": ["D1 R2"], "primaries": ["SQL1"], "replicas": ["SQL2"]}


def test_a_sample_speaks_of_commits_of_the_minute_before_it():
    rows = [{"commit_ms": 1.0, "t_first": 0} for _ in range(99)] + [{"commit_ms": 9.0, "t_first": 100}]
    samples = [sample(60, 2.0), sample(61, 3.0), sample(130, 50.0), sample(300, 7.0)]
    found = only("beside", LINKS, log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert found == {
        "link": "D1 R2", "host": "SQL2", "what": "disk write", "n": 1, "samples": 1, "others": 99,
        "slow": 50.0,
        "usual": 2.0,
    }  # fmt: skip
    late = [sample(61, 2.0), sample(161, 50.0)]
    assert ask("beside", LINKS, log_blocks=blocks(*rows), scratch={"commit_samples": late}) == []


def test_the_value_in_the_middle_is_counted_by_commits():
    rows = [{"commit_ms": 9.0, "t_first": seconds} for seconds in (0, 10, 10, 20)]
    samples = [sample(5, 30.0), sample(15, 10.0), sample(25, 20.0)]
    found = only("beside", LINKS, log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert (found["slow"], found["usual"], found["n"], found["samples"], found["others"]) == (
        10.0,
        None,
        4,
        3,
        0,
    )
    more = [{"commit_ms": 9.0, "t_first": seconds} for seconds in (0, 0, 10, 20)]
    found = only("beside", LINKS, log_blocks=blocks(*more), scratch={"commit_samples": samples})
    assert found["slow"] == 20.0


def test_the_moment_of_a_replica_is_by_its_own_clock():
    rows = [{"commit_ms": 9.0, "t_first": 0, "skew_ms": 100_000.0}]
    samples = [
        sample(5, 1.0), sample(110, 2.0), sample(5, 3.0, host="SQL1"), sample(110, 4.0, host="SQL1"),
        sample(110, 9.0, host="SQL3"),
    ]  # fmt: skip
    found = ask("beside", LINKS, log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert {row["host"]: row["slow"] for row in found} == {"SQL1": 3.0, "SQL2": 2.0}


def test_commits_of_joined_blocks_alone_met_what_was_busy():
    samples = [sample(5, 1.0)]
    rows = [{"commit_ms": 9.0, "t_first": 0}, {"commit_ms": 9.0, "t_first": 0, "joined": False}]
    rows.append({"commit_ms": None, "t_first": 0})
    found = only("beside", LINKS, log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert (found["n"], found["others"]) == (1, 0)
    alone = [row | {"joined": False} for row in rows]
    assert only("beside", LINKS, log_blocks=blocks(*alone), scratch={"commit_samples": samples})["n"] == 2


def gate(
    seconds: float, is_set: bool, *, gate: str = "r2", what: str = "send gate", seq: int = 1
) -> dict[str, Any]:
    return {"what": what, "gate": gate, "time": at(seconds), "seq": seq, "is_set": is_set}


def met(*gates: dict[str, Any], rows: list[dict[str, Any]] | None = None) -> list[tuple[Any, ...]]:
    own = rows or [{"commit_ms": 2000.0, "t_first": 10}]
    found = ask("gates", log_blocks=blocks(*own), scratch={"commit_gates": list(gates)})
    return [
        (row["what"], row["n"], row["samples"], row["others"], row["slow"], row["usual"]) for row in found
    ]


@pytest.mark.parametrize(
    ("since", "until", "is_met"),
    [(5, 10, True), (5, 9.9, False), (12, 20, True), (12.1, 20, False), (11, 11.5, True)],
)
def test_a_commit_meets_a_gate_that_is_closed_while_it_is_on_its_way(since, until, is_met):
    assert met(gate(since, True), gate(until, False)) == [
        ("send gate", 1, int(is_met), 0, 100.0 * is_met, None)
    ]


def test_a_gate_is_closed_from_the_last_time_that_it_was_set_and_of_its_own_replica_or_database():
    assert met(gate(5, True), gate(20, True), gate(21, False))[0][2] == 0
    assert met(gate(5, True))[0][2] == 0
    assert met(gate(5, True, gate="r3"), gate(20, False, gate="r3"))[0][2] == 0
    of_database = {"what": "database gate"}
    assert met(gate(5, True, gate="d1", **of_database), gate(20, False, gate="d1", **of_database))[0][:3] == (
        "database gate", 1, 1
    )  # fmt: skip
    assert met(gate(5, True, **of_database), gate(20, False, **of_database))[0][2] == 0
    at_once = gate(5, True, seq=2), gate(5, False, seq=1), gate(20, False)
    assert met(*at_once)[0][2] == 1


def test_the_share_of_slow_commits_and_of_others_that_met_one():
    rows = [{"commit_ms": 1000.0, "t_first": n} for n in range(100)] + [
        {"commit_ms": 2000.0, "t_first": 200}
    ] * 2
    assert met(gate(50, True), gate(74.5, False), gate(201, True), gate(203, False), rows=rows) == [
        ("send gate", 2, 2, 100, 100.0, 26.0)
    ]
    both = [{"commit_ms": 9.0}, {"commit_ms": 9.0, "joined": False}, {"commit_ms": None}]
    assert met(gate(0, True), gate(9, False), rows=both)[0][1] == 1


def test_gates_of_databases_are_told_by_events():
    events = [
        {"_time": at(1), "_seq": 7, "control_action": "Set", "database_replica_id": "D1"},
        {"_time": at(2), "_seq": 8, "control_action": "Cleared", "database_replica_id": "D1"},
    ]
    assert kept("gates_of_databases", "hadr_database_flow_control_action", events) == [
        ("database gate", "d1", at(1), 7, True), ("database gate", "d1", at(2), 8, False)
    ]  # fmt: skip


def test_gates_of_replicas_are_told_by_events():
    events = [{"_time": at(1), "_seq": 7, "control_action": "Set", "target_availability_replica_id": "R2"}]
    assert kept("gates_of_replicas", "hadr_transport_flow_control_action", events) == [
        ("send gate", "r2", at(1), 7, True)
    ]


@pytest.mark.parametrize("unknown", ["_time", "control_action"])
@pytest.mark.parametrize(
    ("query", "event", "whose"),
    [
        ("gates_of_databases", "hadr_database_flow_control_action", "database_replica_id"),
        ("gates_of_replicas", "hadr_transport_flow_control_action", "target_availability_replica_id"),
    ],
)
def test_gates_of_which_no_time_or_no_action_is_told_are_left_out(query, event, whose, unknown):
    whole = {"_time": at(1), "_seq": 7, "control_action": "Set", whose: "R2"}
    assert len(kept(query, event, [whole, whole | {unknown: None}])) == 1


def kept(query: str, event: str, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Give what a query keeps of gates."""
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        connection.register(f"events_{event}", pa.Table.from_pylist(rows))
        connection.execute("create schema scratch")
        for name in ("gates_asked", query):
            connection.execute(text_of(name))
        return connection.sql(
            "select what, gate, time, seq, is_set from scratch.commit_gates order by all"
        ).fetchall()


def test_the_slowest_commits_with_what_was_busy_then():
    rows = [{"commit_ms": float(n), "t_first": n} for n in range(60)]
    rows[59] |= {"skew_ms": 100_000.0}
    rows += [{"commit_ms": 99.0, "commit_mode": "asynchronous"}, {"commit_ms": None}]
    samples = [
        sample(60, 1.0), sample(161, 2.0), sample(60, 3.0, "SQL1"), sample(60, 4.0, "SQL1", "processors"),
        sample(161, 5.0, what="processors"), sample(161, 6.0, what="recovery queue"),
        sample(60, 7.0, "SQL1", "flow control"), sample(60, 8.0, "SQL1", "recovery queue"),
        sample(161, 9.0, "SQL2", "flow control"),
    ]  # fmt: skip
    found = ask("slow", log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert [row["log_block_id"] for row in found] == list(range(59, 9, -1))
    busy = {name: value for name, value in found[0].items() if name in (
        "primary_disk_write_ms", "replica_disk_write_ms", "primary_processors_percent",
        "replica_processors_percent", "recovery_queue_mb", "flow_control_percent",
    )}  # fmt: skip
    assert busy == {
        "primary_disk_write_ms": 3.0, "replica_disk_write_ms": 2.0, "primary_processors_percent": 4.0,
        "replica_processors_percent": 5.0, "recovery_queue_mb": 6.0, "flow_control_percent": 7.0,
    }  # fmt: skip
    assert (found[0]["time"], found[0]["commit_ms"]) == (at(59), 59.0)


def test_a_sample_of_more_than_a_minute_later_says_nothing_of_a_slow_commit():
    for seconds, value in ((60, 1.0), (60.001, None)):
        found = only(
            "slow",
            log_blocks=blocks({"commit_ms": 9.0, "t_first": 0}),
            scratch={"commit_samples": [sample(seconds, 1.0)]},
        )
        assert found["replica_disk_write_ms"] == value


def test_attempts_of_one_block_are_apart():
    rows = [{"commit_ms": 9.0, "t_first": 0, "log_block_id": 1, "attempt": n} for n in (1, 2)]
    rows[1]["t_first"] = 100
    samples = [sample(5, 1.0), sample(105, 2.0)]
    found = ask("slow", log_blocks=blocks(*rows), scratch={"commit_samples": samples})
    assert sorted(row["replica_disk_write_ms"] for row in found) == [1.0, 2.0]


# Counters and waits.


def counter(
    number: int, name: str, host: str = "SQL1", instance: str = "Sales", **more: Any
) -> dict[str, Any]:
    return {
        "counter_id": number, "object": "SQLServer:Database Replica", "counter": name, "host_id": host,
        "instance": instance, "sql_instance": None,
    } | more  # fmt: skip


def counted(*rows: tuple[int, float, float | None]) -> list[dict[str, Any]]:
    return [{"counter_id": number, "time": at(seconds), "value": value} for number, seconds, value in rows]


DELAY, RATE = counter(1, "Transaction Delay"), counter(2, "Mirrored Write Transactions/sec")


def test_how_long_a_transaction_waited_by_the_counters_of_the_primary():
    asked = {"start": at(0), "end": at(60), "host": "SQL1", "database": "SALES"}
    others = [
        counter(3, "Transaction Delay", host="SQL2"), counter(4, "Transaction Delay", instance="HR"),
        counter(5, "Log Send Queue"),
    ]  # fmt: skip
    rows = counted(
        (1, 0, 100.0), (2, 0, 10.0), (1, 60, 50.0), (2, 60, 5.0), (1, 61, 9.0), (2, 61, 1.0), (1, 30, None),
        (2, 30, 5.0), (1, 31, 7.0), (2, 31, 0.0), (3, 0, 9e9), (4, 0, 9e9), (5, 0, 9e9), (1, -1, 9.0), (2,
        -1, 1.0),
    )  # fmt: skip
    found = only("counted", asked, samples=rows, counters=[DELAY, RATE, *others])
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
        (1, 0, 500.0), (1, 60, 250.0), (1, 61, 9.0), (1, -1, 9.0), (2, 1, 9.0), (3, 1, 9.0), (4, 1, 9.0)
    )
    found = of_samples("flow_control", asked, samples=rows, counters=counters)
    assert found == [
        ("D1 R2", "SQL1", "flow control", at(0), 50.0),
        ("D1 R2", "SQL1", "flow control", at(60), 25.0),
    ]


def of_samples(query: str, asked: dict[str, Any], **tables: Any) -> list[tuple[Any, ...]]:
    """Give the samples that a query keeps."""
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        connection.execute("create schema scratch")
        for name, rows in tables.items():
            connection.register("given", pa.Table.from_pylist(rows))
            where = "scratch.usage_series" if name == "usage_series" else name
            connection.execute(f"create table {where} as from given")
        if query == "hosts":
            connection.execute(
                "create table scratch.commit_samples "
                "(link varchar, host varchar, what varchar, time timestamptz, value double)"
            )
        connection.execute(text_of(query), asked)
        return connection.sql(
            "select link, host, what, time, value from scratch.commit_samples order by all"
        ).fetchall()


def test_what_both_hosts_of_a_link_did_in_the_units_that_are_shown():
    asked = LINKS | {
        "numbers": [0], "resources": ["cpu", "recovery_queue"], "names": ["processors", "recovery queue"],
        "factors": [1.0, 0.5],
    }  # fmt: skip
    series = [
        {"window": window, "host": host, "resource": resource, "time": at(0), "value": 8.0}
        for window, host, resource in (
            (0, "SQL1", "cpu"), (0, "SQL2", "recovery_queue"), (0, "SQL3", "cpu"), (1, "SQL1", "cpu"),
            (0, "SQL1", "disk_busy"),
        )
    ]  # fmt: skip
    assert of_samples("hosts", asked, usage_series=series) == [
        ("D1 R2", "SQL1", "processors", at(0), 8.0), ("D1 R2", "SQL2", "recovery queue", at(0), 4.0)
    ]  # fmt: skip


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


def test_what_the_log_took_by_file_statistics_where_they_were_captured():
    commits = wait("HADR_SYNC_COMMIT", 20, 40.0), wait("WRITELOG", 5, 10.0)
    told = stall(10, 5.0), stall(30, 15.0)
    assert waited(*commits, file_io=told) == [("SQL1", 20, 2.0, 40, 0.5, "file statistics of SQL1")]
    for other in (
        {"file_type": "ROWS"}, {"host_id": None}, {"start_local": None}, {"sql_instance": "I2"},
        {"host_id": "SQL9"},
        {"writes": 0},
    ):  # fmt: skip
        assert waited(*commits, file_io=(stall(10, 5.0) | other,))[0][3:] == (5, 2.0, "WRITELOG of SQL1")


def test_the_time_of_waits_is_from_the_first_look_to_the_last():
    rows = [wait("HADR_SYNC_COMMIT", 20, 40.0), wait("HADR_SYNC_COMMIT", 20, 40.0, 240)]
    (found,) = ask("waited", {"least": 20}, waits=rows, file_io=[stall(1, 1.0, host_id=None)])
    assert (found["start"], found["end"]) == (at(0), at(240))


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
    samples = counted(*queues) or counted((9, 0, 0.0))
    return ask(
        "explained", EXPLAINS, waits=list(rows), streams=list(streams), samples=samples, counters=queue
    )  # fmt: skip


def test_an_interval_is_told_by_its_causes():
    kinds = dict(zip(EXPLAINS["causes"], EXPLAINS["types"], strict=True))
    rows = [wait(kind, n, 10.0 * n) for n, kind in enumerate(kinds.values(), 1)]
    (found,) = explained(*rows, wait("OTHER", 99, 99.0))
    assert (found["commits"], found["commit_ms"], found["writes"], found["write_ms"]) == (1, 10.0, 2, 20.0)
    told = [found[f"{name}_ms"] for name in ("log_buffer", "flow_control", "catch_up", "threads")]
    assert told == [30.0, 40.0, 50.0, 60.0]
    assert (found["start"], found["end"], found["seconds"], found["sql_instance"]) == (
        at(0), at(60), 60.0, "MSSQLSERVER"
    )  # fmt: skip


def test_what_was_not_waited_for_is_nothing_but_the_log_is_not_known():
    (found,) = explained(wait("HADR_SYNC_COMMIT", 1, 10.0))
    told = [found[f"{name}_ms"] for name in ("log_buffer", "flow_control", "catch_up", "threads", "write")]
    assert told == [0.0, 0.0, 0.0, 0.0, None]
    (found,) = explained(wait("GATE", 1, 10.0))
    assert (found["commits"], found["commit_ms"]) == (0, 0.0)


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


def test_the_send_queue_meanwhile_is_that_of_the_replica_that_had_most():
    other = counter(2, "Log Send Queue", host="SQL3")
    streams = [STREAM, STREAM | {"replica_host_id": "SQL3"}]
    both = (1, 30, 10.0), (1, 60, 20.0), (2, 30, 99.0)
    assert queue(*both, streams=streams, counters=[other]) == ("SQL3", 99 * 1024.0, 1)
    assert queue(*both, counters=[other]) == ("SQL2", 15 * 1024.0, 2)


def test_the_send_queue_is_that_of_all_databases_within_the_interval():
    more = [
        counter(2, "Log Send Queue", host="SQL2", instance="HR"),
        counter(3, "Log Send Queue", host="SQL2", instance="_Total"),
        counter(4, "Recovery Queue", host="SQL2"),
        counter(5, "Log Send Queue", host="SQL2", object="Other"),
    ]
    queues = (
        (1, 30, 10.0),
        (2, 30, 5.0),
        (3, 30, 99.0),
        (4, 30, 99.0),
        (5, 30, 99.0),
        (1, 0, 70.0),
        (1, 61, 70.0),
    )
    assert queue(*queues, counters=more) == ("SQL2", 15 * 1024.0, 1)
    assert queue((1, 30, None)) == (None, None, None)


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


def test_the_counter_of_the_primary_itself_is_not_its_queue():
    own = counter(2, "Log Send Queue", host="SQL1")
    streams = [STREAM, {"primary_host_id": "SQL1", "primary_replica": None, "replica_host_id": "SQL1"}]
    assert queue((1, 30, 1.0), (2, 30, 99.0), streams=streams, counters=[own])[0] == "SQL2"


def compared(rows: list[dict[str, Any]], queues: list[Any], counters: Any = ()) -> list[tuple[Any, ...]]:
    found = ask("waits_and_counters", waits=rows, samples=counted(*queues), counters=[DELAY, RATE, *counters])
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
    events = [{"_content_id": "c1", "_time": at(seconds), "time_to_commit": us} for seconds, us in commits]
    captures = [{"content_id": "c1", "host_id": "SQL1", "sql_instance": instance}]
    found = ask(
        "waits_and_events", waits=rows, captures=captures, events_hadr_db_commit_mgr_harden=events
    )  # fmt: skip
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


@pytest.mark.parametrize(
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
    events = [{"ag_database_id": "D1", "time_to_commit": us} for us in (1000, 3000, 0)]
    found = only("commit_waits", events_hadr_db_commit_mgr_harden=events)
    assert (found["group_database_id"], found["n"], found["mean"], found["quantiles"][0]) == (
        "d1",
        2,
        2.0,
        2.0,
    )
    assert [round(each, 2) for each in found["quantiles"][1:]] == [2.9, 2.98]
