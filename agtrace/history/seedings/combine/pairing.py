"""Which end belongs to which: source and target of a request, and of a copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace

from agtrace.history.seedings.clocks import OTHER_HOST, Skews
from agtrace.history.seedings.collect.measured import INTERVALS, Span
from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.combine.matching import Matching
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.operation import ERRORLOG, PERFMON, SOURCE, TARGET
from agtrace.history.seedings.parts import Copy, Pair, Request, differ, same_text


def pair_requests(
    requests: Sequence[Request], names: Names, skews: Skews
) -> tuple[list[Pair[Request]], Names]:
    """Match the ends of automatic seeding: equal operation ids, else database, replicas and time.

    What pairs teach about the hosts of replicas is in the names that are given.
    """
    replicas = dict(names.replicas)
    matching = Matching(requests)
    nearby = Nearby(matching.targets)
    by_id: dict[str, dict[int, None]] = defaultdict(dict)
    for place, target in enumerate(matching.targets):
        for operation_id in target.operation_ids:
            by_id[operation_id][place] = None

    def of_id(source: Request) -> dict[int, None]:
        found: dict[int, None] = {}
        for operation_id in source.operation_ids:
            found |= by_id.get(operation_id, {})
        return found

    def around(source: Request) -> list[int]:
        if source.first is None:
            return nearby.untimed
        return nearby.around(source.first, source.last, skews.widest)

    def contradict(source: Request, target: Request) -> bool:
        if source.host is not None and source.host == target.host:
            return True
        for end, other in ((source, target), (target, source)):
            if differ(replicas.get(end.remote_replica or ""), other.host):
                return True
            if differ(other.local_replica, end.remote_replica):
                return True
        if differ(source.database_guid, target.database_guid):
            return True
        return differ(source.ag_id, target.ag_id)

    def fits(source: Request, target: Request) -> bool:
        if contradict(source, target):
            return False
        if not (overlap(source, target, skews) or _written_alike(source, target)):
            return False
        if source.database_guid and target.database_guid:
            return True
        return same_text(source.database, target.database)

    def learn(source: Request, target: Request) -> bool:
        known = len(replicas)
        for end, other in ((source, target), (target, source)):
            if end.remote_replica and other.host:
                replicas.setdefault(end.remote_replica, other.host)
        return len(replicas) > known

    matching.take_unique(of_id, lambda source, target: not contradict(source, target), learn)
    matching.take_unique(around, fits, learn)
    return matching.result(around, fits), names.learnt(replicas=replicas)


def pair_copies(copies: Sequence[Copy], names: Names, skews: Skews) -> list[Pair[Copy]]:
    """Match the ends of copies: crossed guids, else database, machines and time."""
    matching = Matching(copies)
    nearby = Nearby(matching.targets)
    by_guid: dict[str, dict[int, None]] = defaultdict(dict)
    for place, target in enumerate(matching.targets):
        for guid in (target.local_guid, target.remote_guid):
            if guid:
                by_guid[guid][place] = None

    def of_guid(source: Copy) -> dict[int, None]:
        return by_guid.get(source.local_guid or "", {}) | by_guid.get(source.remote_guid or "", {})

    def around(source: Copy) -> list[int]:
        return nearby.around(source.first, source.last, skews.widest)

    def crossed(source: Copy, target: Copy) -> bool:
        there = source.remote_guid and source.remote_guid == target.local_guid
        back = target.remote_guid and target.remote_guid == source.local_guid
        return bool(there or back)

    def fits(source: Copy, target: Copy) -> bool:
        if source.host is not None and source.host == target.host:
            return False
        if not same_text(source.database, target.database) or not overlap(source, target, skews):
            return False
        if names.is_host(source.remote, target.host) is False:
            return False
        if names.is_host(target.remote, source.host) is False:
            return False
        if differ(source.remote_guid, target.local_guid):
            return False
        return not differ(target.remote_guid, source.local_guid)

    matching.take_unique(of_guid, crossed)
    matching.take_unique(around, fits)
    return matching.result(around, fits)


def overlap(a: Request | Copy, b: Request | Copy, skews: Skews) -> bool:
    """Tell whether two parts share a moment, on one clock; unknown times rule nothing in."""
    begin, end = skews.onto(b.first, b.host, a.host), skews.onto(b.last, b.host, a.host)
    if a.first is None or a.last is None or begin is None or end is None:
        return False
    slack = skews.tolerance(a.host, b.host)
    return begin <= a.last + slack and end >= a.first - slack


def _written_alike(a: Request, b: Request) -> bool:
    """Tell whether two exports give the same start, where neither says in which zone."""
    if a.first is not None or b.first is not None:
        return False
    if a.start_written is None or b.start_written is None:
        return False
    return abs(a.start_written - b.start_written) <= OTHER_HOST


def with_counted_ends(
    pairs: Sequence[Pair[Copy]], spans: Sequence[Span], logs: Set[str], skews: Skews
) -> list[Pair[Copy]]:
    """Give a copy that one ERRORLOG tells of its other end, where a counter of that host shows it.

    Parameters
    ----------
    pairs
        The copies; those with one end that only an ERRORLOG tells of get the other one.
    spans
        Spans of activity.
    logs
        Hosts whose ERRORLOG was captured: what it does not tell of did not happen.
    skews
        How the hosts' clocks differ.
    """
    return [_with_counted_end(pair, spans, logs, skews) for pair in pairs]


def _with_counted_end(pair: Pair[Copy], spans: Sequence[Span], logs: Set[str], skews: Skews) -> Pair[Copy]:
    if len(pair.ends) != 1 or not pair.ends[0].told_by <= {ERRORLOG, PERFMON}:
        return pair
    copy = pair.ends[0]
    others = [span for span in spans if _mirrors(span, copy, logs, skews)]
    if len(others) != 1:
        return pair
    if copy.role == SOURCE:
        return replace(pair, target=others[0].as_copy(TARGET))
    return replace(pair, source=others[0].as_copy(SOURCE))


def _mirrors(span: Span, copy: Copy, logs: Set[str], skews: Skews) -> bool:
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
