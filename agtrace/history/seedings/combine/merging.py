"""What several captures tell of one host's view, made one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import TARGET
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
        by_id: dict[str, dict[int, Request]] = defaultdict(dict)
        for known in found:
            for operation_id in known.operation_ids:
                by_id[operation_id][id(known)] = known
        for request in listed:
            near = {id(k): k for k in nearby.around(request.first, request.last, NEAR)}
            for operation_id in request.operation_ids:
                near |= by_id.get(operation_id, {})
            same = _same_of(list(near.values()), request)
            if same is not None:
                _add_request(same, request)
            else:
                found.append(request)
                for operation_id in request.operation_ids:
                    by_id[operation_id][id(request)] = request
    return found


def _same_of(near: Sequence[Request], request: Request) -> Request | None:
    """Give the request that another capture tells of, too: by its id, else the nearest start."""
    same = [known for known in near if _is_same_request(known, request)]
    same = [known for known in same if known.operation_ids & request.operation_ids] or same
    if len(same) < 2 or request.first is None:
        return same[0] if len(same) == 1 else None
    begun = request.first
    nearest = sorted(same, key=lambda known: abs((known.first or NO_TIME) - begun))
    is_sure = abs((nearest[1].first or NO_TIME) - begun) > 2 * NEARLY
    return nearest[0] if is_sure and abs((nearest[0].first or NO_TIME) - begun) <= NEARLY else None


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


def _add_request(known: Request, other: Request) -> None:
    taken = [
        name
        for name in ("start", "end")
        if getattr(known, name) is None and getattr(other, name) is not None
    ]
    if taken and known.time_basis in ("", UNKNOWN):
        known.time_basis = other.time_basis
    known.told_by |= other.told_by
    known.operation_ids |= other.operation_ids
    for name in (
        "host", "ag_id", "database_guid", "remote_replica", "local_replica", "database", "ag",
        "start", "end", "ended", "performed",
    ):  # fmt: skip
        if getattr(known, name) is None:
            setattr(known, name, getattr(other, name))
    if known.start is not None or known.end is not None:
        known.start_written = known.end_written = None
    known.states = known.states or other.states
    known.looks = known.looks or other.looks
    known.first, known.last = earliest(known.first, other.first), latest(known.last, other.last)
    known.attempts = max((n for n in (known.attempts, other.attempts) if n), default=None)
    known.failures = [*known.failures, *other.failures]


def merge_copies(found: Sequence[Copy], logged: Sequence[Copy]) -> list[Copy]:
    """Add what the ERRORLOG tells of a copy to what its events and exports tell.

    Each line belongs to one copy: the nearest ends come first.
    """
    places = {id(copy): place for place, copy in enumerate(found)}
    nearby = Nearby(found)
    pairs = [
        (apart, places[id(copy)], number)
        for number, line in enumerate(logged)
        for copy in nearby.around(line.first, line.last, NEAR)
        if (apart := _apart(copy, line)) is not None
    ]
    taken: dict[int, int] = {}
    lines: set[int] = set()
    for _apart_by, place, number in sorted(pairs):
        if place not in taken and number not in lines:
            taken[place] = number
            lines.add(number)
    for place, number in taken.items():
        copy, line = found[place], logged[number]
        copy.told_by |= line.told_by
        copy.logged_bytes = line.logged_bytes
        copy.host = copy.host or line.host
        copy.first, copy.last = earliest(copy.first, line.first), latest(copy.last, line.last)
        if copy.end is None:
            copy.end, copy.is_done = line.end, True
            if copy.database_bytes and copy.transferred_bytes is not None:
                copy.short_bytes = max(copy.database_bytes - copy.transferred_bytes, 0)
    rest = [line for number, line in enumerate(logged) if number not in lines]
    return [*found, *rest]


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
