"""What perfmon adds to what other captures tell of: start and bytes of a copy, or its other end.

Backup/Restore Throughput/sec counts on both ends of a seeding, to the sample interval. Alone it
tells of no operation: any backup or restore moves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.history.base import View
from agtrace.history.seedings.collect.script import script
from agtrace.history.seedings.collect.skews import Skews
from agtrace.history.seedings.combine.joining import Joined, contains
from agtrace.history.seedings.combine.matching import Pair
from agtrace.history.seedings.combine.settling import Known
from agtrace.history.seedings.operation import ERRORLOG, PERFMON, SOURCE, TARGET
from agtrace.history.seedings.parts import COMPLETED, Copy, Request

TOTAL = "_Total"
INTERVALS = 2
"""How many sample intervals a span may end apart from the copy that it belongs to."""


@dataclass(frozen=True)
class Span:
    """A time in which a host backed up or restored without a pause (UTC)."""

    host: str
    database: str
    start: datetime
    end: datetime
    step: timedelta
    bytes: int

    def ends_at(self, time: datetime, slack: timedelta = timedelta(0)) -> bool:
        """Tell whether it ends at a time, as far as samples can tell."""
        return abs(self.end - time) <= INTERVALS * self.step + slack


def spans(view: View) -> list[Span]:
    """Give every span of activity of every database and host, in order of time."""
    view.run(script("measured.sql"))
    rows = view.table(
        "select * from scratch.seeding_spans order by start, host_id, instance"
    ).to_pylist()
    return [
        Span(
            host=row["host_id"],
            database=row["instance"],
            start=row["start"],
            end=row["end"],
            step=timedelta(seconds=row["step_s"]),
            bytes=round(row["bytes"]),
        )
        for row in rows
    ]


def known(found: Sequence[Span]) -> list[Known]:
    """Give the spans as what is known of copies in UTC."""
    return [
        Known(
            said="Backup/Restore Throughput/sec",
            host=span.host,
            role=None,
            start=span.start,
            end=span.end,
            is_copy=True,
            database=None if span.database == TOTAL else span.database,
        )
        for span in found
    ]


def complete(copies: Sequence[Copy], found: Sequence[Span]) -> None:
    """Give copies of the ERRORLOG the start and the bytes that they lack."""
    for copy in copies:
        if copy.end is None or (copy.start is not None and copy.logged_bytes):
            continue
        if copy.transferred_bytes:
            continue
        span = _of(copy, found)
        if span is None:
            continue
        copy.told_by.add(PERFMON)
        if not copy.logged_bytes and not copy.transferred_bytes:
            copy.measured_bytes = span.bytes
        if copy.start is None:
            copy.start = span.start
            copy.first = min(span.start, copy.first or span.start)


def _of(copy: Copy, found: Sequence[Span]) -> Span | None:
    """Give the span of the copy's database, else of all together, that ends with the copy."""
    for database in ((copy.database or "").lower(), TOTAL.lower()):
        fitting = [
            span
            for span in found
            if span.host == copy.host
            and span.database.lower() == database
            and copy.end is not None
            and span.ends_at(copy.end)
            and span.start < copy.end
        ]
        if len(fitting) == 1:
            return fitting[0]
    return None


def add_other_ends(
    pairs: Sequence[Pair[Copy]], found: Sequence[Span], logs: set[str], skews: Skews
) -> None:
    """Give a copy that one ERRORLOG tells of its other end, where a counter of that host shows it.

    Parameters
    ----------
    pairs
        The copies; those with one end that only an ERRORLOG tells of get the other one.
    found
        Spans of activity.
    logs
        Hosts whose ERRORLOG was captured: what it does not tell of did not happen.
    skews
        How the hosts' clocks differ.
    """
    for pair in pairs:
        if len(pair.ends) != 1 or not pair.ends[0].told_by <= {ERRORLOG, PERFMON}:
            continue
        copy = pair.ends[0]
        others = [span for span in found if _mirrors(span, copy, logs, skews)]
        if len(others) != 1:
            continue
        span = others[0]
        end = _copy(span, TARGET if copy.role == SOURCE else SOURCE)
        if copy.role == SOURCE:
            pair.target = end
        else:
            pair.source = end


def _mirrors(span: Span, copy: Copy, logs: set[str], skews: Skews) -> bool:
    """Tell whether another host did the same at the same time, from start to end."""
    if span.host == copy.host or span.host in logs or copy.start is None or copy.end is None:
        return False
    if span.database.lower() != (copy.database or "").lower():
        return False
    slack = skews.tolerance(span.host, copy.host)
    begun = skews.onto(copy.start, copy.host, span.host)
    ended = skews.onto(copy.end, copy.host, span.host)
    if begun is None or ended is None:
        return False
    near = INTERVALS * span.step + slack
    return abs(span.start - begun) <= near and span.ends_at(ended, slack)


def add_copies(joined: Sequence[Joined], found: Sequence[Span], skews: Skews) -> None:
    """Give requests whose copy nothing else shows the one activity that their counters show.

    A request that needed a copy moved the counters of its host: where they show one activity within
    it, of its database or of one database only, that is its copy.
    """
    taken = [end for each in joined for pair in each.copies for end in pair.ends]
    for each in joined:
        if each.request is None or each.copies or not _has_copied(each.request):
            continue
        ends = {}
        for request in each.request.ends:
            free = [span for span in found if _is_free(span, request, taken)]
            inside = [s for s in free if contains(request, _copy(s, request.role), skews)]
            if len(inside) == 1:
                ends[request.role] = _copy(inside[0], request.role)
        names = {(end.database or "").lower() for end in ends.values()}
        if ends and len(names) == 1:
            each.copies.append(Pair(ends.get(SOURCE), ends.get(TARGET)))


def _has_copied(request: Pair[Request]) -> bool:
    ends = request.ends
    is_over = any(end.ended == COMPLETED for end in ends)
    return is_over and not any(end.performed is False for end in ends)


def _is_free(span: Span, request: Request, taken: Sequence[Copy]) -> bool:
    if span.host != request.host or span.database == TOTAL:
        return False
    if request.database and request.database.lower() != span.database.lower():
        return False
    return not any(
        copy.host == span.host
        and copy.first is not None
        and copy.last is not None
        and copy.first < span.end
        and copy.last > span.start
        for copy in taken
    )


def _copy(span: Span, role: str) -> Copy:
    return Copy(
        role=role,
        host=span.host,
        told_by={PERFMON},
        database=span.database,
        first=span.start,
        last=span.end,
        start=span.start,
        end=span.end,
        is_done=True,
        measured_bytes=span.bytes,
    )
