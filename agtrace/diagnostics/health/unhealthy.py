"""health.not_synchronizing from rows of the replicas' views alone: what stood badly when they were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import Unhealthy
from agtrace.measures import quoted
from agtrace.say.said import Judged

ROWS_ALONE = 0.6
"""The rows show the state; when they were read, and on which server, is unknown."""


def unhealthy(history: GroupHistory, rows: Iterable[Unhealthy]) -> list[Judged]:
    """Judge each replica that rows show as disconnected, or with databases that are not healthy.

    Parameters
    ----------
    rows
        Rows of unhealthy.sql.
    """
    of_replica: dict[tuple[str, str], list[Unhealthy]] = defaultdict(list)
    for row in rows:
        of_replica[row.ag or "", row.replica or ""].append(row)
    return [_judged(ag, replica, own, history) for (ag, replica), own in of_replica.items()]


def _judged(ag: str, replica: str, rows: list[Unhealthy], history: GroupHistory) -> Judged:
    databases = [row.database for row in rows if row.database]
    named = {"ag": ag, "replica": replica, "database": databases[0] if len(databases) == 1 else ""}
    return Judged(
        said="unhealthy",
        id="health.not_synchronizing",
        severity="warning",
        subject={name: value for name, value in named.items() if value},
        window={},
        evidence=tuple(
            quoted(row.database or "replica", _state(row), history.place(row.content_id, row.line, "a row"))
            for row in rows
        ),
        confidence=ROWS_ALONE,
        facts={
            "group": ag,
            "replica": replica,
            "databases": databases,
            "is_cut": any(str(row.connected_state).upper() == "DISCONNECTED" for row in rows),
            "states": sorted({_state(row) for row in rows}),
        },
    )


def _state(row: Unhealthy) -> str:
    states = (row.connected_state, row.synchronization_state, row.synchronization_health)
    return ", ".join(state for state in states if state)
