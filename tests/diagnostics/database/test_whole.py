"""All that the findings about databases state besides their words."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.database.faults import FAULT, with_cause
from tests.diagnostics.database.test_log_full import full, happened, stream
from tests.diagnostics.database.test_reverting import found
from tests.diagnostics.facts import facts
from tests.diagnostics.tiny import case

AT_100_S = {"start": "2024-03-05T12:01:40+00:00", "end": "2024-03-05T12:01:40+00:00"}
LEFT_OF = "Log remaining for undo of Sales on SQL2, n = "


def only(**given):
    (one,) = Databases(case(**given)).findings()
    return facts(one)


def labels(**given):
    return [label for label, *_ in only(**given)["evidence"]]


@pytest.mark.parametrize(
    ("send", "redo", "hop"),
    [(0, 0, None), (0, 1, "redo"), (1, 0, "send"), (5, 5, "redo"), (6, 5, "send"), (5, 6, "redo")],
)
def test_the_longer_queue_is_the_hop_and_an_empty_one_none(send, redo, hop):
    told = only(messages=full(300), relations=stream("SQL2", send, redo))
    sources = {label: source for label, _, _, source in told["evidence"]}
    assert sources.get("held back by") == (hop and f"{hop}, as the captures show it")
    assert (told["subject"]["ag"], told["confidence"]) == ("AG", 0.85 if hop else 0.8)


def test_a_connection_that_was_lost_after_the_log_was_full_does_not_hold_it():
    assert "held back by" not in labels(messages=full(100), relations=happened(130, "database_disconnected"))


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


def test_a_revert_that_grows_has_no_rate_and_one_whose_total_is_not_captured_no_total():
    (one,) = found("2000..4000", total="")
    assert [label for label, *_ in facts(one)["evidence"]] == ["log remaining for undo"]


def test_two_reverts_are_apart_where_nothing_was_left_between_them():
    assert [facts(each)["severity"] for each in found("30x4000..100, 30x0, 30x3000..2000, -")] == [
        "warning", "notice",
    ]  # fmt: skip


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


def test_a_revert_of_less_than_a_byte_a_second_has_a_rate():
    (one,) = found("4000..3999", every=60.0)
    reverted = {label: value for label, value, *_ in facts(one)["evidence"]}["reverted"]
    assert reverted == pytest.approx(1024 / (119 * 60), rel=0.01)


def test_two_samples_tell_a_rate_without_an_error_where_two_are_enough():
    (one,) = found("4000..2000", rows=2, settings={"thresholds": {"min_samples": 2}})
    numbers = {label: value for label, value, *_ in facts(one)["evidence"]}
    assert numbers["time left, at least"] == numbers["time left"] == numbers["time left, at most"] == 5.0
