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


def test_no_space_in_another_database_does_not_count():
    (found,) = logged((600, NOT_ADDED), (601, ELSEWHERE))
    assert "no space in tempdb" not in values(found)


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


@pytest.mark.parametrize(("apart", "others"), [(900, ""), (901, "It was full 1 other time as well.")])
def test_entries_a_quarter_of_an_hour_apart_are_another_time(apart, others):
    (found,) = logged((0, NOT_ADDED), (apart, NOT_ADDED))
    assert bool(behind(found)["others"]) == bool(others)
