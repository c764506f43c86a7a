"""Which end belongs to which: source and target of a request, and of a copy.

Ends that fit each other only are taken pair by pair; what a pair teaches may rule out others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta

from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.seedings.clocks import OTHER_HOST, tolerance
from agtrace.history.seedings.copies import INTERVALS, ends_at
from agtrace.history.seedings.names import Hosts, Names
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import ERRORLOG, PERFMON, SOURCE, TARGET
from agtrace.history.seedings.parts import Pair, Part, differ, same_text

Fits = Callable[[Part, Part], bool]
Candidates = Callable[[Part], Iterable[int]]
"""Returns the indexes of targets that a source may belong to; contains all that fit."""


def pair_requests(requests: Sequence[Part], names: Names, clock: ReferenceClock) -> list[Pair]:
    """Match the ends of requests: equal operation ids, else database, replicas and time.

    Hosts of replicas shown by the pairs are stored in ``names``.
    """

    def contradict(source: Part, target: Part) -> bool:
        if source.host is not None and source.host == target.host:
            return True
        return (
            any(
                differ(names.replicas.get(end.remote_id or ""), other.host)
                or differ(other.local_id, end.remote_id)
                for end, other in ((source, target), (target, source))
            )
            or differ(source.database_guid, target.database_guid)
            or differ(source.ag_id, target.ag_id)
        )

    def fits(source: Part, target: Part) -> bool:
        if contradict(source, target):
            return False
        if not (_overlap(source, target, clock) or _written_alike(source, target)):
            return False
        if source.database_guid and target.database_guid:
            return True
        return same_text(source.database, target.database)

    def learn(source: Part, target: Part) -> bool:
        known = len(names.replicas)
        for end, other in ((source, target), (target, source)):
            if end.remote_id and other.host:
                names.replicas.setdefault(end.remote_id, other.host)
        return len(names.replicas) > known

    def agree(source: Part, target: Part) -> bool:
        return not contradict(source, target)

    return _matched(requests, lambda part: part.operation_ids, agree, fits, learn)


def pair_copies(copies: Sequence[Part], names: Names, clock: ReferenceClock) -> list[Pair]:
    """Match the ends of copies: crossed guids, else database, machines and time."""

    def crossed(source: Part, target: Part) -> bool:
        there = source.remote_id and source.remote_id == target.local_id
        back = target.remote_id and target.remote_id == source.local_id
        return bool(there or back)

    def fits(source: Part, target: Part) -> bool:
        if source.host is not None and source.host == target.host:
            return False
        if not same_text(source.database, target.database) or not _overlap(source, target, clock):
            return False
        return not any(
            names.is_other(end.remote, other.host) or differ(end.remote_id, other.local_id)
            for end, other in ((source, target), (target, source))
        )

    return _matched(copies, guids_of, crossed, fits, lambda _source, _target: False)


def guids_of(copy: Part) -> list[str]:
    """Return the guids of both ends that a copy names."""
    return [guid for guid in (copy.local_id, copy.remote_id) if guid]


def _matched(
    parts: Sequence[Part], ids: Callable[[Part], Iterable[str]], agree: Fits, fits: Fits, learn: Fits
) -> list[Pair]:
    """Pair ends by equal ids, then by time; the rest stays alone with its number of rivals.

    Parameters
    ----------
    agree, fits
        Whether ends of equal ids, and whether ends near each other, may belong together.
    learn
        Takes what a pair shows, and returns whether anything of it is new.
    """
    sources = [part for part in parts if part.role == SOURCE]
    targets = [part for part in parts if part.role != SOURCE]
    free, taken = dict.fromkeys(range(len(targets))), dict[int, int]()
    nearby = Nearby(targets)
    by_id: dict[str, dict[int, None]] = defaultdict(dict)
    for place, target in enumerate(targets):
        for each in ids(target):
            by_id[each][place] = None

    def of_id(source: Part) -> Iterable[int]:
        return {place: None for each in ids(source) for place in by_id.get(each, ())}

    def around(source: Part) -> Iterable[int]:
        if source.first is None:
            return nearby.untimed
        return nearby.around(source.first, source.last, OTHER_HOST)

    def edges_of(near: Candidates, fits: Fits) -> dict[int, list[int]]:
        return {
            n: [t for t in near(source) if t in free and fits(source, targets[t])]
            for n, source in enumerate(sources)
            if n not in taken
        }

    for near, may_fit in ((of_id, agree), (around, fits)):
        edges, is_new = edges_of(near, may_fit), True
        while is_new:
            is_new = False
            counts = Counter(target for fitting in edges.values() for target in fitting)
            for source, fitting in edges.items():
                if len(fitting) == 1 and counts[fitting[0]] == 1:
                    taken[source] = fitting[0]
                    del free[fitting[0]]
                    is_new |= learn(sources[source], targets[fitting[0]])
            edges = {
                n: [t for t in fitting if may_fit(sources[n], targets[t])]
                for n, fitting in edges.items()
                if n not in taken
            }
    edges = edges_of(around, fits)
    counts = Counter(target for fitting in edges.values() for target in fitting)
    return [
        *(Pair(sources[source], targets[target]) for source, target in taken.items()),
        *(Pair(sources[n], None, len(fitting)) for n, fitting in edges.items()),
        *(Pair(None, targets[n], counts[n]) for n in free),
    ]


def _overlap(a: Part, b: Part, clock: ReferenceClock) -> bool:
    """Return whether two parts share a moment; unknown times rule nothing in."""
    if a.first is None or a.last is None or b.first is None or b.last is None:
        return False
    slack = tolerance(clock, a.host, b.host)
    return b.first <= a.last + slack and b.last >= a.first - slack


def _written_alike(a: Part, b: Part) -> bool:
    """Return whether two exports give the same start, where neither says in which zone."""
    if a.first is not None or b.first is not None:
        return False
    if a.start_written is None or b.start_written is None:
        return False
    return abs(a.start_written - b.start_written) <= OTHER_HOST


def with_counted_end(pair: Pair, spans: Sequence[Part], hosts: Hosts, clock: ReferenceClock) -> Pair:
    """Return a copy from one ERRORLOG, with its other end if a counter of that host shows it.

    A copy missing from a captured ERRORLOG of that host did not take place there.
    """
    if len(pair.ends) != 1 or not pair.ends[0].told_by <= {ERRORLOG, PERFMON}:
        return pair
    (copy,) = pair.ends
    others = [s for s in spans if s.host not in hosts.logged and _mirrors(s, copy, clock)]
    if len(others) != 1:
        return pair
    if copy.role == SOURCE:
        return pair._replace(target=others[0]._replace(role=TARGET))
    return pair._replace(source=others[0]._replace(role=SOURCE))


def _mirrors(span: Part, copy: Part, clock: ReferenceClock) -> bool:
    """Return whether another host did the same at the same time, from start to end."""
    if span.host == copy.host or (span.database or "").lower() != (copy.database or "").lower():
        return False
    if copy.start is None or copy.end is None or span.start is None:
        return False
    slack = tolerance(clock, span.host, copy.host)
    near = INTERVALS * timedelta(seconds=span.step_s) + slack
    return abs(span.start - copy.start) <= near and ends_at(span, copy.end, slack)
