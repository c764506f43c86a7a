"""The time zone in a log's header: whether standard or daylight time applies at an instant.

The rules are those of TIME_ZONE_INFORMATION (Win32): a date without a month means no daylight saving, one
with a year is that date, any other the n-th weekday of its month, with 5 for the last.
"""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from agtrace.readers.perfmon_blg.zone_names import zone_name

_MOST_BIAS_MINUTES = 24 * 60


class Half(NamedTuple):
    """Name of standard or daylight time, and UTC minus local time in minutes."""

    name: str
    bias_minutes: int


def halves(zone: dict[str, Any]) -> list[Half]:
    """Return the halves of the zone's year: standard time, and daylight time if there is one."""
    found = [Half(zone_name(zone["standard_name"]), zone["bias"] + zone["standard_bias"])]
    if zone["standard_date"][1] and zone["daylight_date"][1]:
        found.append(Half(zone_name(zone["daylight_name"]), zone["bias"] + zone["daylight_bias"]))
    return [half for half in found if abs(half.bias_minutes) <= _MOST_BIAS_MINUTES]


def half_at(zone: dict[str, Any], local: datetime) -> Half | None:
    """Return the half of a local time by the zone's own rule; None if that rule is invalid."""
    both = halves(zone)
    if len(both) < 2:
        return both[0] if both else None
    begins = _moment(zone["daylight_date"], local.year)
    ends = _moment(zone["standard_date"], local.year)
    if begins is None or ends is None:
        return None
    in_summer = begins <= local < ends if begins < ends else not ends <= local < begins
    return both[in_summer]


def half_of_bias(zone: dict[str, Any], bias_minutes: int) -> Half:
    """Return the half with the measured bias, without a name if the zone has no such half."""
    matching = (half for half in halves(zone) if half.bias_minutes == bias_minutes)
    return next(matching, Half(zone_name(zone["standard_name"]), bias_minutes))


def _moment(date: list[int], year: int) -> datetime | None:
    own_year, month, weekday, day, hour, minute, second, _millisecond = date
    try:
        if own_year:
            return datetime(own_year, month, day, hour, minute, second)
        first = datetime(year, month, 1, hour, minute, second)
    except ValueError:
        return None
    # SYSTEMTIME counts weekdays from Sunday, Python from Monday.
    skip = (weekday - 1 - first.weekday()) % 7 + 7 * (day - 1)
    while skip >= calendar.monthrange(year, month)[1]:
        skip -= 7
    return first + timedelta(days=skip) if 1 <= day <= 5 else None
