"""Moments: as somebody types them, and as numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agtrace.errors import CaseError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def moment(text: str | datetime, *, naive: bool = False) -> datetime:
    """Read a moment, ISO 8601.

    Parameters
    ----------
    text
        ``2019-08-20 13:40``, with ``Z`` or ``+09:00`` where it is not UTC; or a datetime.
    naive
        Give it without zone, as it is written: it is the local time of hosts.

    Returns
    -------
    datetime
        In UTC where it names no zone; without a zone when ``naive``.

    Raises
    ------
    CaseError
        It is no moment; or it has a zone and is to be local time.
    """
    try:
        time = text if isinstance(text, datetime) else datetime.fromisoformat(str(text))
    except ValueError as error:
        raise CaseError(f"{text!r} is not a time", "write it as 2024-03-05T14:00:00") from error
    if not isinstance(time, datetime) or time != time:
        raise CaseError(f"{text!r} is not a time", "write it as 2024-03-05T14:00:00")
    if naive:
        if time.tzinfo:
            raise CaseError(f"{text!r} names a zone", "leave local=True or the zone away")
        return time
    try:
        return utc(time)
    except OverflowError as error:
        raise CaseError(f"{text!r} lies at the end of the calendar") from error


def utc(time: datetime) -> datetime:
    """Give an instant in UTC; one without a zone is UTC already."""
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def microseconds(time: datetime) -> int:
    """Give an instant in microseconds since 1970 UTC, exactly."""
    return (utc(time) - EPOCH) // _MICROSECOND
