"""health.resource and health.node: other failed resources of the cluster, and nodes that are down.

Resources of listeners are reported by the question on endpoints and clients, groups by their failovers.

Sources: Microsoft documentation, "Get-ClusterResource" (State), "How to configure DTC for Always On
availability groups", "Always On failover cluster instances".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import SEEN
from agtrace.diagnostics.health.rows import MembersDown, Resources
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

FAILED = "FAILED"
TOLD_ELSEWHERE = ("SQL SERVER AVAILABILITY GROUP", "NETWORK NAME", "IP ADDRESS", "IPV6 ADDRESS")
MEANING = {
    "DISTRIBUTED TRANSACTION COORDINATOR": "dtc",
    "SQL SERVER": "instance",
    "PHYSICAL DISK": "disk",
    "CLUSTER SHARED VOLUME": "disk",
    "FILE SHARE WITNESS": "witness",
    "CLOUD WITNESS": "witness",
}
"""The role of a failed resource, by its type as Windows names it."""


def resources(history: GroupHistory, rows: Iterable[Resources]) -> list[Judged]:
    """Judge each resource that was failed in its last snapshot.

    Parameters
    ----------
    rows
        Rows of resources.sql.
    """
    return [
        _failed(history, row)
        for row in rows
        if str(row.state).upper() == FAILED and str(row.type or "").upper() not in TOLD_ELSEWHERE
    ]


def _failed(history: GroupHistory, row: Resources) -> Judged:
    kind = MEANING.get(str(row.type or "").upper(), "")
    place = history.place(row.content_id, row.line, "a look")
    described = [("type", row.type), ("role", row.role)]
    return Judged(
        said="resource",
        id="health.resource",
        severity="warning" if kind else "notice",
        subject={"host": row.host_id or "", "resource": row.item},
        window=window(row.time, row.time) if row.time else {},
        evidence=(
            quoted(f"state of {row.item}", row.state, place),
            *(quoted(f"{name} of {row.item}", value, place) for name, value in described if value),
        ),
        confidence=SEEN,
        facts={"item": row.item, "type": row.type, "role": row.role, "time": row.time} | {"kind": kind},
    )


def members(history: GroupHistory, rows: Sequence[MembersDown]) -> list[Judged]:
    """Judge the members of the cluster that were down when they were shown last.

    Parameters
    ----------
    rows
        Rows of members_down.sql.
    """
    down = [row for row in rows if str(row.state).upper() == "DOWN"]
    if not down:
        return []
    votes, lost = (sum(row.votes for row in each) for each in (rows, down))
    last = max((row.time for row in down if row.time), default=None)
    return [
        Judged(
            said="members",
            id="health.node",
            severity="warning" if 2 * lost >= votes else "notice",
            subject={"host": down[0].item} if len(down) == 1 else {},
            window=window(last, last) if last else {},
            evidence=tuple(
                quoted(f"state of {row.item}", row.state, history.place(row.content_id, row.line, "a look"))
                for row in down
            ),
            confidence=SEEN,
            facts={"down": [row.item for row in down], "lost": lost, "votes": votes, "time": last},
        )
    ]
