"""How far the rows of a log are from UTC, over changes of daylight saving, slab after slab."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest

from agtrace.convert.zones import Clock, Distances
from tests.folded import folded

STEP = timedelta(minutes=10)


def local(first: datetime, n: int, *, back_at: int = -1, by: int = -60) -> np.ndarray:
    """Return n rows a step apart by a clock that is set once, in minutes."""
    shift = timedelta(minutes=by)
    return np.array(
        [first + STEP * k + (shift if 0 <= back_at <= k else timedelta(0)) for k in range(n)],
        dtype="datetime64[us]",
    )


def utc(distances: Distances, times: np.ndarray, cut: int = 0) -> list[datetime | None]:
    """Return the rows in UTC, read in one slab or in two."""
    parts = [(0, cut), (cut, len(times))] if cut else [(0, len(times))]
    found = [distances.in_utc(times[a:b], np.arange(a, b)) for a, b in parts]
    return np.concatenate(found).astype("datetime64[us]").tolist()


def stating(minutes: int) -> Clock:
    return Clock("log", {("pdh_header", "bias_minutes"): str(-minutes)}, [])


@pytest.mark.parametrize("cut", [0, 3, 6, 9])
def test_behind_a_step_back_of_an_hour_a_text_log_is_an_hour_nearer_wherever_slabs_are_cut(cut):
    times = local(datetime(2023, 10, 29, 1, 0), 24, back_at=6)
    found = utc(Distances(stating(120)), times, cut)
    assert found == [datetime(2023, 10, 28, 23, 0) + STEP * k for k in range(24)]


@pytest.mark.parametrize("cut", [0, 6, 9])
def test_behind_another_step_back_it_is_not_known(cut):
    times = local(datetime(2023, 10, 29, 1, 0), 24, back_at=6, by=-45)
    assert [each is None for each in utc(Distances(stating(120)), times, cut)] == [False] * 6 + [True] * 18


def test_behind_a_step_forward_of_an_hour_it_is_not_known():
    times = local(datetime(2023, 3, 26, 1, 0), 24, back_at=6, by=60)
    assert [each is None for each in utc(Distances(stating(60)), times)] == [False] * 6 + [True] * 18


def test_a_correction_of_seconds_changes_nothing():
    times = local(datetime(2023, 10, 29, 1, 0), 12)
    times[6:] -= np.timedelta64(700, "s")
    found = utc(Distances(stating(120)), times)
    assert found[6] == datetime(2023, 10, 28, 23, 48, 20)


@folded("cut", [0, 3, 9])
@folded(
    ("zone", "first", "back_at", "by", "begin", "unknown"),
    [
        ("Europe/Berlin", datetime(2023, 10, 29, 2, 0), 6, -60, datetime(2023, 10, 29, 0, 0), []),
        ("Europe/Berlin", datetime(2023, 3, 26, 1, 0), 6, 60, datetime(2023, 3, 26, 0, 0), []),
        ("Australia/Lord_Howe", datetime(2023, 4, 2, 1, 0), 6, -30, datetime(2023, 4, 1, 14, 0), []),
    ],
)
def test_a_zone_that_is_named_is_followed_over_its_changes(zone, first, back_at, by, begin, unknown, cut):
    clock = Clock("log", {}, [], given=0, zone=zone)
    before = first - STEP  # a row before the hour that is there twice
    times = np.concatenate([[np.datetime64(before, "us")], local(first, 24, back_at=back_at, by=by)])
    found = utc(Distances(clock), times, cut)
    assert found[1:] == [begin + STEP * k for k in range(24)]


def test_a_log_that_begins_in_an_hour_that_is_there_twice_does_not_tell_which():
    clock = Clock("log", {}, [], given=0, zone="Europe/Berlin")
    found = utc(Distances(clock), local(datetime(2023, 10, 29, 2, 30), 6))
    assert [each is None for each in found] == [True] * 3 + [False] * 3
    assert found[3] == datetime(2023, 10, 29, 2, 0)


def test_a_log_that_goes_over_a_change_with_a_gap_follows_its_zone():
    clock = Clock("log", {}, [], given=0, zone="Europe/Berlin")
    times = np.array(["2023-10-28T23:00", "2023-10-29T05:00"], dtype="datetime64[us]")
    assert utc(Distances(clock), times) == [datetime(2023, 10, 28, 21, 0), datetime(2023, 10, 29, 4, 0)]
