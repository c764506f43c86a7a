"""How an operation ended, and how long it took, from everything that was put together of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from agtrace.history.seedings.parts import (
    COMPLETED,
    FAILED,
    SEEDING,
    Copy,
    Joined,
    Request,
    earliest,
    latest,
    usual_interval,
)
from agtrace.thresholds import Thresholds

CATCHUP, CHECK = "CATCHUP", "CHECK_IF_SEEDING_NEEDED"


def outcome(
    joined: Joined, restarts: Mapping[str, Sequence[datetime]], limits: Thresholds
) -> tuple[str, datetime | None]:
    """Tell how an operation ended, and when a cut ended it.

    Parameters
    ----------
    restarts
        When each host's server started (UTC).

    Returns
    -------
    tuple of str and datetime or None
        "completed", "already_present", "failed", "cut_off" or "running"; the time of the cut.
    """
    ends = joined.request.ends if joined.request else []
    last = joined.copies[-1].ends if joined.copies else []
    if any(end.ended == COMPLETED for end in ends):
        return ("already_present" if _was_present(ends, joined) else "completed"), None
    cut = _restart(joined, restarts, limits)
    if cut is not None and not (not ends and last and all(end.is_done for end in last)):
        return "cut_off", cut
    if any(end.ended == FAILED for end in ends):
        return "failed", None
    if any(end.is_done is False for end in last):
        return "failed", None
    if not ends and last and any(end.is_done for end in last):
        return "completed", None
    if joined.request is None and not last:
        return "failed", None
    lost = _lost(last, ends, limits)
    if lost is not None:
        return "cut_off", lost
    return "running", None


def _was_present(ends: Sequence[Request], joined: Joined) -> bool:
    """Tell whether the database was there already: no copy was needed."""
    said = {end.performed for end in ends if end.performed is not None}
    if said:
        return said == {False} and not joined.copies
    names = {state.name for end in ends for state in end.states}
    return CHECK in names and CATCHUP in names and SEEDING not in names and not joined.copies


def _restart(
    joined: Joined, restarts: Mapping[str, Sequence[datetime]], limits: Thresholds
) -> datetime | None:
    """Give the first start of either server during the operation, or after its last sign of life."""
    found = []
    requests: list[Request | Copy] = [*joined.request.ends] if joined.request else []
    copies = joined.copies[-1].ends if joined.copies else []
    over = _over(joined, limits)
    for host in {part.host for part in [*requests, *copies] if part.host}:
        asked = [part for part in requests if part.host == host]
        copied = [part for part in copies if part.host == host]
        begun = earliest(*(part.first for part in [*asked, *copied]))
        if begun is None or any(_has_ended(part) for part in asked or copied):
            continue
        times = restarts.get(host, ())
        until = earliest(over, *(_silent(copy, limits) for copy in copied))
        found += [time for time in times if time > begun and (until is None or time <= until)]
    return min(found, default=None)


def _silent(copy: Copy, limits: Thresholds) -> datetime | None:
    """Give the time from which on a copy under way would have reported again, if it still ran."""
    usual = usual_interval(copy)
    if copy.is_done is not None or copy.last is None or usual is None:
        return None
    least = timedelta(minutes=limits.seeding_silent_minutes)
    return copy.last + max(least, limits.seeding_silent_reports * usual)


def _has_ended(part: Request | Copy) -> bool:
    return part.ended is not None if isinstance(part, Request) else part.is_done is not None


def _over(joined: Joined, limits: Thresholds) -> datetime | None:
    """Give the end that any part states; an end that another host's failure states comes later."""
    parts: list[Request | Copy] = list(joined.request.ends) if joined.request else []
    parts += [end for copy in joined.copies for end in copy.ends]
    told = latest(*(part.end for part in parts if _has_ended(part)))
    return told + timedelta(minutes=limits.seeding_silent_minutes) if told is not None else None


def _lost(copies: Sequence[Copy], requests: Sequence[Request], limits: Thresholds) -> datetime | None:
    """Give the last report of a copy that fell silent while other events of its host went on."""
    for copy in copies:
        if copy.last is None or copy.others_until is None:
            continue
        usual = usual_interval(copy)
        if usual is None:
            continue
        silent = copy.others_until - copy.last
        own = [end.last for end in requests if end.host == copy.host and end.last]
        least = timedelta(seconds=limits.seeding_silent_s)
        least = max(least, limits.seeding_silent_reports * usual)
        if silent > least and all(time <= copy.last for time in own):
            return copy.last
    return None


def attempts(joined: Joined) -> int | None:
    """Give the number of attempts where anything tells it."""
    ends = joined.request.ends if joined.request else []
    told = [end.attempts for end in ends if end.attempts is not None]
    retried = [end.retries + 1 for copy in joined.copies for end in copy.ends if end.retries]
    failed = [sum(f.state is not None for f in end.failures) for end in ends]
    if len(joined.copies) > 1:
        told.append(len(joined.copies))
    if any(end.ended == COMPLETED for end in ends) and max(failed, default=0):
        told.append(max(failed) + 1)
    return max([*told, *retried], default=None)
