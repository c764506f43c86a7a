"""Automatic seeding as the events of one host, or the states traced in its ERRORLOG, show it.

The rules follow sys.dm_hadr_automatic_seeding (Transact-SQL reference): attempts of one request are
one operation, and it ends as its last attempt does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from agtrace.history.base import Sources, View
from agtrace.history.seedings.captured import AUTOMATIC as EVENTS
from agtrace.history.seedings.operation import ERRORLOG, SOURCE, TARGET, XEL, Failure, State
from agtrace.history.seedings.parts import AUTOMATIC, COMPLETED, FAILED, PENDING, Part, in_order, latest
from agtrace.store.sql_files import beside

_sql = beside(__file__)

Row = dict[str, Any]

TRACED = "seeding_trace"


def from_events(view: View) -> list[Part]:
    """Return the requests in events, in chronological order."""
    return _requests(view, "automatic.sql", XEL) if Sources(events=(EVENTS,)).are_in(view) else []


def from_traces(view: View) -> list[Part]:
    """Return the requests whose states are traced in ERRORLOGs, in chronological order."""
    return _requests(view, "traced.sql", ERRORLOG) if TRACED in view.topics else []


def _requests(view: View, query: str, told_by: str) -> list[Part]:
    ends: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in view.rows(_sql(query)):
        database = row["database_guid"] or row["database"]
        ends[row["host_id"], row["is_source"], database, row["remote_replica"]].append(row)
    found = [_request(part, told_by) for rows in ends.values() for part in _apart(rows)]
    return sorted(found, key=lambda r: (r.first, r.role, r.host or ""))


def _apart(rows: list[Row]) -> list[list[Row]]:
    """Split the events of one end into requests: by operation id, retries with what they retry."""
    parts: list[list[Row]] = []
    by_id: dict[str | None, list[Row]] = {}
    for row in rows:
        part, is_retry = by_id.get(row["operation_id"]), (row["attempt"] or 0) > 1
        begins = row["event"] == "start" and not is_retry
        if part is None or (begins and _ending(part) is not None):
            if is_retry and parts and _ending(parts[-1]) == FAILED:
                part = parts[-1]
            else:
                part = []
                parts.append(part)
            by_id[row["operation_id"]] = part
        part.append(row)
    return parts


def _ending(rows: Sequence[Row]) -> str | None:
    """Return the outcome of the last attempt: COMPLETED, FAILED, or None while it is running."""
    for row in reversed(rows):
        if row["event"] == "success" or row["current_state"] == COMPLETED:
            return COMPLETED
        if row["event"] == "failure" or row["current_state"] == FAILED:
            return FAILED
        if row["event"] == "start" or (row["current_state"] and row["previous_state"] == FAILED):
            return None
    return None


def _request(rows: list[Row], told_by: str) -> Part:
    first, ending = rows[0], _ending(rows)
    ends = [
        row["time"]
        for row in rows
        if row["event"] in ("success", "failure") or row["current_state"] in (COMPLETED, FAILED)
    ]
    needed = [row["required_seeding"] for row in rows if row["required_seeding"] is not None]
    has_start = first["event"] == "start" or first["previous_state"] == PENDING
    return Part(
        AUTOMATIC,
        role=SOURCE if first["is_source"] else TARGET,
        host=first["host_id"],
        told_by=frozenset({told_by}),
        operation_ids=frozenset(row["operation_id"] for row in rows if row["operation_id"]),
        ag_id=next((row["ag_id"] for row in rows if row["ag_id"]), None),
        database_guid=first["database_guid"],
        remote_id=first["remote_replica"],
        local_id=first["local_replica"],
        database=first["database"],
        states=_states(rows),
        first=first["time"],
        last=rows[-1]["time"],
        start=first["time"] if has_start else None,
        end=latest(*ends) if ending else None,
        ended=ending,
        performed=needed[-1] if needed else None,
        attempts=max((row["attempt"] for row in rows if row["attempt"]), default=None),
        failures=tuple(_failure(row) for row in rows if row["event"] in ("failure", "timeout")),
    )


def _states(rows: list[Row]) -> tuple[State, ...]:
    """Return the states in order; what the first change left held since the start before it."""
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
    where = f"hadr_automatic_seeding_{row['event']} on {row['host_id'] or 'an unknown host'}"
    if row["event"] == "timeout":
        return Failure(None, f"timed out after {row['timeout_ms']} ms", row["time"], where)
    return Failure(row["failure_state"], row["failure_text"] or "", row["time"], where)
