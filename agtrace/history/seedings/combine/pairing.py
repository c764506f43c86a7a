"""Which end belongs to which: source and target of a request, and of a copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from agtrace.history.seedings.collect.names import Names
from agtrace.history.seedings.collect.skews import OTHER_HOST, Skews
from agtrace.history.seedings.combine.matching import Matching, Pair
from agtrace.history.seedings.nearby import Nearby
from agtrace.history.seedings.parts import Copy, Request, differ, same_text


def pair_requests(requests: Sequence[Request], names: Names, skews: Skews) -> list[Pair[Request]]:
    """Match the ends of automatic seeding: equal operation ids, else database, replicas and time."""
    matching = Matching(requests)
    nearby = Nearby(matching.targets)
    by_id: dict[str, dict[int, Request]] = defaultdict(dict)
    for target in matching.targets:
        for operation_id in target.operation_ids:
            by_id[operation_id][id(target)] = target

    def of_id(source: Request) -> list[Request]:
        found: dict[int, Request] = {}
        for operation_id in source.operation_ids:
            found |= by_id.get(operation_id, {})
        return list(found.values())

    def around(source: Request) -> list[Request]:
        if source.first is None:
            return nearby.untimed
        return nearby.around(source.first, source.last, skews.widest)

    def contradict(source: Request, target: Request) -> bool:
        if source.host is not None and source.host == target.host:
            return True
        for end, other in ((source, target), (target, source)):
            if differ(names.replicas.get(end.remote_replica or ""), other.host):
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
        known = len(names.replicas)
        for end, other in ((source, target), (target, source)):
            if end.remote_replica and other.host:
                names.replicas.setdefault(end.remote_replica, other.host)
        return len(names.replicas) > known

    matching.take_unique(of_id, lambda source, target: not contradict(source, target), learn)
    matching.take_unique(around, fits, learn)
    return matching.result(around, fits)


def pair_copies(copies: Sequence[Copy], names: Names, skews: Skews) -> list[Pair[Copy]]:
    """Match the ends of copies: crossed guids, else database, machines and time."""
    matching = Matching(copies)
    nearby = Nearby(matching.targets)
    by_guid: dict[str, dict[int, Copy]] = defaultdict(dict)
    for target in matching.targets:
        for guid in (target.local_guid, target.remote_guid):
            if guid:
                by_guid[guid][id(target)] = target

    def of_guid(source: Copy) -> list[Copy]:
        found = by_guid.get(source.local_guid or "", {}) | by_guid.get(source.remote_guid or "", {})
        return list(found.values())

    def around(source: Copy) -> list[Copy]:
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
