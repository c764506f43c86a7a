"""Which copy was made for which request: by host and role, by database, and by time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agtrace.history.seedings.clocks import Skews
from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.history.seedings.parts import (
    NO_TIME,
    Copy,
    Joined,
    Pair,
    Request,
    contains,
    database_of,
    earliest,
    latest,
    same_text,
)


@dataclass(frozen=True)
class _Open:
    """A copy and the places of the requests that it could belong to."""

    number: int
    copy: Pair[Copy]
    requests: tuple[int, ...]


def join(
    requests: Sequence[Pair[Request]], copies: Sequence[Pair[Copy]], names: Names, skews: Skews
) -> tuple[list[Joined], Names]:
    """Put requests and copies together where only one way fits, and say where several do.

    What that teaches about databases and hosts of replicas is in the names that are given.
    """
    made: list[list[Pair[Copy]]] = [[] for _ in requests]
    waiting = [_prefer_named(each, requests, names) for each in _open(requests, copies, names, skews)]
    while taken := _certain(waiting, requests, skews):
        for each in taken:
            made[each.requests[0]].append(each.copy)
        names = _learnt(taken, requests, names)
        waiting = [_prefer_named(each, requests, names) for each in _rest(waiting, taken, skews)]
    doubts: list[list[str]] = [[] for _ in requests]
    for each in waiting:
        for place in each.requests:
            doubts[place].append(f"the copy of {_name(each.copy)} may belong to it")
    joined = [
        Joined(request, tuple(sorted(own, key=_begin)), tuple(said))
        for request, own, said in zip(requests, made, doubts, strict=True)
    ]
    return [*joined, *(Joined(None, (each.copy,), _doubts(each)) for each in waiting)], names


def _begin(pair: Pair[Copy]) -> datetime:
    return span_of(pair)[0] or NO_TIME


def _open(
    requests: Sequence[Pair[Request]], copies: Sequence[Pair[Copy]], names: Names, skews: Skews
) -> list[_Open]:
    ends = [
        (end, place) for place, pair in enumerate(requests) for end in pair.ends if not end.is_failure_only
    ]
    nearby = Nearby([end for end, _place in ends])
    found = []
    for number, copy in enumerate(copies):
        near = nearby.around(*span_of(copy), skews.widest)
        places = dict.fromkeys(ends[n][1] for n in near)
        fitting = (place for place in places if _fits(requests[place], copy, names, skews))
        found.append(_Open(number, copy, tuple(fitting)))
    return found


def _certain(waiting: Sequence[_Open], requests: Sequence[Pair[Request]], skews: Skews) -> list[_Open]:
    """Give the copies that fit one request only, and no other copy of that request's at that time."""
    singles: dict[int, list[_Open]] = defaultdict(list)
    for each in waiting:
        if len(each.requests) == 1:
            singles[each.requests[0]].append(each)
    found = []
    for place, rivals in singles.items():
        clock = next((end.host for end in requests[place].ends if end.host), None)
        found += _apart(rivals, clock, skews)
    return found


def _apart(rivals: Sequence[_Open], clock: str | None, skews: Skews) -> list[_Open]:
    """Give those that no other one meets; they come one after the other."""
    spans = [(_on_clock(each.copy, clock, skews), each) for each in rivals]
    known = sorted(
        ((span[0], span[1], place) for place, (span, _each) in enumerate(spans) if span is not None)
    )
    met: set[int] = set()
    latest_end, latest_place = None, -1
    for begin, end, place in known:
        if latest_end is not None and begin < latest_end:
            met |= {place, latest_place}
        if latest_end is None or end > latest_end:
            latest_end, latest_place = end, place
    return [each for place, (_span, each) in enumerate(spans) if place not in met]


def _rest(waiting: Sequence[_Open], taken: Sequence[_Open], skews: Skews) -> list[_Open]:
    """Give what is left, without the requests that now have a copy of that time."""
    chosen = {each.number for each in taken}
    had: dict[int, list[Pair[Copy]]] = defaultdict(list)
    for each in taken:
        had[each.requests[0]].append(each.copy)
    left = []
    for each in waiting:
        if each.number in chosen:
            continue
        free = each.requests
        if len(free) > 1:
            free = tuple(p for p in free if not any(_meet(copy, each.copy, skews) for copy in had.get(p, ())))
        left.append(replace(each, requests=free))
    return left


def _on_clock(copy: Pair[Copy], clock: str | None, skews: Skews) -> tuple[datetime, datetime] | None:
    """Give the span of a copy, as one of its ends shows it, on the clock of a host."""
    for end in copy.ends:
        begin, until = skews.onto(end.first, end.host, clock), skews.onto(end.last, end.host, clock)
        if begin is not None and until is not None:
            return begin, until
    return None


