"""Events of hosts whose offset from UTC is unknown, in local time: for example, a pasted part of a log.

Times of two such hosts cannot be compared, so each host is judged alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agtrace.diagnostics.health import alone, connections, failed_over, groups, role, servers, suspended
from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import Failovers, Timeline, UntimedLogs
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say.finding import span_of, window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds


def untimed(
    rows: Sequence[Timeline],
    logs: Iterable[UntimedLogs],
    history: GroupHistory,
    limits: Thresholds,
    failovers: Callable[[str], list[Failovers]],
) -> list[Judged]:
    """Judge the events of hosts without an offset.

    Parameters
    ----------
    rows
        Rows of untimed.sql.
    logs
        Rows of untimed_logs.sql: when the logs of such hosts begin and end, local time.
    failovers
        Gives the failovers that one of these hosts shows alone (`agtrace.history.failovers.in_local_time`).
    """
    of_host: dict[str, list[Timeline]] = defaultdict(list)
    for row in rows:
        of_host[row.host_id or ""].append(row)
    ends = [
        Stretch(row.host_id, row.sql_instance, "ERRORLOG", _tagged(row.first), _tagged(row.last))
        for row in logs
    ]
    hosts_of = _hosts_of_groups(rows, history)
    found: list[Judged] = []
    for host, own in sorted(of_host.items()):
        is_alone = host not in history.hosts  # else what follows may be in a capture whose offset is known
        local = GroupHistory(
            failovers(host) if is_alone else [],
            own,
            history.paths,
            coverage=Coverage(ends),
            platforms=history.platforms,
            members=history.members,
            grouped=history.grouped,
            instances=history.instances,
            inner=history.inner,
        )
        found += alone.alone(local)
        if is_alone:
            found += failed_over.failovers(local, limits)
            found += servers.leases(local) + servers.stops(local) + servers.long_io(local)
            found += suspended.suspended(local) + connections.lost_connections(local, limits)
            of_groups = groups.no_primary(local, limits) + role.roles(local)
            found += [one for one in of_groups if hosts_of.get(one.subject.get("ag", ""), {host}) == {host}]
    return [_local(one) for one in found]


def _tagged(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC)


def _hosts_of_groups(rows: Iterable[Timeline], history: GroupHistory) -> dict[str, set[str]]:
    """Return the hosts whose role in each group some capture shows."""
    found: dict[str, set[str]] = defaultdict(set)
    for ag, host in history.states:
        found[ag].add(host)
    for row in rows:
        if row.kind == "replica_state" and row.ag:
            found[row.ag].add(row.host_id or "")
    return found


def _local(one: Judged) -> Judged:
    start, end = map(_naive, span_of(one.window) or ())
    facts = {name: _naive(value) for name, value in one.facts.items()}
    return replace(one, window=window(start, end, is_local=True), facts={**facts, "is_local": True})


def _naive(value: Any) -> Any:
    """Return facts with times that have no zone."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, dict):
        return {key: _naive(each) for key, each in value.items()}
    if hasattr(value, "_fields"):
        return type(value)(*map(_naive, value))
    if type(value) in (list, tuple):
        return type(value)(_naive(each) for each in value)
    return value
