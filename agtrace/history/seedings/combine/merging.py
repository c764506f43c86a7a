"""What several captures tell of one host's view, made one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from agtrace.history.seedings.collect.measured import TOTAL, Span
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import PERFMON, TARGET
from agtrace.history.seedings.parts import (
    NO_TIME,
    UNKNOWN,
    Copy,
    Request,
    differ,
    earliest,
    latest,
    same_text,
)

NEAR = timedelta(seconds=60)
NEARLY = timedelta(seconds=5)
"""Of several within a minute, one that begins so near is the same where no other does."""

ENDS = timedelta(seconds=30)
"""How far the end of a copy in the ERRORLOG may lie from the one that its events show."""


def merge_requests(first: Sequence[Request], *others: Sequence[Request]) -> list[Request]:
    """Add to what the best capture tells what others tell of the same end of the same request."""
    found = list(first)
    for listed in others:
        nearby = Nearby(found)
        by_id: dict[str, dict[int, None]] = defaultdict(dict)
        for place, known in enumerate(found):
            for operation_id in known.operation_ids:
                by_id[operation_id][place] = None
        for request in listed:
            near: dict[int, None] = dict.fromkeys(nearby.around(request.first, request.last, NEAR))
            for operation_id in request.operation_ids:
                near |= by_id.get(operation_id, {})
            same = _same_of(found, list(near), request)
            if same is not None:
                found[same] = _both(found[same], request)
                continue
            for operation_id in request.operation_ids:
                by_id[operation_id][len(found)] = None
            found.append(request)
    return found


def _same_of(found: Sequence[Request], near: Sequence[int], request: Request) -> int | None:
    """Give the request that another capture tells of, too: by its id, else the nearest start."""
    same = [place for place in near if _is_same_request(found[place], request)]
    same = [place for place in same if found[place].operation_ids & request.operation_ids] or same
    if len(same) < 2 or request.first is None:
        return same[0] if len(same) == 1 else None
    begun = request.first
    apart = sorted((abs((found[place].first or NO_TIME) - begun), n) for n, place in enumerate(same))
    is_sure = apart[1][0] > 2 * NEARLY
    return same[apart[0][1]] if is_sure and apart[0][0] <= NEARLY else None


def _is_same_request(known: Request, other: Request) -> bool:
    if known.role != other.role or differ(known.host, other.host):
        return False
    if differ(known.database_guid, other.database_guid):
        return False
    if differ(known.remote_replica, other.remote_replica):
        return False
    if known.operation_ids & other.operation_ids:
        return True
    named = known.database_guid is not None and known.database_guid == other.database_guid
    named = named or same_text(known.database, other.database)
    if known.role == TARGET and None in (known.database_guid, other.database_guid):
        # A traced target has the operation id of its source and no guid of its database.
        can_compare = known.database is not None and other.database is not None
        named = named or (not can_compare and same_text(known.remote_replica, other.remote_replica))
    begun, also = known.first, other.first
    if not named or known.host is None or begun is None or also is None:
        return False
    if known.start is not None and other.start is not None:
        return abs(known.start - other.start) <= NEAR
    return also <= (known.last or begun) + NEAR and (other.last or also) >= begun - NEAR


def _both(known: Request, other: Request) -> Request:
    taken = [
        name for name in ("start", "end") if getattr(known, name) is None and getattr(other, name) is not None
    ]
    is_timed_by_other = taken and known.time_basis in ("", UNKNOWN)
    lacking = {
        name: getattr(other, name)
        for name in (
            "host", "ag_id", "database_guid", "remote_replica", "local_replica", "database", "ag",
            "start", "end", "ended", "performed",
        )
        if getattr(known, name) is None
    }  # fmt: skip
    made = replace(
        known,
        told_by=known.told_by | other.told_by,
        operation_ids=known.operation_ids | other.operation_ids,
        states=known.states or other.states,
        looks=known.looks or other.looks,
        first=earliest(known.first, other.first),
        last=latest(known.last, other.last),
        attempts=max((n for n in (known.attempts, other.attempts) if n), default=None),
        failures=(*known.failures, *other.failures),
        time_basis=other.time_basis if is_timed_by_other else known.time_basis,
        **lacking,
    )
    if made.start is None and made.end is None:
        return made
    return replace(made, start_written=None, end_written=None)


def merge_copies(told: Sequence[Copy], logged: Sequence[Copy]) -> list[Copy]:
    """Add what the ERRORLOG tells of a copy to what its events and exports tell.

    Each line belongs to one copy: the nearest ends come first.
    """
    nearby = Nearby(told)
    pairs = [
        (apart, place, number)
        for number, line in enumerate(logged)
        for place in nearby.around(line.first, line.last, NEAR)
        if (apart := _apart(told[place], line)) is not None
    ]
    taken: dict[int, int] = {}
    lines: set[int] = set()
    for _apart_by, place, number in sorted(pairs):
        if place not in taken and number not in lines:
            taken[place] = number
            lines.add(number)
    found = [
        _with_line(copy, logged[taken[place]]) if place in taken else copy for place, copy in enumerate(told)
    ]
    return [*found, *(line for number, line in enumerate(logged) if number not in lines)]


def _with_line(copy: Copy, line: Copy) -> Copy:
    made = replace(
        copy,
        told_by=copy.told_by | line.told_by,
        backup_ids=line.backup_ids,
        logged_bytes=line.logged_bytes,
        host=copy.host or line.host,
        first=earliest(copy.first, line.first),
        last=latest(copy.last, line.last),
    )
    if copy.end is not None:
        return made
    made = replace(made, end=line.end, is_done=True)
    if not copy.database_bytes or copy.transferred_bytes is None:
        return made
    return replace(made, short_bytes=max(copy.database_bytes - copy.transferred_bytes, 0))


def _apart(copy: Copy, line: Copy) -> timedelta | None:
    if copy.role != line.role or copy.host != line.host:
        return None
    if not same_text(copy.database, line.database) or copy.is_done is False:
        return None
    if copy.end is not None and line.end is not None:
        apart = abs(copy.end - line.end)
        return apart if apart <= ENDS else None
    if copy.first is None or copy.last is None or line.end is None:
        return None
    apart = line.end - copy.last
    began_before = line.start is None or abs(line.start - (copy.start or copy.first)) <= NEAR
    return apart if began_before and apart >= -ENDS else None


def measure_copies(copies: Sequence[Copy], spans: Sequence[Span]) -> list[Copy]:
    """Give copies of the ERRORLOG the start and the bytes that they lack, from the counters."""
    return [_measured(copy, spans) for copy in copies]


def _measured(copy: Copy, spans: Sequence[Span]) -> Copy:
    is_known = copy.transferred_bytes or (copy.start is not None and copy.logged_bytes)
    span = None if copy.end is None or is_known else _span_of(copy, spans)
    if span is None:
        return copy
    made = replace(copy, told_by=copy.told_by | {PERFMON})
    if not copy.logged_bytes:
        made = replace(made, measured_bytes=span.bytes)
    if copy.start is None:
        made = replace(made, start=span.start, first=min(span.start, copy.first or span.start))
    return made


def _span_of(copy: Copy, spans: Sequence[Span]) -> Span | None:
    """Give the span of the copy's database, else of all together, that ends with the copy."""
    for database in ((copy.database or "").lower(), TOTAL.lower()):
        fitting = [
            span
            for span in spans
            if span.host == copy.host
            and span.database.lower() == database
            and copy.end is not None
            and span.ends_at(copy.end)
            and span.start < copy.end
        ]
        if len(fitting) == 1:
            return fitting[0]
    return None
