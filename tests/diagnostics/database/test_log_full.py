"""database.log_full: message 9002 with its reason, and the replica that holds the log back."""

from __future__ import annotations

from unittest.mock import ANY

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


def test_a_replica_that_is_not_connected_holds_the_log_back():
    gone = "\n".join([happened(10, "database_connected"), happened(60, "database_disconnected")])
    assert told(messages=full(100, 110), relations=gone) == [("critical", "SQL2", 0.95, ANY)]


def test_a_replica_that_came_back_before_does_not():
    back = "\n".join([happened(10, "database_disconnected"), happened(60, "database_connected")])
    assert told(messages=full(100), relations=back) == [("critical", "", 0.8, ANY)]


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


def test_a_stranger_with_a_database_of_that_name_does_not_hold_it_back():
    rows = [happened(10, "database_connected"), happened(60, "movement_suspended", host="X", replica="Y")]
    ((_, replica, confidence, _title),) = told(messages=full(100), relations="\n".join(rows))
    assert (replica, confidence) == ("", 0.8)


@pytest.mark.parametrize(("at", "replica"), [(61, ""), (59, "SQL2")])
def test_a_replica_whose_log_is_cut_and_that_its_primary_connected_to_since_is_not_blamed(at, replica):
    rows = [happened(60, "movement_suspended", host="SQL2"), happened(at, "database_connected")]
    ((_, named, *_rest),) = told(messages=full(100), relations="\n".join(rows))
    assert named == replica


@pytest.mark.parametrize(("at", "replica"), [(79, "SQL2"), (81, "")])
def test_what_came_later_by_one_clock_does_not_hold_it_back_whatever_the_own_clock_shows(at, replica):
    ahead = happened(10, "database_connected") + "; skew_ms=420000"
    rows = f"{ahead}\n{happened(at, 'movement_suspended', host='SQL2')}"
    ((_, named, *_rest),) = told(messages=full(500), relations=rows)
    assert named == replica


@pytest.mark.parametrize(
    ("queues", "replica"),
    [
        ((stream("SQL2", 5, 700), stream("SQL3", 600, 0)), "SQL2"),
        ((stream("SQL2", 5, 70), stream("SQL3", 600, 0)), "SQL3"),
    ],
)
def test_of_the_queues_the_largest_names_replica_and_hop(queues, replica):
    ((_, named, confidence, _title),) = told(messages=full(100), relations="\n".join(queues))
    assert (named, confidence) == (replica, 0.85)


@pytest.mark.parametrize("reason", ["LOG_BACKUP", "ACTIVE_TRANSACTION", "CHECKPOINT"])
def test_of_another_reason_no_replica_is_blamed(reason):
    gone = happened(60, "database_disconnected")
    ((_, replica, confidence, _title),) = told(messages=full(100, reason=reason), relations=gone)
    assert (replica, confidence) == ("", 0.95)


def test_entries_that_follow_each_other_are_one_and_later_ones_another():
    found = Databases(case(messages=full(100, 900, 1700, 2700))).findings()
    assert [evidence(f)["entries that tell of it"] for f in found] == [3, 1]
    assert found[0].window == {"start": "2024-03-05T12:01:40+00:00", "end": "2024-03-05T12:28:20+00:00"}


def test_how_full_it_is_and_how_fast_it_grows_are_shown():
    perfmon = "\n".join(
        rf"SQL1 | \SQLServer:Databases(Sales)\Log File(s) {name} (KB) | {values}"
        for name, values in (("Used Size", "1000..1119"), ("Size", "2000"))
    )
    (found,) = Databases(case(perfmon=perfmon, messages=full(300))).findings()
    numbers = evidence(found)
    assert numbers["size of the log"] == 2_048_000
    assert numbers["log used"] > 1_024_000
    assert numbers["growth of the log before"] == pytest.approx(1024 / 5, rel=0.02)


def test_without_message_9002_nothing_is_said():
    perfmon = r"SQL1 | \SQLServer:Databases(Sales)\Percent Log Used | 99"
    assert told(perfmon=perfmon, relations=happened(60, "database_disconnected")) == []


def test_the_summary_counts_what_is_told_or_says_that_there_is_nothing():
    assert_facts(texts(Databases(case(messages=full(100))).say_summary)["summary.md"], told=1)


WRITES = (
    r"SQL2 | \SQLServer:Databases(Sales)\Log Flush Write Time (ms) | {ms}"
    "\n"
    r"SQL2 | \SQLServer:Databases(Sales)\Log Flushes/sec | 20"
)


@pytest.mark.parametrize("ms", [400, 399], ids=["20 ms a write", "less"])
def test_a_replica_whose_own_log_writes_are_slow_is_slow_to_harden(ms):
    queue = stream("SQL2", 600, 0).replace("replica=SQL2", "replica=SQL2; replica_host_id=SQL2")
    (one,) = Databases(case(messages=full(100), relations=queue, perfmon=WRITES.format(ms=ms))).findings()
    assert_facts(one, replica="SQL2", entries=1)
    assert ("log write of SQL2, n = 33" in evidence(one)) is (ms == 400)


def test_a_disk_that_is_idle_most_of_the_time_does_not_hold_the_log_back():
    queue = stream("SQL2", 600, 0).replace("replica=SQL2", "replica=SQL2; replica_host_id=SQL2")
    idle = WRITES.format(ms=249).replace("| 20", "| 5")
    (one,) = Databases(case(messages=full(100), relations=queue, perfmon=idle)).findings()
    assert_facts(one, replica="SQL2", hop="send", entries=1)


def looked(replica, send, redo, at=300, more=""):
    return (
        f"SQL1 | {at} | database_states | ag=AG; database=Sales; replica={replica}; is_local=false; "
        f"log_send_queue_kb={send}; redo_queue_kb={redo}{more}"
    )


@pytest.mark.parametrize(
    ("rows", "replica"),
    [
        ([looked("SQL2", 5, 700), looked("SQL3", 600, 0)], "SQL2"),
        ([looked("SQL2", 5, 70), looked("SQL3", 600, 0)], "SQL3"),
        ([looked("SQL2", 5, 700, more="; is_suspended=true")], "SQL2"),
        ([looked("SQL2", 0, 0)], ""),
        ([looked("SQL2", 5, 700, at=3711)], ""),
    ],
)
def test_without_perfmon_a_look_within_an_hour_names_replica_and_hop(rows, replica):
    ((_, named, _, _title),) = told(messages=full(100), relations="\n".join(rows))
    assert named == replica
