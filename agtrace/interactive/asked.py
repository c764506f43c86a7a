"""What somebody means by a name that they type: told where a case has nothing of it."""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.errors import CaseError
from agtrace.globs import matches, named
from agtrace.resolve.names import is_meant
from agtrace.series import listed, nearest
from agtrace.store import CaseView
from agtrace.tables.timeline_kinds import KINDS


def hosts_meant(view: CaseView, asked: str | Iterable[str] | None) -> frozenset[str] | None:
    """Give the hosts of a case that names or globs mean; None where none are asked for: all.

    Raises
    ------
    CaseError
        The case has no such host; the message names those that it has.
    """
    if asked is None:
        return None
    there = [row["host_id"] for row in view.rows("SELECT host_id FROM hosts ORDER BY 1")]
    found: set[str] = set()
    for name in named(asked):
        meant = {host for host in there if is_meant(host, name)}
        if not meant:
            raise CaseError(f"the case has no host {name!r}", f"its hosts are: {', '.join(there) or 'none'}")
        found |= meant
    return frozenset(found)


def kinds_meant(view: CaseView, asked: str | Iterable[str] | None) -> list[str] | None:
    """Give the kinds of the timeline that names or globs mean; None where none are asked for: all.

    Raises
    ------
    CaseError
        The timeline has no such kind; the message names the nearest.
    """
    if asked is None:
        return None
    there = [row["kind"] for row in view.rows("SELECT DISTINCT kind FROM timeline ORDER BY 1")]
    known = list(dict.fromkeys([*there, *KINDS]))
    found: list[str] = []
    for name in named(asked):
        meant = [kind for kind in known if matches(kind, name)]
        if not meant:
            near = nearest(name, known)
            hint = f"nearest: {listed(near)}" if near else f"there are: {listed(there) or 'none'}"
            raise CaseError(f"the timeline has no kind {name!r}", hint)
        found += meant
    return found
