"""Waits, counters and events: what each tells alone, and when two of them cannot both be true."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

import agtrace
from agtrace.diagnostics.commit_latency import CommitLatency
from simulation.commits.model import AG, AG_ID, PRIMARY, database_id
from tests.diagnostics.commit_latency.test_sides import SETTING, events
from tests.diagnostics.drawn_blocks import case_of
from tests.diagnostics.tiny import case
from tests.shared import CAPTURES, needs_captures

WAITS = """
    {host} | 45 | waits    | wait_type=HADR_SYNC_COMMIT; seconds=30; waiting_tasks=600; wait_ms={commit}
    {host} | 45 | waits    | wait_type=WRITELOG; seconds=30; waiting_tasks=600; wait_ms=480
    {host} | 0  | replicas | ag={ag}; replica={host}; role=PRIMARY; is_local=true
    {host} | 0  | ag_names | kind=database; id={db}; name=Sales
    {host} | 0  | ag_names | kind=group; id={ag_id}; name={ag}
"""
COUNTERS = r"""
    {host} | \SQLServer:Database Replica(Sales)\Transaction Delay               | {delay}
    {host} | \SQLServer:Database Replica(Sales)\Mirrored Write Transactions/sec | 10
    {host} | \SQLServer:Database Replica(_Total)\Transaction Delay              | 999999
    {host} | \SQLServer:Database Replica(_Total)\Mirrored Write Transactions/sec | 10
"""


def waits(mean=21, extra=""):
    text = WAITS.format(host=PRIMARY, ag=AG, ag_id=AG_ID, db=database_id("Sales"), commit=600 * mean)
    return {"relations": text + extra}


def counters(mean=21):
    return {"perfmon": COUNTERS.format(host=PRIMARY, delay=10 * mean)}


@pytest.fixture(scope="module")
def session():
    """A minute of log blocks that wait 21 ms for the replica's disk."""
    return events(replace(SETTING, blocks=180, apart_ms=330))


def contradictions(made):
    return [f for f in CommitLatency(made).findings() if f.id == "commit.contradiction"]


def test_waits_alone_tell_how_long_and_not_where():
    (found,) = CommitLatency(case(**waits())).findings()
    assert (found.id, found.subject) == ("commit.latency", {"ag": AG})
    said = [(e.label, e.value, e.source) for e in found.evidence]
    assert said == [
        ("commit wait mean", 21, f"HADR_SYNC_COMMIT of {PRIMARY}, n = 600"),
        ("log write mean", 0.8, f"WRITELOG of {PRIMARY}, n = 600"),
    ]
    assert found.window == {"start": "2024-03-05T12:00:15+00:00", "end": "2024-03-05T12:00:45+00:00"}


def test_the_log_write_is_that_of_the_files_where_they_were_captured():
    files = (
        f"{PRIMARY} | 45 | file_io | database=Sales; file_type=LOG; seconds=30; writes=100; write_stall_ms=90"
    )
    (found,) = CommitLatency(case(**waits(extra=files))).findings()
    assert found.evidence[1].value == pytest.approx(0.9)
    assert found.evidence[1].source == f"file statistics of {PRIMARY}, n = 100"


@pytest.mark.complete
@needs_captures
def test_waits_of_a_support_folder(tmp_path):
    for path in (CAPTURES / "support_folder" / "output").glob("*.out"):
        if "AlwaysOnDiagScript" in path.name or "47781_PerfStats" in path.name:
            shutil.copy(path, tmp_path)
    with agtrace.open_case(tmp_path) as opened:
        (found,) = opened.commit_latency.findings()
        (primary,) = {
            row["ag"]
            for row in opened.view.rows("select ag from replicas where role = 'PRIMARY' and is_local")
        }
    assert (found.id, found.subject) == ("commit.latency", {"ag": primary})
    assert [(e.label, e.value) for e in found.evidence] == [
        ("commit wait mean", 9.0),
        ("log write mean", 0.8),
    ]


@pytest.mark.complete
def test_sources_that_agree_contradict_nothing(session):
    assert contradictions(case_of(session, case(**waits(), **counters()))) == []


@pytest.mark.complete
def test_waits_and_counters_that_events_deny(session):
    found = contradictions(case_of(session, case(**waits(60), **counters(200))))
    host, database = {"ag": AG, "host": PRIMARY}, {"ag": AG, "database": "Sales"}
    assert [f.subject for f in found] == [database, host, host]
    values = [e.value for f in found for e in f.evidence]
    assert values == pytest.approx([21, 200, 60, 200, 60, 21], abs=2)


@pytest.mark.complete
def test_waits_of_minutes_that_the_session_does_not_cover_are_not_compared(session):
    outside = waits(60)["relations"].replace("| 45 |", "| 75 |")
    assert contradictions(case_of(session, case(relations=outside))) == []
