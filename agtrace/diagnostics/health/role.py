"""health.role: a replica came online, or databases changed roles, and no other finding includes it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import BOUNDED, SEEN
from agtrace.diagnostics.health.rows import Timeline
from agtrace.say.finding import window
from agtrace.say.said import Judged

PRIMARY = "PRIMARY_NORMAL"
LOGS = ("ERRORLOG", "AlwaysOn_health")
"""Sources that show the role of a replica."""
NEAR = timedelta(minutes=2)
"""A state of the replica, or a failover, this near includes the roles of its databases."""
STEPS = timedelta(minutes=1)
"""The steps of coming online take no longer."""
STARTED = timedelta(minutes=30)
"""A group that comes online so soon after its instance started was not there before."""


def roles(history: GroupHistory) -> list[Judged]:
    """Judge the role changes included in nothing else."""
    online = (_online(ag, history) for ag in history.groups)
    return [*(one for one in online if one is not None), *_databases(history)]


def _online(ag: str, history: GroupHistory) -> Judged | None:
    states = history.kinds_of_group.of("replica_state", ag)
    first = next((row for row in states if row.after == PRIMARY and row.host_id), None)
    if first is None or not first.host_id or states[0].time < first.time - STEPS:
        return None
    at, host = first.time, first.host_id
    if history.failovers_near(ag, at - NEAR, at + NEAR) or _is_start(host, first, history):
        return None
    if history.kinds_of_group.between(at - STARTED, at, "ddl", ag):
        return None
    return Judged(
        said="role.online",
        id="health.role",
        severity="info",
        subject={"ag": ag, "host": host},
        window=window(at, at),
        evidence=(history.entry(first),),
        confidence=BOUNDED,
        facts={
            "group": ag,
            "host": host,
            "at": first.time,
            "others": _unwatched(ag, host, at, history),
            "since": _log_since(host, at, history),
        },
    )


def _unwatched(ag: str, host: str, at: datetime, history: GroupHistory) -> list[str]:
    """Return the other replicas of a group whose logs do not reach a moment."""
    others = [one for one in history.replicas(ag) if one.lower() != host.lower()] or ["the other replicas"]
    return [
        one
        for one in others
        if not any(
            log.first <= at + NEAR and at - NEAR <= log.last for log in history.coverage.of(one, None, LOGS)
        )
    ]


def _log_since(host: str, at: datetime, history: GroupHistory) -> datetime | None:
    """Return the moment before which a restart of a host is not shown; None if its log reaches back."""
    begins = [log.first for log in history.coverage.of(host, None, LOGS) if log.first <= at]
    since = min(begins, default=at)
    return since if since > at - STARTED else None


def _is_start(host: str, row: Timeline, history: GroupHistory) -> bool:
    """Return whether an instance of a host started, or its log starts, shortly before an entry."""
    since = row.time - STARTED
    kinds = ("ready", "restart", "startup_skipped")
    return any(history.kinds_of_host.between(since, row.time, kind, host) for kind in kinds)


def _databases(history: GroupHistory) -> list[Judged]:
    found: dict[tuple[str, str, str], list[Timeline]] = defaultdict(list)
    for row in history.of("database_role"):
        host, since, until = row.host_id, row.time - NEAR, row.time + NEAR
        if not host or history.kinds_of_host.between(since, until, "replica_state", host):
            continue
        if any(history.failovers_near(ag, since, until) for ag in history.groups) or _is_start(
            host, row, history
        ):
            continue
        found[host, row.before or "", row.after or ""].append(row)
    return [_changed(*key, rows, history) for key, rows in sorted(found.items())]


def _changed(host: str, before: str, after: str, rows: list[Timeline], history: GroupHistory) -> Judged:
    return Judged(
        said="role.databases",
        id="health.role",
        severity="warning" if before == "PRIMARY" else "notice",
        subject={"host": host},
        window=window(rows[0].time, rows[-1].time),
        evidence=tuple(history.entry(row) for row in rows[:4]),
        confidence=SEEN,
        facts={
            "host": host,
            "before": before,
            "after": after,
            "at": rows[0].time,
            "databases": sorted({row.database or "a database" for row in rows}),
        },
    )
