"""redo.waits: what redo waits for while a server has secondaries, and how sure that is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics import redo
from agtrace.diagnostics.redo import Redo
from tests.behind import assert_facts, behind, texts
from tests.diagnostics.asking import ask
from tests.diagnostics.tiny import case

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
HOUR = timedelta(hours=1)

SECONDARY = "SQL2 | - | roles | ag=AG; role=SECONDARY; start=2024-03-05T11:00:00Z; end=2024-03-05T13:00:00Z"
BEHIND = (
    "SQL2 | - | streams | stream_id=1; replica_host_id=SQL2; recovery_queue_growth_bytes_per_s=5000; "
    "start=2024-03-05T12:00:00Z; end=2024-03-05T12:30:00Z"
)


def waited(wait, ms, seconds=120, at=600):
    return (
        f"SQL2 | {at} | waits | wait_type={wait}; seconds={seconds}; waiting_tasks=30; wait_ms={ms}; line=7"
    )


def told(*relations, **given):
    found = Redo(case(relations="\n".join(relations), **given)).findings()
    return [(f.severity, f.confidence, f.title) for f in found]


def test_short_statistics_say_nothing():
    assert told(SECONDARY, waited("LCK_M_SCH_M", 24_000, seconds=59)) == []


def test_trace_flag_3459_is_told():
    flag = "SQL2 | - | trace_flags | flag=3459; is_on=true; start=2024-03-05T11:00:00Z; path=ERRORLOG; line=5"
    made = case(relations="\n".join([SECONDARY, flag, waited("DPT_ENTRY_LOCK", 24_000)]))
    (one,) = Redo(made).findings()
    assert_facts(one, is_serial=True, types=["DPT_ENTRY_LOCK"])
    assert_facts(texts(Redo(made).say_summary)["summary.md"], told=["SQL2"])
    assert Redo(made).tbl_waits()["cause"].tolist() == ["page_table"]


def test_waits_that_only_redo_has_count_without_a_known_role():
    (one,) = Redo(case(relations=waited("DPT_ENTRY_LOCK", 24_000))).findings()
    assert_facts(one, is_secondary=False)


def test_a_lock_counts_only_while_the_server_is_known_to_be_a_secondary():
    assert told(waited("LCK_M_SCH_M", 24_000)) == []


def test_waits_of_a_primary_say_nothing():
    assert told(SECONDARY.replace("SECONDARY", "PRIMARY"), waited("DPT_ENTRY_LOCK", 24_000)) == []


WAIT = {"host_id": "A", "sql_instance": None, "wait_type": "W", "time": NOON, "time_local": LOCAL,
        "start_local": LOCAL - HOUR / 60, "seconds": 60.0, "waiting_tasks": 3, "wait_ms": 900,
        "content_id": "log", "line": 4}  # fmt: skip
ROLE = {"host_id": "A", "role": "SECONDARY", "start": NOON - HOUR, "end": NOON + HOUR,
        "start_local": LOCAL - HOUR, "end_local": LOCAL + HOUR}  # fmt: skip


@pytest.mark.parametrize("lacking", [{"host_id": None}, {"time_local": None}, {"seconds": 0.0}])
def test_an_interval_without_host_time_or_length_is_left_out(lacking):
    asked, contents = {"types": ["W"], "causes": ["page_table"]}, [{"content_id": "log", "path": "log"}]
    rows = ask(redo, "waited", asked, waits=[WAIT, WAIT | lacking], roles=[ROLE], contents=contents)
    assert [(row["host_id"], row["n"]) for row in rows] == [("A", 3)]


def test_wait_statistics_are_used_in_place_of_snapshots_and_say_so():
    task = "SQL2 | 600 | hadr_requests | wait_type=DPT_ENTRY_LOCK; wait_ms=5; line=9"
    (one,) = Redo(case(relations="\n".join([SECONDARY, waited("DPT_ENTRY_LOCK", 24_000), task]))).findings()
    assert behind(one)["weaker"] == {"looks": 1, "tasks": 1, "types": ["DPT_ENTRY_LOCK"]}
    (alone,) = Redo(case(relations="\n".join([SECONDARY, waited("DPT_ENTRY_LOCK", 24_000)]))).findings()
    assert behind(alone)["weaker"] is None
