from datetime import UTC, datetime, timedelta, timezone

import pytest

from agtrace.errors import CaseError
from agtrace.moments import microseconds, moment, utc

TOKYO = timezone(timedelta(hours=9))


def test_a_moment_without_a_zone_is_utc():
    assert moment("2019-08-20 13:40") == datetime(2019, 8, 20, 13, 40, tzinfo=UTC)


def test_a_moment_with_a_zone_is_given_in_utc():
    assert moment("2019-08-20T13:40+09:00").isoformat() == "2019-08-20T04:40:00+00:00"
    assert utc(datetime(2019, 8, 20, 13, 40, tzinfo=TOKYO)).isoformat() == "2019-08-20T04:40:00+00:00"


def test_a_local_time_with_a_zone_is_told():
    with pytest.raises(CaseError, match="names a zone"):
        moment("2019-08-20T13:40Z", naive=True)


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (datetime(2019, 8, 20, 13, 40, 0, 999_999), 1_566_308_400_999_999),
        (datetime(2019, 8, 20, 22, 40, 0, 999_999, tzinfo=TOKYO), 1_566_308_400_999_999),
        # What a double can no longer hold to the microsecond.
        (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_799_999_999),
        (datetime(1601, 1, 1, tzinfo=UTC), -11_644_473_600_000_000),
    ],
)
def test_microseconds_are_exact(time, expected):
    assert microseconds(time) == expected
