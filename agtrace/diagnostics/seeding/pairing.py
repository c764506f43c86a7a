"""Which end belongs to which: source and target of a request, and of a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agtrace.diagnostics.seeding.names import Names
from agtrace.diagnostics.seeding.operation import SOURCE
from agtrace.diagnostics.seeding.parts import Copy, Request
from agtrace.diagnostics.seeding.skews import OTHER_HOST, Skews

Part = TypeVar("Part", Request, Copy)


@dataclass
class Pair(Generic[Part]):
    """Both ends as far as they were captured; ``rivals`` counts what else could be the other end."""

    source: Part | None
    target: Part | None
    rivals: int = 0

    @property
    def ends(self) -> list[Part]:
        """The ends that were seen, the source first."""
        return [end for end in (self.source, self.target) if end is not None]


@dataclass
class Matching(Generic[Part]):
    """Sources and targets while they are being matched."""

    sources: list[Part]
    targets: list[Part]
    pairs: list[tuple[Part, Part]] = field(default_factory=list)

    def take(self, source: Part, target: Part) -> None:
        """Hold that two ends belong together."""
        self.sources = [end for end in self.sources if end is not source]
        self.targets = [end for end in self.targets if end is not target]
        self.pairs.append((source, target))

    def take_unique(
        self, fits: Callable[[Part, Part], bool], learn: Callable[[Part, Part], None]
    ) -> None:
        """Take what fits one other end only, again and again: each pair rules others out."""
        found = True
        while found:
            found = False
            for source in list(self.sources):
                fitting = [target for target in self.targets if fits(source, target)]
                if len(fitting) != 1:
                    continue
                back = [other for other in self.sources if fits(other, fitting[0])]
                if len(back) == 1:
                    self.take(source, fitting[0])
                    learn(source, fitting[0])
                    found = True

    def result(self, fits: Callable[[Part, Part], bool]) -> list[Pair[Part]]:
        """Give the pairs, and what stayed alone with the number of ends that it could belong to."""
        found: list[Pair[Part]] = [Pair(source, target) for source, target in self.pairs]
        for source in self.sources:
            rivals = sum(fits(source, target) for target in self.targets)
            found.append(Pair(source, None, rivals))
        for target in self.targets:
            found.append(Pair(None, target, sum(fits(s, target) for s in self.sources)))
        return found


def _split(parts: Sequence[Part]) -> Matching[Part]:
    return Matching(
        [part for part in parts if part.role == SOURCE],
        [part for part in parts if part.role != SOURCE],
    )


def overlap(a: Request | Copy, b: Request | Copy, skews: Skews) -> bool:
    """Tell whether two parts share a moment, on one clock; unknown times rule nothing in."""
    begin, end = skews.onto(b.first, b.host, a.host), skews.onto(b.last, b.host, a.host)
    if a.first is None or a.last is None or begin is None or end is None:
        return False
    slack = skews.tolerance(a.host, b.host)
    return begin <= a.last + slack and end >= a.first - slack


def pair_requests(requests: Sequence[Request], names: Names, skews: Skews) -> list[Pair[Request]]:
    """Match the ends of automatic seeding: equal operation ids, else database, replicas and time."""
    matching = _split(requests)

    def same_id(source: Request, target: Request) -> bool:
        return bool(source.operation_ids & target.operation_ids) and not contradict(source, target)

    def contradict(source: Request, target: Request) -> bool:
        if source.host is not None and source.host == target.host:
            return True
        for end, other in ((source, target), (target, source)):
            host = names.replicas.get(end.remote_replica or "")
            if host is not None and other.host is not None and host != other.host:
                return True
            told = other.local_replica
            if told and end.remote_replica and told != end.remote_replica:
                return True
        return differ(source.database_guid, target.database_guid) or differ(
            source.ag_id, target.ag_id
        )

    def fits(source: Request, target: Request) -> bool:
        if contradict(source, target):
            return False
        if not (overlap(source, target, skews) or _written_alike(source, target)):
            return False
        if source.database_guid and target.database_guid:
            return True
        return same_text(source.database, target.database)

    def learn(source: Request, target: Request) -> None:
        for end, other in ((source, target), (target, source)):
            if end.remote_replica and other.host:
                names.replicas.setdefault(end.remote_replica, other.host)

    matching.take_unique(same_id, learn)
    matching.take_unique(fits, learn)
    return matching.result(fits)


def _written_alike(a: Request, b: Request) -> bool:
    """Tell whether two exports give the same start, where neither says in which zone."""
    if a.first is not None or b.first is not None:
        return False
    if a.start_written is None or b.start_written is None:
        return False
    return abs(a.start_written - b.start_written) <= OTHER_HOST


def pair_copies(copies: Sequence[Copy], names: Names, skews: Skews) -> list[Pair[Copy]]:
    """Match the ends of copies: crossed guids, else database, machines and time."""
    matching = _split(copies)

    def crossed(source: Copy, target: Copy) -> bool:
        there = source.remote_guid and source.remote_guid == target.local_guid
        back = target.remote_guid and target.remote_guid == source.local_guid
        return bool(there or back)

    def fits(source: Copy, target: Copy) -> bool:
        if source.host is not None and source.host == target.host:
            return False
        if names.is_host(source.remote, target.host) is False:
            return False
        if names.is_host(target.remote, source.host) is False:
            return False
        if differ(source.remote_guid, target.local_guid) or differ(
            target.remote_guid, source.local_guid
        ):
            return False
        return same_text(source.database, target.database) and overlap(source, target, skews)

    def learn(_source: Copy, _target: Copy) -> None:
        """Crossed guids teach nothing that names lack."""

    matching.take_unique(crossed, learn)
    matching.take_unique(fits, learn)
    return matching.result(fits)


def differ(a: str | None, b: str | None) -> bool:
    """Tell whether two values are known and differ."""
    return bool(a and b and a != b)


def same_text(a: str | None, b: str | None) -> bool:
    """Tell whether two names are known and equal, without regard to case."""
    return bool(a and b and a.lower() == b.lower())
