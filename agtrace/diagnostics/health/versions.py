"""health.versions: replicas of one group whose instances are of different major versions.

Source: "Upgrade availability group replicas" of Microsoft's documentation: a secondary of a newer version
receives the log of an older primary, is not readable, and cannot send it back once it has taken over.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import SEEN
from agtrace.diagnostics.health.rows import Versions
from agtrace.measures import quoted
from agtrace.say.said import Judged

PRIMARY = "PRIMARY_NORMAL"


def versions(history: GroupHistory, rows: Iterable[Versions]) -> list[Judged]:
    """Judge each group whose replicas run different major versions.

    Parameters
    ----------
    rows
        Rows of versions.sql.
    """
    of_host = {row.host: row for row in rows}
    found = []
    for ag in sorted({group for group, _host in history.states}):
        own = {host: of_host[host] for group, host in history.states if group == ag and host in of_host}
        if len({_major(row) for row in own.values()}) > 1:
            found.append(_judged(ag, own, history))
    return found


def _judged(ag: str, own: dict[str, Versions], history: GroupHistory) -> Judged:
    last = {host: history.states[ag, host][-1].after for host in own}
    primaries = [host for host in own if last[host] == PRIMARY]
    newest = max(own, key=lambda host: (_major(own[host]), host))
    older = [host for host in own if _major(own[host]) < _major(own[newest])]
    is_stuck = any(_major(own[host]) == _major(own[newest]) for host in primaries)
    return Judged(
        said="versions",
        id="health.versions",
        severity="warning" if is_stuck else "notice",
        subject={"ag": ag},
        window={},
        evidence=tuple(
            quoted(f"version of {host}", row.version, history.place(row.content_id, row.line))
            for host, row in own.items()
        ),
        confidence=SEEN,
        facts={
            "group": ag,
            "newest": newest,
            "older": older,
            "is_stuck": is_stuck,
            "shown": [f"{host} {row.version}" for host, row in own.items()],
        },
    )


def _major(row: Versions) -> int:
    head = str(row.version).partition(".")[0]
    return int(head) if head.isdecimal() else 0
