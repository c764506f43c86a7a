"""What offset a capture's local time has: own word, sibling, user; and what a step means."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.far_times import END
from agtrace.resolve.clocks import START, StatedOffset, stated_offsets, stretches
from agtrace.store import CommitRecord, Fact, Summary

pytestmark = pytest.mark.usefixtures("zone")

FIRST, LAST = "2017-10-29T01:00:00", "2017-10-29T03:00:00"


def perfmon(bias: int | None = None, steps=(), interval: float = 15.0) -> CommitRecord:
    facts = [] if bias is None else [Fact("pdh_header", 0, "bias_minutes", str(bias))]
    summary = Summary(FIRST, LAST, interval, list(steps), facts=facts)
    return CommitRecord("c", 1, "k", "ingested", tables={"ticks": 9}, summary=summary)


def known(day: str, minutes: int) -> StatedOffset:
    return StatedOffset(datetime.fromisoformat(day), minutes, "ERRORLOG UTC adjustment")


def offsets(record, siblings=(), override=None):
    return [(s.tick_from, s.tick_to, s.offset_minutes) for s in stretches(record, list(siblings), override)]


def test_utc_is_local_plus_bias():
    assert offsets(perfmon(-330)) == [(0, None, 330)]


def test_the_own_bias_wins_over_siblings_and_the_user():
    assert offsets(perfmon(240), [known(FIRST, 60)], 120) == [(0, None, -240)]


def test_a_sibling_settles_what_the_header_lost():
    (stretch,) = stretches(perfmon(), [known(FIRST, -240)], 60)
    assert stretch.offset_minutes == -240
    assert stretch.source == "sibling capture of the host: ERRORLOG UTC adjustment"
    assert stretch.confidence == 0.9


def test_the_user_settles_what_nothing_else_does():
    assert offsets(perfmon(), [], 345) == [(0, None, 345)]


def test_unknown_stays_unknown():
    assert offsets(perfmon()) == []


def test_siblings_that_disagree_at_the_same_distance_settle_nothing():
    assert offsets(perfmon(), [known(FIRST, 60), known(FIRST, 0)]) == []


def test_the_nearer_sibling_counts():
    assert offsets(perfmon(), [known("2017-07-01", 60), known("2017-10-28", 0)]) == [(0, None, 0)]


def test_a_far_sibling_of_another_half_year_settles_nothing():
    assert offsets(perfmon(), [known("2017-01-01", 0), known("2017-07-01", 60)]) == []


def test_a_step_back_by_an_hour_opens_a_stretch():
    step = (2, "2017-10-29T01:59:59.562", "2017-10-29T01:00:14.562")
    assert offsets(perfmon(-60, [step])) == [(0, 2, 60), (2, None, 0)]


def test_a_step_forward_by_an_hour_is_a_gap():
    step = (2, "2017-10-29T01:00:00", "2017-10-29T02:00:15")
    assert offsets(perfmon(0, [step])) == [(0, None, 0)]


def test_a_step_forward_that_a_later_log_confirms_opens_a_stretch():
    step = (2, "2017-10-29T01:00:00", "2017-10-29T02:00:15")
    assert offsets(perfmon(0, [step]), [known("2017-11-01", 60)]) == [(0, 2, 0), (2, None, 60)]


def test_a_long_gap_is_a_gap():
    step = (2, "2017-10-29T01:00:00", "2017-10-29T02:30:00")
    assert offsets(perfmon(0, [step]), [known("2017-11-01", 60)]) == [(0, None, 0)]


def test_each_restart_states_its_own_offset():
    facts = [
        Fact("startup", 0, "utc_adjustment_minutes", "60", 5, "2017-10-29T01:00:00"),
        Fact("startup", 1, "utc_adjustment_minutes", "0", 50, "2017-10-29T02:30:00"),
    ]
    record = CommitRecord(
        "c", 1, "k", "ingested", tables={"errorlog": 9}, summary=Summary(FIRST, LAST, facts=facts)
    )
    first, second = stretches(record, [], None)
    assert (first.offset_minutes, second.offset_minutes) == (60, 0)
    assert first.local_to == second.local_from == datetime(2017, 10, 29, 2, 30)


def test_an_impossible_bias_is_no_bias():
    assert offsets(perfmon(99999)) == []


@pytest.mark.parametrize(
    ("hours", "minutes"), [("-5.00", -300), ("5.50", 330), ("5.75", 345), ("-3.50", -210), ("0.00", 0)]
)
def test_a_server_states_its_offset_in_hours(hours, minutes):
    facts = [Fact("server_property", 0, "UTCOffset_in_Hours", hours, 5, "2026-03-01T10:15:33")]
    record = CommitRecord(
        "c", 1, "k", "ingested", tables={"facts": 9}, summary=Summary(FIRST, LAST, facts=facts)
    )
    (stretch,) = stretches(record, [], None)
    assert stretch.offset_minutes == minutes


@pytest.mark.parametrize("hours", ["x", "", "nan", "inf", "99", "NULL"])
def test_what_is_no_offset_states_none(hours):
    facts = [Fact("server_property", 0, "UTCOffset_in_Hours", hours, 5, "2026-03-01T10:15:33")]
    record = CommitRecord(
        "c", 1, "k", "ingested", tables={"facts": 9}, summary=Summary(FIRST, LAST, facts=facts)
    )
    assert stretches(record, [], None) == []


def log_of_months() -> CommitRecord:
    summary = Summary("2017-08-01T00:00:00", "2017-11-30T00:00:00")
    return CommitRecord("c", 1, "k", "ingested", tables={"os_events": 9}, summary=summary)


def test_a_log_over_a_change_of_the_clock_is_known_on_both_sides_of_it():
    siblings = [known("2017-09-01", 120), known("2017-10-20", 120), known("2017-11-02", 60)]
    found = stretches(log_of_months(), siblings, None)
    assert [(s.local_from.date(), s.local_to.date(), s.offset_minutes) for s in found] == [
        (datetime(1, 1, 2).date(), datetime(2017, 10, 20).date(), 120),
        (datetime(2017, 11, 2).date(), datetime(9999, 12, 31).date(), 60),
    ]


def cluster_log() -> CommitRecord:
    facts = [Fact("cluster_log", 0, "utc_offset_minutes", "-300")]
    summary = Summary("2026-02-01T00:00:00", "2026-03-01T00:00:00", facts=facts)
    return CommitRecord("c", 1, "k", "ingested", tables={"cluster_log": 9}, summary=summary)


def test_a_cluster_log_over_a_change_of_the_clock_is_known_on_both_sides_of_it():
    siblings = [known("2026-02-10", -240), known("2026-02-20", -300)]
    found = stretches(cluster_log(), siblings, None)
    assert [(s.local_from.date(), s.local_to.date(), s.offset_minutes) for s in found] == [
        (datetime(1, 1, 2).date(), datetime(2026, 2, 10).date(), -240),
        (datetime(2026, 2, 20).date(), datetime(9999, 12, 31).date(), -300),
    ]


def test_an_offset_of_before_a_cluster_log_says_nothing_of_it():
    (stretch,) = stretches(cluster_log(), [known("2025-10-10", -240)], None)
    assert stretch.offset_minutes == -300


def test_a_cluster_log_states_its_offset_as_of_its_end():
    record = cluster_log()
    (stretch,) = stretches(record, [], None)
    assert stretch.offset_minutes == -300
    (stated,) = stated_offsets(record)
    assert stated.at == datetime(2026, 3, 1)


def hours(*pairs: tuple[str, str]) -> list[Fact]:
    return [
        Fact("repeated_hour", item, key, at, None, at)
        for item, pair in enumerate(pairs)
        for key, at in zip(("last", "first"), pair, strict=True)
    ]


def with_hours(*pairs: tuple[str, str]) -> list[int]:
    record = cluster_log()
    record.summary.facts.extend(hours(*pairs))
    return [(s.local_from, s.local_to, s.offset_minutes) for s in stretches(record, [], None)]


def test_a_cluster_log_that_has_an_hour_twice_has_another_offset_before_it():
    before, behind = with_hours(("2026-02-11T01:59:50", "2026-02-11T01:00:10"))
    assert before[1:] == (datetime(2026, 2, 11, 1, 0, 10), -240)
    assert (behind[0], behind[2]) == (datetime(2026, 2, 11, 1, 59, 50, 1), -300)


def test_two_sections_may_have_the_same_hour_twice():
    first, second = (
        ("2026-02-11T01:59:50", "2026-02-11T01:00:10"),
        ("2026-02-11T01:58:00", "2026-02-11T01:01:00"),
    )
    assert with_hours(first, second) == with_hours(first)


def test_a_clock_that_was_set_back_twice_is_no_daylight_saving():
    first, second = (
        ("2026-02-11T01:59:50", "2026-02-11T01:00:10"),
        ("2026-02-12T01:59:50", "2026-02-12T01:00:10"),
    )
    assert [offset for _from, _to, offset in with_hours(first, second)] == [-300]


def test_what_a_cluster_log_tells_of_a_change_settles_the_event_log_of_its_node():
    record = cluster_log()
    record.summary.facts.extend(hours(("2026-02-11T01:59:50", "2026-02-11T01:00:10")))
    summary = Summary("2025-12-01T00:00:00", "2026-03-01T00:00:00")
    events = CommitRecord("e", 1, "k", "ingested", tables={"os_events": 9}, summary=summary)
    found = stretches(events, stated_offsets(record), None)
    assert [(s.local_from, s.local_to, s.offset_minutes) for s in found] == [
        (START, datetime(2026, 2, 11, 1, 0, 10), -240),
        (datetime(2026, 2, 11, 1, 59, 50), END, -300),
    ]
