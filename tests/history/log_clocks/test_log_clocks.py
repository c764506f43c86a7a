"""Gaps of perfmon logs, steps back in time, and logs without a known offset from UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.history import log_clocks
from tests.diagnostics.asking import ask
from tests.diagnostics.tiny import START, case

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
CAPTURE = {"content_id": "log", "host_id": "A", "superseded_by": None, "reader": "perfmon_blg"}
COUNTER = {"content_id": "log", "host_id": "A", "object": "o", "instance": None, "counter": "x"}


def gaps(*steps, factor=2.0):
    moments = [NOON]
    for step in steps:
        moments.append(moments[-1] + timedelta(seconds=step))
    ticks = [{"content_id": "log", "tick": n, "time": at, "time_local": None} for n, at in enumerate(moments)]
    # A row that is not chosen keeps the types of local times.
    ticks.append({"content_id": "x", "tick": 0, "time": None, "time_local": NOON.replace(tzinfo=None)})
    captures = [CAPTURE, CAPTURE | {"content_id": "x", "superseded_by": "log"}]
    asked = {"factor": factor}
    found = ask(log_clocks, "perfmon_gaps", asked, ticks=ticks, captures=captures, counters=[COUNTER])
    return [(row["missing_s"], row["missing_rows"]) for row in found]


@pytest.mark.parametrize(
    ("longest", "factor", "found"),
    [
        (40, 2.0, [(30.0, 3)]),
        (30, 2.0, []),  # two rows are missing, no more
        (40, 4.0, []),  # no longer than so many steps
        (41, 4.0, [(31.0, 3)]),
    ],
)
def test_a_gap_is_longer_than_some_steps_and_misses_more_than_two_rows(longest, factor, found):
    assert gaps(10, 10, longest, 10, 10, factor=factor) == found


def test_a_row_before_the_one_written_earlier_is_a_step_back():
    made = case(r"A | \Memory\Available MBytes | 1", rows=3, every=5)
    made.run("update ticks set time = time - interval 30 seconds where tick = 2")
    (row,) = made.rows("select source, host_id, line, back_s from clock_steps")
    assert tuple(row.values()) == ("perfmon", "A", 2, 25.0)


@pytest.mark.parametrize(("back_s", "n"), [(59, 0), (60, 1), (2999, 1), (3000, 0), (3660, 0), (3661, 1)])
def test_an_entry_a_minute_before_the_last_one_is_a_step_back_unless_daylight_saving_ended(back_s, n):
    made = case()
    made.run("insert into captures by name select 'log' as content_id, 'A' as host_id, 'errorlog' as reader")
    made.insert(
        "errorlog",
        [{"content_id": "log", "line": line, "time_local": START + timedelta(seconds=at)}
         for line, at in ((1, 0), (2, 4000), (3, 4000 - back_s))],
    )  # fmt: skip
    rows = made.rows("select source, line, back_s from clock_steps")
    assert [tuple(row.values()) for row in rows] == [("ERRORLOG", 3, back_s)] * n


def test_rows_in_local_time_alone_are_counted_by_log():
    perfmon = r"A | \Memory\Available MBytes | 1"
    made = case(perfmon, rows=3, every=5, zone_unknown=("A",))
    (row,) = made.rows("select source, host_id, rows, unknown, first_local from unknown_offsets")
    assert tuple(row.values()) == ("perfmon", "A", 3, 3, START)
    assert case(perfmon, rows=3).rows("from unknown_offsets") == []
