"""Copies: what events, exports, ERRORLOGs and counters show of each on one host, in one part.

A backup to a virtual device is a seeding's only where a restore from one meets it on another host,
or anything else shows a seeding: third-party tools back up through virtual devices, too.
Backup/Restore Throughput/sec counts on both ends of a seeding, to the sample interval. Alone it
shows no operation: any backup or restore moves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from agtrace.history.base import View
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import PERFMON
from agtrace.history.seedings.parts import COMPLETED, FAILED, Part, earliest, latest, read_parts, same_text
from agtrace.measure.sampler import with_log_steps
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOTAL = "_Total"
INTERVALS = 2
"""Most sample intervals between the end of a counter's span and that of its copy."""
NEAR = timedelta(seconds=60)
ENDS = timedelta(seconds=30)
"""How far the end of a copy in the ERRORLOG may be from the one that its events show."""
VIRTUAL_LINES = """
    select 1 from messages
    where topic in ('backup', 'restore') and fields['device_type'] = 'VIRTUAL_DEVICE' limit 1
"""


def has_logged(view: View) -> bool:
    """Return whether anything was backed up to a virtual device or restored from one.

    Assembling all backups of a long log is slow.
    """
    return bool(view.rows(VIRTUAL_LINES))


def spans_of(view: View) -> list[Part]:
    """Return every time in which a host backed up or restored without a pause, by its counters."""
    with_log_steps(view)
    return read_parts(view, _sql("measured.sql"))


def copies_of(view: View, spans: Sequence[Part]) -> list[Part]:
    """Return the copies of each host: those of events and exports in order of time, then others of ERRORLOGs.

    Each line of an ERRORLOG belongs to one copy: the nearest ends come first.
    """
    copies = read_parts(view, _sql("copies.sql"))
    logged = read_parts(view, _sql("logged.sql")) if has_logged(view) else []
    nearby = Nearby(copies)
    pairs = [
        (apart, place, number)
        for number, line in enumerate(logged)
        for place in nearby.around(line.first, line.last, NEAR)
        if (apart := _apart(copies[place], line)) is not None
    ]
    taken: dict[int, int] = {}
    lines: set[int] = set()
    for _nearness, place, number in sorted(pairs):
        if place not in taken and number not in lines:
            taken[place] = number
            lines.add(number)
    merged = [_with_line(c, logged[taken[n]]) if n in taken else c for n, c in enumerate(copies)]
    alone = [line for number, line in enumerate(logged) if number not in lines]
    return [_measured(copy, spans) for copy in [*merged, *alone]]


def _with_line(copy: Part, line: Part) -> Part:
    made = copy._replace(
        told_by=copy.told_by | line.told_by,
        backup_ids=line.backup_ids,
        logged_bytes=line.logged_bytes,
        first=earliest(copy.first, line.first),
        last=latest(copy.last, line.last),
    )
    if copy.end is not None:
        return made
    made = made._replace(end=line.end, ended=COMPLETED)
    if not copy.database_bytes or copy.transferred_bytes is None:
        return made
    return made._replace(short_bytes=max(copy.database_bytes - copy.transferred_bytes, 0))


def _apart(copy: Part, line: Part) -> timedelta | None:
    if copy.role != line.role or copy.host != line.host:
        return None
    if not same_text(copy.database, line.database) or copy.ended == FAILED:
        return None
    if copy.end is not None and line.end is not None:
        apart = abs(copy.end - line.end)
        return apart if apart <= ENDS else None
    if copy.first is None or copy.last is None or line.end is None:
        return None
    apart = line.end - copy.last
    began_before = line.start is None or abs(line.start - (copy.start or copy.first)) <= NEAR
    return apart if began_before and apart >= -ENDS else None


def _measured(copy: Part, spans: Sequence[Part]) -> Part:
    """Return a copy of the ERRORLOG with the start and the bytes that it lacks, from the counters."""
    is_known = copy.transferred_bytes or (copy.start is not None and copy.logged_bytes)
    span = None if copy.end is None or is_known else _span_of(copy, copy.end, spans)
    if span is None or span.start is None:
        return copy
    made = copy._replace(told_by=copy.told_by | {PERFMON})
    if not copy.logged_bytes:
        made = made._replace(measured_bytes=span.measured_bytes)
    if copy.start is None:
        made = made._replace(start=span.start, first=earliest(span.start, copy.first))
    return made


def _span_of(copy: Part, end: datetime, spans: Sequence[Part]) -> Part | None:
    """Return the span of the copy's database, else of all together, that ends with the copy."""
    for database in ((copy.database or "").lower(), TOTAL.lower()):
        fitting = [
            span
            for span in spans
            if span.host == copy.host
            and (span.database or "").lower() == database
            and ends_at(span, end)
            and span.start is not None
            and span.start < end
        ]
        if len(fitting) == 1:
            return fitting[0]
    return None


def ends_at(span: Part, time: datetime, slack: timedelta = timedelta(0)) -> bool:
    """Return whether a span of a counter ends at a time, within the precision of its samples."""
    near = INTERVALS * timedelta(seconds=span.step_s) + slack
    return span.end is not None and abs(span.end - time) <= near
