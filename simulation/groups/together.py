"""Several groups of the same instances that live through the same: what one of them writes, the others write,
too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from simulation.groups.cast import Group, guid
from simulation.groups.journal import Journal, Run, Said, Timed
from simulation.groups.life import Life

TICKS = ("current_time", "new_timeout")


@dataclass(frozen=True)
class Twin:
    """Another group on the same replicas, with databases of its own.

    Parameters
    ----------
    after
        By how much it is behind the first: each group of an instance is worked on in its turn.
    """

    name: str
    databases: tuple[str, ...]
    after: float

    def ids(self, group: Group) -> dict[UUID, UUID]:
        """Return its ids by those of the first group."""
        ids = {group.group_id: guid(f"group {self.name}"), group.resource_id: guid(f"resource {self.name}")}
        return ids | {node.replica_id: guid(f"replica {node.server} of {self.name}") for node in group.nodes}


def live_together(life: Life, twins: tuple[Twin, ...]) -> None:
    """Repeat all events of the first group for other groups of the same instances."""
    for node in life.group.nodes:
        journal = life[node]
        whole = [(list(run.said), list(run.health), run) for run in journal.runs]
        cluster, resource = list(journal.cluster), list(journal.resource)
        for twin in twins:
            words = _Words(life.group, twin)
            for said, health, run in whole:
                _write(run, said, health, words, twin.after)
            journal.cluster += [
                (t + twin.after, level, channel, tuple(words.of(text) for text in lines))
                for t, level, channel, lines in cluster
                if any(words.names(text) for text in lines)
            ]
            journal.resource += [(t + twin.after, name, words.fields(told)) for t, name, told in resource]
        _in_order(journal)


def _write(run: Run, said: list[Said], health: list[Timed], words: _Words, after: float) -> None:
    last = float("inf") if run.ended is None else run.ended
    pair: Said | None = None
    for one in said:
        if words.names(one.text):
            at = min(one.t + after, last)
            if pair is not None and pair.t == one.t:  # the numbers of an error stand before its text
                run.said.append(replace(pair, t=at))
            run.said.append(replace(one, t=at, text=words.of(one.text)))
        pair = one if one.text.startswith("Error: ") else None
    for t, name, told in health:
        if words.concern(told):
            run.health.append((min(t + after, last), name, _later(words.fields(told), after)))


def _later(told: dict[str, object], after: float) -> dict[str, object]:
    """Advance the machine's ticks meanwhile."""
    ticks = {name: told[name] + round(1000 * after) for name in TICKS if isinstance(told.get(name), int)}  # type: ignore[operator]
    return told | ticks


def _in_order(journal: Journal) -> None:
    for run in journal.runs:
        run.health.sort(key=lambda one: one[0])
    journal.resource.sort(key=lambda one: one[0])


class _Words:
    """The words of a twin for those of the first group."""

    def __init__(self, group: Group, twin: Twin) -> None:
        names = {group.name: twin.name, **dict(zip(group.databases, twin.databases, strict=True))}
        ids = twin.ids(group)
        self._of: Mapping[str, str] = names | {str(a): str(b) for a, b in ids.items()} | {
            str(a).upper(): str(b).upper() for a, b in ids.items()
        }  # fmt: skip
        self._ids: Mapping[object, object] = ids
        self._pattern = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in self._of))

    def names(self, text: str) -> bool:
        """Return whether a text is about the first group."""
        return self._pattern.search(text) is not None

    def of(self, text: str) -> str:
        """Return the text about the twin."""
        return self._pattern.sub(lambda found: self._of[found[0]], text)

    def concern(self, told: Mapping[str, object]) -> bool:
        """Return whether an event is about the first group."""
        return self.fields(told) != told

    def fields(self, told: Mapping[str, object]) -> dict[str, object]:
        """Return the fields of an event about the twin."""
        return {
            name: self.of(value) if isinstance(value, str) else self._ids.get(value,
            value) if isinstance(value, UUID) else value
            for name, value in told.items()
        }  # fmt: skip
