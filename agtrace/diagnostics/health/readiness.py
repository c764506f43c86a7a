"""health.readiness: whether each replica could take over, as of the last snapshot, and what prevents it.

Modes that prevent automatic failover by design (asynchronous commit, MANUAL) are not findings: the table
shows them, and health.settings reports a group without any failover target.

Sources: "Failover and failover modes (Always On availability groups)" and "Troubleshooting automatic failover
problems in SQL Server Always On environments" of Microsoft's documentation; "Monitor performance for Always
On availability groups" for the cost of a failover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agtrace.diagnostics.health.allowed import Cluster, counted, not_owned
from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import LIKELY, SEEN
from agtrace.diagnostics.health.not_failed_over import Reason
from agtrace.diagnostics.health.rows import ReadinessDatabases
from agtrace.diagnostics.health.standing import AUTOMATIC, SYNCHRONIZED, SYNCHRONIZING, Standing
from agtrace.measure.platforms import likely
from agtrace.measures import Measure, quoted
from agtrace.resolve.names import host_name, same_host
from agtrace.resolve.replicas import same_replica
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

LASTING = ("permission", "login", "encryption", "driver", "protocol")
"""Lasting reasons why the cluster could not monitor an instance; a slow login may pass by itself."""
NORMAL = "PRIMARY_NORMAL"
BACK = ("connected", "database_connected", "movement_resumed")
"""Log entries after a snapshot that show a replica connected again."""
DOWN = ("DOWN", "OFFLINE", "PAUSED")
SAME_LOOK = timedelta(hours=1)
"""Outputs of one collection this close together belong to one snapshot."""
ITSELF, ASKED, FORCED, NOT, UNKNOWN = "itself", "asked", "forced", "not", "unknown"
"""How a replica could take over: automatically, by request without data loss, only by force, not at all."""
FOR_ALL = ("node_down", "unmonitored", "not_online")
"""Obstacles to any takeover, even a forced one."""
GUESSED = ("threshold", "spent", "not_online", "not_owner")
"""Obstacles that may have changed between their evidence and the snapshot."""
BY_ITSELF_ALONE = ("threshold", "spent", "primary_by_hand", "not_owner")
"""Obstacles to an automatic takeover only."""
SHOWN = 5

SYNCHRONISED_DATABASES = Measure("databases_synchronised", "databases synchronised", "databases")
UNSENT = Measure(
    "log_not_sent_kb", "log not sent", "KB", "of all its databases, as the primary knew it at the look"
)
BEHIND = Measure(
    "commits_behind_s", "last commit behind the primary's", "s", "of its database that is most behind"
)
REDO = Measure(
    "redo_left_s",
    "redo that is left",
    "s",
    "recovery queue over redo rate of the look; of its slowest database",
)


@dataclass(frozen=True)
class Ready:
    """Whether a replica could take over, as of a snapshot.

    Parameters
    ----------
    how
        How it could take over; "" for the primary.
    is_outdated
        Whether a later failover of the group changed the roles: the snapshot is outdated.
    """

    standing: Standing
    obstacles: Sequence[Reason]
    how: str
    is_outdated: bool
    unsent_kb: float | None
    behind_s: float | None
    redo_s: float | None

    @property
    def synchronised(self) -> int:
        """Databases that are synchronised."""
        return sum(_is_synchronised(row) for row in self.standing.databases)


def ready(
    history: GroupHistory, standings: Sequence[Standing], cluster: Cluster, limits: Thresholds
) -> list[Ready]:
    """Judge each replica."""
    long_ago = timedelta(days=limits.takeover_failed_days)
    return [_ready(one, standings, cluster, history, long_ago) for one in standings]


def _ready(
    one: Standing, all_: Sequence[Standing], cluster: Cluster, history: GroupHistory, long_ago: timedelta
) -> Ready:
    obstacles = [] if one.is_primary else [*_obstacles(one, all_, cluster, history, long_ago)]
    later = history.failovers_of_group.get(one.ag, [])
    is_outdated = one.time is not None and any(history.span(row)[1] > one.time for row in later)
    return Ready(one, obstacles, _how(one, obstacles, all_), is_outdated, *_costs(one))


def _how(one: Standing, obstacles: Sequence[Reason], all_: Sequence[Standing]) -> str:
    if one.is_primary:
        return ""
    kinds = {each.kind for each in obstacles}
    if not kinds.isdisjoint(FOR_ALL):
        return NOT
    if one.mode("availability_mode") is None or not one.knows or one.row.role == "RESOLVING":
        return UNKNOWN
    if not one.is_synchronous or kinds - {*BY_ITSELF_ALONE}:
        return FORCED
    # It is unknown whether a node that is not an owner would be made one by a manual failover.
    if "not_owner" in kinds:
        return UNKNOWN
    if not (one.databases or one.row.synchronization_health):
        return UNKNOWN
    primary = _primary_of(one, all_)
    if primary is None or not (kinds or _stood_well(one)):
        return UNKNOWN
    return ITSELF if one.is_meant and primary.is_meant and not kinds else ASKED


def _stood_well(one: Standing) -> bool:
    """Return whether the snapshot itself shows no fault, whatever a log reports later."""
    if one.row.connected_state == "DISCONNECTED":
        return False
    if not one.databases:
        return one.row.synchronization_health == "HEALTHY"
    return all(_keeps_up(row, one.is_synchronous) and not row.is_suspended for row in one.databases)


def _primary_of(one: Standing, all_: Sequence[Standing]) -> Standing | None:
    """Return the state of the primary in a replica's snapshot, if known."""
    if one.primary is None:
        return None
    name = one.primary.replica
    return next((each for each in all_ if each.ag == one.ag and same_replica(each.replica, name)), None)


