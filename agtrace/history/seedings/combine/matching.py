"""Sources and targets that fit each other only, taken pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from agtrace.history.seedings.operation import SOURCE
from agtrace.history.seedings.parts import Pair, Part


class Matching(Generic[Part]):
    """Sources and targets while they are being matched; a part goes by its place among its like."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.sources: list[Part] = [part for part in parts if part.role == SOURCE]
        self.targets: list[Part] = [part for part in parts if part.role != SOURCE]
        self._pairs: list[tuple[int, int]] = []
        self._free_sources = list(range(len(self.sources)))
        self._free_targets = dict.fromkeys(range(len(self.targets)))

    def take_unique(
        self,
        candidates: Callable[[Part], Iterable[int]],
        fits: Callable[[Part, Part], bool],
        learn: Callable[[Part, Part], bool] = lambda _source, _target: False,
    ) -> None:
        """Take ends that fit each other only; what a pair teaches may rule out others.

        Parameters
        ----------
        candidates
            Places of the targets that a source may belong to: all that fit are among them.
        fits
            Whether a source and a target may belong together.
        learn
            Takes what a pair teaches, and tells whether that was anything new.
        """
        edges = self._edges(candidates, fits)
        is_new = True
        while is_new:
            is_new = False
            counts = Counter(target for fitting in edges.values() for target in fitting)
            taken: dict[int, int] = {}
            for source, fitting in edges.items():
                if len(fitting) == 1 and counts[fitting[0]] == 1:
                    taken[source] = fitting[0]
                    is_new |= learn(self.sources[source], self.targets[fitting[0]])
            self._pairs += taken.items()
            self._free_sources = [n for n in self._free_sources if n not in taken]
            for target in taken.values():
                del self._free_targets[target]
            edges = {
                n: [t for t in edges[n] if fits(self.sources[n], self.targets[t])] for n in self._free_sources
            }

    def result(
        self, candidates: Callable[[Part], Iterable[int]], fits: Callable[[Part, Part], bool]
    ) -> list[Pair[Part]]:
        """Give the pairs, and what stayed alone with the number of ends that it could belong to."""
        edges = self._edges(candidates, fits)
        counts = Counter(target for fitting in edges.values() for target in fitting)
        found: list[Pair[Part]] = []
        found += [Pair(self.sources[source], self.targets[target]) for source, target in self._pairs]
        found += [Pair(self.sources[n], None, len(edges[n])) for n in self._free_sources]
        return found + [Pair(None, self.targets[n], counts[n]) for n in self._free_targets]

    def _edges(
        self, candidates: Callable[[Part], Iterable[int]], fits: Callable[[Part, Part], bool]
    ) -> dict[int, list[int]]:
        return {
            n: [
                t
                for t in candidates(self.sources[n])
                if t in self._free_targets and fits(self.sources[n], self.targets[t])
            ]
            for n in self._free_sources
        }
