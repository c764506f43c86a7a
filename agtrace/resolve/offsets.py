"""UTC offsets stated by the user: an offset, or the time zone of a host."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from agtrace.errors import CaseError
from agtrace.readers.far_times import END, FIRST

Offset = int | str
"""Minutes local minus UTC, or an IANA time zone name, as stored in a store."""
Given = int | str | timedelta
"""The same as stated by the user."""

MOST = timedelta(hours=14)
"""No zone is further from UTC."""
QUARTER = 15
"""All UTC offsets in use are multiples of it; another number was not meant in minutes."""
MINUTE = timedelta(minutes=1)
STEP = timedelta(days=7)
"""No zone changes its offset twice in less."""
MOST_WEEKS = 40 * 53
"""Maximum number of weeks of a log in which changes of a time zone are searched for."""
EARLIEST = datetime(1970, 1, 1)
WRITE_AS = "write it as -5:00, or name its zone: Europe/Berlin"

_CLOCK = re.compile(r"(?P<sign>[+-]?)(?P<hours>\d{1,2})(?::(?P<minutes>[0-5]\d))?")


def checked(given: Mapping[str, Given] | None) -> dict[str, Offset]:
    """Check UTC offsets stated by the user, before anything is read or written.

    Parameters
    ----------
    given
        By host name, ``"*"`` for all: text such as ``-4:00`` or ``Europe/Berlin``, a timedelta, or minutes,
        which must be a multiple of 15.

    Raises
    ------
    CaseError
        A value is invalid, or further from UTC than any time zone.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise CaseError(f"utc_offsets is {given!r}", 'name the hosts: {"SQL1": "-5:00"}, or {"*": "-5:00"}')
    return {name.strip(): offset(value) for name, value in given.items()}


def offset(given: Given) -> Offset:
    """Return an offset in the form stored in a store.

    Raises
    ------
    CaseError
        The value is neither an offset nor a time zone.
    """
    if isinstance(given, str):
        if found := _CLOCK.fullmatch(given.strip()):
            minutes = int(found["hours"]) * 60 + int(found["minutes"] or 0)
            return _within(-minutes if found["sign"] == "-" else minutes, given)
        return _zone_name(given.strip())
    if isinstance(given, timedelta):
        minutes, rest = divmod(given, MINUTE)
        if rest:
            raise CaseError(f"{given!r} is no offset from UTC", "offsets are whole minutes")
        return _within(minutes, given)
    if isinstance(given, bool) or not isinstance(given, int) or given % QUARTER:
        raise CaseError(f"{given!r} is no offset from UTC in minutes", WRITE_AS)
    return _within(given, given)


def _within(minutes: int, given: object) -> int:
    if abs(minutes) > MOST // MINUTE:
        raise CaseError(f"{given!r} is further from UTC than any zone", WRITE_AS)
    return minutes


def _zone_name(text: str) -> str:
    name = _zones().get(text.casefold())
    if name is None:
        raise CaseError(f"{text!r} is no offset from UTC and no zone", WRITE_AS)
    return name


@cache
def _zones() -> dict[str, str]:
    # These names mean a different zone on every machine.
    names = available_timezones() - {"localtime", "Factory", "posixrules"}
    return {name.casefold(): name for name in names}


def is_offset(kept: object) -> bool:
    """Return whether a value is an offset in the form stored in a store."""
    if isinstance(kept, str):
        return _zones().get(kept.casefold()) == kept
    return isinstance(kept, int) and not isinstance(kept, bool) and abs(kept) <= MOST // MINUTE


def offsets_within(given: Offset, first: datetime, last: datetime) -> list[tuple[datetime, datetime, int]]:
    """Return the offsets of a span of local time, in order: from, to (exclusive), minutes.

    Local times that a clock set back has twice are in none.

    Parameters
    ----------
    first, last
        Local times, without zone.
    """
    if isinstance(given, int):
        return [(FIRST, END, given)]
    zone = ZoneInfo(given)
    begin = min(max(first, EARLIEST), END - 3 * STEP).replace(tzinfo=UTC) - STEP
    end = min(last, END - 3 * STEP).replace(tzinfo=UTC) + STEP
    found: list[tuple[datetime, datetime, int]] = []
    since, minutes = FIRST, _at(zone, begin)
    for _week in range(min(-(-(end - begin) // STEP), MOST_WEEKS)):
        after = _at(zone, begin + STEP)
        if after != minutes:
            change = _change(zone, begin, begin + STEP).replace(tzinfo=None)
            gone, come = change + MINUTE * minutes, change + MINUTE * after
            found.append((since, min(gone, come), minutes))
            since, minutes = max(gone, come), after
        begin += STEP
    return [*found, (since, END, minutes)]


def offset_at(given: Offset, local: datetime) -> int:
    """Return the minutes local minus UTC at a local time, without zone."""
    ranges = offsets_within(given, local, local)
    return next((minutes for since, _until, minutes in reversed(ranges) if since <= local), ranges[0][2])


def _at(zone: ZoneInfo, moment: datetime) -> int:
    distance = moment.astimezone(zone).utcoffset() or timedelta(0)
    return round(distance / MINUTE)


def _change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """Return the moment in UTC when the offset becomes that of ``high``, to the minute."""
    after = _at(zone, high)
    while high - low > MINUTE:
        middle = low + (high - low) // 2
        middle = middle.replace(second=0, microsecond=0)
        if middle <= low:
            break
        low, high = (low, middle) if _at(zone, middle) == after else (middle, high)
    return high.replace(second=0, microsecond=0)