def _obstacles(
    one: Standing, all_: Sequence[Standing], cluster: Cluster, history: GroupHistory, long_ago: timedelta
) -> Iterator[Reason]:
    """Yield obstacles to a takeover by a replica as configured, the most severe first."""
    place = history.place(one.row.content_id, one.row.line, "a look")
    node = host_name(one.row.node) or one.host
    for row in (row for row in cluster.members if row.host_id == one.row.host_id):
        is_of_look = abs(row.time_local - one.row.time_local) <= SAME_LOOK
        if is_of_look and same_host(host_name(row.node) or "", node) and row.state.upper() in DOWN:
            state = quoted(f"state of {node}", row.state, history.place(row.content_id, row.line, "a look"))
            yield Reason("node_down", (state,), {"node": node, "state": row.state.lower()})
    yield from _never_online(one, node, history, long_ago)
    # Without a primary no database is synchronised: reported as an outage.
    if not one.knows or one.primary is None:
        return
    if one.row.connected_state == "DISCONNECTED" and not _is_back(one, history):
        said = [quoted("connected_state", one.row.connected_state, place)]
        if one.row.last_connect_error:
            said.append(quoted("last connect error", one.row.last_connect_error, place))
        yield Reason("not_connected", tuple(said))
    else:
        yield from _of_databases(one, history, place)
    if one.is_meant:
        yield from counted(one, cluster, history)
        yield from not_owned(one, node, cluster, history)
    primary = _primary_of(one, all_)
    able = [each for each in all_ if each.ag == one.ag and each.is_meant]
    # A group with fewer than two capable replicas is reported by health.settings.
    if one.is_meant and primary is not None and not primary.is_meant and len(able) > 1:
        mode = quoted(f"failover mode of {primary.replica}", primary.mode("failover_mode"), place)
        yield Reason("primary_by_hand", (mode,), {"primary": primary.replica})


def _never_online(one: Standing, node: str, history: GroupHistory, long_ago: timedelta) -> Iterator[Reason]:
    """Return why the group last failed to come online on a host, unless it has since."""
    hosts = {one.host, node}
    if one.time is None:
        return
    online = [
        event.time
        for host in hosts
        for event in (
            *history.kinds_of_host.of("resource_online", host),
            *(each for each in history.kinds_of_host.of("replica_state", host) if each.after == NORMAL),
        )
        if event.ag == one.ag
    ]
    since = max(online, default=None)
    for kind, name in (("monitor_failed", "unmonitored"), ("online_failed", "not_online")):
        failed = [
            event
            for host in hosts
            for event in history.kinds_of_host.of(kind, host)
            if (since is None or event.time > since)
            and one.time - event.time < long_ago
            and (event.ag == one.ag or (event.ag is None and kind == "monitor_failed"))
            and (kind == "online_failed" or event.after in LASTING)
        ]
        if failed:
            last = max(failed, key=lambda event: event.time)
            facts = {"what": last.after, "then": last.time, "text": last.text}
            facts["platform"] = likely(history.platforms, one.host)
            yield Reason(name, (history.entry(last),), facts)
            return


def _of_databases(one: Standing, history: GroupHistory, place: str) -> Iterator[Reason]:
    if _is_back(one, history):
        return
    suspended = [row for row in one.databases if row.is_suspended]
    apart = [row for row in one.databases if row.is_joined is False]
    behind = [
        row
        for row in one.databases
        if row not in suspended and row not in apart and not _keeps_up(row, one.is_synchronous)
    ]
    for kind, rows in (("not_joined", apart), ("suspended", suspended), ("not_synchronised", behind)):
        if rows:
            names = [row.database for row in rows]
            states = tuple(
                quoted(
                    f"state of {row.database}",
                    row.synchronization_state or "not known",
                    history.place(row.content_id, row.line, "a look"),
                )
                for row in rows[:SHOWN]
            )
            facts = {kind: names, "of": len(one.databases)}
            if kind == "suspended":
                facts["reasons"] = sorted({row.suspend_reason for row in rows if row.suspend_reason})
            yield Reason(kind, states, facts)
    health = one.row.synchronization_health
    if not one.databases and health not in (None, "HEALTHY"):
        yield Reason("unhealthy", (quoted("synchronization_health", health, place),), {"health": health})


