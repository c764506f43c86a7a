"""Parallel redo of a target that catches up: what its ERRORLOG says of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.base import View
from agtrace.history.seedings.operation import Operation


@dataclass(frozen=True)
class ParallelRedo:
    """Message 49930 of a host: parallel redo began or ended."""

    host: str
    database: str
    event: str
    time: datetime
    workers: str


def parallel_redo(view: View) -> dict[tuple[str, str], list[ParallelRedo]]:
    """Give what parallel redo did by host and database, the latter in lower case."""
    rows = view.rows(
        "select host_id, time, fields['database'] as database, fields['event'] as event, "
        "fields['pool_size'] as workers from messages "
        "where topic = 'parallel_redo' and host_id is not null and time is not null order by time"
    )
    found: dict[tuple[str, str], list[ParallelRedo]] = defaultdict(list)
    for r in rows:
        redo = ParallelRedo(
            r["host_id"], r["database"] or "", r["event"] or "", r["time"], r["workers"] or ""
        )
        found[redo.host, redo.database.lower()].append(redo)
    return found


def around(
    parallel: dict[tuple[str, str], list[ParallelRedo]], operation: Operation, after: timedelta
) -> tuple[ParallelRedo, ...]:
    """Give those of a seeding's target from the end of its copy to its own end, and so long beside."""
    begin, end = operation.copy_end or operation.start, operation.end
    if operation.target is None or operation.target.host is None or begin is None or end is None:
        return ()
    of_database = parallel.get((operation.target.host, (operation.database or "").lower()), [])
    first = bisect_left(of_database, begin - after, key=_time)
    return tuple(of_database[first : bisect_right(of_database, end + after, key=_time)])


def _time(redo: ParallelRedo) -> datetime:
    return redo.time
