"""readable.version_store: a version store that was full, as its log tells, and waits of readers."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.readable import Readable
from tests.behind import assert_facts, behind
from tests.diagnostics.readable.test_version_store import EVERY, PRIMARY_TOO, SECONDARY, perfmon, values
from tests.diagnostics.tiny import START, case

NOT_ADDED = (3959, "Version store is full. New version(s) could not be added.")
VICTIM = (
    3967,
    "Insufficient space in tempdb to hold row versions. Need to shrink the version store to free up some "
    "space in tempdb. Transaction (id=71 xsn=5 spid=88 elapsed_time=7200) has been marked as victim.",
)
NO_SPACE = (1105, "Could not allocate space for object 'dbo.SORT' in database 'tempdb' because it is full.")
ELSEWHERE = (1105, "Could not allocate space for object 'dbo.T' in database 'Sales' because it is full.")


def logged(*entries, relations=SECONDARY, text="", is_known=True):
    made = case(text, relations=relations, every=EVERY)
    rows = []
    for line, (at, (number, message)) in enumerate(entries, 1):
        local = START + timedelta(seconds=at)
        rows.append(
            {"content_id": "log", "line": line, "host_id": "SQL2", "error": number, "message": message,
             "time_local": local, "time": local.replace(tzinfo=UTC) if is_known else None}
        )  # fmt: skip
    made.insert("errorlog", rows)
    made.insert(
        "captures", [{"capture_id": "log", "content_id": "log", "path": "ERRORLOG", "host_id": "SQL2"}]
    )
    return Readable(made).findings()


def test_a_version_store_that_was_full_is_critical():
    (found,) = logged((600, NOT_ADDED), (660, VICTIM), (670, VICTIM), (680, NO_SPACE))
    assert (found.severity, found.confidence) == ("critical", 0.9)
    assert found.subject == {"host": "SQL2"}
    assert found.window == {"start": "2024-03-05T12:10:00+00:00", "end": "2024-03-05T12:11:20+00:00"}
    assert_facts(
        found,
        host="SQL2",
        grew=None,
        not_added=1,
        counts=[["3959", 1], ["3967", 2], ["1105 of tempdb", 1]],
        victim=88,
        victim_s=7200,
    )
    assert values(found) == {
        "version store full, versions not added": 1,
        "transactions chosen as victims": 2,
        "no space in tempdb": 1,
        "session 88, a victim, had run": 7200,
    }


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (VICTIM, {'host': 'SQL2', 'victims': 1, 'grew': None, 'not_added': 0}),
        ((3958, "Transaction aborted."), {'host': 'SQL2', 'grew': None, 'not_added': 0, 'victims': 0}),
        ((3966, "Transaction is rolled back."), {'host': 'SQL2', 'grew': None, 'not_added': 0, 'victims': 0}),
        ((None, NOT_ADDED[1]), {'host': 'SQL2', 'grew': None, 'not_added': 1, 'counts': [['3959', 1]]}),
        ((None, VICTIM[1]), {'host': 'SQL2', 'victims': 1, 'grew': None, 'not_added': 0}),
        ((3959, "Der Versionsspeicher ist voll."),
         {'host': 'SQL2', 'grew': None, 'not_added': 1, 'counts': [['3959', 1]]}),
    ],
)  # fmt: skip
def test_each_message_tells_it_in_any_language(entry, title):
    (found,) = logged((600, entry))
    assert_facts(found, **title)


def test_no_space_in_tempdb_alone_is_not_the_version_stores():
    assert logged((600, NO_SPACE)) == []


def test_no_space_in_another_database_does_not_count():
    (found,) = logged((600, NOT_ADDED), (601, ELSEWHERE))
    assert "no space in tempdb" not in values(found)


def test_a_server_without_a_secondary_then_is_not_spoken_of():
    assert logged((600, NOT_ADDED), relations=PRIMARY_TOO) == []
    late = SECONDARY.replace("T11:00:00Z", "T12:10:01Z")
    assert logged((600, NOT_ADDED), relations=late) == []
    assert len(logged((601, NOT_ADDED), relations=late)) == 1


def test_a_server_that_has_a_primary_as_well_is_less_sure():
    (found,) = logged((600, NOT_ADDED), relations=f"{SECONDARY}\n{PRIMARY_TOO}")
    assert found.confidence == 0.5


def test_the_growth_before_it_is_told_with_it():
    (found,) = logged((1700, NOT_ADDED), text=perfmon(free="8000000..0"))
    assert_facts(found, growth=3923900000.0, grew=1945600000.0, size=2048000000.0, counts=[["3959", 1]])
    assert values(found)["version store"] == 2_000_000 * 1024


def test_an_offset_that_is_not_known_leaves_the_moment_local():
    local = (
        "SQL2 | - | roles | ag=AG; role=SECONDARY; start_local=2024-03-05T11:00:00; "
        "end_local=2024-03-05T14:00:00"
    )
    (found,) = logged((600, NOT_ADDED), relations=local, is_known=False)
    assert found.window["local"] is True


def test_readers_that_wait_for_versions():
    wait = (
        "SQL2 | 600 | waits | wait_type=HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING; seconds=60; "
        "waiting_tasks=30; wait_ms={}; line=7"
    )
    (found,) = Readable(case(relations=f"{SECONDARY}\n{wait.format(6000)}")).findings()
    assert_facts(found, host="SQL2", n=30, rate=100.0)
    assert found.subject == {"host": "SQL2", "kind": "waits"}
    assert found.window == {"start": "2024-03-05T12:09:00+00:00", "end": "2024-03-05T12:10:00+00:00"}
    assert Readable(case(relations=f"{SECONDARY}\n{wait.format(5999)}")).findings() == []
    assert Readable(case(relations=wait.format(6000))).findings() == []


@pytest.mark.parametrize(("apart", "others"), [(900, ""), (901, "It was full 1 other time as well.")])
def test_entries_a_quarter_of_an_hour_apart_are_another_time(apart, others):
    (found,) = logged((0, NOT_ADDED), (apart, NOT_ADDED))
    assert bool(behind(found)["others"]) == bool(others)
