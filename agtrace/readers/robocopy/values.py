"""Values as robocopy writes them: sizes, whole numbers, moments, paths and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from agtrace.readers.fact_text import host_of
from agtrace.readers.robocopy.months import month_of

_UNITS = {"k": 1, "m": 2, "g": 3, "t": 4}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_CLOCK = r"(?P<clock>\d{1,2}:\d\d:\d\d)(?:\s?(?P<half>[AP]M))?"
_MOMENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<month>[A-Z]{{3,9}}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}),? {_CLOCK}",
        rf"(?P<day>\d{{1,2}})\.? (?P<month>[A-Z]{{3,9}}),? (?P<year>\d{{4}}),? {_CLOCK}",
        rf"(?P<month>[A-Z]{{3}}) (?P<day>\d{{1,2}}) {_CLOCK} (?P<year>\d{{4}})",
        rf"(?P<year>\d{{4}})[-/.年] ?(?P<month>\d{{1,2}})[-/.月] ?(?P<day>\d{{1,2}})日? {_CLOCK}",
    )
)
_ANY_CLOCK = re.compile(r"(?<!\d)(?P<hour>\d{1,2})[:.](?P<minute>\d\d)[:.](?P<second>\d\d)\s*$")
_YEAR, _DAY = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)"), re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_WORD = re.compile(r"[^\W\d_]{3,12}")
_WEEKDAY = re.compile(r"[^\W\d]{2,12},? ")
_UNC = re.compile(r"\\\\(?:\?\\UNC\\)?(?P<host>[^\\?.][^\\@]*)(?:@[^\\]*)?\\", re.IGNORECASE)
_THREADS = re.compile(r"/MT(?::(?P<n>\d{1,3}))?(?=\s|$)", re.IGNORECASE)
_GAP = re.compile(r"/IPG:(?P<n>\d{1,7})", re.IGNORECASE)
_UNBUFFERED = re.compile(r"/J(?=\s|$)", re.IGNORECASE)
DIGITS = 18
"""Maximum number of digits; robocopy writes no longer numbers, and 64-bit arithmetic cannot hold them."""
DEFAULT_THREADS = 8
"""Threads of ``/MT`` without a number ("robocopy", copy options)."""


def parse_whole(text: str) -> int | None:
    """Parse a whole number with any digit grouping: 24294128, 24,294,128, 99,71,000, 24.294.128."""
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits and len(digits) <= DIGITS else None


def parse_size(text: str) -> int | None:
    """Parse a cell of the summary as a whole number; sizes with k, m, g, t count in steps of 1024.

    ``10.000 g`` is 10 * 1024**3, to the four or five digits that robocopy keeps. None where it is
    more than any disk holds.
    """
    number, _, unit = text.partition(" ")
    if not unit:
        return parse_whole(number)
    whole, _, fraction = number.replace(",", ".").rpartition(".")
    digits = f"{whole.replace('.', '')}.{fraction}" if whole else fraction
    size = float(digits or "0") * 1024 ** _UNITS[unit.lower()]
    return round(size) if size < 10**DIGITS else None


def parse_moment(text: str) -> datetime | None:
    """Parse the start or end of a run in local time, if only one reading is possible.

    Robocopy writes the long date of the user's locale. Dates with the month's name, in the languages of
    `months`, and dates that begin with the year are read; 02/03/2019 is not.
    """
    moment = _WEEKDAY.sub("", text.strip(), count=1) if "," in text or text[:1].isalpha() else text
    for candidate in (moment.strip(), text.strip()):
        for pattern in _MOMENTS:
            if (match := pattern.fullmatch(candidate)) and (found := _moment(match)):
                return found
    return _in_words(text)


def _in_words(text: str) -> datetime | None:
    """Read a date whose month is a word: one clock, one year, one other number and one month."""
    clock = _ANY_CLOCK.search(text)
    if clock is None:
        return None
    rest = f"{text[: clock.start()]} {text[clock.end() :]}"
    years, days = _YEAR.findall(rest), _DAY.findall(rest)
    months = [month for word in _WORD.findall(rest) if (month := month_of(word))]
    if len(years) != 1 or len(days) != 1 or len(months) != 1 or len(re.findall(r"\d+", rest)) != 2:
        return None
    hour, minute, second = (int(clock[name]) for name in ("hour", "minute", "second"))
    try:
        return datetime(int(years[0]), months[0], int(days[0]), hour, minute, second)
    except ValueError:
        return None


def _moment(match: re.Match[str]) -> datetime | None:
    name = match["month"].lower()
    if name.isdigit():
        month = int(name)
    else:
        known = [n for n, full in enumerate(_MONTHS, 1) if name in (full, full[:3])]
        if not known:
            return None
        month = known[0]
    hour, minute, second = (int(part) for part in match["clock"].split(":"))
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"].upper() == "PM" else 0)
    try:
        return datetime(int(match["year"]), month, int(match["day"]), hour, minute, second)
    except ValueError:
        return None


def host_of_path(path: str) -> str | None:
    r"""Return the host of ``\\host\share``, None for a local path."""
    unc = _UNC.match(path)
    return host_of(unc["host"]) if unc else None


def options_of(text: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield the options that affect the speed: (key, value, unit)."""
    if threads := _THREADS.search(text):
        yield "threads", threads["n"] or str(DEFAULT_THREADS), "n"
    if _UNBUFFERED.search(text):
        yield "unbuffered", "true", None
    if gap := _GAP.search(text):
        yield "inter_packet_gap_ms", gap["n"], "ms"
