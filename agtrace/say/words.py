"""Texts for numbers and for names from captures.

Fields of a `Finding` are plain text, escaped when rendered: with `md` for Markdown that becomes HTML, with
`html` for HTML. Text from a capture (names of hosts, databases, files, messages) passes through one of the
three functions here before it is shown.
"""

from __future__ import annotations

import html as _html
import math
import string
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from agtrace.printable import NOT_CAPTURED as NOT_CAPTURED
from agtrace.printable import TEXT_LIMIT
from agtrace.printable import plain as plain

if TYPE_CHECKING:
    from agtrace.measure.statistics import Interval

_ENTITIES = {ord(c): f"&#{ord(c)};" for c in string.punctuation if c not in ",;"}


def md(text: object, limit: int = TEXT_LIMIT) -> str:
    """Escape text from a capture for Markdown that is rendered to HTML.

    Every punctuation mark becomes a numeric character reference: CommonMark never takes one for structure
    (section 2.5 of the specification), so the text cannot start Markdown, HTML, mathematics or an automatic
    link.
    """
    return plain(text, limit).translate(_ENTITIES)


def html(text: object, limit: int = TEXT_LIMIT) -> str:
    """Escape text from a capture for HTML content and quoted attributes."""
    return _html.escape(plain(text, limit), quote=True)


def rate(bytes_per_s: float | None) -> str:
    """Format a byte rate, decimal units: "5.2 MB/s", "620 KB/s"."""
    return f"{size(bytes_per_s)}/s" if _known(bytes_per_s) else NOT_CAPTURED


def change(bytes_per_s: float | None) -> str:
    """Format the growth of a queue, with its sign: "+5.2 MB/s", "-620 KB/s"."""
    return ("+" if bytes_per_s is not None and bytes_per_s > 0 else "") + rate(bytes_per_s)


def growth(bytes_: float | None) -> str:
    """Format by how much a queue grew, with its sign: "+582 MB", "-2.4 GB"."""
    return ("+" if bytes_ is not None and bytes_ > 0 else "") + size(bytes_)


def bits(bytes_per_s: float | None) -> str:
    """Format a byte rate in bits, as links are: "2.2 Gb/s", "174 Mb/s"."""
    if bytes_per_s is None or not _known(bytes_per_s):
        return NOT_CAPTURED
    value = bytes_per_s * 8
    if abs(value) >= 0.995e9:
        return f"{value / 1e9:,.1f} Gb/s"
    return f"{value / 1e6:.0f} Mb/s" if abs(value) >= 0.95e7 else number(value / 1e6, "Mb/s")


def wire_rate(bytes_per_s: float | None) -> str:
    """Format a rate on the wire in bytes and in bits: "279 MB/s, 2.2 Gb/s"."""
    return f"{rate(bytes_per_s)}, {bits(bytes_per_s)}" if _known(bytes_per_s) else NOT_CAPTURED


def size(bytes_: float | None) -> str:
    """Format a number of bytes, decimal units (1 MB = 10^6 bytes): "750 MB", "1.2 GB"."""
    if bytes_ is None or not _known(bytes_):
        return NOT_CAPTURED
    value, unit = scaled(bytes_)
    digits = 1 if unit != "B" and abs(value) < 9.95 else 0
    return f"{_unsigned_zero(value, digits):,.{digits}f} {unit}"


def scaled(bytes_: float) -> tuple[float, str]:
    """Return a number of bytes in the largest decimal unit that leaves it at 1 or more."""
    value = float(bytes_)
    for unit in ("B", "KB", "MB", "GB"):
        if abs(value) < 999.5:  # 999.5 would be written as 1,000
            return value, unit
        value /= 1000
    return value, "TB"


