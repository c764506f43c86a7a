"""What is judged of one row, at the bounds of each rule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics import database
from agtrace.diagnostics.database import judge, log_full
from agtrace.diagnostics.database.analysis import APART_S
from agtrace.diagnostics.database.rows import Full, Traced
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import ask, record
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
LIMITS = Thresholds()
WHEN = {"start": NOON, "end": NOON, "start_local": LOCAL, "end_local": LOCAL}
FILLING = WHEN | {
    "stretch": "filling", "host_id": "A", "database": "Sales", "ag": "AG", "replica": "B",
    "hop": "connection", "reason": None,
    "growth": 10.0, "late_growth": 10.0, "growth_error": None, "samples": 120,
    "used_bytes": 1000.0, "size_bytes": 2000.0, "held_bytes": None, "held_place": None, "held_since": None,
    "write_ms": None, "writes_n": None, "path": "ERRORLOG", "line": 4, "entries": 1, "reason_place": "a look",
    "volume": None,
}  # fmt: skip


def judged(**row):
    return log_full.full([record(Full, **FILLING | row)], LIMITS)


def facts(**row):
    (one,) = judged(**row)
    return tuple(one.facts[name] for name in ("full_in", "low", "high"))


def test_a_log_is_full_when_what_is_left_is_filled_at_its_growth():
    assert facts() == (100.0, 100.0, 100.0)


def test_the_error_of_the_growth_bounds_when_it_is_full():
    error = 2.0 / log_full.SIGMAS
    assert facts(growth_error=error) == (100.0, 1000 / 12, 1000 / 8)


def test_a_log_that_holds_more_than_its_file_is_full_now():
    assert facts(used_bytes=2500.0) == (0.0, 0.0, 0.0)


@folded(
    ("row", "n"),
    [
        ({"growth_error": 10.0 / log_full.SIGMAS}, 0),  # the growth may be none
        ({"growth_error": 9.99 / log_full.SIGMAS}, 1),
        ({"late_growth": 5.0}, 1),
        ({"late_growth": 4.9}, 0),  # it goes on at less than half of its rate
        ({"late_growth": None}, 0),
        ({"growth": 0.05, "late_growth": None}, 0),
        ({"size_bytes": 1000 + 10 * 3600 * LIMITS.log_full_h}, 1),
        ({"size_bytes": 1001 + 10 * 3600 * LIMITS.log_full_h}, 0),
        ({"hop": "send"}, 0),  # nothing shows that the replica holds it back
        ({"hop": "send", "held_bytes": 1000 * LIMITS.log_held_share}, 1),
        ({"hop": "send", "held_bytes": 999 * LIMITS.log_held_share}, 0),
        ({"hop": "send", "used_bytes": 0.0}, 1),
        ({"hop": "send", "used_bytes": 0.1, "held_bytes": None}, 0),
    ],
)
def test_a_log_fills_where_it_grows_goes_on_is_held_back_and_is_full_within_a_day(row, n):
    assert len(judged(**row)) == n


@pytest.mark.parametrize(
    ("row", "confidence"),
    [
        ({"hop": "redo", "held_place": "a.csv line 2", "held_since": None}, 0.65),
        ({"hop": "redo", "held_place": "a.csv line 2", "held_since": NOON}, 0.85),
        ({"hop": "connection"}, 0.95),
        ({"hop": None}, 0.8),
        ({"hop": None, "reason": "LOG_BACKUP"}, 0.95),
    ],
)
def test_a_snapshot_without_a_time_is_less_sure(row, confidence):
    (one,) = judged(**{"stretch": "full", "reason": "AVAILABILITY_REPLICA"} | row)
    assert one.confidence == confidence


@pytest.mark.parametrize(("reason", "told"), [("AVAILABILITY_REPLICA", ["a look"]), ("NOTHING", [])])
def test_the_reason_that_a_look_showed_is_evidence(reason, told):
    (one,) = judged(reason=reason)
    assert [each.source for each in one.evidence if each.measure.label == "reason"] == told


@pytest.mark.parametrize(("growth", "shown"), [(0.5, [0.5]), (0.0, []), (-0.5, []), (None, [])])
def test_of_a_full_log_a_growth_is_shown_where_it_grew(growth, shown):
    (one,) = judged(stretch="full", reason="LOG_BACKUP", growth=growth)
    assert [each.value for each in one.evidence if each.measure is log_full.GROWTH] == shown


@pytest.mark.parametrize("lacking", ["start", "end"])
def test_a_window_with_one_end_in_utc_is_told_in_local_time(lacking):
    assert judged(**{lacking: None})[0].window["start"] == "2024-03-05T12:00:00"


TRACED = WHEN | {"host_id": "B", "database": "Sales", "path": "x.xel", "entries": 4, "samples": 4,
                 "text": "40 %", "percent": 40.0,
                 "slope": 2.0, "slope_error": None, "is_known": True}  # fmt: skip


def traced(**row):
    return judge._traced(record(Traced, **TRACED | row))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "left"),
        ({"slope": None}, "still"),
        ({"slope": 0.0}, "still"),
        ({"percent": None, "text": "Reverting completed"}, "over"),
        ({"percent": None, "text": "Reverting started", "slope": None}, "still"),
        ({"percent": 100.0}, "over"),
    ],
)
def test_a_traced_revert_is_over_goes_on_or_stands(row, said):
    assert traced(**row).said == f"reverting.traced_{said}"


@pytest.mark.parametrize(("known", "confidence"), [(True, judge.TRACED), (False, judge.TRACED - 0.1)])
def test_a_database_that_nothing_else_names_is_less_sure(known, confidence):
    assert traced(is_known=known).confidence == confidence


@pytest.mark.parametrize(
    ("error", "times"), [(None, (30.0, 30.0, 30.0)), (1 / judge.SIGMAS, (30.0, 20.0, 60.0))]
)
def test_what_is_left_of_a_traced_revert_has_the_error_of_its_rate(error, times):
    told = traced(slope_error=error).facts
    assert (told["time_left"], told["low"], told["high"]) == times


NAMED = {name: [{"database": ""}] for name in ("database_states", "streams", "timeline")}
NAMED["ag_names"] = [{"name": "Sales", "kind": "database"}, {"name": "AG1", "kind": "group"}]


def reverts(*rows):
    events = [
        {"host_id": "B", "content_id": "x", "seq": n, "time": NOON + timedelta(seconds=at), "text": text}
        for n, (at, text) in enumerate(rows)
    ]
    captures = [{"content_id": "x", "path": "x.xel"}]
    return ask(database, "traced", {"apart_s": APART_S}, hadr_traces=events, captures=captures, **NAMED)


@pytest.mark.parametrize(("name", "is_known"), [("Sales", True), ("AG1", False)])
def test_a_name_of_a_database_is_one_and_that_of_a_group_is_none(name, is_known):
    assert [row["is_known"] for row in reverts((0, f"reverting [{name}] 1 %"))] == [is_known]
