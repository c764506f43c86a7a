"""Databases that the views of a server show as suspended."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import judged
from tests.diagnostics.tiny import case

ROW = (
    "P | {at} | database_states | ag=AG; replica={replica}; database={database}; is_local=false; "
    "is_suspended={is_suspended}; "
    "suspend_reason={reason}; secondary_lag_s=0; log_send_queue_kb=0; redo_queue_kb=0\n"
)


def row(at=60, replica="S", database="Sales", is_suspended="true", reason="SUSPEND_FROM_USER"):
    return ROW.format(at=at, replica=replica, database=database, is_suspended=is_suspended, reason=reason)


def found(*rows):
    findings = Transport(case(relations="".join(rows))).findings()
    return [each for each in findings if each.id == "transport.suspended"]


def test_a_suspended_database_is_a_warning_about_its_replica():
    (one,) = found(row())
    assert (one.severity, one.confidence, one.subject) == (
        "warning",
        0.9,
        {"ag": "AG", "replica": "S", "database": "Sales"},
    )


def test_its_window_begins_at_the_first_snapshot_since_it_moved_last():
    (one,) = found(row(0), row(60, is_suspended="false"), row(120), row(180))
    assert one.window == {"start": "2024-03-05T12:02:00+00:00", "end": "2024-03-05T12:03:00+00:00"}


def test_one_that_moved_at_the_last_snapshot_is_not_told():
    assert found(row(0), row(60, is_suspended="false")) == []


def test_databases_of_a_replica_with_one_reason_are_one_finding():
    (one,) = found(row(database="A"), row(database="B"))
    assert judged(one).facts["databases"] == ["A", "B"]


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("SUSPEND_FROM_REDO", "halted.redo"),
        ("SUSPEND_FROM_XRF_UPDATE", "halted.revalidation"),
        ("NEW", "halted.other"),
    ],
)
def test_each_reason_has_its_words(reason, said):
    (one,) = found(row(reason=reason))
    assert judged(one).said == said


def test_a_message_after_the_snapshot_that_it_moves_again_ends_it():
    resumed = "S | 90 | timeline | kind=movement_resumed; database=Sales; replica=S\n"
    assert found(row(60), resumed) == []


def test_queues_of_zero_are_told_as_no_sign_of_health():
    (one,) = found(row())
    assert judged(one).facts["reads_zero"] is True


def test_a_replica_without_a_name_is_told_by_its_id():
    text = "P | 60 | database_states | database_id=6; replica_id=8a1c; is_local=false; is_suspended=true\n"
    (one,) = found(text)
    assert one.subject == {"replica": "8a1c"}
