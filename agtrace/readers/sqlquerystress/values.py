"""Values as SQLQueryStress writes them, in the culture of the user who ran it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from agtrace.moments import iso
from agtrace.readers.written_times import is_ambiguous, parse

ELAPSED = r"(?:(?P<days>\d{1,4})\.)?(?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d{1,7})?)"
_ELAPSED = re.compile(ELAPSED)


def parse_elapsed(text: str) -> float | None:
    """Parse a duration (hh:mm:ss.ffff, days in front of it) into seconds."""
    match = _ELAPSED.fullmatch(text.strip())
    if match is None:
        return None
    hours = int(match["days"] or 0) * 24 + int(match["hours"])
    return round(hours * 3600 + int(match["minutes"]) * 60 + float(match["seconds"]), 7)


def parse_average(text: str) -> str | None:
    """Return an average with its four decimals, decimal point or comma; None for ``---``."""
    number = text.strip().replace(",", ".")
    return number if re.fullmatch(r"\d{1,15}\.\d{4}", number) else None


def parse_start(text: str, days_first: bool | None) -> tuple[datetime | None, datetime | None]:
    """Return a test's start in local time and in UTC, as far as the text states them.

    ISO 8601 with an offset gives both; with Z it gives only UTC. Dates in a culture's own order give local
    time if the order is known.
    """
    stripped = text.strip()
    moment = iso(re.sub(r"(\.\d{6})\d+", r"\1", stripped))
    if moment is None:
        found = parse(stripped, days_first) if is_ambiguous(stripped) else None
        return found.time if found else None, None
    if moment.tzinfo is None:
        return moment, None
    local = None if stripped.endswith("Z") else moment.replace(tzinfo=None)
    try:
        return local, moment.astimezone(UTC)
    except OverflowError:
        return local, None
