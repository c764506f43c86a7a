"""Matching of copies to requests: by host and role, by database, and by time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.seedings.clocks import OTHER_HOST
from agtrace.history.seedings.names import Names
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.history.seedings.pairing import guids_of
from agtrace.history.seedings.parts import NO_TIME, PHYSICAL, Joined, Pair, contains, same_text


class Candidate(NamedTuple):
    """A copy and the places of the requests that it could belong to."""

    number: int
    copy: Pair
    requests: tuple[int, ...]


def join(
    requests: Sequence[Pair], copies: Sequence[Pair], names: Names, clock: ReferenceClock
) -> list[Joined]:
    """Return requests joined with copies where only one match fits; ambiguous ones are marked.

    Databases and hosts of replicas shown by the matches are stored in ``names``.
    """
    made: list[list[Pair]] = [[] for _ in requests]
    waiting = [_named(each, requests, names) for each in _candidates(requests, copies, names, clock)]
    while taken := _certain(waiting):
        for each in taken:
            made[each.requests[0]].append(each.copy)
            _learn(requests[each.requests[0]], each.copy, names)
        waiting = [_named(each, requests, names) for each in _rest(waiting, taken)]
    doubts: list[list[str]] = [[] for _ in requests]
    for each in waiting:
        for place in each.requests:
            doubts[place].append(f"the copy of {_name(each.copy)} may belong to it")
    return [
        *(
            Joined(request, tuple(sorted(own, key=lambda pair: pair.span[0] or NO_TIME)), tuple(said))
            for request, own, said in zip(requests, made, doubts, strict=True)
        ),
        *(Joined(None, (each.copy,), _doubts(len(each.requests))) for each in waiting),
    ]


def _candidates(
    requests: Sequence[Pair], copies: Sequence[Pair], names: Names, clock: ReferenceClock
) -> Iterable[Candidate]:
    ends = [
        (end, place) for place, pair in enumerate(requests) for end in pair.ends if not end.is_failure_only
    ]
    nearby = Nearby([end for end, _place in ends])
    for number, copy in enumerate(copies):
        places = dict.fromkeys(ends[n][1] for n in nearby.around(*copy.span, OTHER_HOST))
        fitting = tuple(place for place in places if _fits(requests[place], copy, names, clock))
        yield Candidate(number, copy, fitting)


def _certain(waiting: Sequence[Candidate]) -> list[Candidate]:
    """Return the copies that fit one request only, and no other copy of that request's at that time."""
    singles: dict[int, list[Candidate]] = defaultdict(list)
    for each in waiting:
        if len(each.requests) == 1:
            singles[each.requests[0]].append(each)
    return [each for rivals in singles.values() for each in _apart(rivals)]


def _apart(rivals: Sequence[Candidate]) -> list[Candidate]:
    """Return the copies that do not overlap any other."""
    known = sorted(
        (*span, place) for place, each in enumerate(rivals) if (span := _span(each.copy)) is not None
    )
    met: set[int] = set()
    latest_end, latest_place = None, -1
    for begin, end, place in known:
        if latest_end is not None and begin < latest_end:
            met |= {place, latest_place}
        if latest_end is None or end > latest_end:
            latest_end, latest_place = end, place
    return [each for place, each in enumerate(rivals) if place not in met]


def _rest(waiting: Sequence[Candidate], taken: Sequence[Candidate]) -> Iterable[Candidate]:
    """Return the remaining ones, without requests that now have a copy of that time."""
    chosen = {each.number for each in taken}
    had: dict[int, list[Pair]] = defaultdict(list)
    for each in taken:
        had[each.requests[0]].append(each.copy)
    for each in waiting:
        if each.number in chosen:
            continue
        free = each.requests
        if len(free) > 1:
            free = tuple(p for p in free if not any(_meet(copy, each.copy) for copy in had.get(p, ())))
        yield each._replace(requests=free)


def _span(copy: Pair) -> tuple[datetime, datetime] | None:
    """Return the span of a copy, as one of its ends shows it."""
    for end in copy.ends:
        if end.first is not None and end.last is not None:
            return end.first, end.last
    return None


def _meet(a: Pair, b: Pair) -> bool:
    """Return whether two copies ran at the same time; those of one request are consecutive."""
    for first in a.ends:
        for second in b.ends:
            if first.first is None or first.last is None or second.first is None or second.last is None:
                continue
            if second.first < first.last and second.last > first.first:
                return True
    return False


def _fits(request: Pair, copy: Pair, names: Names, clock: ReferenceClock) -> bool:
    known = _known_name(request, names)
    if known and copy.database and known.lower() != copy.database.lower():
        return False
    # No end may contradict that both are between the same two machines.
    if any(len(_hosts(request, r, names) | _hosts(copy, r, names)) > 1 for r in (SOURCE, TARGET)):
        return False
    crossed = [(asked, end) for asked in request.ends for end in copy.ends]
    shared = [(asked, end) for asked, end in crossed if asked.role == end.role]
    return any(contains(asked, end, clock) for asked, end in shared or crossed)


def _known_name(request: Pair, names: Names) -> str | None:
    return names.databases.get(request.database_guid or "", request.database)


def _hosts(pair: Pair, role: str, names: Names) -> set[str]:
    """Return the known hosts of a role, from either end."""
    found = set()
    for end in pair.ends:
        if end.role == role:
            host = end.host
        elif end.layer == PHYSICAL:
            host = names.host(end.remote)
        else:
            host = names.replicas.get(end.remote_id or "")
        if host is not None:
            found.add(host)
    return found


def _named(each: Candidate, requests: Sequence[Pair], names: Names) -> Candidate:
    """Keep the request whose id is the copy's, else those whose database is known to be the copy's.

    Published queries join the two views on these ids. Nothing says that every version has them
    equal, so ids that differ prove nothing.
    """
    guids = {guid for end in each.copy.ends for guid in guids_of(end)}
    same = [n for n in each.requests if any(end.operation_ids & guids for end in requests[n].ends)]
    if len(same) == 1:
        return each._replace(requests=tuple(same))
    name = each.copy.database
    known = {place: _known_name(requests[place], names) for place in each.requests}
    sure = [place for place, its in known.items() if same_text(its, name)]
    kept = [place for place, its in known.items() if its is None or name is None or same_text(its, name)]
    return each._replace(requests=tuple(sure or kept))


def _learn(request: Pair, copy: Pair, names: Names) -> None:
    """Add the names that a copy gives its request."""
    names.learn("database", request.database_guid, copy.database)
    for end in request.ends:
        other = TARGET if end.role == SOURCE else SOURCE
        hosts = {copied.host for copied in copy.ends if copied.role == other and copied.host}
        if end.remote_id and len(hosts) == 1:
            names.replicas.setdefault(end.remote_id, hosts.pop())


def _name(copy: Pair) -> str:
    database = copy.database or "a database"
    remote = next((end.remote for end in copy.ends if end.role == SOURCE and end.remote), None)
    target = (copy.target.host if copy.target else None) or remote
    return f"{database} to {target}" if target else database


def _doubts(n: int) -> tuple[str, ...]:
    if n == 1:
        return ("other copies that ran at the same time fit the same request",)
    said = f"{n} requests were seeding while it ran, and no capture says which of them it was for"
    return (said,) if n else ()
