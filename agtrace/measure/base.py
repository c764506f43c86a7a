"""The interface through which everything above the store reads a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import pyarrow as pa

from agtrace.tables.records import R

T = TypeVar("T")


class View(Protocol):
    """The tables of an opened case, as DuckDB views (docs/store.md lists their columns)."""

    settings: dict[str, Any]
    events: set[str]
    """Names of the event views, ``events_<name>``."""

    @property
    def filled(self) -> frozenset[str]:
        """Content tables (`agtrace.tables`) of which some capture gave rows."""

    @property
    def topics(self) -> frozenset[str]:
        """Topics that some row of messages or facts has."""

    def fields(self, event: str) -> frozenset[str]:
        """Return the columns of ``events_<event>``; empty if no capture contains such an event."""

    def has_rows(self, relation: str) -> bool:
        """Return whether a relation of events has rows; queried once."""

    def table(
        self,
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> pa.Table:
        """Return the result of a query with ``$name`` parameters as an Arrow table.

        ``given`` contains temporary tables for this query, by name.
        """

    def rows(
        self,
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> list[dict[str, Any]]:
        """Return the rows of a query with ``$name`` parameters by column; times are in UTC."""

    def records(
        self,
        kind: type[R],
        query: str,
        parameters: dict[str, Any] | None = None,
        given: Mapping[str, pa.Table] | None = None,
    ) -> list[R]:
        """Return the rows of a query with ``$name`` parameters as records; times are in UTC."""

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script of statements that fill tables of the schema ``scratch``, each with the parameters
        that it names.
        """


def once_per_case(load: Callable[[View], T]) -> Callable[[View], T]:
    """Cache a loader's result per opened case, for all callers.

    An opened case does not change, so loaded data stays valid; callers must not modify it.
    """
    loaded: WeakKeyDictionary[View, T] = WeakKeyDictionary()

    @wraps(load)
    def shared(view: View) -> T:
        if view not in loaded:
            loaded[view] = load(view)
        return loaded[view]

    return shared