def _fits(request: Pair[Request], copy: Pair[Copy], names: Names, skews: Skews) -> bool:
    guid, name = database_of(request)
    known = names.databases.get(guid or "", name)
    said = next((end.database for end in copy.ends if end.database), None)
    if known and said and known.lower() != said.lower():
        return False
    if not _same_hosts(request, copy, names):
        return False
    ends = {end.role: end for end in copy.ends}
    shared = [(asked, ends[asked.role]) for asked in request.ends if asked.role in ends]
    crossed = [(asked, end) for asked in request.ends for end in copy.ends]
    return any(contains(asked, end, skews) for asked, end in shared or crossed)


def _same_hosts(request: Pair[Request], copy: Pair[Copy], names: Names) -> bool:
    """Tell whether no end contradicts that both are between the same two machines."""
    for role in (SOURCE, TARGET):
        hosts = _hosts(request, role, names) | _hosts(copy, role, names)
        if len(hosts) > 1:
            return False
    return True


def _hosts(pair: Pair[Request] | Pair[Copy], role: str, names: Names) -> set[str]:
    """Give what is known of the host that has a role, from either end."""
    found = set()
    for end in pair.ends:
        if end.role == role:
            told = end.host
        elif isinstance(end, Request):
            told = names.replicas.get(end.remote_replica or "")
        else:
            told = names.host(end.remote)
        if told is not None:
            found.add(told)
    return found


def _meet(a: Pair[Copy], b: Pair[Copy], skews: Skews) -> bool:
    """Tell whether two copies ran at one time; those of one request come one after the other."""
    for first in a.ends:
        for second in b.ends:
            begin = skews.onto(second.first, second.host, first.host)
            end = skews.onto(second.last, second.host, first.host)
            if first.first is None or first.last is None or begin is None or end is None:
                continue
            if begin < first.last and end > first.first:
                return True
    return False


def _prefer_named(each: _Open, requests: Sequence[Pair[Request]], names: Names) -> _Open:
    """Keep the request whose id is the copy's, else those whose database is known to be the copy's.

    Published queries join the two views on these ids. Nothing says that every version has them
    equal, so ids that differ prove nothing.
    """
    guids = {guid for end in each.copy.ends for guid in (end.local_guid, end.remote_guid)}
    same = [n for n in each.requests if any(end.operation_ids & guids for end in requests[n].ends)]
    if len(same) == 1:
        return replace(each, requests=tuple(same))
    said = next((end.database for end in each.copy.ends if end.database), None)
    kept, sure = [], []
    for place in each.requests:
        guid, name = database_of(requests[place])
        known = names.databases.get(guid or "", name)
        if known is None or said is None or same_text(known, said):
            kept.append(place)
        if same_text(known, said):
            sure.append(place)
    return replace(each, requests=tuple(sure or kept))


def _learnt(taken: Sequence[_Open], requests: Sequence[Pair[Request]], names: Names) -> Names:
    """Give the names that are known, and those that the copies of requests give them."""
    databases: dict[str, str] = {}
    replicas: dict[str, str] = {}
    for each in taken:
        request, copy = requests[each.requests[0]], each.copy
        guid, _name = database_of(request)
        said = next((end.database for end in copy.ends if end.database), None)
        if guid and said:
            databases.setdefault(guid, said)
        for end in request.ends:
            other = TARGET if end.role == SOURCE else SOURCE
            hosts = {copied.host for copied in copy.ends if copied.role == other and copied.host}
            if end.remote_replica and len(hosts) == 1:
                replicas.setdefault(end.remote_replica, hosts.pop())
    return names.learnt(databases, replicas=replicas)


def _name(copy: Pair[Copy]) -> str:
    database = next((end.database for end in copy.ends if end.database), None) or "a database"
    remote = next((end.remote for end in copy.ends if end.role == SOURCE and end.remote), None)
    target = (copy.target.host if copy.target else None) or remote
    return f"{database} to {target}" if target else database


def _doubts(each: _Open) -> tuple[str, ...]:
    n = len(each.requests)
    if n == 1:
        return ("other copies that ran at the same time fit the same request",)
    said = f"{n} requests were seeding while it ran, and no capture says which of them it was for"
    return (said,) if n else ()


def span_of(pair: Pair[Request] | Pair[Copy]) -> tuple[datetime | None, datetime | None]:
    """Give the first and last instant that either end tells of."""
    return (earliest(*(end.first for end in pair.ends)), latest(*(end.last for end in pair.ends)))
