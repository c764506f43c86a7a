"""When the process before was last alive (message 17176), in whatever culture it is written."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.errorlog.reported import last_reported


@pytest.mark.parametrize(
    ("local", "utc", "before", "moment"),
    [
        ("1/19/2018 6:56:03 PM", "1/20/2018 2:56:03 AM", "2018-01-19 18:56:10", "2018-01-20 02:56:03"),
        ("14/03/2019 09:57:29 a. m.", "14/03/2019 03:57:29 p. m.", "2019-03-14 21:52:25",
         "2019-03-14 15:57:29"),
        ("08.04.2022 12:47:16", "08.04.2022 10:47:16", "2022-04-08 12:47:18", "2022-04-08 10:47:16"),
        ("2024/3/5 下午 08:00:00", "2024/3/5 下午 12:00:00", "2024-03-05 20:01:00", "2024-03-05 12:00:00"),
        ("2024-03-05 20:00:00", "2024-03-05 14:30:00", "2024-03-05 20:01:00", "2024-03-05 14:30:00"),
        ("5. 3. 2024 12:05:01 AM", "4. 3. 2024 11:05:01 PM", "2024-03-06 00:00:00", "2024-03-04 23:05:01"),
    ],
)  # fmt: skip
def test_both_times_together_tell_the_moment(local, utc, before, moment):
    found = last_reported(local, utc, datetime.fromisoformat(before))
    assert found == datetime.fromisoformat(moment)


def test_of_a_day_and_a_month_that_may_be_swapped_the_earlier_one_counts():
    found = last_reported(
        "03/02/2019 04:49:30 p. m.", "03/02/2019 10:49:30 p. m.", datetime(2019, 3, 12, 17, 20)
    )
    assert found == datetime(2019, 2, 3, 22, 49, 30)


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        ("", ""),
        ("yesterday", "yesterday"),
        ("31/31/2024 10:00:00", "31/31/2024 10:00:00"),
        ("3/5/2024 10:00:00", "3/5/2024 10:01:00"),
        ("3/5/2029 10:00:00", "3/5/2029 10:00:00"),
        ("99999999999999999999/1/1 1:1:1", "99999999999999999999/1/1 1:1:1"),
        ("9/" * 500_000, "9/" * 500_000),
    ],
)
def test_what_fits_no_reading_tells_nothing(local, utc):
    assert last_reported(local, utc, datetime(2024, 3, 5, 12)) is None
