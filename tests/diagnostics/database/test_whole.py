"""All that the findings about databases state besides their words."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.database.test_log_full import full, happened, stream
from tests.diagnostics.database.test_not_recovered import FAULT, with_cause
from tests.diagnostics.database.test_reverting import found
from tests.diagnostics.facts import facts
from tests.diagnostics.tiny import case

OF_AG = "SQL1 | 5 | database_states | ag=AG; database=Sales; replica=SQL1"
USED = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Used Size (KB) | "
SIZE = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Size (KB) | 2000"
AT_300_S = {"start": "2024-03-05T12:05:00+00:00", "end": "2024-03-05T12:05:00+00:00"}
AT_100_S = {"start": "2024-03-05T12:01:40+00:00", "end": "2024-03-05T12:01:40+00:00"}
LEFT_OF = "Log remaining for undo of Sales on SQL2, n = "


def only(**given):
    (one,) = Databases(case(**given)).findings()
    return facts(one)


def labels(**given):
    return [label for label, *_ in only(**given)["evidence"]]


def test_a_log_that_a_replica_holds_back():
    found = only(perfmon=f"{USED}1000..1119\n{SIZE}", messages=full(300), relations=stream("SQL2", 5, 700))
    assert found == {
        "severity": "critical",
        "subject": {"ag": "AG", "database": "Sales", "replica": "SQL2", "host": "SQL1"},
        "window": AT_300_S,
        "confidence": 0.85,
        "evidence": [
            ("entries that tell of it", 1, "", "errorlog-SQL1 line 1"),
            ("reason", "AVAILABILITY_REPLICA", "", "errorlog-SQL1 line 1"),
            ("log used", 1_097_730.0, "B", "perfmon of SQL1, Sales"),
            ("size of the log", 2_048_000.0, "B", "perfmon of SQL1, Sales"),
            ("growth of the log before", 204.8, "B/s", "perfmon of SQL1, Sales, n = 61"),
            ("held back by", "SQL2", "", "redo, as the captures show it"),
            ("queue of the replica that holds it back", 700.0, "B", "perfmon, redo queue of SQL2"),
        ],
    }


def test_a_movement_that_the_primary_itself_suspended_names_no_replica():
    suspended = happened(60, "movement_suspended", host="SQL1")
    assert only(messages=full(300), relations=f"{OF_AG}\n{suspended}") == {
        "severity": "critical",
        "subject": {"ag": "AG", "database": "Sales", "replica": "", "host": "SQL1"},
        "window": AT_300_S,
        "confidence": 0.95,
        "evidence": [
            ("entries that tell of it", 1, "", "errorlog-SQL1 line 1"),
            ("reason", "AVAILABILITY_REPLICA", "", "errorlog-SQL1 line 1"),
            ("held back by", "not named", "", "suspended, as the captures show it"),
        ],
    }


@pytest.mark.parametrize(
    ("values", "grows"), [("50,60,-", False), ("50,60,70,-", True), ("70,60,50,-", False), ("50", False)]
)
def test_growth_takes_three_samples_that_rise(values, grows):
    told = labels(perfmon=USED + values, messages=full(300, reason="LOG_BACKUP"))
    assert ("growth of the log before" in told) == grows


def test_growth_is_that_of_the_hour_before_and_not_of_what_came_later():
    # Every 5 s: it grows until 100 s, when it is full, and is empty from then on.
    told = only(perfmon=f"{USED}21x1000..1100, 5", messages=full(100, reason="LOG_BACKUP"))
    growth = {label: value for label, value, *_ in told["evidence"]}["growth of the log before"]
    assert growth == pytest.approx(5 * 1024 / 5, rel=0.01)


@pytest.mark.parametrize(
    ("send", "redo", "hop"),
    [(0, 0, None), (0, 1, "redo"), (1, 0, "send"), (5, 5, "redo"), (6, 5, "send"), (5, 6, "redo")],
)
def test_the_longer_queue_is_the_hop_and_an_empty_one_none(send, redo, hop):
    told = only(messages=full(300), relations=stream("SQL2", send, redo))
    sources = {label: source for label, _, _, source in told["evidence"]}
    assert sources.get("held back by") == (hop and f"{hop}, as the captures show it")
    assert told["confidence"] == (0.85 if hop else 0.8)


def test_a_connection_that_was_lost_after_the_log_was_full_does_not_hold_it():
    assert "held back by" not in labels(messages=full(100), relations=happened(130, "database_disconnected"))


def test_a_stream_that_ended_before_or_began_later_is_none_of_that_time():
    ended = stream("SQL2", 5, 700).replace("end=2024-03-05T12:15:00Z", "end=2024-03-05T12:04:00Z")
    begun = stream("SQL2", 5, 700).replace("start=2024-03-05T12:00:00Z", "start=2024-03-05T12:06:00Z")
    for other in (ended, begun):
        assert "held back by" not in labels(messages=full(300), relations=other)


def test_a_revert_at_its_rate():
    # 120 samples from 4,000 to 2,000 KB, every 5 s: 2,000 KB in 595 s.
    (one,) = found("4000..2000")
    assert facts(one) == {
        "severity": "warning",
        "subject": {"database": "Sales", "replica": "SQL2"},
        "window": {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:09:55+00:00"},
        "confidence": 0.9,
        "evidence": [
            ("log remaining for undo", 2_048_000.0, "B", f"{LEFT_OF}120"),
            ("log requiring undo in all", 4_096_000.0, "B", "Total Log requiring undo of Sales"),
            ("reverted", 3442.02, "B/s", f"{LEFT_OF}120"),
            ("time left", 595.0, "s", f"{LEFT_OF}120"),
            ("time left, at least", 595.0, "s", f"{LEFT_OF}120"),
            ("time left, at most", 595.0, "s", f"{LEFT_OF}120"),
        ],
    }


def test_a_revert_that_was_done():
    (one,) = found("30x4000..100, 0")
    assert facts(one) == {
        "severity": "notice",
        "subject": {"database": "Sales", "replica": "SQL2"},
        "window": {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:02:25+00:00"},
        "confidence": 0.9,
        "evidence": [
            ("log remaining for undo", 102_400.0, "B", f"{LEFT_OF}30"),
            ("log requiring undo in all", 4_096_000.0, "B", "Total Log requiring undo of Sales"),
            ("reverted", 27542.1, "B/s", f"{LEFT_OF}30"),
        ],
    }


@pytest.mark.parametrize(("samples", "has_rate"), [(19, False), (20, True)])
def test_a_rate_takes_twenty_samples(samples, has_rate):
    (one,) = found(f"{samples}x4000..3000, -")
    assert ("reverted" in [label for label, *_ in facts(one)["evidence"]]) == has_rate


def test_a_revert_that_grows_has_no_rate_and_one_whose_total_is_not_captured_no_total():
    (one,) = found("2000..4000", total="")
    assert [label for label, *_ in facts(one)["evidence"]] == ["log remaining for undo"]


def test_two_reverts_are_apart_where_nothing_was_left_between_them():
    assert [facts(each)["severity"] for each in found("30x4000..100, 30x0, 30x3000..2000, -")] == [
        "warning", "notice",
    ]  # fmt: skip


def test_the_instance_in_all_is_no_database():
    assert found("4000..2000".replace("Sales", "_Total"), total="") != []
    perfmon = r"SQL2 | \SQLServer:Database Replica(_Total)\Log remaining for undo | 4000..2000"
    assert Databases(case(perfmon=perfmon)).findings() == []


def test_a_look_is_told_only_where_perfmon_does_not_tell():
    look = "SQL2 | 60 | database_states | {}database=Sales; replica=SQL2; synchronization_state=reverting"
    assert only(relations=look.format("ag=AG; ")) == {
        "severity": "warning",
        "subject": {"ag": "AG", "database": "Sales", "replica": "SQL2"},
        "window": {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:01:00+00:00"},
        "confidence": 0.9,
        "evidence": [("state", "REVERTING", "", "a look line 1")],
    }
    assert only(relations=look.format(""))["subject"]["ag"] == ""
    assert len(found("4000..2000", relations=look.format("ag=AG; "))) == 1


def test_a_database_that_did_not_recover():
    (one,) = Databases(with_cause()).findings()
    assert facts(one) == {
        "severity": "critical",
        "subject": {"ag": "", "database": "Sales", "host": "SQL1"},
        "window": AT_100_S,
        "confidence": 0.95,
        "evidence": [
            ("entries that tell of it", 1, "", "errorlog-SQL1 line 50"),
            (
                "logged just before (error 824)",
                "SQL Server detected a logical consistency-based I/O error in file 'E:\\Sales.mdf'.",
                "",
                "errorlog-SQL1 line 40",
            ),
        ],
    }


@pytest.mark.parametrize(
    ("happened", "is_back"),
    [
        ("kind=database_connected", True),
        ("kind=database_role; after=secondary", True),
        ("kind=database_role; after=PRIMARY", True),
        ("kind=database_role; after=RESOLVING", False),
        ("kind=database_disconnected", False),
    ],
)
def test_a_database_is_back_once_it_is_connected_or_has_a_role(happened, is_back):
    later = f"SQL1 | 200 | timeline | database=Sales; {happened}"
    told = only(messages=FAULT, relations=f"{later}\n{OF_AG}")
    assert (told["severity"], told["subject"]["ag"]) == ("warning" if is_back else "critical", "AG")
    back = [("back", "2024-03-05 12:03:20.0 UTC", "", "timeline of its host")]
    assert told["evidence"][1:] == (back if is_back else [])


def test_what_happened_before_the_fault_brought_nothing_back():
    earlier = "SQL1 | 90 | timeline | kind=database_connected; database=Sales"
    assert only(messages=FAULT, relations=earlier)["severity"] == "critical"


@pytest.mark.parametrize(
    "fault", [FAULT, FAULT.replace("3414", "3313").replace("not_recovered", "redo_failed")]
)
def test_where_its_session_told_no_cause_the_message_itself_is_what_to_look_up(fault):
    back = "SQL1 | 200 | timeline | kind=database_connected; database=Sales"
    (one,) = Databases(case(messages=fault, relations=back)).findings()
    assert_facts(one, host="SQL1", entries=1, error=None, back="2024-03-05T12:03:20+00:00")


def test_a_log_that_grows_by_less_than_a_byte_a_second_grows():
    told = only(perfmon=f"{USED}50..51", messages=full(3600, reason="LOG_BACKUP"), every=60.0)
    growth = {label: value for label, value, *_ in told["evidence"]}["growth of the log before"]
    assert growth == pytest.approx(1024 / (119 * 60), rel=0.01)


def test_a_revert_of_less_than_a_byte_a_second_has_a_rate():
    (one,) = found("4000..3999", every=60.0)
    reverted = {label: value for label, value, *_ in facts(one)["evidence"]}["reverted"]
    assert reverted == pytest.approx(1024 / (119 * 60), rel=0.01)


def test_two_samples_tell_a_rate_without_an_error_where_two_are_enough():
    (one,) = found("4000..2000", rows=2, settings={"thresholds": {"min_samples": 2}})
    numbers = {label: value for label, value, *_ in facts(one)["evidence"]}
    assert numbers["time left, at least"] == numbers["time left"] == numbers["time left, at most"] == 5.0


def test_only_connections_tell_which_replica_is_away():
    states = "\n".join([happened(60, "database_disconnected"), happened(70, "database_role")])
    held = only(messages=full(100), relations=states)["evidence"][-1]
    assert held == ("held back by", "SQL2", "", "connection, as the captures show it")


def test_a_fault_is_of_the_group_of_its_own_database():
    other = OF_AG.replace("database=Sales", "database=Other")
    elsewhere = OF_AG.replace("SQL1 |", "SQL3 |")
    assert only(messages=FAULT, relations=f"{other}\n{elsewhere}")["subject"]["ag"] == ""
