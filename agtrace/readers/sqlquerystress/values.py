"""Values as SQLQueryStress writes them: in the culture of whoever ran it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

ELAPSED = r"(?:(?P<days>\d{1,4})\.)?(?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d{1,7})?)"
_ELAPSED = re.compile(ELAPSED)
_SLASHED = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[/.\-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}),? "
    r"(?P<clock>\d{1,2}[:.]\d\d[:.]\d\d)(?:[\s\u202f](?P<half>[AaPp]\.?[Mm]\.?))?"
)


def parse_elapsed(text: str) -> float | None:
    """Give a length of time (hh:mm:ss.ffff, days in front of it) in seconds."""
    match = _ELAPSED.fullmatch(text.strip())
    if match is None:
        return None
    hours = int(match["days"] or 0) * 24 + int(match["hours"])
    return round(hours * 3600 + int(match["minutes"]) * 60 + float(match["seconds"]), 7)


def parse_average(text: str) -> str | None:
    """Give an average with its four decimals, decimal point or comma; None for ``---``."""
    number = text.strip().replace(",", ".")
    return number if re.fullmatch(r"\d{1,15}\.\d{4}", number) else None


def day_first(texts: Iterable[str]) -> bool | None:
    """Tell the order of day and month from all dates of a file; None where no date tells."""
    orders = set()
    for text in texts:
        if match := _SLASHED.fullmatch(text.strip()):
            first, second = int(match["first"]), int(match["second"])
            if match["mark"] == "." or first > 12:
                orders.add(True)
            elif second > 12:
                orders.add(False)
    return orders.pop() if len(orders) == 1 else None


def parse_start(text: str, days_first: bool | None) -> tuple[datetime | None, datetime | None]:
    """Give a test's start in local time and in UTC, as far as the text tells them.

    ISO 8601 with an offset tells both; with Z it tells UTC alone. Dates in a culture's own order
    tell local time where the order is known.
    """
    stripped = text.strip()
    try:
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", stripped))
    except ValueError:
        return _slashed(stripped, days_first), None
    if moment.tzinfo is None:
        return moment, None
    local = None if stripped.endswith("Z") else moment.replace(tzinfo=None)
    try:
        return local, moment.astimezone(UTC)
    except OverflowError:
        return local, None


def _slashed(text: str, days_first: bool | None) -> datetime | None:
    match = _SLASHED.fullmatch(text)
    if match is None or days_first is None:
        return None
    day, month = (match["first"], match["second"])[:: 1 if days_first else -1]
    hour, minute, second = (int(part) for part in re.split("[:.]", match["clock"]))
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] in "Pp" else 0)
    try:
        return datetime(int(match["year"]), int(month), int(day), hour, minute, second)
    except ValueError:
        return None
