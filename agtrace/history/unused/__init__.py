"""Contents of each capture: topics, events, counters and relations; and files without any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from agtrace.history.base import Sources, View
from agtrace.store.quoting import identifier
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS

__all__ = ["Kind", "UnusedFile", "given", "hosts_with", "is_captured", "unused_files"]

Kind = Literal["counter", "event", "topic", "relation"]

_sql = beside(__file__)

ROWS = "rowset_heads"
"""Table of the results of queries."""
_NAMED = "(list_contains($names, object || '\\' || counter) or list_contains($names, '*'))"
"""SQL condition for the selected counters."""
UNKNOWN = "rowsets"
"""Relation of results that are not recognised."""


class UnusedFile(NamedTuple):
    """Results of queries that nothing else tells of.

    Parameters
    ----------
    names
        The first columns of its first table.
    n
        Rows of its tables.
    is_cumulative
        Its values count since the start of SQL Server.
    """

    path: str
    names: list[str]
    n: int
    is_cumulative: bool


def unused_files(view: View) -> list[UnusedFile]:
    """Return the results of queries that nothing else tells of, by path."""
    if not view.has_rows(ROWS):
        return []
    made = [name for name, sources in _sources().items() if ROWS in sources.tables and name != UNKNOWN]
    used = [f"select content_id from {identifier(name)}" for name in made if _has(name, "content_id")]
    query = _sql("unused.sql").replace("/* relations */", "\n    union all ".join(used))
    return view.records(UnusedFile, query)


def given(view: View, relations: Iterable[str], events: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """Return what each content gave, of some relations and events.

    Returns
    -------
    dict
        By content_id, pairs of kind (topic, event, counter, relation) and name, as questions name what they
        need; of relations those whose rows say which capture they come from.
    """
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in view.rows(_sql("given.sql")):
        found[row["content_id"]].add((row["kind"], row["name"]))
    for event in sorted(set(events)):
        if view.fields(event):
            name = identifier(f"events_{event}")
            for row in view.rows(f"select distinct _content_id as content_id from {name}"):
                found[row["content_id"]].add(("event", event))
    for name in sorted(set(relations) & RELATIONS.keys()):
        if (_has(name, "content_id") or _has(name, "witnesses")) and view.has_rows(name):
            for content in _contents(view, name):
                found[content].add(("relation", name))
    return dict(found)


def is_captured(view: View, kind: Kind, names: tuple[str, ...]) -> bool:
    """Return whether a case has any of some counters (``*``: any at all), events, topics or relations."""
    if kind == "topic":
        return not view.topics.isdisjoint(names)
    if kind == "relation":
        return any(view.has_rows(name) for name in names)
    if kind == "event":
        looks = [f"select 1 from {identifier(event)} limit 1" for event in _events(view, names)]
        return any(view.rows(look) for look in looks)
    return bool(view.rows(f"select 1 from counters where {_NAMED} limit 1", {"names": list(names)}))


def hosts_with(view: View, kind: Kind, names: tuple[str, ...]) -> frozenset[str]:
    """Return the hosts of which a case has any of some counters, events or topics."""
    if kind == "event":
        of = "select distinct c.host_id from captures c semi join {} e on e._content_id = c.content_id"
        rows = [row for event in _events(view, names) for row in view.rows(of.format(identifier(event)))]
    elif kind == "topic":
        rows = view.rows(_sql("hosts_of_topics.sql"), {"names": list(names)})
    else:
        rows = view.rows(f"select distinct host_id from counters where {_NAMED}", {"names": list(names)})
    return frozenset(row["host_id"] for row in rows if row["host_id"])


def _events(view: View, names: tuple[str, ...]) -> list[str]:
    return sorted({f"events_{name}" for name in names} & view.events)


def _contents(view: View, name: str) -> set[str]:
    if _has(name, "content_id"):
        query = f"select distinct content_id from {identifier(name)}"
    else:
        query = f"select distinct w.content_id from (select unnest(witnesses) as w from {identifier(name)})"
    return {row["content_id"] for row in view.rows(query) if row["content_id"]}


def _has(name: str, column: str) -> bool:
    return column in RELATIONS[name].names


@cache
def _sources() -> dict[str, Sources]:
    from agtrace.history.offering import makers

    return {name: maker.sources for maker in makers() for name in maker.relations}
