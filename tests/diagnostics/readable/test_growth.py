"""Stretches of a version store that only grew, and what each comes to, at the bounds of the rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.diagnostics import readable
from agtrace.diagnostics.readable import figures, growth, judge
from agtrace.diagnostics.readable.growth import GROWING, LARGE, UNBOUNDED
from agtrace.diagnostics.readable.rows import Full, Ghosts, Growths, Marks, Series, Waited
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import ask, record
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
HOUR = timedelta(hours=1)
LIMITS = Thresholds()
SIZE = "Version Store Size (KB)"


def sample(at, value, counter=SIZE):
    when = timedelta(seconds=at)
    return {
        "host_id": "A",
        "sql_instance": "X",
        "counter": counter,
        "time": NOON + when,
        "value": value,
        "time_local": LOCAL + when,
        "is_primary_too": False,
        "is_readable": None,
        "is_secondary": True,
        "source": "perfmon",
    }


def stretches(*values, gap_s=60):
    rows = [sample(at, float(value)) for at, value in values]
    found = ask(readable, "growths", {"gap_s": gap_s, "look_gap_s": gap_s}, row_versions=rows)
    return [(row.first_bytes / 1024, row.last_bytes / 1024, row.is_over) for row in found]


def each_15_s(*values):
    return [(15 * n, value) for n, value in enumerate(values)]


@pytest.mark.parametrize(
    "values", [(100, 92, 93, 94, 95, 96, 97, 98, 99), (90, 99, 98, 97, 96, 95, 94, 93, 92)]
)
def test_what_is_no_larger_at_its_end_or_shrinks_meanwhile_did_not_grow(values):
    assert stretches(*each_15_s(*values)) == []


ROW = record(
    Growths,
    start=NOON,
    end=NOON + HOUR,
    start_local=LOCAL,
    end_local=LOCAL + HOUR,
    samples=120,
    first_bytes=0.0,
    last_bytes=1e9,
    free_bytes=1e9,
    growth=1e6,
    late_growth=1e6,
    is_over=False,
    host_id="A",
    sql_instance="X",
    is_primary_too=False,
    is_readable=True,
    is_secondary=True,
    source="perfmon",
    longest_s=None,
    generated=None,
    cleaned=None,
)
MINUTES = LIMITS.version_store_minutes
DAY = LIMITS.version_store_full_h * 3600


LATE = {"first_bytes": 999e6, "last_bytes": 1e9, "free_bytes": 3600e4, "growth": 1e4, "late_growth": 1e4}


def kind(**row):
    found = growth.judged(ROW._replace(**row), LIMITS)
    return found and found.kind


@folded(
    ("row", "found"),
    [
        ({}, GROWING),
        ({"samples": LIMITS.min_samples}, GROWING),
        ({"samples": LIMITS.min_samples - 1}, None),
        ({"end_local": LOCAL + timedelta(minutes=MINUTES)}, GROWING),
        ({"end_local": LOCAL + timedelta(minutes=MINUTES, seconds=-1)}, None),
        ({"growth": 1e9 / DAY, "late_growth": 1e9}, GROWING),
        ({"growth": 1e9 / (DAY + 1), "late_growth": 1e9}, LARGE),
        ({"is_over": True}, LARGE),
        ({"late_growth": 0.5e6}, GROWING),
        ({"late_growth": 0.5e6 - 1}, LARGE),
        ({"late_growth": None}, LARGE),
        ({"free_bytes": None, "last_bytes": 1e15}, UNBOUNDED),
        ({"free_bytes": None, "last_bytes": 1e15, "is_over": True}, None),
        ({"free_bytes": None, "last_bytes": LIMITS.version_store_growth_mb * growth.MEGABYTE}, UNBOUNDED),
        ({"free_bytes": None, "last_bytes": LIMITS.version_store_growth_mb * growth.MEGABYTE - 1}, None),
        # A large store that is full within an hour is told however little it grew.
        (LATE, GROWING),
        (LATE | {"free_bytes": 3601 * 1e4}, None),
        (LATE | {"last_bytes": 30e6}, None),
        ({"source": "views", "samples": growth.LOOKS}, GROWING),
        ({"source": "views", "samples": growth.LOOKS - 1}, None),
        ({"is_secondary": False}, GROWING),
        ({"is_secondary": False, "is_over": True}, None),
    ],
)
def test_what_a_stretch_comes_to(row, found):
    assert kind(**row) == found


def test_with_a_transaction_older_than_it_two_snapshots_show_a_growth():
    assert growth.judged(ROW._replace(source="views", samples=2), LIMITS, is_held=True).kind == GROWING


FULL = record(
    Full,
    host_id="A",
    sql_instance="X",
    start=NOON,
    end=NOON,
    start_local=LOCAL,
    end_local=LOCAL,
    not_added=1,
    victims=0,
    ended=0,
    no_space=0,
    victim=88,
    victim_s=60,
    place="log",
    space_place=None,
    is_primary_too=False,
)
NOTHING = judge.Beside()


@pytest.mark.parametrize("lacking", ["victim", "victim_s"])
def test_a_victim_is_told_by_its_session_and_how_long_it_ran(lacking):
    def told(row):
        return any(
            each.measure.name == judge.m.VICTIM.name for each in judge._full(row, None, 0, NOTHING).evidence
        )

    assert told(FULL)
    assert not told(FULL._replace(**{lacking: None}))


def test_three_marks_that_stood_still_are_evidence():
    at = record(Marks, first=LOCAL, last=LOCAL + 2 * HOUR, looks=2, host="A", is_still=True)
    marks = [at._replace(database=f"Sales{n}") for n in range(4)]
    (found,) = judge.stores([ROW], [], judge.Beside(marks=marks), LIMITS)
    assert [each.measure.name for each in found.evidence].count(judge.m.MARK.name) == 3
    assert len(found.facts["marks"]) == 4


def test_waits_for_row_versions_are_sure():
    row = record(Waited, host_id="A", wait_type="W", n=3, wait_ms=6e5, seconds=60.0, place="log line 4")
    assert [each.confidence for each in judge.waits([row._replace(start=NOON, end=NOON)], LIMITS)] == [0.9]


def test_other_stretches_of_a_server_are_counted():
    rows = [ROW, ROW._replace(start_local=LOCAL + 2 * HOUR, end_local=LOCAL + 3 * HOUR)]
    (found,) = judge.stores(rows, [], NOTHING, LIMITS)
    assert found.facts["others"] == 1


def drawn(*places):
    rows = [
        record(Series, host_id=host, sql_instance=instance, counter=SIZE, time=NOON, value=1.0)
        for host, instance in places
    ]
    return [(line.name, line.line.color) for line in figures.sizes(rows, "x", {"A": "#123456"}).data]


def test_one_instance_has_the_colour_of_its_host_and_several_their_names():
    assert drawn(("A", "X")) == [("A", "#123456")]
    assert [name for name, colour in drawn(("A", "X"), ("A", "Y")) if colour != "#123456"] == ["A, X", "A, Y"]


@pytest.mark.parametrize(("row", "n"), [({}, 1), ({"n": 0}, 0), ({"skipped": 0.0}, 0)])
def test_ghosts_that_were_counted_and_skipped_are_told(row, n):
    ghost = record(Ghosts, host_id="P", n=3, skipped=8.0, before=None)._replace(**row)
    beside = judge.Beside(ghosts=lambda *_: [ghost])
    numbers, _facts = judge._of_readers(ROW, beside)
    assert sum(each.measure.name == judge.m.SKIPPED.name for each in numbers) == n
