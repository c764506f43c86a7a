"""Events that no failover, outage or restart includes: one finding for each kind and host, or group.

Every kind of the timeline is in `FAMILIES`, reported by a rule of its own (`ELSEWHERE`) or context of others
(`CONTEXT`); a test checks that none is missing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from agtrace.diagnostics.health.families import FAULTS, FOLLOWS, Family, details
from agtrace.diagnostics.health.group_history import NOT_KNOWN, GroupHistory, Part, kind_of
from agtrace.diagnostics.health.measures import COUNTED, ENTRIES
from agtrace.diagnostics.health.rows import Timeline
from agtrace.measure.platforms import likely
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

Key = tuple[str, str, str, str]
"""Family, host, group and database of events."""
Place = tuple[str | None, int | None]
"""File and line of an entry."""
SHOWN = 4
"""Texts shown by a finding: the first of each kind."""
MOST_STRAINED = 5
AROUND = timedelta(minutes=2)
"""A failover this near includes the kinds that it has as reasons."""
APART = timedelta(minutes=1)
"""Entries further apart than this are separate occurrences."""
OF_GROUPS = ("shutdown_asked", "disk_reset", "schedulers", "grants", "dtc_failed")
"""Kinds that do not matter on a host without a replica of a group."""
BEFORE = timedelta(minutes=5)
"""How long before an event the load of its host counts."""
STRAINS = (
    "processors_busy",
    "memory_low",
    "memory_paged_out",
    "out_of_memory",
    "long_io",
    "io_error",
    "disk_reset",
    "non_yielding",
    "deadlocked_schedulers",
    "dump",
    "standstill",
    "heartbeats_missed",
    "udp_lost",
    "route_lost",
)


FAMILIES = (
    Family(
        "health.lease",
        "lease_lost",
        "warning",
        (
            "lease_lost",
            "lease_no_signal",
            "lease_no_cluster_signal",
            "lease_renewal_failed",
            "lease_not_valid",
            "lease_offline",
        ),
    ),
    Family("health.check", "check_failed", "warning", ("health_timeout", "health_error", "not_alive")),
    Family("health.quorum", "quorum_lost", "warning", ("quorum_lost", "tag_refused", "cluster_terminated")),
    Family(
        "health.node",
        "node_lost",
        "notice",
        (
            "node_removed",
            "node_left",
            "node_quarantined",
            "join_failed",
            "fenced",
            "fence_failed",
            "power_lost",
        ),
    ),
    Family(
        "health.network",
        "links_lost",
        "notice",
        ("heartbeats_missed", "udp_lost", "route_lost", "nodes_down"),
    ),
    Family("health.monitor", "not_monitored", "warning", ("monitor_failed", "monitor_timeout")),
    Family("health.service", "service_died", "warning", ("server_died", "service_died")),
    Family(
        "health.refused",
        "refused",
        "warning",
        ("failover_refused", "online_failed", "group_orphaned", "failover_not_ready", "promotion_refused"),
    ),
    Family("health.threshold", "threshold", "warning", ("threshold_reached",)),
    Family(
        "health.resource",
        "resource_failed",
        "warning",
        ("resource_failed", "failure_notified", "operation_failed", "operation_timeout"),
    ),
    Family("health.resource_host", "resource_host", "warning", ("resource_host_deadlock",)),
    Family("health.agent", "agent_offlined", "warning", ("agent_offlined",)),
    Family(
        "health.database_failed",
        "database_failed",
        "critical",
        ("database_failed", "log_not_available", "log_write_failed", "must_shut_down"),
        by_database=True,
    ),
    Family("health.io_error", "io_error", "critical", ("io_error",)),
    Family("health.storage", "disk_reset", "notice", ("disk_reset",)),
    Family("health.page_damaged", "page_damaged", "critical", ("page_damaged",)),
    Family("health.page_damaged", "read_retried", "warning", ("read_retried",)),
    Family("health.redo_failed", "redo_failed", "critical", ("redo_failed", "undo_failed")),
    Family("health.schedulers", "schedulers", "warning", ("non_yielding", "deadlocked_schedulers")),
    Family("health.memory", "grants", "warning", ("memory_grant_timeout",)),
    Family("health.removed", "removed", "warning", ("replica_removed", "integrity_failed", "node_unmapped")),
    Family("health.reverting", "reverting", "warning", ("reverting",)),
    *FAULTS,
    Family("health.computer_object", "name_refused", "warning", ("name_refused",)),
    Family("health.shutdown", "shutdown_asked", "notice", ("shutdown_asked",)),
    Family(
        "health.not_synchronizing", "hardened_nothing", "warning", ("hardened_nothing",), by_database=True
    ),
)

ELSEWHERE = {
    "ag_failed": "health.quorum",
    "process_exit": "health.restart",
    "lease_expired": "health.lease",
    "long_io": "health.long_io",
    "long_sync_io": "health.long_io",
    "restart": "health.restart",
    "standstill": "health.standstill",
    "stop_requested": "health.restart",
    "system_shutdown": "health.restart",
    "connection_timeout": "health.disconnect",
    "connection_failed": "health.disconnect",
    "database_disconnected": "health.disconnect",
    "memory_paged_out": "health.memory",
    "out_of_memory": "health.memory",
    "memory_low": "health.memory",
    "workers_exhausted": "health.workers",
    "dump": "health.dump",
    "node_offline": "health.quorum",
    "cluster_unavailable": "health.quorum",
    "cluster_stopped": "health.quorum",
    "component_state": "health.components",
    "movement_suspended": "health.suspended",
    "movement_resumed": "health.suspended",
    "resource_left": "quality.not_captured",
    "look_replica": "health.readiness",
    "look_database": "health.readiness",
}
"""Kinds that another rule reports, by the id of its finding."""

CONTEXT = {
    "replica_state": "a change of role is a failover, an outage or the start of an instance",
    "database_role": "follows the role of the replica",
    "preparing_primary": "a step of a failover",
    "preparing_resolving": "a step of a failover",
    "resource_state": "a step of a failover",
    "resource_online": "a step of a failover",
    "resource_offline": "a step of a failover",
    "group_moved": "a step of a failover",
    "move_asked": "a step of a failover",
    "promote_asked": "a step of a failover",
    "promoted": "a step of a failover",
    "demote_asked": "a step of a failover",
    "demoted": "a step of a failover",
    "fence_asked": "a step of a failover",
    "lease_begun": "normal",
    "lease_stopped": "the end of a role",
    "ready": "the start of an instance",
    "node_online": "normal",
    "resource_started": "normal",
    "resource_stopped": "normal",
    "connected": "normal",
    "database_connected": "normal",
    "startup_skipped": "the start of an instance",
    "resynchronising": "the end of a disconnection",
    "flush_cache": "evidence of slow storage",
    "processors_busy": "evidence of other findings",
    "ddl": "a statement that somebody ran",
}
"""Kinds that are not findings on their own, with the reason."""

_OF_LEASE = next(family.kinds for family in FAMILIES if family.name == "lease_lost")
_OF_RESTARTS = ("server_died", "service_died", "not_alive", "node_removed", "node_left", "power_lost")
_REMOVES = re.compile(r"\bREMOVE\s+REPLICA\b|\bDROP\s+AVAILABILITY\s+GROUP\b", re.IGNORECASE)
_FOLLOWS = (
    {
        "not_alive": (
            "server_died",
            "service_died",
            "health_timeout",
            "health_error",
            "lease_expired",
            "lease_lost",
        ),
        "failure_notified": (
            "threshold_reached",
            "server_died",
            "database_failed",
            "health_timeout",
            "health_error",
            "lease_lost",
        ),
        "cluster_terminated": ("cluster_stopped", "system_shutdown"),
    }
    | FOLLOWS
    | dict.fromkeys(_OF_LEASE, ("lease_expired",))
)
"""Kinds of events that are consequences of others within two minutes."""
_OF_LISTENER = re.compile(
    r"'(?P<role>[^']{1,200})_[^']*'.*'(?:IP Address|IPv6 Address|Network Name)'.*'(?P=role)'"
)
"""A failed resource of a listener; access.listener reports it with its reason."""
_FAMILY = {kind: family for family in FAMILIES for kind in family.kinds}


def alone(history: GroupHistory) -> list[Judged]:
    """Judge the events included in nothing else."""
    included = _included(history)
    found: dict[Key, list[Timeline]] = defaultdict(list)
    for kind, family in _FAMILY.items():
        for event in history.of(kind):
            if _OF_LISTENER.search(event.text or "") or _is_included(event, included, history):
                continue
            database = (event.database or "") if family.by_database else ""
            found[family.name, event.host_id or "", event.ag or "", database].append(event)
    named = {family.name: family for family in FAMILIES}
    judged = (_judged(named[key[0]], *key[1:], rows, history) for key, rows in _joined(found).items())
    return [one for one in judged if one is not None]


def _joined(found: dict[Key, list[Timeline]]) -> dict[tuple[str, str, str, str], list[Timeline]]:
    """Join events that name no group, or no database, to those of their host and kind that do."""
    joined: dict[Key, list[Timeline]] = defaultdict(list)
    for (name, host, ag, database), rows in sorted(found.items(), reverse=True):
        same = [key for key in joined if key[:2] == (name, host)]
        fits = [key for key in same if ag in ("", key[2]) and database in ("", key[3])]
        joined[fits[0] if len(fits) == 1 else (name, host, ag, database)] += rows
    return {key: sorted(rows, key=lambda row: row.time) for key, rows in sorted(joined.items())}


def _group_of(host: str, history: GroupHistory) -> str:
    """Return the only group that a host has a replica of; "" if unknown or several."""
    own = {ag for ag, name in history.states if name == host}
    return next(iter(own)) if len(own) == 1 else ""


def _included(history: GroupHistory) -> set[Place]:
    rows: list[Part] = []
    for failover in history.failovers:
        rows += failover.reasons
    for incident in history.incidents:
        rows += incident.parts if incident.failovers else []
    return {(row.content_id, row.line) for row in rows}


def _is_included(event: Timeline, included: set[Place], history: GroupHistory) -> bool:
    """Return whether a failover or an outage has this event, or another of the same kind, as its reason."""
    if any((one.content_id, one.line) in included for one in event.witnesses):
        return True
    ags = [event.ag] if event.ag else list(history.failovers_of_group)
    for ag in ags:
        for failover in history.failovers_near(ag, event.time - AROUND, event.time + AROUND):
            hosts = (failover.from_host, failover.to_host)
            if event.host_id in hosts and any(
                _FAMILY.get(reason.kind) is _FAMILY[event.kind] for reason in failover.reasons
            ):
                return True
    return _follows(event, history)


def _follows(event: Timeline, history: GroupHistory) -> bool:
    """Return whether an event only follows from another one of its host, which has its own finding."""
    kind, host = event.kind, event.host_id
    since, until = event.time - AROUND, event.time + AROUND
    if kind == "replica_removed" and any(
        _REMOVES.search(one.text or "") for one in history.within(since, until, "ddl")
    ):
        return True
    if kind in _OF_RESTARTS and history.restarts_near(since, until, host):
        return True
    return any(history.kinds_of_host.between(since, until, each, host) for each in _FOLLOWS.get(kind, ()))


def _is_stuck(rows: list[Timeline], history: GroupHistory) -> bool:
    """Return whether a database without a hardened LSN stays so: it says so again, or a snapshot does.

    A database says it once at each end of a connection when it joins, too.
    """
    again = any(after.time - before.time <= APART for before, after in zip(rows, rows[2:], strict=False))
    looks = history.kinds_of_host.of("look_database", rows[0].host_id)
    return again or any(row.after == "NOT SYNCHRONIZING" for row in looks)


def _judged(
    family: Family, host: str, ag: str, database: str, rows: list[Timeline], history: GroupHistory
) -> Judged | None:
    first, last = rows[0], rows[-1]
    strain = list(_strain(first, history))[:MOST_STRAINED]
    if family.name == "hardened_nothing" and not _is_stuck(rows, history):
        return None
    if family.name == "links_lost" and not ag:
        # A lost link is evidence where quorum, a node or a failover is reported for that time.
        near = history.within(
            first.time - BEFORE, last.time + BEFORE, "quorum_lost", "node_removed", "replica_state"
        )
        if near:
            return None
    shown: dict[tuple[str, str], Timeline] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        key = (row.kind, row.text or "")
        shown.setdefault(key, row)
        counts[key] += 1
    chosen = list(shown.items())[:SHOWN]
    ag = ag or _group_of(host, history)
    severity = (
        history.graded(family.severity, host) if family.name in OF_GROUPS and not ag else family.severity
    )
    subject = {"host": host, "ag": ag, "database": database}
    return Judged(
        said=f"{family.words}.{family.name}",
        id=family.id,
        severity=severity,
        subject={name: value for name, value in subject.items() if value},
        window=window(first.time, last.time),
        evidence=(
            ENTRIES(len(rows), history.sources(first)),
            *(quoted(f"its text, {counts[key]:,} x", row.text, history.sources(row)) for key, row in chosen),
            *map(history.entry, strain),
        ),
        confidence=COUNTED,
        facts={
            "kind": family.name,
            "is_local": False,
            "host": host or NOT_KNOWN,
            "group": ag,
            "database": database,
            "n": len(rows),
            "times": _occurrences(rows),
            "first": first.time,
            "last": last.time,
            "kinds": sorted({row.kind for row in rows}),
            "whats": sorted({row.after for row in rows if row.after}),
            "most": max((row.value for row in rows if row.value), default=None),
            "sources": sorted({each for row in rows for each in row.sources}),
            "texts": [{"n": counts[key], "text": key[1]} for key, _row in chosen],
            "strain": [f"{kind_of(row.kind)}: {row.text}" for row in strain],
            "platform": likely(history.platforms, host),
            **details(family, rows, history),
        },
    )


def _occurrences(rows: list[Timeline]) -> int:
    return 1 + sum(after.time - before.time > APART for before, after in pairwise(rows))


def _strain(event: Timeline, history: GroupHistory) -> Iterator[Timeline]:
    """Yield the shortages of a host before an event: the first entry of each kind."""
    since: datetime = event.time - BEFORE
    for kind in STRAINS:
        if kind != event.kind:
            yield from history.kinds_of_host.between(since, event.time, kind, event.host_id)[-1:]
