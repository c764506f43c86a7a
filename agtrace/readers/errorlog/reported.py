"""The time at which an instance last reported itself alive, from message 17176 of its next start.

The message contains the time twice, in the server's local time and in UTC, in the format of its culture. The
order of day and month is known if only one reading fits.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_AFTERNOON = re.compile(r"\bp\.?\s?m\b|下午|午後|오후|\bμμ|\bmd\b|\bmu\b|\bip\b", re.IGNORECASE)
_MORNING = re.compile(r"\ba\.?\s?m\b|上午|午前|오전|\bπμ|\bfd\b|\bde\b|\bap\b", re.IGNORECASE)
_CENTURY = 2000
WIDEST = timedelta(hours=14)
QUARTER = timedelta(minutes=15)
LATE = timedelta(hours=1)
"""By how much the clock may have been set back since."""


def last_reported(local: str, utc: str, before: datetime) -> datetime | None:
    """Return the moment, UTC without zone; of several possible readings the earliest.

    Parameters
    ----------
    local, utc
        The moment in either time, as written.
    before
        When the message was written, local time of the server.

    Returns
    -------
    datetime or None
        None where no reading fits.
    """
    readings = zip(_readings(local), _readings(utc), strict=True)
    fitting = [
        there
        for here, there in readings
        if here is not None
        and there is not None
        and abs(here - there) <= WIDEST
        and not (here - there) % QUARTER
        and here <= before + LATE
    ]
    return min(fitting, default=None)


def _readings(text: str) -> list[datetime | None]:
    """Read a date and a time as year month day, day month year, and month day year."""
    numbers = [int(n) for n in re.findall(r"[0-9]+", text[:64])]
    if not 5 <= len(numbers) <= 7:
        return [None] * 3
    one, two, three, hour, minute, *rest = numbers
    if _AFTERNOON.search(text) and hour < 12:
        hour += 12
    elif _MORNING.search(text) and hour == 12:
        hour = 0
    clock = (hour, minute, rest[0] if rest else 0)
    return [
        _moment(one, two, three, *clock),
        _moment(three, two, one, *clock),
        _moment(three, one, two, *clock),
    ]


def _moment(year: int, month: int, day: int, hour: int, minute: int, second: int) -> datetime | None:
    try:
        return datetime(year + _CENTURY if year < 100 else year, month, day, hour, minute, second)
    except (ValueError, OverflowError):
        return None
