"""All that the findings about redo state besides their words, and the bounds of their rules."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.redo import Redo
from tests.behind import assert_facts
from tests.diagnostics.facts import facts
from tests.diagnostics.redo.test_blockers import blocked
from tests.diagnostics.redo.test_threads import DATABASES, LAST, findings, parallel
from tests.diagnostics.redo.test_waits import BEHIND, SECONDARY, waited
from tests.diagnostics.tiny import case
from tests.folded import folded

# Wait statistics from 12:08 to 12:10.
WAITED = waited("LCK_M_SCH_M", 24_000)
QUEUE = BEHIND.replace("start=2024", "recovery_queue_last_bytes=9000000; start=2024", 1)
FLAG = "SQL2 | - | trace_flags | flag={}; is_on={}; start=2024-03-05T11:00:00Z; path=ERRORLOG; line=5"
PERFMON = "perfmon of SQL2, Recovery Queue"


def told(*relations, **given):
    return [facts(each) for each in Redo(case(relations="\n".join(relations), **given)).findings()]


def evidence(*relations, **given):
    (one,) = told(*relations, **given)
    return one["evidence"]


def test_redo_that_waits_for_readers():
    events = "\n".join(
        f"SQL2 | {at} | lock_redo_blocked | database_name=Sales; object_id={77 + at % 5}" for at in range(13)
    )
    (one,) = told(SECONDARY, QUEUE, FLAG.format(3459, "true"), WAITED, blocked(), events=events)
    assert one == {
        "severity": "warning",
        "subject": {"host": "SQL2", "replica": "SQL2"},
        "window": {"start": "2024-03-05T12:08:00+00:00", "end": "2024-03-05T12:10:00+00:00"},
        "confidence": 0.9,
        "evidence": [
            ("LCK_M_SCH_M, n = 30", 200.0, "ms/s", "not captured"),
            ("wait statistics over", 120.0, "s", "1 interval"),
            ("growth of the recovery queues", 5000.0, "B/s", PERFMON),
            ("recovery queues at the end", 9_000_000.0, "B", PERFMON),
            ("lock_redo_blocked of Sales", 13, "", "SQL2.xel"),
            ("of its object 77", 3, "", "SQL2.xel"),
            ("of its object 78", 3, "", "SQL2.xel"),
            ("of its object 79", 3, "", "SQL2.xel"),
            ("redo waited for session 88", 45.0, "s", "a look line 5"),
            ("looks that show it", 1, "", "a look line 5"),
            ("its transaction open", 3600.0, "s", "a look line 5"),
            ("session 88", "REPORTS1, Report server, DOM\\reports", "", "a look line 5"),
            ("statement of session 88", "SELECT * FROM dbo.Orders", "", "a look line 5"),
            ("trace flag 3459", "on", "", "ERRORLOG line 3"),
        ],
    }


@pytest.mark.parametrize(("flag", "is_on"), [(3459, "false"), (3605, "true")])
def test_a_flag_that_is_off_or_another_does_not_make_redo_serial(flag, is_on):
    assert "trace flag 3459" not in [
        each[0] for each in evidence(SECONDARY, WAITED, FLAG.format(flag, is_on))
    ]


@folded(
    ("queue", "severity", "confidence"),
    [
        (BEHIND.replace("=5000", "=1"), "warning", 0.8),
        (BEHIND.replace("=5000", "=0"), "notice", 0.6),
        (BEHIND.replace("=5000", "=-1"), "notice", 0.6),
        (BEHIND.replace("T12:30:00", "T12:08:01"), "warning", 0.8),
        (BEHIND.replace("T12:30:00", "T12:08:00"), "notice", 0.6),
        (BEHIND.replace("T12:00:00", "T12:09:59"), "warning", 0.8),
        (BEHIND.replace("T12:00:00", "T12:10:00"), "notice", 0.6),
        (BEHIND.replace("replica_host_id=SQL2", "replica_host_id=SQL3"), "notice", 0.6),
    ],
)
def test_a_queue_counts_where_it_grew_in_the_very_time(queue, severity, confidence):
    (one,) = told(SECONDARY, queue, WAITED)
    assert (one["severity"], one["confidence"]) == (severity, confidence)


@pytest.mark.parametrize(
    ("role", "n"),
    [
        (SECONDARY.replace("T11:00:00", "T12:08:00"), 1),
        (SECONDARY.replace("T11:00:00", "T12:08:01"), 0),
        (SECONDARY.replace("T13:00:00", "T12:10:00"), 1),
        (SECONDARY.replace("T13:00:00", "T12:09:59"), 0),
        ("SQL2 | - | roles | ag=AG; role=SECONDARY", 1),
        (SECONDARY.replace("SQL2", "SQL3"), 0),
    ],
)
def test_waits_count_where_the_server_was_secondary_all_the_time(role, n):
    assert len(told(role, WAITED)) == n


@pytest.mark.parametrize(("ms", "n"), [(11_999, 0), (12_000, 1)])
def test_redo_waits_from_100_ms_a_second_on(ms, n):
    assert len(told(SECONDARY, waited("LCK_M_SCH_M", ms))) == n


def test_databases_without_threads():
    (one,) = findings([*parallel(6), LAST], DATABASES, growth=700)
    log = "ERRORLOG, messages 49930"
    assert facts(one) == {
        "severity": "warning",
        "subject": {"host": "SQL2", "replica": "SQL2", "kind": "threads"},
        "window": {"start": "2024-03-05T12:05:00+00:00", "end": "2024-03-05T12:10:00+00:00"},
        "confidence": 0.8,
        "evidence": [
            ("threads of parallel redo", 96, "", log),
            ("databases that have them", 6, "", log),
            ("secondary databases that have none", 2, "", f"{log}, against perfmon of SQL2"),
            ("databases without threads", "Db6, Db7", "", "perfmon of SQL2"),
            ("growth of their recovery queues", 1400.0, "B/s", PERFMON),
        ],
    }


@pytest.mark.parametrize(("threads", "n"), [(50, 0), (51, 1)])
def test_threads_are_used_up_where_the_largest_share_does_not_fit_again(threads, n):
    assert len(findings([*parallel(1, threads=threads), LAST], DATABASES)) == n


@pytest.mark.parametrize(("version", "n"), [("15.0.4420.2", 1), ("16.0.4085.2", 0), ("unknown", 0)])
def test_the_limit_is_that_of_versions_up_to_2019(version, n):
    assert len(findings([*parallel(6), LAST], DATABASES, version=version)) == n


def test_three_sessions_are_shown_and_all_are_counted():
    sessions = [blocked(ms=20_000 + n, session=80 + n, whose=f"client=C{n}") for n in range(4)]
    (found,) = Redo(case(relations="\n".join(sessions))).findings()
    shown = [each.label for each in found.evidence if each.label.startswith("redo waited")]
    assert shown == [f"redo waited for session {number}" for number in (83, 82, 81)]
    assert_facts(found, others=3, who=True)


def test_a_snapshot_without_a_time_names_the_blocker_without_a_window():
    (one,) = Redo(case(relations=blocked().replace("| 600 |", "| - |"))).findings()
    assert (one.window, one.confidence) == ({}, 0.8)


@pytest.mark.parametrize(("issue", "n"), [("middle_missing", 0), ("far_times", 1)])
def test_a_log_that_lacks_its_middle_tells_nothing(issue, n):
    assert len(findings([*parallel(6), LAST], DATABASES, issue=issue)) == n
