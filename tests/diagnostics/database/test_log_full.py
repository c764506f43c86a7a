"""database.log_full: message 9002 with its reason, and the replica that holds the log back."""

from __future__ import annotations

import re

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case

FULL = "SQL1 | {at} | database_fault | 9002 | event=log_full; database=Sales; reason={reason}"


def full(*at, reason="AVAILABILITY_REPLICA"):
    return "\n".join(FULL.format(at=each, reason=reason) for each in at)


def happened(at, kind, host="SQL1", replica="SQL2"):
    return f"{host} | {at} | timeline | kind={kind}; database=Sales; replica={replica}"


def stream(replica, send, redo):
    return (
        f"SQL1 | - | streams | stream_id=1; ag=AG; primary_host_id=SQL1; replica={replica}; database=Sales; "
        f"start=2024-03-05T12:00:00Z; end=2024-03-05T12:15:00Z; send_queue_last_bytes={send}; "
        f"recovery_queue_last_bytes={redo}"
    )


def told(**given):
    return [
        (f.severity, f.subject.get("replica"), f.confidence, f.title)
        for f in Databases(case(**given)).findings()
        if f.id == "database.log_full"
    ]


def evidence(finding):
    return {each.label: each.value for each in finding.evidence}


def test_movement_that_was_suspended_and_not_resumed_holds_it_back():
    rows = [happened(10, "database_connected"), happened(60, "movement_suspended", host="SQL2")]
    ((_, replica, confidence, _title),) = told(messages=full(100), relations="\n".join(rows))
    assert (replica, confidence) == ("SQL2", 0.95)


@pytest.mark.parametrize(
    "partner",
    [
        happened(10, "database_connected", replica=r"sql2.contoso.com\ONE"),
        "SQL1 | 10 | replicas | ag=AG; replica=SQL2",
        "SQL1 | 10 | database_states | ag=AG; database=Stock; replica=SQL2",
        stream("SQL2", 0, 0),
    ],
    ids=["its log", "a look at replicas", "a look at databases", "perfmon"],
)
def test_whatever_names_a_replica_of_the_primary_lets_its_suspension_count(partner):
    rows = f"{partner}\n{happened(60, 'movement_suspended', host='SQL2')}"
    ((_, replica, *_rest),) = told(messages=full(100), relations=rows)
    assert replica == "SQL2"


def test_the_summary_counts_what_is_told_or_says_that_there_is_nothing():
    assert_facts(texts(Databases(case(messages=full(100))).say_summary)["summary.md"], told=1)


def looked(replica, send, redo, at=300, more=""):
    return (
        f"SQL1 | {at} | database_states | ag=AG; database=Sales; replica={replica}; is_local=false; "
        f"log_send_queue_kb={send}; redo_queue_kb={redo}{more}"
    )


@pytest.mark.parametrize("replica", ["SQL1", "sql1.contoso.com", ""])
def test_the_host_that_was_queried_never_holds_its_own_log_back(replica):
    ((_, held, *_rest),) = told(messages=full(100), relations=looked(replica, 0, 9))
    assert held == ""


def test_the_look_nearest_to_the_fault_tells_group_and_hop():
    relations = "\n".join([looked("SQL2", 9, 0, at=90), looked("SQL2", 0, 9)])
    (found,) = Databases(case(messages=full(100), relations=relations)).findings()
    assert (found.subject["ag"], found.subject["replica"]) == ("AG", "SQL2")
    assert_facts(found, hop="send")


@pytest.mark.parametrize(("ahead_us", "replica"), [(100_000_000, ""), (50_000_000, "SQL2")])
def test_the_fault_is_compared_with_the_timeline_by_the_reference_clock(ahead_us, replica):
    clock = f"SQL1 | - | reference_clock | reference_host=SQL2; by_host=SQL2; ahead_us={ahead_us}"
    lost = happened(130, "database_disconnected") + f"\n{clock}"
    assert [row[1] for row in told(messages=full(200), relations=lost)] == [replica]


def test_only_a_connection_ends_a_disconnection():
    rows = [happened(60, "database_disconnected"), happened(80, "connection_timeout")]
    assert [row[1] for row in told(messages=full(100), relations="\n".join(rows))] == ["SQL2"]


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("REPLICATION", "Log Reader Agent"), ("ACTIVE_BACKUP_OR_RESTORE", "backup or restore"),
        ("DATABASE_MIRRORING", "sys.database_mirroring"), ("DATABASE_SNAPSHOT_CREATION", "snapshot"),
        ("LOG_SCAN", "ends by itself"), ("CHECKPOINT", "CHECKPOINT"), ("OLDEST_PAGE", "CHECKPOINT"),
        ("XTP_CHECKPOINT", "memory-optimized"), ("NOTHING", "maximum size"), ("LOG_BACKUP", "BACKUP|Back up"),
        ("ACTIVE_TRANSACTION", "DBCC OPENTRAN"), ("OTHER_TRANSIENT", "log_reuse_wait_desc"),
    ],
)  # fmt: skip
def test_every_reason_has_its_own_remedy(reason, remedy):
    (found,) = Databases(case(messages=full(100, reason=reason))).findings()
    assert re.search(remedy, found.recommendation)
    assert reason in found.narrative


def test_the_log_reader_waits_for_a_replica_that_is_away():
    away = happened(60, "database_disconnected")
    (found,) = Databases(case(messages=full(100, reason="REPLICATION"), relations=away)).findings()
    assert "SQL2 is not connected" in found.title
    assert "1448" in found.recommendation


def test_a_full_volume_is_named_before_the_reason():
    text = "MODIFY FILE encountered operating system error 112(x) while attempting to expand 'L:\\s.ldf'"
    volume = f"SQL1 | 90 | timeline | kind=volume_full; text={text}"
    (found,) = Databases(case(messages=full(100, reason="ACTIVE_TRANSACTION"), relations=volume)).findings()
    assert "volume" in found.title
    assert found.recommendation.startswith("1. On SQL1, show the free space")
    assert evidence(found)["volume"] == text
