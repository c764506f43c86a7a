"""Times and time windows: parsing user input, and converting to numbers."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from agtrace.errors import CaseError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LOCAL = "local"
"""Value of ``tz`` for the local time of each host."""
FORMS = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M:%S.%f",
    "%m/%d/%Y",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S.%f",
)
"""How the local times of a capture are typed."""
_MICROSECOND = timedelta(microseconds=1)


def moment(text: str | datetime, *, naive: bool = False, zone: tzinfo = UTC) -> datetime:
    """Parse a time in ISO 8601.

    Parameters
    ----------
    text
        ``2019-08-20 13:40``, optionally with ``Z`` or an offset such as ``+09:00``; or a datetime.
    naive
        Return it without a time zone, as written: the local time of hosts.
    zone
        Time zone of a text without one.

    Returns
    -------
    datetime
        In UTC; without a time zone if ``naive``.

    Raises
    ------
    CaseError
        The text is not a time, or has a time zone although ``naive`` is set.
    """
    try:
        time = text if isinstance(text, datetime) else datetime.fromisoformat(str(text))
    except ValueError as error:
        raise CaseError(f"{text!r} is not a time", "write it as 2024-03-05T14:00:00") from error
    if not isinstance(time, datetime) or time != time:
        raise CaseError(f"{text!r} is not a time", "write it as 2024-03-05T14:00:00")
    if naive:
        if time.tzinfo:
            raise CaseError(f"{text!r} names a zone", 'leave tz="local" or the zone away')
        return time
    try:
        return utc(time if time.tzinfo else time.replace(tzinfo=zone))
    except OverflowError as error:
        raise CaseError(f"{text!r} lies at the end of the calendar") from error


def iso(text: object) -> datetime | None:
    """Read ISO 8601, with or without a zone, as captures and records have it; None for other text."""
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def certain(text: str) -> datetime:
    """Parse a time as agtrace writes it.

    Raises
    ------
    ValueError
        The text is not a time.
    """
    return datetime.fromisoformat(text)


def local_moment(text: str) -> datetime:
    """Read a local time of a capture, as ISO 8601 without zone or as Performance Monitor writes it.

    Raises
    ------
    CaseError
        It is neither.
    """
    for form in FORMS:
        try:
            # Local time of the capture: no zone is meant.
            return datetime.strptime(text.strip().replace("T", " "), form)  # noqa: DTZ007
        except ValueError:
            continue
    raise CaseError(f"{text!r} is not a time such as 2026-03-14 09:30 or 03/14/2026 09:30:00")


def utc(time: datetime) -> datetime:
    """Return an instant in UTC; one without a zone is UTC already."""
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def microseconds(time: datetime) -> int:
    """Return an instant in microseconds since 1970 UTC, exactly."""
    return (utc(time) - EPOCH) // _MICROSECOND


@dataclass(frozen=True)
class Window:
    """A time window; a bound of None means unbounded.

    Parameters
    ----------
    start, end
        From ``start`` (inclusive) to ``end`` (exclusive), in UTC; without a zone if ``tz`` is ``"local"``.
    tz
        Time zone of input times without one, and of the result: ``"UTC"``, an IANA name, or ``"local"`` for
        the local time of each host.
    """

    start: datetime | None = None
    end: datetime | None = None
    tz: str = "UTC"

    @classmethod
    def of(cls, start: str | datetime | None, end: str | datetime | None, tz: str = "UTC") -> Window:
        """Parse its bounds, in ISO 8601.

        Raises
        ------
        CaseError
            A bound is not a time, the window is empty, or there is no such time zone.
        """
        name = zone_name(tz)
        zone = UTC if name == LOCAL else ZoneInfo(name)
        first, last = (
            None if each is None else moment(each, naive=name == LOCAL, zone=zone) for each in (start, end)
        )
        if first and last and first >= last:
            raise CaseError(f"{start} to {end} holds no time", "start lies before end")
        return cls(first, last, name)

    @property
    def is_local(self) -> bool:
        """Whether its bounds are in the local time of each host."""
        return self.tz == LOCAL

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of the result; UTC if times are in the local time of each host."""
        return ZoneInfo("UTC" if self.is_local else self.tz)

    @property
    def called(self) -> str:
        """Name of the time zone, for headings."""
        return "local time of each host" if self.is_local else self.tz

    def holds_all(self) -> bool:
        """Return whether it has no bounds."""
        return self.start is None and self.end is None


ALWAYS = Window()
"""Without bounds, in UTC."""


def zone_name(tz: str) -> str:
    """Return the name of a time zone with its correct spelling, or ``"local"``.

    Raises
    ------
    CaseError
        There is no such time zone; the message suggests the nearest.
    """
    if isinstance(tz, str):
        if tz.strip().lower() == LOCAL:
            return LOCAL
        if name := _zones().get(tz.strip().casefold()):
            return name
    cities = {name.rpartition("/")[2]: name for name in sorted(_zones())} | {name: name for name in _zones()}
    near = difflib.get_close_matches(str(tz).casefold(), cities, n=1)
    meant = f"did you mean {_zones()[cities[near[0]]]!r}? " if near else ""
    raise CaseError(f"tz={tz!r} is no zone", f"{meant}write 'UTC', 'local', or such as 'Europe/Berlin'")


@cache
def _zones() -> dict[str, str]:
    # These names mean a different zone on every machine.
    names = available_timezones() - {"localtime", "Factory", "posixrules"}
    return {name.casefold(): name for name in names | {"UTC"}}
