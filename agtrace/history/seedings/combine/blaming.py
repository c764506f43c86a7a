"""Which request or copy each failure ended that an ERRORLOG reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import ERRORLOG, TARGET, Failure
from agtrace.history.seedings.parts import FAILED, Copy, Request, same_text

AFTER = timedelta(seconds=60)
BEFORE = timedelta(seconds=10)
AT_ONCE = timedelta(seconds=1)
RETRIED = timedelta(minutes=10)
"""Failures of one database on one host no further apart are attempts of one operation."""

Row = dict[str, Any]


def blame(
    requests: Sequence[Request], copies: Sequence[Copy], rows: Sequence[Row]
) -> tuple[list[Request], list[Copy]]:
    """Give each failure to the request or copy that it ended; what ended none is a request itself."""
    asked, copied = list(requests), list(copies)
    near_asked, near_copied = Nearby(requests), Nearby(copies)
    unseen: dict[str | None, list[int]] = defaultdict(list)
    for row in rows:
        time, host = row["time"], row["host_id"]
        place = _owner(row, asked, near_asked.around(time, time, AFTER))
        if place is not None:
            asked[place] = _request_blamed(asked[place], row)
            continue
        place = _owner(row, copied, near_copied.around(time, time, AFTER))
        if place is not None:
            copied[place] = _copy_blamed(copied[place], row)
            continue
        place = _failed_before(row, asked, unseen[host])
        if place is None:
            unseen[host].append(len(asked))
            asked.append(_request_blamed(_unseen(row), row))
        else:
            asked[place] = _request_blamed(_tried_again(asked[place], time), row)
    return asked, copied


def _request_blamed(request: Request, row: Row) -> Request:
    return replace(
        request,
        failures=(*request.failures, _failure(row)),
        told_by=request.told_by | {ERRORLOG},
        ag=request.ag or row["ag"],
        database=request.database or row["database"],
    )


def _copy_blamed(copy: Copy, row: Row) -> Copy:
    told = replace(copy, failures=(*copy.failures, _failure(row)), told_by=copy.told_by | {ERRORLOG})
    return told if told.is_done is not None else replace(told, is_done=False, end=row["time"])


def _failure(row: Row) -> Failure:
    where = f"ERRORLOG of {row['host_id'] or 'an unknown host'}, line {row['line']}"
    text = row["reason_text"] or row["message"] or f"message {row['message_id']}"
    return Failure(row["state"], text, row["time"], where, row["message_id"])


def _owner(row: Row, parts: Sequence[Request | Copy], near: Sequence[int]) -> int | None:
    """Give the part that ran, or had just failed, on that host and database; the nearest of several."""
    ran = [n for n in near if parts[n].host == row["host_id"] and _meets(parts[n], row["time"])]
    if row["database"]:
        ran = [n for n in ran if not parts[n].database or same_text(parts[n].database, row["database"])]
    if row["role"]:
        ran = [n for n in ran if parts[n].role == row["role"]] or ran
    ran = [n for n in ran if _has_failed(parts[n])] or ran
    nearest = sorted(
        ((_since(parts[n], row["time"]), not parts[n].database), place) for place, n in enumerate(ran)
    )
    if len(nearest) > 1 and nearest[0][0] == nearest[1][0]:
        return None
    return ran[nearest[0][1]] if nearest else None


def _has_failed(part: Request | Copy) -> bool:
    return part.ended == FAILED if isinstance(part, Request) else part.is_done is False


def _since(part: Request | Copy, time: datetime) -> timedelta:
    """Give how far a moment is from the end of a part, in whole seconds."""
    apart = abs(time - (part.end or part.last or time))
    return timedelta(seconds=round(apart.total_seconds()))


def _meets(part: Request | Copy, time: datetime) -> bool:
    if part.first is None or part.last is None:
        return False
    if isinstance(part, Copy) and part.is_done:
        return False
    until = part.end or part.last
    return part.first - BEFORE <= time <= until + AFTER


def _failed_before(row: Row, requests: Sequence[Request], unseen: Sequence[int]) -> int | None:
    """Give the operation that failed shortly before in the same way: this is its next attempt."""
    for place in reversed(unseen):
        request = requests[place]
        if request.last is None or row["time"] - request.last > RETRIED:
            return None
        if not row["database"] or same_text(request.database, row["database"]):
            return place
    return None


def _tried_again(request: Request, time: datetime) -> Request:
    # Several lines of one moment tell of one failure.
    is_next = request.last is None or time - request.last > AT_ONCE
    attempts = (request.attempts or 1) + 1 if is_next else request.attempts
    return replace(request, attempts=attempts, last=time, end=time)


def _unseen(row: Row) -> Request:
    """Make a request of a failure alone; only its end was seen."""
    return Request(
        role=row["role"] or TARGET,
        host=row["host_id"],
        told_by=frozenset({ERRORLOG}),
        database=row["database"],
        ag=row["ag"],
        first=row["time"],
        last=row["time"],
        end=row["time"],
        ended=FAILED,
        is_failure_only=True,
    )
