"""redo.waits: who holds the lock that redo waits for, since when, and what it costs."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.redo import Redo
from tests.behind import assert_facts
from tests.diagnostics.redo.test_waits import BEHIND
from tests.diagnostics.tiny import case

WHOSE = (
    "client=REPORTS1; program=Report server; login=DOM\\reports; statement=SELECT * FROM dbo.Orders; "
    "seconds=3600"
)


def blocked(at=600, ms=45_000, session=88, whose=WHOSE, host="SQL2"):
    return (
        f"{host} | {at} | blocked_redo | redo_session_id=31; database=Sales; database_id=5; "
        f"wait_type=LCK_M_SCH_M; wait_ms={ms}; session_id={session}; {whose}"
    )


def findings(*relations, **given):
    return Redo(case(relations="\n".join(relations), **given)).findings()


def test_a_recovery_queue_that_grows_meanwhile_is_what_it_costs():
    behind = BEHIND.replace("start=2024", "recovery_queue_last_bytes=9000000; start=2024", 1)
    (found,) = findings(behind, blocked())
    assert found.severity == "warning"
    assert_facts(found, growth=5000.0, who=True)
    assert [each.value for each in found.evidence][-2:] == [5000, 9000000]


def test_a_queue_that_grew_at_another_time_is_not_its_cost():
    (found,) = findings(BEHIND.replace("T12:00", "T12:20"), blocked())
    assert found.severity == "notice"


@pytest.mark.parametrize(("ms", "n"), [(9_999, 0), (10_000, 1)])
def test_a_wait_shorter_than_the_threshold_is_not_spoken_of(ms, n):
    assert len(findings(blocked(ms=ms))) == n


def test_where_the_offset_is_not_known_the_moment_is_the_hosts():
    (found,) = findings(blocked(), zone_unknown=("SQL2",))
    assert found.window == {"start": "2024-03-05T12:09:15", "end": "2024-03-05T12:10:00", "local": True}


def test_a_look_at_the_blocker_needs_no_wait_statistics():
    assert Redo(case(relations=blocked())).missing() == []
    (_plea,) = Redo(case()).missing()
