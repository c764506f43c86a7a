"""The pieces that a kit can collect, and the needs that each meets (pieces.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from agtrace.history import makers
from agtrace.readers import reader

if TYPE_CHECKING:
    from agtrace.diagnostics.need import Need

COUNTERS, SESSION = "counters", "session"
"""Pieces whose items come from the needs: performance counters, and events of the kit's own session."""


@dataclass(frozen=True)
class Piece:
    """A piece of data that a kit collects.

    Parameters
    ----------
    name
        Its name in templates.
    title
        Its title for the customer.
    readers
        Readers of its output; it provides all their topics.
    topics, relations, events, tables
        Other data that it provides; a content table stands for the relations computed from it alone.
    once, repeat, alone
        Queries of ``sql/``: run at the start and the end, run periodically, or written to their own file.
    flags
        Trace flags that are on during the run.
    by_hand
        If the kit does not collect it: when to do so by hand.
    seen
        Query for the hosts for which a case has it.
    only_once
        Whether the data of one host is enough for all.
    whole, instances
        For counters: objects that are logged with all their counters, with the relations that need them; and
        instances, if not all of them are needed.
    """

    name: str
    title: str
    readers: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    repeat: tuple[str, ...] = ()
    alone: str = ""
    flags: tuple[int, ...] = ()
    by_hand: str = ""
    seen: str = ""
    only_once: bool = False
    whole: dict[str, list[str]] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)

    @cached_property
    def all_topics(self) -> frozenset[str]:
        """Every topic that it gives."""
        read = (found for name in self.readers if (found := reader(name)))
        return frozenset(self.topics) | {topic.name for each in read for topic in each.topics}

    def gives(self, need: Need) -> bool:
        """Return whether it provides anything that a need reads, or a source of that."""
        if need.kind == "counter":
            return self.name == COUNTERS
        if need.kind == "event":
            return any(self._gives_event(name) for name in need.names)
        if need.kind == "topic":
            return not self.all_topics.isdisjoint(need.names)
        return any(self._gives_relation(name) for name in need.names)

    def _gives_event(self, name: str) -> bool:
        logged = any(name in piece.events for piece in pieces().values())
        return name in self.events if logged else self.name == SESSION

    def _gives_relation(self, name: str) -> bool:
        if any(name in piece.relations for piece in pieces().values()):
            return name in self.relations
        made_of = _made_of(name)
        return not (
            self.all_topics.isdisjoint(made_of["topics"]) and set(self.tables).isdisjoint(made_of["tables"])
        ) or any(self._gives_event(event) for event in made_of["events"])


@cache
def pieces() -> dict[str, Piece]:
    """Return every piece by its name, in display order."""
    text = (resources.files(__package__ or "") / "pieces.toml").read_text(encoding="utf-8")
    return {name: Piece(name, **_frozen(said)) for name, said in tomllib.loads(text).items()}


def _frozen(said: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}


def events_of(need: Need) -> frozenset[str]:
    """Return the events that a need names, or the sources of the relations that it names."""
    if need.kind == "event":
        return frozenset(need.names)
    return frozenset(event for name in need.names for event in _made_of(name)["events"])


def _made_of(relation: str) -> dict[str, tuple[str, ...]]:
    """Return the sources of a relation; empty if it is not made from captures."""
    maker = next((maker for maker in makers() if relation in maker.relations), None)
    return vars(maker.sources) if maker else {"topics": (), "tables": (), "events": (), "relations": ()}
