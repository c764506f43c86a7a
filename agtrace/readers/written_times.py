"""Times as tools and cultures write them: columns, as local times of Arrow, and single texts.

``datetime`` is shown as ``2016-08-12 10:15:30.123``; JSON has a T; Export-Csv uses the culture of its user
(``8/12/2016 10:15:30 AM``). ConvertTo-Json of Windows PowerShell writes ``/Date(1471000530123)/``:
milliseconds since 1970 in UTC, computed as if the server's time were the client's local time
(JavaScriptSerializer), so that even a UTC column is shifted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

_CLOCK = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    "[\\s\u202f\u00a0]?(?P<half>[AaPp]?)\\.?[Mm]?\\.?(?:Z|[ ]?[+-]\\d\\d:?\\d\\d)?"
)
_ISO = rf"^(?P<year>\d{{4}})[-/.](?P<first>\d{{1,2}})[-/.](?P<other>\d{{1,2}})(?:[T,]|[ ]){{1,3}}{_CLOCK}$"
_CULTURE = (
    rf"^(?P<first>\d{{1,2}})(?P<mark>[/.\-])(?P<other>\d{{1,2}})[/.\-](?P<year>\d{{4}}),?[ ]{{1,3}}{_CLOCK}$"
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""Abbreviations that programs use in any culture."""
_ISO_TEXT = re.compile(
    r"(?P<year>\d{4})([-/.])(?P<month>\d\d?)\2(?P<day>\d\d?)(?:T| {1,2})"
    r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?"
    r"(?: ?(?P<zone>Z|[+-]\d\d:?\d\d))?"
)
_CULTURE_TEXT = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[/.\-])(?P<second_part>\d{1,2})(?P=mark)(?P<year>\d{4}),? {1,2}"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)[:.](?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?"
    r"(?:[\s\u202f\xa0]?(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_EPOCH = re.compile(r"\\?/Date\((?P<ms>-?\d{1,15})(?:[+-]\d{4})?\)\\?/")
_FIRST = datetime(1970, 1, 1)


class Times(NamedTuple):
    """Times of a column.

    Parameters
    ----------
    local
        The local times; NULL for texts that are not times.
    is_guess
        Whether the order of day and month is unknown, and month first was assumed.
    """

    local: pa.Array
    is_guess: bool


def local_times(texts: pa.Array) -> Times:
    """Compute the local times of a column of text.

    A number above 12 decides the order of day and month, and so does a dot between them, which only cultures
    that write the day first use. Otherwise the month comes first, as PowerShell writes it.
    """
    found = pc.extract_regex(texts, pattern=_ISO)
    times = _times(found, "first", "other")
    culture = pc.extract_regex(texts, pattern=_CULTURE)
    is_culture = pc.is_valid(culture)
    if not pc.any(is_culture).as_py():
        return Times(times, is_guess=False)
    first, other = _ints(culture, "first"), _ints(culture, "other")
    is_day_first = bool((first > 12).any()) or pc.any(pc.equal(pc.struct_field(culture, "mark"), ".")).as_py()
    is_month_first = bool((other > 12).any())
    # Times that tell different orders tell none.
    if is_day_first and is_month_first:
        return Times(times, is_guess=False)
    names = ("other", "first") if is_day_first else ("first", "other")
    local = pc.if_else(is_culture, _times(culture, *names), times)
    return Times(local, is_guess=not (is_day_first or is_month_first))


def _ints(found: pa.Array, name: str) -> np.ndarray:
    digits = pc.fill_null(pc.struct_field(found, name), "0")
    digits = pc.if_else(pc.equal(digits, ""), "0", digits)
    return pc.cast(digits, pa.int64()).to_numpy(zero_copy_only=False)


def _times(found: pa.Array, month_name: str, day_name: str) -> pa.Array:
    year, month, day = (_ints(found, name) for name in ("year", month_name, day_name))
    hour, minute, second = (_ints(found, name) for name in ("hour", "minute", "second"))
    fraction = pc.utf8_slice_codeunits(
        pc.utf8_rpad(pc.fill_null(pc.struct_field(found, "fraction"), ""), 6, "0"), 0, 6
    )
    micros = pc.cast(fraction, pa.int64()).to_numpy(zero_copy_only=False)
    half = pc.utf8_lower(pc.fill_null(pc.struct_field(found, "half"), "")).to_numpy(zero_copy_only=False)
    hour = np.where((half == "p") & (hour < 12), hour + 12, np.where((half == "a") & (hour == 12), 0, hour))
    is_date = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    is_clock = (hour < 24) & (minute < 60) & (second < 60)
    months = (np.where(is_date, year, 1970) - 1970) * 12 + np.where(is_date, month, 1) - 1
    begin = months.astype("datetime64[M]")
    days = begin.astype("datetime64[D]") + np.where(is_date, day, 1) - 1
    is_date &= days.astype("datetime64[M]") == begin
    seconds = (hour * 60 + minute) * 60 + second
    moments = days.astype("datetime64[us]") + (np.where(is_clock, seconds, 0) * 1_000_000 + micros)
    is_valid = is_date & is_clock & pc.is_valid(found).to_numpy(zero_copy_only=False)
    return pa.array(moments, LOCAL_TIME, mask=~is_valid)


class Moment(NamedTuple):
    """A time as written.

    Parameters
    ----------
    time
        The time, to the second.
    fraction
        Digits of the fraction of the second, without trailing zeros.
    offset
        Local minus UTC; None if the text does not state it.
    is_shifted
        True for milliseconds since 1970, which were shifted by the client's UTC offset.
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
        """Return the same instant in UTC; a time without an offset is taken as it is.

        Raises
        ------
        OverflowError
            The instant is outside of the calendar.
        """
        return self._replace(time=self.time - self.offset) if self.offset else self


def is_ambiguous(text: str) -> bool:
    """Check whether a time is written in a culture's order of day and month."""
    return _CULTURE_TEXT.fullmatch(text) is not None


def day_first(texts: Iterable[str]) -> bool | None:
    """Return whether the day comes first in the times of a file; None if undecided.

    A number above 12 decides it, and so does a dot, which only cultures that write the day first use.
    Contradicting times leave it undecided.
    """
    orders = set()
    for text in texts:
        if match := _CULTURE_TEXT.fullmatch(text):
            if match["mark"] == "." or int(match["first"]) > 12:
                orders.add(True)
            if int(match["second_part"]) > 12:
                orders.add(False)
    return orders.pop() if len(orders) == 1 else None


def parse(text: str, days_first: bool | None) -> Moment | None:
    """Parse a time; None if it is not a time, or its order of day and month is unknown."""
    try:
        if match := _ISO_TEXT.fullmatch(text):
            return Moment(_time_of(match, match["month"], match["day"]), _fraction(match), _zone(match))
        if match := _CULTURE_TEXT.fullmatch(text):
            if days_first is None:
                return None
            day, month = (match["first"], match["second_part"])[:: 1 if days_first else -1]
            return Moment(_time_of(match, month, day, match["half"]), _fraction(match))
        if match := _EPOCH.fullmatch(text):
            seconds, ms = divmod(int(match["ms"]), 1000)
            fraction = f"{ms:03}".rstrip("0")
            return Moment(_FIRST + timedelta(seconds=seconds), fraction, is_shifted=True)
    except (ValueError, OverflowError):
        pass
    return None


def _time_of(match: re.Match[str], month: str, day: str, half: str | None = None) -> datetime:
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
