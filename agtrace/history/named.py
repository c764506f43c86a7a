"""Databases and replicas by name: a name that the case does not have is an error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from agtrace.errors import CaseError, RelationError
from agtrace.globs import instead
from agtrace.history.base import View
from agtrace.resolve.replicas import HOSTS, HostNames, same_replica
from agtrace.tables.history import RELATIONS

FIRST = ("backups", "seedings", "streams")
"""Relations that name most databases; the others are read when these do not have it."""


def check_database(view: View, name: str | None) -> None:
    """Check that the case has a database of this name, in any case of its letters.

    Raises
    ------
    CaseError
        It has others; the message names the nearest.
    """
    if name:
        wanted = name.casefold()
        _check("database", name, _named(view, "database"), lambda known: known.casefold() == wanted)


def check_replica(view: View, name: str | None) -> None:
    """Check that the case has a replica or host of this name, in any spelling.

    Raises
    ------
    CaseError
        It has others; the message names the nearest.
    """
    if not name:
        return
    hosts = view.rows(HOSTS)
    names = HostNames(hosts)
    wanted = names.replica(name)

    def replicas() -> Iterator[str]:
        yield from (host["host_id"] for host in hosts)
        yield from _named(view, "replica")

    _check("replica", name, replicas(), lambda known: same_replica(names.replica(known), wanted))


def _check(what: str, name: str, known: Iterator[str], means: Callable[[str], bool]) -> None:
    there = []
    for each in known:
        if means(each):
            return
        there.append(each)
    if there:
        raise CaseError(f"no {what} is called {name!r}", instead(name, there))


def _named(view: View, column: str) -> Iterator[str]:
    """Yield the names in a column of all relations; each is computed when it is needed."""
    having = [name for name, schema in RELATIONS.items() if column in schema.names]
    for relation in sorted(having, key=lambda name: name not in FIRST):
        # A relation that cannot be computed has a finding of its own.
        with contextlib.suppress(RelationError):
            query = (
                f'SELECT DISTINCT "{column}" AS name FROM "{relation}" WHERE "{column}" <> \'\' ORDER BY 1'
            )
            yield from (row["name"] for row in view.rows(query))
