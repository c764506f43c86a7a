"""Times as SQL Server's tools and PowerShell write them, brought to one form.

``datetime`` is shown as ``2016-08-12 10:15:30.123``; JSON has a T; Export-Csv writes the culture of
whoever ran it (``8/12/2016 10:15:30 AM``), and ConvertTo-Json of Windows PowerShell
``/Date(1471000530123)/``: milliseconds since 1970 in UTC, counted as if the server's time were the
local time of the client (JavaScriptSerializer), so that even a column in UTC is shifted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

_ISO = re.compile(
    r"(?P<year>\d{4})([-/.])(?P<month>\d\d?)\2(?P<day>\d\d?)(?:T| {1,2})"
    r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?"
    r"(?: ?(?P<zone>Z|[+-]\d\d:?\d\d))?"
)
_CULTURE = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[/.\-])(?P<second_part>\d{1,2})(?P=mark)(?P<year>\d{4}),? {1,2}"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)[:.](?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?"
    r"(?:[\s\u202f\xa0]?(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_EPOCH = re.compile(r"\\?/Date\((?P<ms>-?\d{1,15})(?:[+-]\d{4})?\)\\?/")
_FIRST = datetime(1970, 1, 1)


class Moment(NamedTuple):
    """A time as written.

    Parameters
    ----------
    time
        To the second.
    fraction
        Digits of the second's fraction, without zeros at the end.
    offset
        Local minus UTC; None where the text does not say.
    is_shifted
        True for milliseconds since 1970, which a client's offset from UTC has shifted.
    """

    time: datetime
    fraction: str
    offset: timedelta | None = None
    is_shifted: bool = False

    @property
    def text(self) -> str:
        """ISO 8601, without a zone."""
        return self.time.isoformat() + (f".{self.fraction}" if self.fraction else "")

    def in_utc(self) -> Moment:
        """Give the same instant in UTC; a time without an offset is taken as it is.

        Raises
        ------
        OverflowError
            The instant is outside of the calendar.
        """
        return self._replace(time=self.time - self.offset) if self.offset else self


def is_ambiguous(text: str) -> bool:
    """Tell whether a time is written in a culture's order of day and month."""
    return _CULTURE.fullmatch(text) is not None


def day_first(texts: Iterable[str]) -> bool | None:
    """Tell the order of day and month from all times of a file; None where none of them tells.

    A number over 12 tells it, and so does a dot, which only cultures with the day in front write.
    Times that tell different orders tell none.
    """
    orders = set()
    for text in texts:
        if match := _CULTURE.fullmatch(text):
            if match["mark"] == "." or int(match["first"]) > 12:
                orders.add(True)
            if int(match["second_part"]) > 12:
                orders.add(False)
    return orders.pop() if len(orders) == 1 else None


def parse(text: str, days_first: bool | None) -> Moment | None:
    """Read a time; None when it is none, or its day and month cannot be told apart."""
    try:
        if match := _ISO.fullmatch(text):
            return Moment(_time(match, match["month"], match["day"]), _fraction(match), _zone(match))
        if match := _CULTURE.fullmatch(text):
            if days_first is None:
                return None
            day, month = (match["first"], match["second_part"])[:: 1 if days_first else -1]
            return Moment(_time(match, month, day, match["half"]), _fraction(match))
        if match := _EPOCH.fullmatch(text):
            seconds, ms = divmod(int(match["ms"]), 1000)
            fraction = f"{ms:03}".rstrip("0")
            return Moment(_FIRST + timedelta(seconds=seconds), fraction, is_shifted=True)
    except (ValueError, OverflowError):
        pass
    return None


def _time(match: re.Match[str], month: str, day: str, half: str | None = None) -> datetime:
    hour = int(match["hour"])
    if half:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half in "Pp" else 0)
    minute, second = int(match["minute"]), int(match["second"])
    return datetime(int(match["year"]), int(month), int(day), hour, minute, second)


def _fraction(match: re.Match[str]) -> str:
    return (match["fraction"] or "").rstrip("0")


def _zone(match: re.Match[str]) -> timedelta | None:
    zone = match["zone"]
    if zone is None:
        return None
    if zone == "Z":
        return timedelta()
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return -offset if zone[0] == "-" else offset
