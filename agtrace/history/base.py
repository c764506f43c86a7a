"""What a folder of `agtrace.history` offers: relations, what they come from, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from agtrace.measure.base import View
from agtrace.store.view import Query
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows

__all__ = ["Maker", "Query", "Sources", "View"]


@dataclass(frozen=True)
class Sources:
    """What rows can come from: where a case has nothing of it there are none.

    Parameters
    ----------
    topics
        Topics of messages or facts.
    events
        Events of Extended Events, by the beginnings of their names.
    tables
        Content tables (`agtrace.tables`).
    relations
        Other relations of a case, which are computed to see whether they have rows.
    """

    topics: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()

    def __or__(self, other: Sources) -> Sources:
        """Return the union of both sources."""
        mine, others = vars(self), vars(other)
        return Sources(**{kind: (*mine[kind], *others[kind]) for kind in mine})

    def are_in(self, view: View) -> bool:
        """Return whether a case has any of it."""
        begins = tuple(f"events_{event}" for event in self.events)
        return (
            not view.filled.isdisjoint(self.tables)
            or any(name.startswith(begins) for name in view.events)
            or (bool(self.topics) and not view.topics.isdisjoint(self.topics))
            or any(view.has_rows(name) for name in self.relations)
        )


@dataclass(frozen=True)
class Maker:
    """Makes one or more relations of a case in one pass.

    Parameters
    ----------
    relations
        Their names; each has its schema in `agtrace.tables.history`.
    make
        Gives their rows by name, from the tables of the case and from other relations; or the query
        that gives them, where there may be too many to hold.
    sources
        What they come from: most cases have nothing of most things, and `make` is not called then.
    is_by_host
        `make` gives UTC times by the clock of the row's ``host_id``: they are put on the reference clock of
        the case (`agtrace.history.reference_clock`) when the relation is made, and nowhere else.
    scratch
        Tables of the schema ``scratch`` that only the queries of its relations read: dropped once these are
        kept.
    is_view
        They follow from rows of captures, one by one: those of a part of a case come from that part.
    """

    relations: tuple[str, ...]
    make: Callable[[View], Mapping[str, pa.Table | Query]]
    sources: Sources
    scratch: tuple[str, ...] = ()
    is_view: bool = False
    is_by_host: bool = False

    def nothing(self) -> dict[str, pa.Table]:
        """Return its relations without rows."""
        return {name: no_rows(RELATIONS[name]) for name in self.relations}
