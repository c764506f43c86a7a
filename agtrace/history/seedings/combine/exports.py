"""Automatic seeding as exports of its DMV tell it, with its times settled where they can be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agtrace.history.seedings.collect.exported import Exports, Row
from agtrace.history.seedings.collect.measured import TOTAL, Span
from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.combine.settling import Known, Settled, Written, in_utc, settle
from agtrace.history.seedings.operation import DMV, ERRORLOG, SOURCE, TARGET, XEL, Failure, State
from agtrace.history.seedings.parts import COMPLETED, FAILED, UNKNOWN, Copy, Request, in_order


def names_of(exports: Exports, names: Names) -> Names:
    """Give the names that are known, and those that exports give beside guids."""
    databases: dict[str, str] = {}
    groups: dict[str, str] = {}
    replicas: dict[str, str] = {}
    for row in (row for listed in exports.listed for row in listed):
        for guid, name, table in (
            (row["database_guid"], row["database"], databases),
            (row["ag_id"], row["ag"], groups),
        ):
            if guid and name:
                table.setdefault(guid, name)
        host = names.host(row["replica"])
        if row["remote_replica"] and host:
            replicas.setdefault(row["remote_replica"], host)
    return names.learnt(databases, groups, replicas)


def requests_of(
    exports: Exports, seen: Sequence[Request], copies: Sequence[Copy], spans: Sequence[Span]
) -> list[Request]:
    """Give what the exports tell of each operation.

    Parameters
    ----------
    seen, copies, spans
        What other captures tell in UTC: it settles in which zone the times of an export are.
    """
    if not exports.listed:
        return []
    known = [*map(_of_part, seen), *map(_of_part, copies), *map(_of_span, spans)]
    found = []
    for listed in exports.listed:
        settled = settle([_written(row, seen, copies) for row in listed], known, exports.offsets)
        found += [_request(row, _role(row, seen, copies), settled) for row in listed]
    return found


def _role(row: Row, seen: Sequence[Request], copies: Sequence[Copy]) -> str:
    """Give the end that a row is of; where the export lacks is_source, from what else its host shows."""
    if row["is_source"] is not None:
        return SOURCE if row["is_source"] else TARGET
    host, name = row["host_id"], (row["database"] or "").lower()
    roles = {r.role for r in seen if r.host == host and row["operation_id"] in r.operation_ids}
    roles = roles or {c.role for c in copies if c.host == host and (c.database or "").lower() == name}
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


_SAYS = {XEL: "XEL", DMV: "sys.dm_hadr_physical_seeding_stats", ERRORLOG: "the ERRORLOG"}
"""What a time in UTC is called, the best witness first."""


def _of_part(part: Request | Copy) -> Known:
    return Known(
        said=next((said for kind, said in _SAYS.items() if kind in part.told_by), ""),
        host=part.host,
        role=part.role,
        start=part.start,
        end=part.end,
        is_copy=isinstance(part, Copy),
        operation_ids=part.operation_ids if isinstance(part, Request) else frozenset(),
        database=part.database,
        database_guid=part.database_guid if isinstance(part, Request) else None,
    )


def _of_span(span: Span) -> Known:
    return Known(
        said="Backup/Restore Throughput/sec",
        host=span.host,
        role=None,
        start=span.start,
        end=span.end,
        is_copy=True,
        database=None if span.database == TOTAL else span.database,
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
    code = f"error {row['error_code']}" if row["error_code"] else ""
    text = f"{row['failure_text']} ({code})" if row["failure_text"] and code else row["failure_text"] or code
    where = f"sys.dm_hadr_automatic_seeding on {row['host_id'] or 'an unknown host'}"
    has_failed = row["failure_state"] or row["failure_text"] or ended == FAILED
    return Request(
        role=role,
        host=row["host_id"],
        told_by=frozenset({DMV}),
        operation_ids=frozenset({row["operation_id"]} - {None}),
        ag_id=row["ag_id"],
        database_guid=row["database_guid"],
        remote_replica=row["remote_replica"],
        database=row["database"],
        ag=row["ag"],
        looks=in_order([look for look in looks if end is None or look.time <= end]),
        first=start,
        last=(end or row["look"] or start) if start is not None else None,
        start=start,
        end=end,
        start_written=row["start_written"] if settled.minutes is None else None,
        end_written=row["end_written"] if settled.minutes is None else None,
        ended=ended,
        performed=row["performed"] if ended == COMPLETED else None,
        attempts=row["attempts"],
        failures=(Failure(row["failure_state"], text, end, where),) if has_failed else (),
        time_basis=settled.basis if settled.minutes is not None else UNKNOWN,
    )
