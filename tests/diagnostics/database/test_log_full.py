"""database.log_full: message 9002 with its reason, and the replica that holds the log back."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
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
    assert told(messages=full(100, 110), relations=gone) == [
        (
            "critical", "SQL2", 0.95,
            "The log of Sales on SQL1 was full at 2024-03-05 12:01:40.0 UTC: SQL2 is not connected",
        )
    ]  # fmt: skip


def test_a_replica_that_came_back_before_does_not():
    back = "\n".join([happened(10, "database_disconnected"), happened(60, "database_connected")])
    assert told(messages=full(100), relations=back) == [
        (
            "critical", "", 0.8,
            "The log of Sales on SQL1 was full at 2024-03-05 12:01:40.0 UTC: a secondary still needs it",
        )
    ]  # fmt: skip


def test_movement_that_was_suspended_and_not_resumed_holds_it_back():
    rows = [happened(10, "database_connected"), happened(60, "movement_suspended", host="SQL2")]
    ((_, replica, confidence, title),) = told(messages=full(100), relations="\n".join(rows))
    assert (replica, confidence) == ("SQL2", 0.95)
    assert title.endswith("data movement on SQL2 is suspended")


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
    ((_, replica, confidence, title),) = told(messages=full(100), relations="\n".join(rows))
    assert (replica, confidence) == ("", 0.8)
    assert title.endswith(": a secondary still needs it")


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
    ("queues", "replica", "said"),
    [
        ((stream("SQL2", 5, 700), stream("SQL3", 600, 0)), "SQL2", "SQL2 has not redone it"),
        ((stream("SQL2", 5, 70), stream("SQL3", 600, 0)), "SQL3", "SQL3 has not received it"),
    ],
)
def test_of_the_queues_the_largest_names_replica_and_hop(queues, replica, said):
    ((_, named, confidence, title),) = told(messages=full(100), relations="\n".join(queues))
    assert (named, confidence) == (replica, 0.85)
    assert title.endswith(said)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("LOG_BACKUP", "it has not been backed up"),
        ("ACTIVE_TRANSACTION", "a transaction is open"),
        ("CHECKPOINT", "CHECKPOINT"),
    ],
)
def test_of_another_reason_no_replica_is_blamed(reason, said):
    gone = happened(60, "database_disconnected")
    ((_, replica, confidence, title),) = told(messages=full(100, reason=reason), relations=gone)
    assert (replica, confidence) == ("", 0.95)
    assert title.endswith(f": {said}")


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
    assert Databases(case(messages=full(100))).say_summary() == (
        "1 thing that kept a database from being written, read or failed over to."
    )
    assert "none failed to recover" in Databases(case()).say_summary()


WRITES = (
    r"SQL2 | \SQLServer:Databases(Sales)\Log Flush Write Time (ms) | {ms}"
    "\n"
    r"SQL2 | \SQLServer:Databases(Sales)\Log Flushes/sec | 20"
)


@pytest.mark.parametrize(
    ("ms", "said"),
    [(400, "SQL2 is slow to harden it"), (399, "SQL2 has not received it")],
    ids=["20 ms a write", "less"],
)
def test_a_replica_whose_own_log_writes_are_slow_is_slow_to_harden(ms, said):
    queue = stream("SQL2", 600, 0).replace("replica=SQL2", "replica=SQL2; replica_host_id=SQL2")
    (one,) = Databases(case(messages=full(100), relations=queue, perfmon=WRITES.format(ms=ms))).findings()
    assert one.title.endswith(f": {said}")
    assert ("log write of SQL2, n = 33" in evidence(one)) is (ms == 400)


def test_a_disk_that_is_idle_most_of_the_time_does_not_hold_the_log_back():
    queue = stream("SQL2", 600, 0).replace("replica=SQL2", "replica=SQL2; replica_host_id=SQL2")
    idle = WRITES.format(ms=249).replace("| 20", "| 5")
    (one,) = Databases(case(messages=full(100), relations=queue, perfmon=idle)).findings()
    assert one.title.endswith("SQL2 has not received it")


def looked(replica, send, redo, at=300, more=""):
    return (
        f"SQL1 | {at} | database_states | ag=AG; database=Sales; replica={replica}; is_local=false; "
        f"log_send_queue_kb={send}; redo_queue_kb={redo}{more}"
    )


@pytest.mark.parametrize(
    ("rows", "replica", "said"),
    [
        ([looked("SQL2", 5, 700), looked("SQL3", 600, 0)], "SQL2", "SQL2 has not redone it"),
        ([looked("SQL2", 5, 70), looked("SQL3", 600, 0)], "SQL3", "SQL3 has not received it"),
        ([looked("SQL2", 5, 700, more="; is_suspended=true")], "SQL2", "data movement on SQL2 is suspended"),
        ([looked("SQL2", 0, 0)], "", "a secondary still needs it"),
        ([looked("SQL2", 5, 700, at=3711)], "", "a secondary still needs it"),
    ],
)
def test_without_perfmon_a_look_within_an_hour_names_replica_and_hop(rows, replica, said):
    ((_, named, _, title),) = told(messages=full(100), relations="\n".join(rows))
    assert named == replica
    assert title.endswith(f": {said}")
