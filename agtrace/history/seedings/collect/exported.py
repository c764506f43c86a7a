"""Automatic seeding as exports of sys.dm_hadr_automatic_seeding tell it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.collect.script import script
from agtrace.history.seedings.combine.settling import Known, Settled, Written, in_utc, settle
from agtrace.history.seedings.operation import DMV, SOURCE, TARGET, XEL, Failure, State
from agtrace.history.seedings.parts import COMPLETED, FAILED, UNKNOWN, Copy, Request, in_order

Row = dict[str, Any]


def requests(
    view: View,
    names: Names,
    seen: Sequence[Request],
    copies: Sequence[Copy],
    measured: Sequence[Known] = (),
) -> list[Request]:
    """Give what the exports tell of each operation, with its times settled where they can be.

    Parameters
    ----------
    view
        The opened case.
    names
        Learns the names that the exports give.
    seen, copies, measured
        What other captures tell in UTC.
    """
    rows = view.table(script("exported.sql")).to_pylist()
    if not rows:
        return []
    offsets: dict[str, list[int]] = defaultdict(list)
    for row in view.table(script("offsets.sql")).to_pylist():
        offsets[row["host_id"]].append(row["offset_minutes"])
    known = [*(_of_request(r) for r in seen), *(_of_copy(c) for c in copies), *measured]
    exports: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        _name(row, names)
        exports[row["capture_id"]].append(row)
    found = []
    for listed in exports.values():
        settled = settle([_written(row, seen, copies) for row in listed], known, offsets)
        found += [_request(row, _role(row, seen, copies), settled) for row in listed]
    return found


def _name(row: Row, names: Names) -> None:
    for guid, name, table in (
        (row["database_guid"], row["database"], names.databases),
        (row["ag_id"], row["ag"], names.groups),
    ):
        if guid and name:
            table.setdefault(guid, name)
    if row["remote_replica"] and row["replica"]:
        names.replicas.setdefault(row["remote_replica"], names.host(row["replica"]))


def _role(row: Row, seen: Sequence[Request], copies: Sequence[Copy]) -> str:
    """Give the end that a row is of; where the export lacks is_source, from what else its host shows."""
    if row["is_source"] is not None:
        return SOURCE if row["is_source"] else TARGET
    host, name = row["host_id"], (row["database"] or "").lower()
    roles = {r.role for r in seen if r.host == host and row["operation_id"] in r.operation_ids}
    roles = roles or {
        c.role for c in copies if c.host == host and (c.database or "").lower() == name
    }
    return roles.pop() if len(roles) == 1 else SOURCE


def _written(row: Row, seen: Sequence[Request], copies: Sequence[Copy]) -> Written:
    return Written(
        host=row["host_id"],
        role=_role(row, seen, copies),
        start=row["start_written"],
        end=row["end_written"],
        operation_ids=frozenset({row["operation_id"]} - {None}),
        database=row["database"],
        database_guid=row["database_guid"],
        is_copied=row["performed"] is not False,
    )


def _of_request(request: Request) -> Known:
    start, end = request.start, request.end
    told = "XEL" if XEL in request.told_by else "the ERRORLOG"
    return Known(
        said=told,
        host=request.host,
        role=request.role,
        start=start,
        end=end,
        is_copy=False,
        operation_ids=frozenset(request.operation_ids),
        database=request.database,
        database_guid=request.database_guid,
    )


def _of_copy(copy: Copy) -> Known:
    told = "the ERRORLOG"
    if XEL in copy.told_by:
        told = "XEL"
    elif DMV in copy.told_by:
        told = "sys.dm_hadr_physical_seeding_stats"
    return Known(
        said=told,
        host=copy.host,
        role=copy.role,
        start=copy.start,
        end=copy.end,
        is_copy=True,
        database=copy.database,
    )


def _request(row: Row, role: str, settled: Settled) -> Request:
    state = (row["state"] or "").upper()
    ended = state if state in (COMPLETED, FAILED) else None
    if ended is None and row["end_written"] is not None:
        ended = FAILED if row["failure_state"] else COMPLETED
    start: datetime | None = None
    end: datetime | None = None
    if settled.minutes is not None:
        start = in_utc(row["start_written"], settled.minutes)
        end = in_utc(row["end_written"], settled.minutes)
    looks = [State(look["look"], look["state"]) for look in row["looks"] or []]
    request = Request(
        role=role,
        host=row["host_id"],
        told_by={DMV},
        operation_ids={row["operation_id"]} - {None},
        ag_id=row["ag_id"],
        database_guid=row["database_guid"],
        remote_replica=row["remote_replica"],
        database=row["database"],
        ag=row["ag"],
        looks=in_order([look for look in looks if end is None or look.time <= end]),
        first=start,
        last=end or row["look"] or start,
        start=start,
        end=end,
        start_written=row["start_written"] if settled.minutes is None else None,
        end_written=row["end_written"] if settled.minutes is None else None,
        ended=ended,
        performed=row["performed"] if ended == COMPLETED else None,
        attempts=row["attempts"],
        time_basis=settled.basis if settled.minutes is not None else UNKNOWN,
    )
    if start is None:
        request.last = None
    if row["failure_state"] or row["failure_text"] or ended == FAILED:
        where = f"sys.dm_hadr_automatic_seeding on {row['host_id'] or 'an unknown host'}"
        text = row["failure_text"] or (f"error {row['error_code']}" if row["error_code"] else "")
        request.failures.append(Failure(row["failure_state"], text, end, where))
    return request
