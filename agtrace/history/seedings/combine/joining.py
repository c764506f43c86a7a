"""Which copy was made for which request: by host and role, by database, and by time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.collect.skews import Skews
from agtrace.history.seedings.combine.matching import Pair
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.history.seedings.parts import NO_TIME, Copy, Request, earliest, latest, same_text


@dataclass
class Joined:
    """A request with the copies made for it, or one of both alone.

    Parameters
    ----------
    copies
        In order of time: several where it was tried again.
    doubts
        What stayed ambiguous, in words.
    """

    request: Pair[Request] | None
    copies: list[Pair[Copy]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass
class _Open:
    """A copy and the requests that it could belong to."""

    copy: Pair[Copy]
    requests: list[Pair[Request]]


def join(
    requests: Sequence[Pair[Request]], copies: Sequence[Pair[Copy]], names: Names, skews: Skews
) -> list[Joined]:
    """Put requests and copies together where only one way fits, and say where several do."""
    joined = {id(pair): Joined(pair) for pair in requests}
    waiting = _open(requests, copies, names, skews)
    while waiting:
        taken = _certain(waiting, skews)
        for each in taken:
            joined[id(each.requests[0])].copies.append(each.copy)
            _learn(each.requests[0], each.copy, names)
        if not taken:
            break
        waiting = _rest(waiting, taken, names, skews)
    alone: list[Joined] = []
    for each in waiting:
        alone.append(Joined(None, [each.copy], _doubts(each)))
        for request in each.requests:
            joined[id(request)].doubts.append(f"the copy of {_name(each.copy)} may belong to it")
    for whole in joined.values():
        whole.copies.sort(key=lambda pair: span_of(pair)[0] or NO_TIME)
    return [*joined.values(), *alone]


def _open(
    requests: Sequence[Pair[Request]], copies: Sequence[Pair[Copy]], names: Names, skews: Skews
) -> list[_Open]:
    owners = {id(end): pair for pair in requests for end in pair.ends}
    nearby = Nearby([end for pair in requests for end in pair.ends if not end.is_failure_only])
    found = []
    for copy in copies:
        first, last = span_of(copy)
        near = nearby.around(first, last, skews.widest)
        pairs = {id(owners[id(end)]): owners[id(end)] for end in near}
        fitting = [pair for pair in pairs.values() if _fits(pair, copy, names, skews)]
        found.append(_prefer_named(_Open(copy, fitting), names))
    return found


def _certain(waiting: Sequence[_Open], skews: Skews) -> list[_Open]:
    """Give the copies that fit one request only, and no other copy of that request's at that time."""
    singles: dict[int, list[_Open]] = defaultdict(list)
    for each in waiting:
        if len(each.requests) == 1:
            singles[id(each.requests[0])].append(each)
    return [each for rivals in singles.values() for each in _apart(rivals, skews)]


def _apart(rivals: list[_Open], skews: Skews) -> list[_Open]:
    """Give those that no other one meets; they come one after the other."""
    clock = next((end.host for end in rivals[0].requests[0].ends if end.host), None)
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


def _rest(
    waiting: Sequence[_Open], taken: Sequence[_Open], names: Names, skews: Skews
) -> list[_Open]:
    """Give what is left, without the requests that now have a copy of that time."""
    chosen = {id(each) for each in taken}
    had: dict[int, list[Pair[Copy]]] = defaultdict(list)
    for each in taken:
        had[id(each.requests[0])].append(each.copy)
    left = [each for each in waiting if id(each) not in chosen]
    for each in left:
        if len(each.requests) > 1:
            each.requests = [
                request
                for request in each.requests
                if not any(_meet(copy, each.copy, skews) for copy in had[id(request)])
            ]
        _prefer_named(each, names)
    return left


def _on_clock(
    copy: Pair[Copy], clock: str | None, skews: Skews
) -> tuple[datetime, datetime] | None:
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
            told = names.host(end.remote) if end.remote else None
        if told is not None:
            found.add(told)
    return found


def contains(request: Request, copy: Copy, skews: Skews) -> bool:
    """Tell whether the copy lies within the request, and within its seeding where that was seen."""
    begin = skews.onto(copy.start or copy.first, copy.host, request.host)
    end = skews.onto(copy.end or copy.last, copy.host, request.host)
    if begin is None or end is None or request.first is None or request.last is None:
        return False
    slack = skews.tolerance(request.host, copy.host)
    spans = request.seeding or [(request.first, None)]
    closed = request.end or (request.last if request.ended else None)
    return any(
        since - slack <= begin and (until or closed or end) + slack >= end for since, until in spans
    )


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


def database_of(request: Pair[Request]) -> tuple[str | None, str | None]:
    """Give guid and name of the database that a request is for, as far as its ends tell."""
    guid = next((end.database_guid for end in request.ends if end.database_guid), None)
    return guid, next((end.database for end in request.ends if end.database), None)


def _prefer_named(each: _Open, names: Names) -> _Open:
    """Keep the request whose id is the copy's, else those whose database is known to be the copy's.

    Published queries join the two views on these ids. Nothing says that every version has them
    equal, so ids that differ prove nothing.
    """
    guids = {end.local_guid for end in each.copy.ends} | {end.remote_guid for end in each.copy.ends}
    same = [r for r in each.requests if any(end.operation_ids & guids for end in r.ends)]
    if len(same) == 1:
        each.requests = same
        return each
    said = next((end.database for end in each.copy.ends if end.database), None)
    kept = []
    for request in each.requests:
        guid, name = database_of(request)
        known = names.databases.get(guid or "", name)
        if known is None or said is None or same_text(known, said):
            kept.append((request, same_text(known, said)))
    sure = [request for request, is_named in kept if is_named]
    each.requests = sure or [request for request, _named in kept]
    return each


def _learn(request: Pair[Request], copy: Pair[Copy], names: Names) -> None:
    guid, _name = database_of(request)
    said = next((end.database for end in copy.ends if end.database), None)
    if guid and said:
        names.databases.setdefault(guid, said)
    for end in request.ends:
        other = TARGET if end.role == SOURCE else SOURCE
        hosts = {copied.host for copied in copy.ends if copied.role == other and copied.host}
        if end.remote_replica and len(hosts) == 1:
            names.replicas.setdefault(end.remote_replica, hosts.pop())


def _name(copy: Pair[Copy]) -> str:
    database = next((end.database for end in copy.ends if end.database), None) or "a database"
    remote = next((end.remote for end in copy.ends if end.role == SOURCE and end.remote), None)
    target = (copy.target.host if copy.target else None) or remote
    return f"{database} to {target}" if target else database


def _doubts(each: _Open) -> list[str]:
    n = len(each.requests)
    if n == 1:
        return ["other copies that ran at the same time fit the same request"]
    said = f"{n} requests were seeding while it ran, and no capture says which of them it was for"
    return [said] if n else []


def span_of(pair: Pair[Request] | Pair[Copy]) -> tuple[datetime | None, datetime | None]:
    """Give the first and last instant that either end tells of."""
    return (
        earliest(*(end.first for end in pair.ends)),
        latest(*(end.last for end in pair.ends)),
    )
