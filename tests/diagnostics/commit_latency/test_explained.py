"""What wait statistics explain of commits and of the send queue, and when."""

from __future__ import annotations

from dataclasses import replace

from agtrace.diagnostics.commit_latency import CommitLatency
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case

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


def test_without_the_replicas_counters_it_says_what_is_missing():
    made = asked(*interval(60), perfmon="")
    assert_facts(texts(made.say_waits)["waits.md"], told=1)


def test_the_page_names_the_twelve_longest_waits():
    made = asked(*interval(60))
    (one,) = made.stretches
    rows = [[one.rows[0]._replace(commit_ms=float(n))] for n in range(13)]
    vars(made)["stretches"] = [replace(one, rows=own) for own in rows]
    assert_facts(texts(made.say_waits)["waits.md"], told=12, more=1)
