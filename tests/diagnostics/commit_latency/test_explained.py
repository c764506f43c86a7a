"""What wait statistics explain of commits and of the send queue, and when."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agtrace.diagnostics import commit_latency
from agtrace.diagnostics.commit_latency import CommitLatency
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case

SAID = Path(commit_latency.__file__).parent / "said"
STREAM = (
    "SQL2 | - | streams | stream_id=1; primary_host_id=SQL1; replica_host_id=SQL2; replica=SQL2; "
    "start=2024-03-05T12:00:00Z; end=2024-03-05T12:10:00Z"
)
QUEUE = r"""
    SQL2 | \SQLServer:Database Replica(Sales)\Log Send Queue  | 9000
    SQL2 | \SQLServer:Database Replica(Other)\Log Send Queue  | 3000
    SQL2 | \SQLServer:Database Replica(_Total)\Log Send Queue | 999999
    SQL1 | \SQLServer:Database Replica(Sales)\Log Send Queue  | 0
"""


def waited(wait, ms, n=600, at=60, host="SQL1"):
    return f"{host} | {at} | waits | wait_type={wait}; seconds=60; waiting_tasks={n}; wait_ms={ms}; line=7"


def interval(at, commit=5400, write=480, **more):
    return [waited("HADR_SYNC_COMMIT", commit, at=at, **more), waited("WRITELOG", write, at=at, **more)]


def asked(*relations, perfmon=QUEUE):
    return CommitLatency(case(perfmon, relations="\n".join([STREAM, *relations])))


LIVES = {
    "replica": ([*interval(60)], [*interval(60, commit=600)], [waited("WRITELOG", 480)]),
    "log": ([*interval(60, 1200, 2401)], [*interval(60, 1200, 2400)], [waited("WRITELOG", 2401)]),
    "both": ([*interval(60, 2100, 1200)], [*interval(60, 600, 500)], [waited("WRITELOG", 1200)]),
    "no_log": ([waited("HADR_SYNC_COMMIT", 5400)], [*interval(60)], []),
    "flow_control": (
        [*interval(60), waited("HADR_DATABASE_FLOW_CONTROL", 6000)],
        [*interval(60), waited("HADR_DATABASE_FLOW_CONTROL", 5999)],
        [*interval(60)],
    ),
    "catch_up": (
        [*interval(60), waited("HADR_SYNCHRONIZING_THROTTLE", 6000)],
        [*interval(60), waited("HADR_SYNCHRONIZING_THROTTLE", 5999)],
        [*interval(60)],
    ),
}
"""Of each cause the waits of a minute in which it is true, nearly true, and was not captured."""


def test_without_the_replicas_counters_it_says_what_is_missing():
    made = asked(*interval(60), perfmon="")
    assert_facts(texts(made.say_waits)["waits.md"], told=1)


def test_twelve_stretches_are_told():
    made = asked(*interval(60))
    (one,) = made.stretches
    rows = [[{**one.rows[0], "commit_ms": float(n)}] for n in range(13)]
    vars(made)["stretches"] = [replace(one, rows=own) for own in rows]
    assert_facts(texts(made.say_waits)["waits.md"], told=12, more=1)
