"""redo.waits: who holds the lock that redo waits for, since when, and what it costs."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.redo import Redo
from tests.behind import assert_facts
from tests.diagnostics.redo.test_waits import BEHIND, SECONDARY, waited
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


def test_the_session_that_blocks_redo_is_named_with_what_it_ran():
    (found,) = findings(blocked(at=590, ms=35_000), blocked())
    assert found.id == "redo.waits"
    assert_facts(found, host="SQL2", who=True)
    assert (found.severity, found.confidence) == ("notice", 0.9)
    assert found.subject == {"host": "SQL2", "replica": "SQL2"}
    assert found.window == {"start": "2024-03-05T12:09:15+00:00", "end": "2024-03-05T12:10:00+00:00"}
    values = [(each.label, each.value) for each in found.evidence]
    assert values == [
        ("redo waited for session 88", 45.0),
        ("looks that show it", 2),
        ("its transaction open", 3600),
        ("session 88", "REPORTS1, Report server, DOM\\reports"),
        ("statement of session 88", "SELECT * FROM dbo.Orders"),
    ]


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


def test_waits_for_readers_name_the_session_and_do_not_ask_for_it():
    (found,) = findings(SECONDARY, waited("LCK_M_SCH_M", 24_000), blocked())
    assert_facts(found, host="SQL2", rate=200.0, who=True, types=["LCK_M_SCH_M"])
    assert found.confidence == 0.9


def test_a_session_number_of_another_client_is_another_session():
    (found,) = findings(blocked(at=300, ms=20_000, whose="client=OTHER"), blocked())
    assert_facts(found, others=1, who=True)


def test_a_session_that_nothing_names_is_a_number():
    (found,) = findings(blocked(whose=""))
    assert_facts(found, who=True)


def test_where_the_offset_is_not_known_the_moment_is_the_hosts():
    (found,) = findings(blocked(), zone_unknown=("SQL2",))
    assert found.window == {"start": "2024-03-05T12:09:15", "end": "2024-03-05T12:10:00", "local": True}


def test_the_table_shows_every_session_however_short_it_blocked():
    made = Redo(case(relations=blocked(ms=10)))
    assert made.findings() == []
    assert made.tbl_blockers()[["session_id", "looks", "longest_s"]].values.tolist() == [[88, 1, 0.01]]


def test_objects_of_locked_events_are_evidence():
    events = "\n".join(
        f"SQL2 | {at} | lock_redo_blocked | database_name=Sales; object_id=77" for at in (1, 2)
    )
    (found,) = findings(SECONDARY, waited("LCK_M_SCH_M", 24_000), events=events)
    assert ("of its object 77", 2) in [(each.label, each.value) for each in found.evidence]
    assert_facts(found, since="2024-03-05T12:00:01+00:00", types=["LCK_M_SCH_M"], databases=["Sales"])


def test_a_look_at_the_blocker_needs_no_wait_statistics():
    assert Redo(case(relations=blocked())).missing() == []
    (_plea,) = Redo(case()).missing()
