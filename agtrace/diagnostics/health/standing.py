"""The state of each replica of a group in its last snapshot, the input of `readiness`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agtrace.diagnostics.health.rows import ReadinessDatabases, ReadinessOptions, ReadinessReplicas
from agtrace.resolve.names import host_name
from agtrace.resolve.replicas import node_name, same_replica

PRIMARY, SYNCHRONOUS, AUTOMATIC, EXTERNAL = "PRIMARY", "SYNCHRONOUS_COMMIT", "AUTOMATIC", "EXTERNAL"
SYNCHRONIZED, SYNCHRONIZING = "SYNCHRONIZED", "SYNCHRONIZING"


@dataclass(frozen=True)
class Standing:
    """The last snapshot of a replica.

    Parameters
    ----------
    row
        A row of readiness_replicas.sql.
    primary
        The row of the primary in the same snapshot, if it has one.
    knows
        Whether the snapshot is from the primary or the replica itself: others do not have its state.
    databases
        Rows of readiness_databases.sql of this replica, from the same snapshot.
    commits
        Time of the last commit of each database of the primary, in the same snapshot.
    changed
        Modes set by a statement after the snapshot, by option.
    """

    row: ReadinessReplicas
    primary: ReadinessReplicas | None
    knows: bool
    databases: Sequence[ReadinessDatabases] = ()
    commits: dict[str, datetime] = field(default_factory=dict)
    changed: dict[str, ReadinessOptions] = field(default_factory=dict)

    @property
    def ag(self) -> str:
        return self.row.ag

    @property
    def replica(self) -> str:
        return self.row.replica

    @property
    def host(self) -> str:
        """Host of the replica, as hosts are compared."""
        return host_name(self.replica) or self.replica

    @property
    def time(self) -> datetime | None:
        """Return the time of the snapshot; None if the server's time zone is unknown."""
        return self.row.time

    @property
    def at(self) -> datetime:
        """Return the time of the snapshot, in local time if the time zone is unknown."""
        return self.time or self.row.time_local

    @property
    def is_primary(self) -> bool:
        return self.primary is not None and same_replica(self.primary.replica, self.replica)

    @property
    def is_synchronous(self) -> bool:
        return self.mode("availability_mode") == SYNCHRONOUS

    @property
    def is_meant(self) -> bool:
        """Return whether it is set up to take over by itself, or as Pacemaker decides."""
        return self.is_synchronous and self.mode("failover_mode") in (AUTOMATIC, EXTERNAL)

    def mode(self, option: str) -> str | None:
        """Return a mode as it is set, also by a statement after the snapshot."""
        modes = {"availability_mode": self.row.availability_mode, "failover_mode": self.row.failover_mode}
        value = self.changed[option].value if option in self.changed else modes[option]
        return None if value is None else value.upper()


def standings(
    replicas: Iterable[ReadinessReplicas],
    databases: Iterable[ReadinessDatabases],
    options: Sequence[ReadinessOptions],
) -> list[Standing]:
    """Return each replica of each group from the primary's last snapshot, else from its own.

    Parameters
    ----------
    replicas, databases, options
        Rows of readiness_replicas.sql, readiness_databases.sql and readiness_options.sql.
    """
    looks: dict[tuple[str, str, str], list[ReadinessReplicas]] = defaultdict(list)
    for row in replicas:
        looks[row.ag, row.host_id, row.sql_instance or ""].append(row)
    states: dict[tuple[str, str, str], list[ReadinessDatabases]] = defaultdict(list)
    for state in databases:
        states[state.ag, state.host_id, state.sql_instance or ""].append(state)
    best: dict[tuple[str, str], tuple[tuple[int, datetime], Standing]] = {}
    for key, rows in looks.items():
        for one in _of_look(rows, states[key]):
            name = (one.ag, one.replica.upper())
            # Of the snapshots with its state, the primary's has precedence over its own; of those the last.
            is_of_primary = one.primary is not None and _is_own(one.primary)
            rank = (one.knows + is_of_primary, one.row.time or one.row.time_local.replace(tzinfo=UTC))
            if name not in best or rank > best[name][0]:
                best[name] = (rank, one)
    found = [one for _, one in best.values()]
    return [_changed(one, options) for one in sorted(found, key=lambda one: (one.ag, one.replica))]


def _of_look(rows: list[ReadinessReplicas], states: Iterable[ReadinessDatabases]) -> Iterator[Standing]:
    """Return the replicas of one snapshot."""
    primary = next((row for row in rows if row.role == PRIMARY), None) or next(
        (row for row in rows if row.primary_replica and same_replica(row.primary_replica, row.replica)), None
    )
    of_look = [row for row in states if row.time_local == rows[0].time_local]
    is_of_primary = primary is not None and _is_own(primary)
    own = {row.database: row.last_commit_local for row in of_look if row.is_local}
    commits = {name: time for name, time in own.items() if time is not None} if is_of_primary else {}
    for row in rows:
        is_own = _is_own(row)
        databases = [
            each
            for each in of_look
            if (each.is_local and is_own) or (each.replica and same_replica(each.replica, row.replica))
        ]
        yield Standing(row, primary, is_own or is_of_primary, databases, commits)


def _is_own(row: ReadinessReplicas) -> bool:
    """Return whether a row is about the server of the snapshot."""
    if row.is_local is not None:
        return bool(row.is_local)
    return same_replica(row.replica, node_name(row.host_id, row.sql_instance))


def _changed(one: Standing, options: Sequence[ReadinessOptions]) -> Standing:
    """Return a replica with the modes set by statements after the snapshot; unknown without its zone."""
    later = {
        row.option: row
        for row in options
        if one.time is not None
        and row.time > one.time
        and row.ag == one.ag
        and same_replica(row.replica, one.replica)
    }
    return Standing(one.row, one.primary, one.knows, one.databases, one.commits, later) if later else one
