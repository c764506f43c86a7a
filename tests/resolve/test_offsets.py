"""How far local time is from UTC, as a user says it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.errors import CaseError
from agtrace.readers.far_times import END, FIRST
from agtrace.resolve.offsets import checked, is_offset, offset, offsets_within
from tests.folded import folded


@folded(
    ("given", "kept"),
    [
        ("-4:00", -240),
        ("+5:45", 345),
        ("9", 540),
        (" 0:00 ", 0),
        (timedelta(hours=-4), -240),
        (timedelta(minutes=345), 345),
        (-240, -240),
        (0, 0),
        ("Europe/Berlin", "Europe/Berlin"),
        ("america/new_york", "America/New_York"),
        ("UTC", "UTC"),
    ],
)
def test_an_offset_is_text_a_length_minutes_or_a_zone(given, kept):
    assert offset(given) == kept


@folded(
    ("given", "said"),
    [
        (-4, "-4 is no offset from UTC in minutes"),
        (True, "True is no offset"),
        (-4.5, "-4.5 is no offset"),
        (None, "None is no offset"),
        ("15:00", "'15:00' is further from UTC than any zone"),
        (-900, "-900 is further from UTC than any zone"),
        (timedelta(seconds=90), "is no offset from UTC - offsets are whole minutes"),
        ("4:77", "'4:77' is no offset from UTC and no zone"),
        ("Berlin", "'Berlin' is no offset from UTC and no zone"),
        ("../../etc/passwd", "is no offset from UTC and no zone"),
    ],
)
def test_what_is_none_is_told(given, said):
    with pytest.raises(CaseError, match=".*".join(said.split(" - "))):
        offset(given)


@pytest.mark.parametrize("given", ["-4:00", {1: "-4:00"}, 60])
def test_hosts_are_named(given):
    with pytest.raises(CaseError, match="name the hosts"):
        checked(given)


def test_a_zone_has_one_offset_before_a_change_and_another_after_it():
    found = offsets_within("Europe/Berlin", datetime(2024, 3, 1), datetime(2024, 11, 30))
    assert found == [
        (FIRST, datetime(2024, 3, 31, 2), 60),
        (datetime(2024, 3, 31, 3), datetime(2024, 10, 27, 2), 120),
        (datetime(2024, 10, 27, 3), END, 60),
    ]


def test_a_zone_without_a_change_has_one_offset():
    assert offsets_within("Asia/Tokyo", datetime(2019, 1, 1), datetime(2020, 1, 1)) == [(FIRST, END, 540)]


def test_dates_at_the_ends_of_the_calendar_end_soon_and_without_an_error():
    found = offsets_within("America/New_York", FIRST, END)
    assert (found[0][0], found[-1][1]) == (FIRST, END)
    assert offsets_within("Europe/Berlin", END, END)[-1][2] == 60


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        (-240, True),
        ("Asia/Tokyo", True),
        ("asia/tokyo", False),
        ("-4:00", False),
        (None, False),
        (9999, False),
    ],
)
def test_what_a_store_may_hold(kept, expected):
    assert is_offset(kept) is expected
