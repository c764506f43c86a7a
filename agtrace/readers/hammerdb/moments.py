"""Instants as HammerDB writes them: ``Thu Jun 30 22:43:40 UTC 2022``, and ISO in job reports."""

from __future__ import annotations

import re
from datetime import datetime

from agtrace.moments import iso
from agtrace.readers.written_times import MONTHS

CLOCK = (
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) (?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d)"
    r" (?P<zone>\S(?:.{0,40}\S)?) (?P<year>\d{4})"
)
"""Tcl's ``clock format`` without a format: %a %b %d %H:%M:%S %Z %Y, in English everywhere."""

_BIAS = re.compile(r"(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d)")


def moment(match: re.Match[str]) -> datetime | None:
    """Return the local time of a match of `CLOCK`."""
    if match["month"] not in MONTHS:
        return None
    hour, minute, second = (int(part) for part in match["clock"].split(":"))
    month = MONTHS.index(match["month"]) + 1
    try:
        return datetime(int(match["year"]), month, int(match["day"]), hour, minute, second)
    except ValueError:
        return None


def offset_minutes(zone: str) -> int | None:
    """Return local time minus UTC if the zone is a number or UTC itself; names are ambiguous."""
    if zone == "UTC":
        return 0
    bias = _BIAS.fullmatch(zone)
    if bias is None:
        return None
    minutes = int(bias["hours"]) * 60 + int(bias["minutes"])
    return None if minutes > 14 * 60 else -minutes if bias["sign"] == "-" else minutes


def iso_moment(text: object) -> datetime | None:
    """Return the local time of ``2026-05-30 15:24:49``."""
    found = iso(str(text))
    return found.replace(tzinfo=None) if found else None
