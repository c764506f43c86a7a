"""Sources and targets that fit each other only, taken pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from agtrace.history.seedings.operation import SOURCE
from agtrace.history.seedings.parts import Copy, Request

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


class Matching(Generic[Part]):
    """Sources and targets while they are being matched."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.sources: list[Part] = [part for part in parts if part.role == SOURCE]
        self.targets: list[Part] = [part for part in parts if part.role != SOURCE]
        self.pairs: list[tuple[Part, Part]] = []

    def take_unique(
        self,
        candidates: Callable[[Part], Iterable[Part]],
        fits: Callable[[Part, Part], bool],
        learn: Callable[[Part, Part], bool] = lambda _source, _target: False,
    ) -> None:
        """Take ends that fit each other only; what a pair teaches may rule out others.

        Parameters
        ----------
        candidates
            Targets that a source may belong to: all that fit are among them.
        fits
            Whether a source and a target may belong together.
        learn
            Takes what a pair teaches, and tells whether that was anything new.
        """
        edges = self._edges(candidates, fits)
        is_new = True
        while is_new:
            is_new = False
            counts = Counter(id(target) for fitting in edges.values() for target in fitting)
            taken: set[int] = set()
            for source in self.sources:
                fitting = edges[id(source)]
                if len(fitting) == 1 and counts[id(fitting[0])] == 1:
                    self.pairs.append((source, fitting[0]))
                    taken |= {id(source), id(fitting[0])}
                    is_new |= learn(source, fitting[0])
            self.sources = [source for source in self.sources if id(source) not in taken]
            self.targets = [target for target in self.targets if id(target) not in taken]
            edges = {
                id(source): [target for target in edges[id(source)] if fits(source, target)]
                for source in self.sources
            }

    def result(
        self,
        candidates: Callable[[Part], Iterable[Part]],
        fits: Callable[[Part, Part], bool],
    ) -> list[Pair[Part]]:
        """Give the pairs, and what stayed alone with the number of ends that it could belong to."""
        edges = self._edges(candidates, fits)
        counts = Counter(id(target) for fitting in edges.values() for target in fitting)
        found: list[Pair[Part]] = [Pair(source, target) for source, target in self.pairs]
        found += [Pair(source, None, len(edges[id(source)])) for source in self.sources]
        return found + [Pair(None, target, counts[id(target)]) for target in self.targets]

    def _edges(
        self,
        candidates: Callable[[Part], Iterable[Part]],
        fits: Callable[[Part, Part], bool],
    ) -> dict[int, list[Part]]:
        free = {id(target) for target in self.targets}
        return {
            id(source): [t for t in candidates(source) if id(t) in free and fits(source, t)]
            for source in self.sources
        }
