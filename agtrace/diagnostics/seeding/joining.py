"""Which copy was made for which request: by host and role, by database, and by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.diagnostics.seeding.names import Names
from agtrace.diagnostics.seeding.operation import SOURCE, TARGET
from agtrace.diagnostics.seeding.pairing import Pair, same_text
from agtrace.diagnostics.seeding.parts import Copy, Request, earliest, latest
from agtrace.diagnostics.seeding.skews import Skews


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
    waiting = [
        _Open(copy, [r for r in requests if _fits(r, copy, names, skews)]) for copy in copies
    ]
    for each in waiting:
        _prefer_named(each, names)
    alone: list[Joined] = []
    found = True
    while found:
        found = False
        for each in list(waiting):
            if len(each.requests) != 1:
                continue
            request = each.requests[0]
            rivals = [
                other
                for other in waiting
                if other is not each
                and len(other.requests) == 1
                and other.requests[0] is request
                and _meet(other.copy, each.copy, skews)
            ]
            if rivals:
                continue
            joined[id(request)].copies.append(each.copy)
            _learn(request, each.copy, names)
            waiting.remove(each)
            for other in waiting:
                if _meet(other.copy, each.copy, skews):
                    other.requests = [r for r in other.requests if r is not request]
                _prefer_named(other, names)
            found = True
    for each in waiting:
        doubt = _doubt(each)
        alone.append(Joined(None, [each.copy], [doubt] if doubt else []))
        for request in each.requests:
            text = f"the copy of {_name(each.copy)} may belong to it"
            joined[id(request)].doubts.append(text)
    return [*joined.values(), *alone]


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
    spans = seeding_spans(request) or [(request.first, None)]
    closed = request.end or (request.last if request.ended else None)
    return any(
        since - slack <= begin and (until or closed or end) + slack >= end for since, until in spans
    )


def seeding_spans(request: Request) -> list[tuple[datetime, datetime | None]]:
    """Give every time that a request spent in the state SEEDING, one per attempt."""
    followers: list[datetime | None] = [state.time for state in request.states[1:]]
    return [
        (state.time, after)
        for state, after in zip(request.states, [*followers, None], strict=False)
        if state.name == "SEEDING"
    ]


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


def _prefer_named(each: _Open, names: Names) -> None:
    """Keep the requests whose database is known to be the copy's, if there are any."""
    said = next((end.database for end in each.copy.ends if end.database), None)
    kept = []
    for request in each.requests:
        guid, name = database_of(request)
        known = names.databases.get(guid or "", name)
        if known is None or said is None or same_text(known, said):
            kept.append((request, same_text(known, said)))
    sure = [request for request, is_named in kept if is_named]
    each.requests = sure or [request for request, _named in kept]


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


def _doubt(each: _Open) -> str:
    if not each.requests:
        return ""
    n = len(each.requests)
    if n == 1:
        return "other copies that ran at the same time fit the same request"
    return f"{n} requests were seeding while it ran, and no capture says which of them it was for"


def span_of(pair: Pair[Request] | Pair[Copy]) -> tuple[datetime | None, datetime | None]:
    """Give the first and last instant that either end tells of."""
    return (
        earliest(*(end.first for end in pair.ends)),
        latest(*(end.last for end in pair.ends)),
    )
