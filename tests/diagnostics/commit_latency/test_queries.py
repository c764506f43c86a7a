"""What each query of log blocks counts, over tables of a few rows."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.diagnostics.commit_latency.asked import ask, blocks, only, text_of
from tests.diagnostics.commit_latency.made import at


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