def _is_synchronised(row: ReadinessDatabases) -> bool:
    if row.is_failover_ready is not None:
        return bool(row.is_failover_ready)
    return row.synchronization_state == SYNCHRONIZED and not row.is_suspended


def _keeps_up(row: ReadinessDatabases, is_synchronous: bool) -> bool:
    """Return whether a database is in the state that its replica's mode has it in; unknown counts."""
    if row.synchronization_state is None and row.is_failover_ready is None:
        return True
    if is_synchronous:
        return _is_synchronised(row)
    return row.synchronization_state in (SYNCHRONIZED, SYNCHRONIZING, None)


def _is_back(one: Standing, history: GroupHistory) -> bool:
    """Return whether a log reports after the snapshot that the two connected or that log moved again."""
    if one.time is None or one.primary is None:
        return False
    ends = {one.host, host_name(one.primary.replica)}
    later = (event for kind in BACK for event in history.kinds.since(one.time, kind))
    return any(
        event.time > one.time
        and event.host_id in ends
        and (event.replica is None or host_name(event.replica) in ends)
        for event in later
    )


def _costs(one: Standing) -> tuple[float | None, float | None, float | None]:
    """Return the cost of a failover: unsent log, KB; commits behind, s; redo left, s."""
    if one.is_primary or not one.knows:
        return None, None, None
    unsent = [row.log_send_queue_kb for row in one.databases if row.log_send_queue_kb is not None]
    behind = [
        max(0.0, (one.commits[row.database] - row.last_commit_local).total_seconds())
        for row in one.databases
        if row.last_commit_local is not None and row.database in one.commits
    ]
    # A queue without a rate has no time; one that is empty takes none.
    redo = [
        row.redo_queue_kb / row.redo_rate_kb_s if row.redo_queue_kb and row.redo_rate_kb_s else 0.0
        for row in one.databases
        if row.redo_queue_kb == 0 or (row.redo_queue_kb and row.redo_rate_kb_s)
    ]
    is_whole = len(redo) == len(one.databases)
    return (
        float(sum(unsent)) if unsent else None,
        max(behind, default=None) if not _all_synchronised(one) else 0.0,
        max(redo, default=None) if is_whole else None,
    )


def _all_synchronised(one: Standing) -> bool:
    return bool(one.databases) and all(map(_is_synchronised, one.databases)) and one.is_synchronous


def readiness(history: GroupHistory, found: Iterable[Ready]) -> list[Judged]:
    """Judge each replica that could not take over as configured, as of the last snapshot."""
    return [_judged(one, history) for one in found if one.obstacles and not one.is_outdated]


def _judged(one: Ready, history: GroupHistory) -> Judged:
    standing = one.standing
    place = history.place(standing.row.content_id, standing.row.line, "a look")
    kinds = [each.kind for each in one.obstacles]
    databases = len(standing.databases)
    costs = [
        measure(value, place)
        for measure, value in ((UNSENT, one.unsent_kb), (BEHIND, one.behind_s), (REDO, one.redo_s))
        if value is not None
    ]
    return Judged(
        said="readiness",
        id="health.readiness",
        severity="warning" if standing.is_meant else "notice",
        subject={"ag": standing.ag, "replica": standing.replica},
        window=window(standing.at, standing.at, is_local=standing.time is None),
        evidence=(
            *(each for obstacle in one.obstacles for each in obstacle.evidence),
            *([SYNCHRONISED_DATABASES(one.synchronised, place)] if databases else []),
            *costs,
            quoted("looked at", standing.row.host_id, place),
        ),
        confidence=LIKELY if kinds[0] in GUESSED else SEEN,
        facts=facts_of(one),
    )


def facts_of(one: Ready) -> dict[str, Any]:
    """Return the values used in the texts of a replica."""
    standing = one.standing
    kinds = [each.kind for each in one.obstacles]
    named = {name: value for each in reversed(one.obstacles) for name, value in each.facts.items()}
    return {
        **dict.fromkeys(NAMED),
        **{"group": standing.ag, "replica": standing.replica, "at": standing.at},
        **{"kinds": kinds, "why": kinds[0] if kinds else "", "how": one.how},
        **{"is_meant": standing.is_meant, "is_synchronous": standing.is_synchronous},
        **{"is_itself": standing.mode("failover_mode") == AUTOMATIC, "is_outdated": one.is_outdated},
        **{"unsent": one.unsent_kb, "behind": one.behind_s, "redo": one.redo_s},
        **named,
    }


NAMED = (
    *("node", "state", "what", "then", "text", "platform", "count", "since", "primary", "health", "of"),
    *("most", "hours", "owner", "owners"),
    *("not_joined", "suspended", "not_synchronised", "reasons"),
)
"""Values used in the texts of obstacles; each obstacle sets its own, the others are None."""
