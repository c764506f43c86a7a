"""When looks of waits are one stretch, what it tells, and in which words; made by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from agtrace.diagnostics.commit_latency import waiting
from agtrace.diagnostics.commit_latency.rows import Explained
from tests.diagnostics.commit_latency.made import LIMITS, START, at
from tests.folded import folded


def look(minute: int, **more: Any) -> Explained:
    """A minute in which commits waited 9 ms for replicas, and 1 ms for the log."""
    local = START.replace(tzinfo=None)
    made = Explained(
        "SQL1", "MSSQLSERVER", at(60 * minute), at(60 * minute + 60), local + timedelta(minutes=minute),
        local + timedelta(minutes=minute + 1), seconds=60.0, commits=100, commit_ms=900.0, writes=100,
        write_ms=100.0, log_buffer_ms=0.0, flow_control_ms=0.0, catch_up_ms=0.0, threads_ms=0.0,
        replica=None, queue_bytes=None, samples=None,
    )  # fmt: skip
    return made._replace(**more)


@folded(
    ("more", "cause"),
    [
        ({}, "replica"),
        ({"catch_up_ms": 6000.0, "flow_control_ms": 6000.0}, "catch_up"),
        ({"catch_up_ms": 5999.0}, "replica"),
        ({"flow_control_ms": 6000.0, "commits": 0}, "flow_control"),
        ({"flow_control_ms": 5999.0, "commits": 0}, None),
        ({"commits": 20, "commit_ms": 180.0}, "replica"),
        ({"commits": 19, "commit_ms": 180.0}, None),
        ({"writes": None, "write_ms": None}, "no_log"),
        ({"writes": 0, "write_ms": 0.0}, "replica"),
        ({"writes": 0, "write_ms": 0.0, "commit_ms": 101.0}, "replica"),
        ({"writes": 0, "write_ms": 0.0, "commit_ms": 100.0}, None),
        ({"write_ms": 1800.0}, "both"),
        ({"write_ms": 1801.0}, "log"),
        ({"commit_ms": 200.0, "write_ms": 100.0}, "both"),
        ({"commit_ms": 201.0, "write_ms": 100.0}, "replica"),
        ({"commit_ms": 100.0, "write_ms": 50.0}, None),
        ({"commit_ms": 101.0, "write_ms": 50.0}, "both"),
    ],
)
def test_what_an_interval_explains(more, cause):
    assert waiting.cause(look(0, **more), LIMITS) == cause


def told(*rows: Explained) -> list[tuple[str, str, int]]:
    made = waiting.stretches(rows, LIMITS)
    return [(each.host, each.cause, len(each.rows)) for each in made]


def test_intervals_that_follow_each_other_and_tell_the_same_are_one():
    local = START.replace(tzinfo=None)
    second_later = look(2, start_local=local + timedelta(seconds=121))
    later = look(4, start_local=local + timedelta(seconds=241.001 - 60))
    few = look(1, commits=0, commit_ms=0.0)
    log = look(1, write_ms=9000.0)
    assert told(look(0), look(1), second_later) == [("SQL1", "replica", 3)]
    assert told(look(0), look(1), later._replace(start_local=local + timedelta(seconds=121.001))) == [
        ("SQL1", "replica", 2), ("SQL1", "replica", 1)
    ]  # fmt: skip
    assert told(look(0), few, look(2)) == [("SQL1", "replica", 1), ("SQL1", "replica", 1)]
    assert told(few) == []
    assert told(look(0), log) == [("SQL1", "replica", 1), ("SQL1", "log", 1)]
    assert told(look(0), look(1, host_id="SQL2")) == [("SQL1", "replica", 1), ("SQL2", "replica", 1)]
    assert told(look(0), look(1, sql_instance="I2")) == [("SQL1", "replica", 1), ("SQL1", "replica", 1)]


def test_what_a_stretch_does_not_tell():
    local = START.replace(tzinfo=None)
    row = look(0, start=None, end=None, commits=0, writes=None, write_ms=None, log_buffer_ms=6000.0)
    made = waiting.Stretch([row], "flow_control")
    assert (made.first, made.last) == (local, local + timedelta(minutes=1))
    assert (made.commit_mean, made.write_mean, made.queue, made.replica) == (None, None, None, None)
    assert made.beside == [("log_buffer", 100.0)]


def test_the_table_of_waits():
    local = START.replace(tzinfo=None)
    first, second = waiting.table(
        [
            look(0, flow_control_ms=60.0, catch_up_ms=120.0, threads_ms=180.0, log_buffer_ms=240.0),
            look(1, start=None, end=None, commits=0, writes=0, commit_ms=0.0),
        ],
        LIMITS,
    )
    assert (first["commit_mean_ms"], first["write_mean_ms"], first["explains"]) == (9.0, 1.0, "replica")
    assert [first[f"{name}_ms_per_s"] for name in ("flow_control", "catch_up", "threads", "log_buffer")] == [
        1.0, 2.0, 3.0, 4.0,
    ]  # fmt: skip
    assert (first["start"], first["end"]) == (at(0), at(60))
    assert (second["start"], second["end"]) == (local + timedelta(minutes=1), local + timedelta(minutes=2))
    assert (second["commit_mean_ms"], second["write_mean_ms"], second["explains"]) == (None, None, "")