def span(seconds: float | None) -> str:
    """Format a duration by its two largest units: "350 ms", "45 min", "2 h 5 min"."""
    if seconds is None or not _known(seconds):
        return NOT_CAPTURED
    if seconds < 0:
        return "-" + span(-seconds)
    if seconds == 0:
        return "0 s"
    if seconds < 0.9995:
        return number(seconds * 1000, "ms")
    if seconds < 9.95:
        return number(round(seconds, 1), "s")
    # A unit is used until the value, rounded as displayed, reaches the next one.
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return _two_units(whole // 60, "min", whole % 60, "s")
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return _two_units(minutes // 60, "h", minutes % 60, "min")
    hours = round(seconds / 3600)
    return _two_units(hours // 24, "d", hours % 24, "h")


def number(value: float | None, unit: str = "") -> str:
    """Format a number with its unit: three significant digits below 1,000, whole above."""
    if value is None or not _known(value):
        return NOT_CAPTURED
    if isinstance(value, int) or abs(value) >= 999.5:
        text = f"{round(value):,}"
    else:
        text = f"{float(f'{value:.3g}'):.10f}".rstrip("0").rstrip(".")
        if float(text) == 0:
            text = f"{value:.3g}" if value else "0"
    return f"{text} {unit}".rstrip()


def second(time: datetime) -> str:
    """Write an instant as columns of UTC do, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def moment(time: datetime | None) -> str:
    """Format an instant to the second: UTC if it has a zone, "local time" if it has none."""
    if time is None or time != time:  # NaT differs from itself
        return NOT_CAPTURED
    if time.tzinfo is None:
        return f"{time:%Y-%m-%d %H:%M:%S} local time"
    return f"{second(time)} UTC"


def instant(time: datetime | None) -> str:
    """Format an instant as in logs: "2024-02-06 14:45:02.3 UTC", "local time" if it has no zone."""
    if time is None:
        return "at a time that is not known"
    if time.tzinfo is None:
        return f"{time:%Y-%m-%d %H:%M:%S}.{time.microsecond // 100_000} local time"
    time = time.astimezone(UTC)
    return f"{time:%Y-%m-%d %H:%M:%S}.{time.microsecond // 100_000} UTC"


def stamp(time: datetime | None, minutes: int = 0) -> str:
    """Return an instant, moved by minutes, as commands of Windows take it: "2024-02-06T14:45:02Z"."""
    if time is None:
        return "..."
    try:
        moved = time + timedelta(minutes=minutes)
    except OverflowError:
        moved = time
    if moved.tzinfo is None:
        return f"{moved:%Y-%m-%dT%H:%M:%S}"
    return f"{moved.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z"


def clock(time: datetime | None) -> str:
    """Format an instant of a day named before: "14:45:02.3"."""
    if time is None:
        return "--:--:--"
    time = time.astimezone(UTC)
    return f"{time:%H:%M:%S}.{time.microsecond // 100_000}"


def amount(value: float | int | str | None, unit: str = "") -> str:
    """Format a value with its unit, as everywhere: "5.2 log MB/s", "750 MB", "2 h 5 min", "disabled"."""
    unit = plain(unit)
    if isinstance(value, str | bool) or value is None:
        return plain(value) + (f" {unit}" if unit and value is not None else "")
    *whose, measure = unit.split(" ") if unit else [""]
    if measure in ("B", "B/s"):
        decimal, _, multiple = size(value).partition(" ")
        return " ".join([decimal, *whose, multiple + measure[1:]])
    if unit == "s":
        return span(value)
    if value == 1 and len(unit) > len("1/s") and unit.isalpha() and unit.endswith("s"):
        return f"1 {_singular(unit)}"
    return number(value, unit)


def _singular(unit: str) -> str:
    return f"{unit[:-3]}y" if unit.endswith("ies") else unit[:-1]


def percent(share: float | None, digits: int = 0) -> str:
    """Format a share of one: "66 %", with ``digits`` 1 "0.4 %"."""
    return NOT_CAPTURED if share is None else f"{100 * share:.{digits}f} %"


def gain(ratio: float | Interval) -> str:
    """Format a ratio as a change: "+43 %", "-2.7 %"; an estimate with its interval."""
    if isinstance(ratio, int | float):
        change = round(100 * (ratio - 1), 1 if abs(ratio - 1) < 0.0995 else 0) + 0.0  # never "-0 %"
        return f"{change:+.3g} %"
    if ratio.low is None or ratio.high is None:
        return f"{gain(ratio.value)} (too few runs for an interval)"
    return f"{gain(ratio.value)} (95 % interval {gain(ratio.low)} to {gain(ratio.high)})"


def share(value: float | None) -> str:
    """Format a share of one with three digits: "66 %", "1.6 %", "99.6 %"."""
    return NOT_CAPTURED if value is None else number(100 * value, "%")


def capital(text: str) -> str:
    """Return a text with a capital first letter; the rest, such as names, is unchanged."""
    return text[:1].upper() + text[1:]


def count(n: int, noun: str, plural: str | None = None) -> str:
    """Format a count with its noun: "1 capture", "3 captures"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def words_in(text: str) -> int:
    """Return the number of words of a text."""
    return len(text.split())


def listing(texts: list[str], limit: int = 5) -> str:
    """Join texts for a sentence: "a, b and c"; the ones beyond ``limit`` are counted."""
    if len(texts) > limit:
        return f"{', '.join(texts[:limit])} and {len(texts) - limit:,} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _two_units(large: int, unit: str, small: int, smaller: str) -> str:
    return f"{large:,} {unit}" + (f" {small} {smaller}" if small else "")


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _unsigned_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0
