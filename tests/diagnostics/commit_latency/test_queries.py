"""What each query of log blocks counts, over tables of a few rows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnostics.commit_latency.asked import ask, blocks, clock, only
from tests.diagnostics.commit_latency.made import at


def test_the_slowest_of_a_hundred_and_their_bytes_minute_and_hour():
    rows = [{"commit_ms": 1.0, "t_first": n} for n in range(98)]
    rows += [{"commit_ms": 90.0, "t_first": 3600 * n, "bytes": 9000} for n in (1, 2)]
    found = only("common", log_blocks=blocks(*rows))
    assert (found["n"], found["slow_bytes"], found["bytes"]) == (2, 9000.0, 1000.0)
    assert (found["in_minute"], found["minutes"], found["in_hour"], found["hours"]) == (1, 4, 1, 3)
    assert {found["minute"], found["hour"]} <= {at(3600), at(7200)}
    assert (found["databases"], found["slow_there"], found["share_of_slow"], found["share_of_all"]) == (
        1, 2, 1.0, 1.0,
    )  # fmt: skip


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


def test_a_way_is_by_the_reference_clock_and_blocks_by_those_of_their_hosts():
    seen = blocks({"t_first": 90.0}, {"t_first": 95.0})
    found = only("links", log_blocks=seen, reference_clock=clock(SQL1=90.0))
    assert (found["start"], found["end"]) == (at(0), at(5))
    of_replica = blocks({"t_first": None, "t_received": 60.0})
    found = only("links", log_blocks=of_replica, reference_clock=clock(SQL1=90.0, SQL2=50.0))
    assert found["start"] == at(10)


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


# What was busy then.


def sample(seconds: float, value: float, host: str = "SQL2", what: str = "disk write") -> dict[str, Any]:
    return {"link": "D1 R2", "host": host, "what": what, "time": at(seconds), "value": value}


LINKS = {"links": ["D1 R2"], "primaries": ["SQL1"], "replicas": ["SQL2"]}


def test_commits_of_joined_blocks_alone_met_what_was_busy():
    samples = [sample(5, 1.0)]
    rows = [{"commit_ms": 9.0, "t_first": 0}, {"commit_ms": 9.0, "t_first": 0, "joined": False}]
    rows.append({"commit_ms": None, "t_first": 0})
    found = only("beside", LINKS, log_blocks=blocks(*rows), commit_samples=samples)
    assert (found["n"], found["others"]) == (1, 0)
    alone = [row | {"joined": False} for row in rows]
    assert only("beside", LINKS, log_blocks=blocks(*alone), commit_samples=samples)["n"] == 2


def gate(
    seconds: float, is_set: bool, *, gate: str = "r2", what: str = "send gate", seq: int = 1
) -> dict[str, Any]:
    return {"gate": what, "gate_id": gate, "time": at(seconds), "seq": seq, "is_closed": is_set}


def met(*gates: dict[str, Any], rows: list[dict[str, Any]] | None = None) -> list[tuple[Any, ...]]:
    own = rows or [{"commit_ms": 2000.0, "t_first": 10}]
    found = ask("gates", log_blocks=blocks(*own), flow_control=list(gates))
    return [
        (row["what"], row["n"], row["samples"], row["others"], row["slow"], row["usual"]) for row in found
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
    assert met(gate(5, True), gate(6, False) | {"time": None}, gate(20, False))[0][2] == 1
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


def test_the_slowest_commits_meet_the_samples_of_the_reference_clock():
    slow = blocks({"commit_ms": 9.0, "t_first": 90.0, "skew_ms": -40_000.0})
    samples = [sample(1, 3.0, "SQL1"), sample(2, 5.0)]
    (row,) = ask("slow", log_blocks=slow, commit_samples=samples, reference_clock=clock(SQL1=90.0, SQL2=50.0))
    assert row["time"] == at(0)
    assert (row["primary_disk_write_ms"], row["replica_disk_write_ms"]) == (3.0, 5.0)


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
    found = ask("slow", log_blocks=blocks(*rows), commit_samples=samples)
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
