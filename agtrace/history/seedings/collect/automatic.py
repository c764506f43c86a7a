"""Automatic seeding as the events of one host tell it.

The rules follow sys.dm_hadr_automatic_seeding (Transact-SQL reference): attempts of one request are
one operation, and it ends as its last attempt does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from agtrace.history.base import Sources, View
from agtrace.history.seedings.collect.captured import AUTOMATIC
from agtrace.history.seedings.operation import SOURCE, TARGET, XEL, Failure, State
from agtrace.history.seedings.parts import COMPLETED, FAILED, PENDING, Request, in_order, latest
from agtrace.store.sql_files import beside

_sql = beside(__file__)

Row = dict[str, Any]

EVENTS = Sources(events=(AUTOMATIC,))


def requests(view: View) -> list[Request]:
    """Give what each host's events tell of each request, in order of time."""
    if not EVENTS.are_in(view):
        return []
    return from_rows(view.rows(_sql("automatic.sql")), XEL)


def from_rows(rows: Sequence[Row], told_by: str) -> list[Request]:
    """Put rows of events together to requests, by what tells of them.

    Rows are in order of time and have the columns of automatic.sql, and may have ``database``,
    ``local_replica`` and ``where``.
    """
    ends: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        key = (
            row["host_id"],
            row["is_source"],
            row["database_guid"] or row.get("database"),
            row["remote_replica"],
        )
        ends[key].append(row)
    found = [_request(part, told_by) for seen in ends.values() for part in _apart(seen)]
    return sorted(found, key=lambda r: (r.first, r.role, r.host or ""))


def _apart(rows: list[Row]) -> list[list[Row]]:
    """Split the events of one end into requests: by operation id, retries with what they retry."""
    parts: list[list[Row]] = []
    by_id: dict[str | None, list[Row]] = {}
    for row in rows:
        part = by_id.get(row["operation_id"])
        begins = row["event"] == "start" and not _is_retry(row)
        if part is None or (begins and _ending(part) is not None):
            before = parts[-1] if parts else None
            if before is not None and _is_retry(row) and _ending(before) == FAILED:
                part = before
            else:
                part = []
                parts.append(part)
            by_id[row["operation_id"]] = part
        part.append(row)
    return parts


def _is_retry(row: Row) -> bool:
    return (row["attempt"] or 0) > 1


def _ending(rows: Sequence[Row]) -> str | None:
    """Tell how the last attempt ended: COMPLETED, FAILED, or None while it goes on."""
    for row in reversed(rows):
        if row["event"] == "success" or row["current_state"] == COMPLETED:
            return COMPLETED
        if row["event"] == "failure" or row["current_state"] == FAILED:
            return FAILED
        if row["event"] == "start" or (row["current_state"] and row["previous_state"] == FAILED):
            return None
    return None


def _request(rows: list[Row], told_by: str) -> Request:
    first, last = rows[0], rows[-1]
    role = SOURCE if first["is_source"] else TARGET
    ending = _ending(rows)
    ends = [
        row["time"]
        for row in rows
        if row["event"] in ("success", "failure") or row["current_state"] in (COMPLETED, FAILED)
    ]
    needed = [row["required_seeding"] for row in rows if row["required_seeding"] is not None]
    return Request(
        role=role,
        host=first["host_id"],
        told_by=frozenset({told_by}),
        operation_ids=frozenset(row["operation_id"] for row in rows if row["operation_id"]),
        ag_id=next((row["ag_id"] for row in rows if row["ag_id"]), None),
        database_guid=first["database_guid"],
        remote_replica=first["remote_replica"],
        local_replica=first.get("local_replica"),
        database=first.get("database"),
        states=_states(rows),
        first=first["time"],
        last=last["time"],
        start=first["time"] if _is_beginning(first) else None,
        end=latest(*ends) if ending else None,
        ended=ending,
        performed=needed[-1] if needed else None,
        attempts=max((row["attempt"] for row in rows if row["attempt"]), default=None),
        failures=tuple(_failure(row) for row in rows if row["event"] in ("failure", "timeout")),
    )


def _is_beginning(row: Row) -> bool:
    return row["event"] == "start" or row["previous_state"] == PENDING


def _states(rows: list[Row]) -> tuple[State, ...]:
    """Give the states in order; what was left by the first change held since the start before it."""
    states: list[State] = []
    begun = None
    for row in rows:
        if row["event"] == "start":
            begun = row["time"]
        if not row["current_state"]:
            continue
        before = row["previous_state"]
        if before and begun is not None and (not states or states[-1].name != before):
            states.append(State(begun, before))
        begun = None
        states.append(State(row["time"], row["current_state"]))
    if states or begun is None:
        return in_order(states)
    return (State(begun, PENDING),)


def _failure(row: Row) -> Failure:
    host = row["host_id"] or "an unknown host"
    where = row.get("where") or f"hadr_automatic_seeding_{row['event']} on {host}"
    if row["event"] == "timeout":
        return Failure(None, f"timed out after {row['timeout_ms']} ms", row["time"], where)
    return Failure(row["failure_state"], row["failure_text"] or "", row["time"], where)
