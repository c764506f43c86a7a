"""database.log_full before message 9002: a log that a replica holds back, and when it will be full."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.database.test_log_full import evidence, full, happened, stream
from tests.diagnostics.tiny import case

USED = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Used Size (KB) | "
SIZE = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Size (KB) | "
MB = 1024 * 1024
HELD = stream("SQL2", 0, 800 * MB)
REUSE = "SQL1 | {at} | databases | database=Sales; database_id=7; log_reuse_wait={reason}"


def perfmon(used="500_000..1_000_000", size="4_000_000"):
    return "\n".join([USED + used.replace("_", ""), SIZE + size.replace("_", "")])


def found(relations=HELD, messages="", **more):
    given = {"perfmon": perfmon(), **more}
    return [
        f for f in Databases(case(relations=relations, messages=messages, **given)).findings()
        if f.id == "database.log_full"
    ]  # fmt: skip


def test_a_log_that_a_replica_holds_back_is_told_before_it_is_full():
    (one,) = found()
    assert (one.severity, one.subject["replica"], one.confidence) == ("warning", "SQL2", 0.85)
    assert_facts(one, database="Sales", host="SQL1", replica="SQL2", hop="redo")
    numbers = evidence(one)
    assert numbers["log full in"] == pytest.approx(3570, rel=0.01)
    assert numbers["log full in, at least"] <= numbers["log full in"] <= numbers["log full in, at most"]


@pytest.mark.parametrize(
    ("size", "n"), [("73_500_000", 1), ("73_700_000", 0)], ids=["within a day", "in more than a day"]
)
def test_a_log_with_room_for_more_than_a_day_is_not_spoken_of(size, n):
    assert len(found(perfmon=perfmon(size=size))) == n


@pytest.mark.parametrize(("held", "n"), [(513_000_000, 1), (511_000_000, 0)])
def test_a_queue_of_less_than_half_of_the_log_does_not_hold_it_back(held, n):
    assert len(found(stream("SQL2", 0, held))) == n


@pytest.mark.parametrize(
    "used", ["500000", "1000000..500000", "60x500000..1000000, 1000000", "19x500000..900000, -"]
)
def test_a_log_that_does_not_grow_or_no_more_is_not_spoken_of(used):
    assert found(perfmon=perfmon(used)) == []


def test_what_is_in_use_alone_tells_no_time():
    assert found(perfmon=USED + "500000..1000000") == []


@pytest.mark.parametrize(
    ("reason", "n"),
    [("AVAILABILITY_REPLICA", 1), ("LOG_BACKUP", 0), ("NOTHING", 1), ("ACTIVE_TRANSACTION", 0)],
)
def test_a_look_says_what_keeps_the_log_from_being_reused(reason, n):
    assert len(found("\n".join([HELD, REUSE.format(at=500, reason=reason)]))) == n


def test_a_look_alone_tells_that_a_replica_holds_it_back_and_not_which():
    (one,) = found(REUSE.format(at=500, reason="AVAILABILITY_REPLICA"))
    assert (one.subject["replica"], one.confidence) == ("", 0.8)
    assert_facts(one, looked=True)


def test_a_look_of_hours_before_tells_nothing():
    assert found(REUSE.format(at=-3700, reason="AVAILABILITY_REPLICA")) == []


def test_a_replica_that_is_not_connected_holds_back_a_log_whose_queue_is_old():
    (one,) = found("\n".join([stream("SQL2", 5, 0), happened(10, "database_disconnected")]))
    assert_facts(one, replica="SQL2", hop="connection")


def test_a_log_that_was_full_is_told_as_full_alone():
    assert [f.severity for f in found(messages=full(300))] == ["critical"]


def test_without_a_sign_of_a_replica_nothing_is_said():
    assert found(stream("SQL2", 0, 0)) == []
    assert found("") == []


STOCK = perfmon().replace("(Sales)", "(Stock)")
GONE = happened(10, "database_connected") + "\n" + happened(60, "database_disconnected")
STOCK_GONE = GONE.replace("Sales", "Stock")


@pytest.mark.parametrize(
    "known", [HELD, REUSE.format(at=300, reason="AVAILABILITY_REPLICA")], ids=["a stream", "a look"]
)
def test_a_database_that_only_others_of_its_server_are_replicated_beside_is_not_spoken_of(known):
    assert found(f"{known}\n{STOCK_GONE}", perfmon=STOCK) == []


def test_a_database_fills_whatever_another_of_its_server_does():
    streams = f"{HELD}\n{HELD.replace('Sales', 'Stock').replace('stream_id=1', 'stream_id=2')}"
    both = f"{perfmon()}\n{STOCK}"
    told = [(f.severity, f.subject["database"]) for f in found(streams, full(100), perfmon=both)]
    assert sorted(told) == [("critical", "Sales"), ("warning", "Stock")]
