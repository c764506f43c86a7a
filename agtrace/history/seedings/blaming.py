"""Which request or copy each failure ended that an ERRORLOG reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import ERRORLOG, TARGET, Failure
from agtrace.history.seedings.parts import AUTOMATIC, COMPLETED, FAILED, PHYSICAL, Part, same_text
from agtrace.history.seedings.requests import TRACED
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOPIC = "seeding_failed"
AFTER = timedelta(seconds=60)
BEFORE = timedelta(seconds=10)
AT_ONCE = timedelta(seconds=1)
RETRIED = timedelta(minutes=10)
"""Failures of one database on one host at most this far apart are attempts of one operation."""
VIRTUAL_FAILURES = """
    select 1 from messages
    where topic = 'backup_failed' and regexp_matches(fields['device'], '^\\{?[0-9A-Fa-f-]{36}\\}?$') limit 1
"""

Row = dict[str, Any]


def has_failed_copies(view: View) -> bool:
    """Return whether a backup to a virtual device named by a GUID, as used by seedings, failed."""
    return "backup_failed" in view.topics and bool(view.rows(VIRTUAL_FAILURES))


def failures_of(view: View) -> list[Row]:
    """Return the failures in ERRORLOGs, in chronological order; the columns are those of failed.sql."""
    found = []
    if not view.topics.isdisjoint((TOPIC, TRACED)):
        found += view.rows(_sql("failed.sql"))
    if has_failed_copies(view):
        found += view.rows(_sql("unread.sql"))
    return sorted(found, key=lambda row: row["time"])


def blame(
    requests: Sequence[Part], copies: Sequence[Part], failures: Sequence[Row]
) -> tuple[list[Part], list[Part]]:
    """Return both with each failure at the part that it ended; what ended none is a request itself."""
    asked, copied = list(requests), list(copies)
    near_asked, near_copied = Nearby(requests), Nearby(copies)
    unseen: dict[str | None, list[int]] = defaultdict(list)
    for row in failures:
        time, host = row["time"], row["host_id"]
        if (place := _owner(row, asked, near_asked.around(time, time, AFTER))) is not None:
            asked[place] = _blamed(asked[place], row)
        elif (place := _owner(row, copied, near_copied.around(time, time, AFTER))) is not None:
            copied[place] = _blamed(copied[place], row)
        elif (place := _failed_before(row, asked, unseen[host])) is not None:
            asked[place] = _blamed(_tried_again(asked[place], time), row)
        else:
            unseen[host].append(len(asked))
            asked.append(_blamed(_failure_only(row), row))
    return asked, copied


def _blamed(part: Part, row: Row) -> Part:
    where = f"ERRORLOG of {row['host_id'] or 'an unknown host'}, line {row['line']}"
    text = row["reason_text"] or row["message"] or f"message {row['message_id']}"
    failure = Failure(row["state"], text, row["time"], where, row["message_id"])
    made = part._replace(failures=(*part.failures, failure), told_by=part.told_by | {ERRORLOG})
    if part.layer == AUTOMATIC:
        return made._replace(ag=part.ag or row["ag"], database=part.database or row["database"])
    return made if part.ended is not None else made._replace(ended=FAILED, end=row["time"])


def _owner(row: Row, parts: Sequence[Part], near: Sequence[int]) -> int | None:
    """Return the part that ran, or had just failed, on that host and database; the nearest of several."""
    ran = [n for n in near if parts[n].host == row["host_id"] and _meets(parts[n], row["time"])]
    if row["database"]:
        ran = [n for n in ran if not parts[n].database or same_text(parts[n].database, row["database"])]
    if row["role"]:
        ran = [n for n in ran if parts[n].role == row["role"]] or ran
    ran = [n for n in ran if parts[n].ended == FAILED] or ran
    nearest = sorted(
        ((_since(parts[n], row["time"]), not parts[n].database), place) for place, n in enumerate(ran)
    )
    if len(nearest) > 1 and nearest[0][0] == nearest[1][0]:
        return None
    return ran[nearest[0][1]] if nearest else None


def _since(part: Part, time: datetime) -> int:
    """Return how many whole seconds a moment is from the end of a part."""
    return round(abs(time - (part.end or part.last or time)).total_seconds())


def _meets(part: Part, time: datetime) -> bool:
    if part.first is None or part.last is None:
        return False
    if part.layer == PHYSICAL and part.ended == COMPLETED:
        return False
    return part.first - BEFORE <= time <= (part.end or part.last) + AFTER


def _failed_before(row: Row, requests: Sequence[Part], unseen: Sequence[int]) -> int | None:
    """Return the request that failed shortly before in the same way: this is its next attempt."""
    for place in reversed(unseen):
        request = requests[place]
        if request.last is None or row["time"] - request.last > RETRIED:
            return None
        if not row["database"] or same_text(request.database, row["database"]):
            return place
    return None


def _tried_again(request: Part, time: datetime) -> Part:
    # Several lines of one moment report one failure.
    is_next = request.last is None or time - request.last > AT_ONCE
    attempts = (request.attempts or 1) + 1 if is_next else request.attempts
    return request._replace(attempts=attempts, last=time, end=time)


def _failure_only(row: Row) -> Part:
    """Return a request of which only the end was captured."""
    return Part(
        AUTOMATIC,
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
