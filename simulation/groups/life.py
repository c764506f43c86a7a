"""The life of a group: instances start and stop, replicas take roles, connections come and go.

A `Life` holds who has which role and lets each node write what it would; what makes a group fail
over is in `group_failures`.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from simulation.groups import words
from simulation.groups.cast import Group, Node, guid
from simulation.groups.health import COMPONENTS, component
from simulation.groups.journal import Journal, Run

SAMPLE_S = 300.0
"""How often the health sessions keep the states of a quiet instance."""


@dataclass(frozen=True)
class Overlap:
    """Two primaries at once.

    Parameters
    ----------
    awake
        For how long of it the old one was awake, s; None where it was starved, and it can be called both.
    """

    ag: str
    old: str
    new: str
    start: float
    end: float
    awake: float | None


class Life:
    """A group from its first second on.

    Parameters
    ----------
    dice
        Draws delays within a second or so, never what happens.
    """

    def __init__(self, group: Group, dice: Random) -> None:
        self.group = group
        self.dice = dice
        self.journals = {node.name: Journal(group, node) for node in group.nodes}
        self.roles = dict.fromkeys(self.journals, "NOT_AVAILABLE")
        self.primary: Node | None = None
        self.failures = 0
        self.down: set[str] = set()
        """Nodes without power or cut off from the cluster: their cluster service tells nothing."""
        self.beside: list[Life] = []
        """Lives of other instances of the same nodes."""
        self.two_primaries: list[Overlap] = []
        self.is_beside = False
        """Whether this is one of those: the first one writes what is the nodes' own."""

    def __getitem__(self, node: Node) -> Journal:
        """Return the journal of a node of the group, also of another instance on it."""
        return self.journals[node.name]

    def others(self, node: Node) -> list[Node]:
        """Return the nodes that run beside one."""
        return [one for one in self.group.nodes if one is not node and one.name not in self.down]

    def coordinator(self, *without: Node) -> Node:
        """Return the node whose cluster service decides: the first that is left."""
        left = [n for n in self.group.nodes if n not in without and n.name not in self.down]
        return left[0]

    # Instances

    def starts(self, node: Node, t: float) -> float:
        """Start an instance whose replica joins later; give when it is ready."""
        self[node].runs.append(Run(t))
        journal, ready = self[node], t + 3.2
        self.roles[node.name] = "NOT_AVAILABLE"
        journal.says(t + 0.9, "spid6s", "Starting up database 'master'.")
        journal.says(t + 2.1, "spid14s", "Server is listening on [ 'any' <ipv4> 1433].", number=26022)
        journal.says(t + 2.2, "spid17s", words.MANAGER_STARTS)
        waits = words.CLUSTER_WAITS if self.group.has_cluster else ()
        for place, text in enumerate(waits):
            journal.says(t + 2.25 + place / 25, "spid17s", text)
        journal.event(t + 2.26, "availability_replica_manager_state_change", {"current_state": 0})
        journal.says(ready + 0.3, "spid17s", words.MANAGER_WAITS)
        journal.event(ready + 0.4, "availability_replica_manager_state_change", {"current_state": 1})
        journal.event(
            ready + 0.5,
            "availability_replica_state",
            {"current_state": 0, **journal.ids, "availability_replica_id": node.replica_id},
        )
        journal.says(
            ready + 0.5,
            "spid17s",
            f"Always On: The local replica of availability group '{self.group.name}' is starting. "
            f"{words.NO_ACTION}",
        )
        self.becomes(node, ready + 0.6, "RESOLVING_NORMAL", words.STARTING, "spid17s")
        return ready + 0.6

    def begins(self, node: Node, t: float) -> None:
        """Start an instance long before: its files begin in the middle of its life."""
        run = Run(t)
        self[node].runs.append(run)
        self.roles[node.name] = "NOT_AVAILABLE"

    def stops(self, node: Node, t: float, why: str, *, took: float = 8.0) -> None:
        """Stop an instance in order: by the service control manager or by Windows."""
        journal = self[node]
        journal.says(t, "spid6s", words.manager_offline(words.SHUTTING_DOWN))
        if self.primary is node:
            journal.says(t + 0.03, "Server", words.lease_renewal_stops(self.group.name))
        journal.says(
            t + 0.04,
            "spid6s",
            f"Always On: The local replica of availability group '{self.group.name}' is stopping. "
            f"{words.NO_ACTION}",
        )
        journal.event(
            t + 0.04,
            "availability_replica_state",
            {"current_state": 1, **journal.ids, "availability_replica_id": node.replica_id},
        )
        journal.says(t + 0.06, "spid6s" if why == words.STOP_REQUEST else "Server", why)
        journal.event(t + 0.5, "availability_replica_manager_state_change", {"current_state": 2})
        journal.says(
            t + 1.1, "spid18s", "The Database Mirroring endpoint has stopped listening for connections."
        )
        journal.says(t + took, "spid6s", words.SHUTDOWN_INITIATED)
        journal.says(t + took + 0.01, "spid6s", words.TRACE_STOPPED)
        journal.run.ended = t + took + 0.01
        self.roles[node.name] = "NOT_AVAILABLE"

    def dies(self, node: Node, t: float) -> None:
        """End an instance without a word."""
        self[node].run.ended = t
        self.roles[node.name] = "NOT_AVAILABLE"

    # Roles

    def becomes(self, node: Node, t: float, new: str, why: str, source: str = "spid29s") -> None:
        """Write that the replica of a node changes its state."""
        journal, old = self[node], self.roles[node.name]
        journal.says(t, source, words.role(self.group.name, old, new, why))
        journal.changes(t + 0.001, old, new)
        self.roles[node.name] = new

    def databases_become(self, node: Node, t: float, old: str, new: str) -> None:
        for place, database in enumerate(self.group.databases):
            text = words.database_role(database, old, new)
            self[node].says(t + place / 100, f"spid{41 + place}s", text, number=1480)

    def online(self, node: Node, t: float) -> None:
        """Bring the group online on a node: PRIMARY_NORMAL at that moment."""
        journal, name = self[node], self.group.name
        journal.says(t - 0.41, "spid58", words.preparing(name, "primary"))
        self.becomes(node, t - 0.36, "PRIMARY_PENDING", words.COMING, "spid58")
        journal.resource_state(t - 0.1, "Online")
        shown = f"{self.group.local(node, t - 0.1):%Y-%m-%d %H:%M:%S.%f}"[:-3]
        for part in COMPONENTS:
            text = (
                f"SQL Server component '{part}' health state has been changed from '' to 'clean' at {shown}"
            )
            journal.hadrag(t - 0.09, "INFO", text)
        if self.group.has_cluster:
            journal.says(t - 0.07, "Server", words.excess_sleep(name))
        self.becomes(node, t, "PRIMARY_NORMAL", words.ONLINE, "Server")
        self.databases_become(node, t + 0.01, "RESOLVING", "PRIMARY")
        journal.clusters(t - 0.09, "INFO", f"[RCM] Res {name}: OnlinePending -> Online( StateUnknown )")
        journal.clusters(t - 0.08, "INFO", f"[RCM] TransitionToState({name}) OnlinePending-->Online.")
        text = f"Group '{name}' has transitioned from state 'Pending' to state 'Online'."
        journal.clusters(t - 0.05, "INFO", text, channel="Operational")
        self.primary = node
        if self.group.distributed:
            self.reaches_far(node, t + 2.5)

    def resolved(self, node: Node, t: float) -> None:
        """Make a resolving replica a secondary."""
        self.becomes(node, t, "SECONDARY_NORMAL", words.CLUSTER)
        self.databases_become(node, t + 0.02, "RESOLVING", "SECONDARY")

    def joins(self, node: Node, t: float) -> None:
        """Make a resolving replica a secondary of the primary, and connect it."""
        self.resolved(node, t)
        self.connects(node, t + 0.3 + self.dice.uniform(0, 0.4))

    def holds(self, node: Node, t: float, *, until: float) -> None:
        """Suspend a replica's databases after a forced failover until they are resumed."""
        for place, database in enumerate(self.group.databases):
            source, at = f"spid{36 + place}s", t + place / 50
            self[node].says(at, source, words.suspended(database), number=35264)
            self[node].says(until + place / 50, source, words.resumed(database), number=35265)

    def connects(self, node: Node, t: float) -> None:
        """Connect a secondary with the primary: both ends write it, a few ms apart."""
        primary = self._known_primary
        for here, there, late in ((primary, node, 0.0), (node, primary, 0.012)):
            self[here].says(
                t + late,
                "spid34s",
                words.connected(self.group.name, here.server, str(here.replica_id).upper(),
                                there.server, str(there.replica_id).upper()),
                number=35202,
            )  # fmt: skip
        for place, database in enumerate(self.group.databases):
            at = t + 0.4 + place / 20
            self._link(primary, node, at, "established", database)
            self._link(node, primary, at + 0.02, "established", database)
            policy = {
                "database_id": 6 + place, "commit_policy": 2, "commit_policy_target": 2,
                "sync_state": 4, "sync_log_block": 171_798_705_424 + int(t),
                "group_id": self.group.group_id, "replica_id": node.replica_id,
            }  # fmt: skip
            self[primary].event(at + 0.1, "hadr_db_partner_set_sync_state", policy)

    def reaches_far(self, node: Node, t: float) -> None:
        """Connect the group with the other one of its distributed group: both are named as replicas."""
        distributed, other = self.group.distributed
        ends = [(name, str(guid(f"replica {name}")).upper()) for name in (self.group.name, other)]
        self[node].says(t, "spid52s", words.connected(distributed, *ends[0], *ends[1]), number=35202)

    def loses_far(self, node: Node, t: float) -> None:
        """Write that the other group of the distributed one is not connected any more."""
        other = self.group.distributed[1]
        text = words.timed_out(other, str(guid(f"replica {other}")).upper())
        self[node].says(t, "spid52s", text, number=35206)

    def loses(self, here: Node, there: Node, t: float, *, timed_out: bool = True) -> None:
        """Write at one end that the other is not connected any more."""
        if timed_out:
            text = words.timed_out(there.server, str(there.replica_id).upper())
            self[here].says(t, "spid40s", text, number=35206)
        for place, database in enumerate(self.group.databases):
            self._link(here, there, t + 0.01 + place / 50, "terminated", database)

    def _link(self, here: Node, there: Node, t: float, what: str, database: str) -> None:
        is_primary = self.primary is here
        theirs, mine = ("secondary", "primary") if is_primary else ("primary", "secondary")
        text = words.link(what, theirs, mine, database, there.server, str(there.replica_id))
        self[here].says(t, "spid36s", text)

    @property
    def _known_primary(self) -> Node:
        assert self.primary is not None
        return self.primary

    def overlaps(self, old: Node, new: Node, start: float, end: float, awake: float | None) -> None:
        """Note that two nodes were primary at once, if they were."""
        if end > start:
            self.two_primaries.append(Overlap(self.group.name, old.name, new.name, start, end, awake))

    def founded(self, primary: Node, t: float) -> float:
        """Start all instances and let the group have its first primary; give when it stands."""
        for place, node in enumerate(self.group.nodes):
            self.starts(node, t + place * 0.7)
        online = t + 9.0
        if self.group.options:
            self._created(primary, online - 1)
        self.online(primary, online)
        for place, node in enumerate(self.others(primary)):
            self.joins(node, online + 1.2 + place / 2)
        return online + 4.0

    def _created(self, primary: Node, t: float) -> None:
        """Write the statements that created the group, on each of its replicas."""
        group = self.group
        databases = ", ".join(f"[{name}]" for name in group.databases)
        replicas = ", ".join(
            f"N'{node.server}' WITH (ENDPOINT_URL = N'TCP://{node.name}.corp.lan:5022', FAILOVER_MODE = "
            f"{'AUTOMATIC' if group.has_cluster else 'MANUAL'}, AVAILABILITY_MODE = SYNCHRONOUS_COMMIT)"
            for node in group.nodes
        )
        made = (
            f"CREATE AVAILABILITY GROUP [{group.name}] WITH ({group.options}) FOR DATABASE {databases} "
            f"REPLICA ON {replicas};"
        )
        self[primary].ddl(t, made, action="create")
        joined = (
            f"ALTER AVAILABILITY GROUP [{group.name}] JOIN WITH ({group.options});"
            if not group.has_cluster
            else ""
        )
        for node in self.others(primary) if joined else ():
            self[node].ddl(t + 1.5, joined)

    # Health

    def healthy(self, since: float, until: float) -> None:
        """Keep what the health sessions write of instances that run, every five minutes."""
        for node in self.group.nodes:
            journal = self[node]
            for run in journal.runs:
                end = until if run.ended is None else run.ended
                t = max(run.start + 5, since)
                while t < end:
                    self._sample(journal, run, t)
                    t += SAMPLE_S
            for run in journal.runs:
                run.system.sort(key=lambda event: event[0])

    def _sample(self, journal: Journal, run: Run, t: float) -> None:
        for place, name in enumerate(COMPONENTS):
            data = component(name, cpu=self.dice.randrange(9, 34))
            journal.component(t + place / 1000, name, "clean", data, hosts_group=False, run=run)
        sql, idle = self.dice.randrange(5, 25), self.dice.randrange(60, 90)
        journal.processor(t + 7, sql=sql, idle=idle, run=run)
