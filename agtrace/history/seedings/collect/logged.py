"""Seeding as ERRORLOGs tell it: virtual devices, traced states and failures.

A backup to a virtual device is a seeding's only where a restore from one meets it on another host,
or anything else tells of a seeding: third-party tools back up through virtual devices, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.collect.automatic import from_rows
from agtrace.history.seedings.collect.script import script
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import ERRORLOG, SOURCE, TARGET, Failure
from agtrace.history.seedings.parts import FAILED, Copy, Request, same_text

AFTER = timedelta(seconds=60)
BEFORE = timedelta(seconds=10)
AT_ONCE = timedelta(seconds=1)
RETRIED = timedelta(minutes=10)
"""Failures of one database on one host no further apart are attempts of one operation."""

VIRTUAL_COPIES = """
    select host_id, database, operation, start, "end", bytes
    from backups
    where media = 'VIRTUAL_DEVICE' and status = 'completed' and not is_snapshot and "end" is not null
      and coalesce(kind, 'full') = 'full' and operation in ('backup', 'restore')
    order by "end", operation_id
"""


VIRTUAL_LINES = """
    select 1 from messages
    where topic in ('backup', 'restore') and fields['device_type'] = 'VIRTUAL_DEVICE' limit 1
"""


def copies(view: View) -> list[Copy]:
    """Give every full backup to a virtual device and every restore from one, in order of time."""
    if not len(view.table(VIRTUAL_LINES)):
        # Putting all backups of a long log together takes its time.
        return []
    return [
        Copy(
            role=SOURCE if row["operation"] == "backup" else TARGET,
            host=row["host_id"],
            told_by={ERRORLOG},
            database=row["database"],
            first=row["start"] or row["end"],
            last=row["end"],
            start=row["start"],
            end=row["end"],
            is_done=True,
            logged_bytes=row["bytes"],
        )
        for row in view.table(VIRTUAL_COPIES).to_pylist()
        if row["host_id"] is not None
    ]


def requests(view: View) -> list[Request]:
    """Give the requests whose states were traced, in order of time."""
    return from_rows(view.table(script("traced.sql")).to_pylist(), ERRORLOG)


def add_failures(view: View, requests: list[Request], copies: Sequence[Copy]) -> None:
    """Give each failure to the request or copy that it ended; what ended none is a request itself."""
    asked, copied = Nearby(requests), Nearby(copies)
    unseen: dict[str | None, list[Request]] = defaultdict(list)
    for row in view.table(script("failed.sql")).to_pylist():
        owner = _owner(row, asked.around(row["time"], row["time"], AFTER))
        owner = owner or _owner(row, copied.around(row["time"], row["time"], AFTER))
        owner = owner or _failed_before(row, unseen[row["host_id"]])
        if owner is None:
            owner = _unseen(row)
            requests.append(owner)
            unseen[owner.host].append(owner)
        owner.failures.append(_failure(row))
        owner.told_by.add(ERRORLOG)
        if isinstance(owner, Request):
            owner.ag = owner.ag or row["ag"]
            owner.database = owner.database or row["database"]
        elif owner.is_done is None:
            owner.is_done, owner.end = False, row["time"]


def _failure(row: dict[str, Any]) -> Failure:
    where = f"ERRORLOG of {row['host_id'] or 'an unknown host'}, line {row['line']}"
    text = row["reason_text"] or row["message"] or f"message {row['message_id']}"
    return Failure(row["state"], text, row["time"], where, row["message_id"])


def _owner(row: dict[str, Any], parts: Sequence[Request | Copy]) -> Request | Copy | None:
    """Give the part that ran, or had just failed, on that host and database; the nearest of several."""
    ran = [part for part in parts if part.host == row["host_id"] and _meets(part, row["time"])]
    if row["database"]:
        ran = [p for p in ran if not p.database or same_text(p.database, row["database"])]
    if row["role"]:
        ran = [part for part in ran if part.role == row["role"]] or ran
    ran = [part for part in ran if _has_failed(part)] or ran
    near = sorted(((_since(part, row["time"]), not part.database), n) for n, part in enumerate(ran))
    if len(near) > 1 and near[0][0] == near[1][0]:
        return None
    return ran[near[0][1]] if near else None


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


def _failed_before(row: dict[str, Any], unseen: Sequence[Request]) -> Request | None:
    """Give the operation that failed shortly before in the same way: this is its next attempt."""
    for request in reversed(unseen):
        if request.last is None or row["time"] - request.last > RETRIED:
            return None
        if not row["database"] or same_text(request.database, row["database"]):
            # Several lines of one moment tell of one failure.
            if row["time"] - request.last > AT_ONCE:
                request.attempts = (request.attempts or 1) + 1
            request.last = request.end = row["time"]
            return request
    return None


def _unseen(row: dict[str, Any]) -> Request:
    """Make a request of a failure alone; only its end was seen."""
    return Request(
        role=row["role"] or TARGET,
        host=row["host_id"],
        told_by={ERRORLOG},
        database=row["database"],
        ag=row["ag"],
        first=row["time"],
        last=row["time"],
        end=row["time"],
        ended=FAILED,
        is_failure_only=True,
    )
