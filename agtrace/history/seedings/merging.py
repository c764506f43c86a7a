"""Merging of several captures of the same end of the same request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from agtrace.history.seedings.exports import UNKNOWN
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import TARGET
from agtrace.history.seedings.parts import NO_TIME, Part, differ, earliest, latest, same_text

NEAR = timedelta(seconds=60)
NEARLY = timedelta(seconds=5)
"""Of several within a minute, one that starts this near is the same if no other does."""
LACKING = (
    "host", "ag_id", "database_guid", "remote_id", "local_id", "database", "ag", "start", "end", "ended",
    "performed",
)  # fmt: skip
"""Fields taken from other captures if missing in the best one."""


def merge_requests(first: Sequence[Part], *others: Sequence[Part]) -> list[Part]:
    """Return the best capture of each request's end, completed from other captures of the same end."""
    found = list(first)
    for listed in others:
        nearby = Nearby(found)
        by_id: dict[str, list[int]] = defaultdict(list)
        for place, known in enumerate(found):
            for operation_id in known.operation_ids:
                by_id[operation_id].append(place)
        for request in listed:
            near = dict.fromkeys(nearby.around(request.first, request.last, NEAR))
            for operation_id in request.operation_ids:
                near |= dict.fromkeys(by_id.get(operation_id, ()))
            same = _same_of(found, list(near), request)
            if same is not None:
                found[same] = _both(found[same], request)
                continue
            for operation_id in request.operation_ids:
                by_id[operation_id].append(len(found))
            found.append(request)
    return found


def _same_of(found: Sequence[Part], near: Sequence[int], request: Part) -> int | None:
    """Return the request that another capture shows, too: by its id, else the nearest start."""
    same = [place for place in near if _is_same(found[place], request)]
    same = [place for place in same if found[place].operation_ids & request.operation_ids] or same
    if len(same) < 2 or request.first is None:
        return same[0] if len(same) == 1 else None
    begun = request.first
    (nearest, place), (next_one, _place), *_ = sorted(
        (abs((found[n].first or NO_TIME) - begun), at) for at, n in enumerate(same)
    )
    return same[place] if next_one > 2 * NEARLY and nearest <= NEARLY else None


def _is_same(known: Part, other: Part) -> bool:
    if known.role != other.role or differ(known.host, other.host):
        return False
    if differ(known.database_guid, other.database_guid) or differ(known.remote_id, other.remote_id):
        return False
    if known.operation_ids & other.operation_ids:
        return True
    named = known.database_guid is not None and known.database_guid == other.database_guid
    named = named or same_text(known.database, other.database)
    if known.role == TARGET and None in (known.database_guid, other.database_guid):
        # A traced target has the operation id of its source and no guid of its database.
        can_compare = known.database is not None and other.database is not None
        named = named or (not can_compare and same_text(known.remote_id, other.remote_id))
    begun, also = known.first, other.first
    if not named or known.host is None or begun is None or also is None:
        return False
    if known.start is not None and other.start is not None:
        return abs(known.start - other.start) <= NEAR
    return also <= (known.last or begun) + NEAR and (other.last or also) >= begun - NEAR


def _both(known: Part, other: Part) -> Part:
    lacking = {name: getattr(other, name) for name in LACKING if getattr(known, name) is None}
    is_timed = lacking.get("start") is not None or lacking.get("end") is not None
    made = known._replace(
        told_by=known.told_by | other.told_by,
        operation_ids=known.operation_ids | other.operation_ids,
        states=known.states or other.states,
        looks=known.looks or other.looks,
        first=earliest(known.first, other.first),
        last=latest(known.last, other.last),
        attempts=max((n for n in (known.attempts, other.attempts) if n), default=None),
        failures=(*known.failures, *other.failures),
        time_basis=other.time_basis if is_timed and known.time_basis in ("", UNKNOWN) else known.time_basis,
        **lacking,
    )
    if made.start is None and made.end is None:
        return made
    return made._replace(start_written=None, end_written=None)
