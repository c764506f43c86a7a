"""What makes a group fail over, and what every node writes of it: each function is one trigger.

All begin when the group's primary is in place and give a `Failover`, the truth of what happened.
Triggers and causes have the words of docs/diagnostics/health.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulation.groups import words
from simulation.groups.cast import Node
from simulation.groups.life import Life
from simulation.groups.strain import Strain, strained


@dataclass(frozen=True)
class Failover:
    """What truly happened; times are true seconds.

    Parameters
    ----------
    start
        When the group lost its primary.
    end
        When the new primary was in place.
    """

    source: str
    target: str
    mode: str
    trigger: str
    cause: str
    start: float
    end: float


def _moves(life: Life, t: float, source: Node, target: Node, kind: str, *, on: Node) -> None:
    """Write the move of the group, on the node that decides it."""
    name, journal = life.group.name, life[on]
    role = f"'{name}' from node '{source.name}' to node '{target.name}'."
    if kind in ("Failover", "NodeDown"):
        text = f"The Cluster service is attempting to fail over the clustered role {role}"
        journal.clusters(t - 0.01, "INFO", text, channel="Operational")
    if source is not target:
        text = (
            f"Clustered role '{name}' is moving from cluster node '{source.name}' to cluster node "
            f"'{target.name}'."
        )
        journal.clusters(t, "INFO", text, channel="Operational")
    last = f"{life.group.utc(on, t - 86_400):%Y/%m/%d-%H:%M:%S}.621"
    journal.clusters(
        t + 0.02,
        "INFO",
        f"[RCM] move of group {name} from {source.name}({source.number}) to {target.name}({target.number}) "
        f"of type "
        f"MoveType::{kind} is about to succeed, failoverCount={life.failures}, lastFailoverTime={last} "
        f"targeted=true",
    )


def _goes_offline(life: Life, t: float, old: Node) -> None:
    """Make the cluster take the group offline on its primary, in order."""
    name, journal = life.group.name, life[old]
    journal.clusters(t - 0.03, "INFO", f"[RCM] rcm::RcmGroup::Move: Bringing group '{name}' offline first...")
    journal.clusters(t - 0.02, "INFO", f"[RCM] TransitionToState({name}) Online-->WaitingToGoOffline.")
    journal.hadrag(t - 0.012, "ERR", "Lease Thread terminated")
    journal.resource_state(t - 0.01, "OfflinePending")
    journal.says(t - 0.01, "spid58", words.preparing(name, "resolving"))
    journal.says(t, "Server", words.lease_renewal_stops(name))
    life.becomes(old, t, "RESOLVING_NORMAL", words.OFFLINE, "spid58")
    life.databases_become(old, t + 0.01, "PRIMARY", "RESOLVING")
    for other in life.others(old):
        life.loses(old, other, t + 0.01, timed_out=False)
    journal.resource_state(t + 0.05, "Offline")


def _secondaries_resolve(life: Life, t: float, old: Node, *without: Node) -> None:
    """Make the secondaries see that the group went offline."""
    for place, node in enumerate(life.others(old)):
        if life.roles[node.name] != "SECONDARY_NORMAL" or node in without:
            continue
        at = t + 0.03 + place / 50
        life[node].says(at, "spid29s", words.not_online(life.group.name))
        life.becomes(node, at + 0.02, "RESOLVING_NORMAL", words.CLUSTER)
        life.loses(node, old, at + 0.03, timed_out=False)
        life.databases_become(node, at + 0.04, "SECONDARY", "RESOLVING")


def _takes_over(life: Life, target: Node, end: float, *, late: float = 0.0, forced: bool = False) -> None:
    """Bring the group online on the target; the others that resolve join it, and stand still where it was
    forced.
    """
    life.online(target, end)
    for place, node in enumerate(life.others(target)):
        if life.roles[node.name] == "RESOLVING_NORMAL":
            joined = max(end + 0.6 + place / 2, late)
            life.joins(node, joined)
            if forced:
                life.holds(node, joined + 0.1, until=joined + 240)


def _graceful(life: Life, t: float, target: Node, kind: str, *, took: float) -> tuple[Node, float]:
    old = life.primary
    assert old is not None
    end = t + took
    _goes_offline(life, t, old)
    _moves(life, t + 0.1, old, target, kind, on=life.coordinator())
    _secondaries_resolve(life, t, old, target)
    return old, end


def ddl_failover(life: Life, t: float, target: Node) -> Failover:
    """Somebody asks the new primary to take over: ALTER AVAILABILITY GROUP .. FAILOVER."""
    statement = f"ALTER AVAILABILITY GROUP [{life.group.name}] FAILOVER;"
    return _by_statement(life, t, target, statement, words.ASKED, "planned", "ddl_failover")


def ddl_forced(life: Life, t: float, target: Node) -> Failover:
    """Somebody forces the failover, with possible data loss."""
    statement = f"ALTER AVAILABILITY GROUP [{life.group.name}] FORCE_FAILOVER_ALLOW_DATA_LOSS;"
    return _by_statement(life, t, target, statement, words.FORCED, "forced", "ddl_forced")


def _by_statement(
    life: Life, t: float, target: Node, statement: str, why: str, mode: str, trigger: str
) -> Failover:
    took = life.dice.uniform(1.2, 4.0)
    life[target].ddl(t - 0.9, statement, phases=("begin",))
    life.becomes(target, t - 0.6, "RESOLVING_PENDING_FAILOVER", why, "spid71")
    life.databases_become(target, t - 0.55, "SECONDARY", "RESOLVING")
    name, number = life.group.name, target.number
    text = (
        f"[RCM] rcm::RcmApi::MoveGroup: (Group:{name} Dest:{number} Flags:0 MoveType:MoveType::Manual "
        f"Cur.State:Online, ContextSize:10)"
    )
    life[target].clusters(t - 0.3, "INFO", text)
    old, end = _graceful(life, t, target, "Manual", took=took)
    _takes_over(life, target, end, forced=mode == "forced")
    life[target].ddl(end + 0.4, statement, phases=("commit",))
    return Failover(old.name, target.name, mode, trigger, trigger, t, end)


def cluster_move(life: Life, t: float, target: Node) -> Failover:
    """Somebody moves the role with the cluster's own tools, past SQL Server."""
    old = life.primary
    assert old is not None
    text = (
        f"[RCM] rcm::RcmApi::MoveGroup: (Group:{life.group.name} Dest:-1 Flags:0 "
        f"MoveType:MoveType::Manual Cur.State:Online, ContextSize:0)"
    )
    life[old].clusters(t - 0.2, "INFO", text)
    old, end = _graceful(life, t, target, "Manual", took=life.dice.uniform(1.5, 5.0))
    _secondaries_resolve(life, t, old)
    _takes_over(life, target, end)
    return Failover(old.name, target.name, "planned", "cluster_move", "cluster_move", t, end)


def node_drained(life: Life, t: float, target: Node) -> Failover:
    """The node of the primary is shut down in order: its groups move away first."""
    old = life.primary
    assert old is not None
    text = (
        f"[RCM] rcm::RcmApi::MoveGroup: (Group:{life.group.name} Dest:-1 Flags:0 "
        f"MoveType:MoveType::Drain Cur.State:Online, ContextSize:0)"
    )
    life[old].clusters(t - 0.2, "INFO", text)
    old, end = _graceful(life, t, target, "Drain", took=life.dice.uniform(1.5, 6.0))
    _secondaries_resolve(life, t, old)
    off = t + 0.4
    life[old].clusters(off, "INFO", "The Cluster service was successfully stopped.", channel="Operational")
    life[old].says(off, "Server", words.NODE_NOT_ONLINE, number=41049)
    life[old].says(off + 0.02, "spid55s", words.manager_offline(words.NO_QUORUM))
    life.stops(old, off + life.dice.uniform(3, 9), words.SYSTEM_SHUTDOWN)
    life.down.add(old.name)
    _takes_over(life, target, end)
    comes_back(life, old, t + life.dice.uniform(90, 300))
    return Failover(old.name, target.name, "planned", "node_drained", "node_drained", t, end)


def comes_back(life: Life, node: Node, t: float) -> None:
    """Start the instance of a node that was away, and join its replica."""
    life.joins(node, returns(life, node, t))


def returns(life: Life, node: Node, t: float) -> float:
    """Start the instance of a node that was away; return when its replica takes a role."""
    life.down.discard(node.name)
    joined = f"This node has successfully joined the failover cluster '{life.group.name}CLU'."
    life[node].clusters(t - 2, "INFO", joined, channel="Operational")
    ready = life.starts(node, t)
    return ready + life.dice.uniform(0.3, 3)


def lease_expired(
    life: Life,
    t: float,
    target: Node,
    strain: Strain | None = None,
    *,
    late: float = 0.1,
    samples: Strain | None = None,
    timed_out: bool = False,
) -> Failover:
    """The lease is not renewed in time: the cluster fails the group over.

    Parameters
    ----------
    strain
        What kept the instance from renewing it.
    late
        How long after the cluster the instance itself notes it; a starved one can be the last.
    samples
        What the cluster's samples show, where that is not the strain.
    timed_out
        Whether the old primary finds its partners gone when it notes it.
    """
    old = life.primary
    assert old is not None
    journal, name = life[old], life.group.name
    end = t + life.dice.uniform(4, 12)
    strained(life, old, t, strain)
    noted = t + late
    due = f"{life.group.utc(old, t - 10):%Y/%m/%d-%H:%M:%S}.543"
    journal.hadrag(t - 0.45, "ERR", "Lease renewal failed with timeout error")
    journal.hadrag(t - 0.44, "ERR", f"The lease is expired. The lease should have been renewed by {due}")
    journal.hadrag(t - 0.02, "ERR", "Availability Group lease is no longer valid")
    _not_alive(life, old, t, "LEASEEXPIRED")
    journal.hadrag(t + 0.05, "ERR", "Lease timeout detected, logging perf counter data collected so far")
    header = (
        "Date/Time, Processor time(%), Available memory(bytes), Avg disk read(secs), Avg disk write(secs)"
    )
    journal.hadrag(t + 0.05, "WARN", header)
    for sample in (samples or strain or Strain()).samples(life, old, t):
        journal.hadrag(t + 0.05, "WARN", sample)
    journal.error(noted, "Server", 19419, 16, words.no_signal_from_sql(name))
    journal.error(noted, "Server", 19407, 16, words.lease_expired(name))
    journal.lease_event(noted, "LeaseNotValid", ran_out=t if timed_out else None)
    journal.says(noted, "Server", words.lease_offline(name))
    in_place = target is old
    if in_place:
        end = max(end, noted + 0.9)
    _secondaries_resolve(life, t + 0.1, old)
    life.becomes(old, noted + 0.01, "RESOLVING_NORMAL", words.LEASE, "Server")
    for other in life.others(old):
        life.loses(old, other, noted + 0.02, timed_out=timed_out)
    life.databases_become(old, noted + 0.05, "PRIMARY", "RESOLVING")
    _moves(life, t + 0.3, old, target, "Failover", on=life.coordinator(old))
    _takes_over(life, target, end, late=noted + 1.5)
    cause = strain.cause if strain else "lease_expired"
    return Failover(old.name, target.name, "automatic", "lease_expired", cause, min(noted, t + 0.2), end)


def _not_alive(life: Life, old: Node, t: float, reason: str | None) -> None:
    """Write that the resource was found not alive, and fails."""
    journal, name = life[old], life.group.name
    journal.hadrag(t, "ERR", "Resource Alive result 0.")
    if reason:
        journal.not_alive(t, reason)
    journal.clusters(t + 0.01, "WARN", f"[RHS] Resource {name} IsAlive has indicated failure.")
    text = f"[RCM] HandleMonitorReply: FAILURENOTIFICATION for '{name}', gen(2) result 1/0."
    journal.clusters(t + 0.02, "INFO", text)
    journal.clusters(t + 0.02, "INFO", f"[RCM] Res {name}: Online -> ProcessingFailure( StateUnknown )")
    journal.clusters(t + 0.02, "INFO", f"[RCM] TransitionToState({name}) Online-->ProcessingFailure.")
    journal.resource_state(t + 0.03, "Failed")


def _unhealthy(life: Life, t: float, target: Node, trigger: str, cause: str) -> Failover:
    """Make the cluster take the group from a primary that it found unhealthy."""
    old = life.primary
    assert old is not None
    _not_alive(life, old, t - 0.1, None)
    _goes_offline(life, t, old)
    _secondaries_resolve(life, t, old)
    _moves(life, t + 0.2, old, target, "Failover", on=life.coordinator(old))
    end = t + life.dice.uniform(2, 9)
    _takes_over(life, target, end)
    return Failover(old.name, target.name, "automatic", trigger, cause, t, end)


def health_timeout(life: Life, t: float, target: Node, strain: Strain | None = None) -> Failover:
    """sp_server_diagnostics says nothing for HealthCheckTimeout."""
    old = life.primary
    assert old is not None
    strained(life, old, t, strain)
    life[old].hadrag(t - 0.12, "ERR", "Failure detected, diagnostics heartbeat is lost")
    return _unhealthy(life, t, target, "health_timeout", strain.cause if strain else "health_timeout")


def health_error(life: Life, t: float, target: Node, strain: Strain) -> Failover:
    """A component of sp_server_diagnostics is in the state error, and the group heeds it."""
    old = life.primary
    assert old is not None
    strained(life, old, t, strain)
    name, data = strain.component
    journal = life[old]
    journal.component(t - 0.2, name, "error", data, hosts_group=True)
    shown = f"{life.group.local(old, t - 0.2):%Y-%m-%d %H:%M:%S.%f}"[:-3]
    text = f"SQL Server component '{name}' health state has been changed from 'warning' to 'error' at {shown}"
    journal.hadrag(t - 0.18, "WARN", text)
    journal.hadrag(t - 0.12, "ERR", f"Failure detected, the state of {name} component is error")
    return _unhealthy(life, t, target, "health_error", strain.cause)


def quorum_lost(life: Life, t: float, target: Node, *, late: float = 0.0) -> Failover:
    """The network cuts the primary's node off: it loses quorum, the others take the group.

    Parameters
    ----------
    late
        How long after that the old primary finds that its node is no longer in the cluster.
    """
    old = life.primary
    assert old is not None
    journal, name = life[old], life.group.name
    rest = life.others(old)
    for node in rest:
        for here, there in ((old, node), (node, old)):
            heartbeats_missed(life, here, there, t)
    journal.clusters(t, "ERR", f"[QUORUM] Node {old.number}: Lost quorum ({old.number})")
    for node in rest:
        removed(life, old, node, t - 0.01)
    lost = (
        "The Cluster service is shutting down because quorum was lost. This could be due to the loss of "
        "network "
        "connectivity between some or all nodes in the cluster, or a failover of the witness disk. "
    )
    journal.clusters(t, "DBG", lost, channel="System")
    journal.hadrag(t + 0.01, "ERR", "Lease Thread terminated")
    journal.resource_state(t + 0.01, "Failed")
    left = t + late
    journal.says(left + 0.1, "Server", words.NODE_NOT_ONLINE, number=41049)
    journal.says(left + 0.2, "spid47s", words.manager_offline(words.NO_QUORUM))
    for node in rest:
        life.loses(old, node, t + life.dice.uniform(-2, 1))
    life.becomes(old, left + 0.3, "RESOLVING_NORMAL", words.STOPPING, "spid47s")
    life.databases_become(old, left + 0.4, "PRIMARY", "RESOLVING")
    seen = t + life.dice.uniform(0.2, 1.5)
    end = survivors_take_over(life, seen, old, target)
    life.overlaps(old, target, end, left + 0.3, awake=left + 0.3 - end)
    back = end + life.dice.uniform(60, 240)
    life.down.discard(old.name)
    joined = f"This node has successfully joined the failover cluster '{name}CLU'."
    journal.clusters(back - 4, "INFO", joined, channel="Operational")
    journal.says(back - 2, "spid47s", words.MANAGER_STARTS)
    for place, text in enumerate(words.CLUSTER_WAITS):
        journal.says(back - 1.9 + place / 4, "spid47s", text)
    life.joins(old, back)
    return Failover(
        old.name, target.name, "automatic", "quorum_lost", "network", seen + 0.05 if late else t + 0.3, end
    )


def node_down(life: Life, t: float, target: Node) -> Failover:
    """The primary's node loses its power."""
    old = life.primary
    assert old is not None
    life.dies(old, t)
    for node in life.others(old):
        heartbeats_missed(life, node, old, t + 10)
        removed(life, node, old, t + 10)
    end = survivors_take_over(life, t + 10.2, old, target)
    comes_back(life, old, end + life.dice.uniform(120, 400))
    return Failover(old.name, target.name, "automatic", "node_down", "node_down", t, end)


def heartbeats_missed(life: Life, here: Node, there: Node, t: float) -> None:
    """Write on one node that another does not answer, for six seconds before it is given up."""
    ours, theirs = f"{here.address}:~3343~", f"{there.address}:~3343~"
    journal = life[here]
    text = f"[IM] got event: LocalEndpoint {ours} has missed two-fifth consecutive heartbeats from {theirs}"
    journal.clusters(t - 6, "INFO", text)
    text = (
        "Microsoft Failover Cluster Virtual Adapter (NetFT) has missed more than 40 percent of "
        "consecutive heartbeats."
    )
    journal.clusters(
        t - 6,
        "INFO",
        text,
        "",
        f"Local endpoint: {ours}",
        f"Remote endpoint: {theirs}",
        channel="Operational",
    )
    text = (
        f"Cluster has lost the UDP connection from local endpoint {ours} connected to remote endpoint "
        f"{theirs}."
    )
    journal.clusters(t - 0.1, "INFO", text, channel="Operational")
    journal.clusters(t - 0.1, "INFO", f"[IM] got event: Remote endpoint {theirs} unreachable from {ours}")


def removed(life: Life, here: Node, there: Node, t: float) -> None:
    """Write on one node that another was removed from the cluster."""
    text = (
        f"Cluster node '{there.name}' was removed from the active failover cluster membership. The Cluster "
        f"service on this "
        "node may have stopped. This could also be due to the node having lost communication with other "
        "active nodes in the "
        "failover cluster."
    )
    life[here].clusters(t, "DBG", text, channel="System")


def survivors_take_over(life: Life, t: float, old: Node, target: Node) -> float:
    """Make the other nodes see that one is gone, and one take the group; return when."""
    for node in life.others(old):
        text = words.timed_out(old.server, str(old.replica_id).upper())
        life[node].says(t - 0.8, "spid40s", text, number=35206)
    _secondaries_resolve(life, t, old)
    life.down.add(old.name)
    on = life.coordinator(old)
    life[on].clusters(t, "INFO", f"[RCM] Handling downed nodes ({old.number}). Nodes in isolated state ()")
    _moves(life, t + 0.05, old, target, "NodeDown", on=on)
    end = t + life.dice.uniform(1.5, 6)
    _takes_over(life, target, end)
    return end


def instance_stopped(life: Life, t: float, target: Node) -> Failover:
    """Somebody stops the primary's service; the cluster finds it gone."""
    old = life.primary
    assert old is not None
    life.stops(old, t, words.STOP_REQUEST)
    return _server_died(life, t + 0.1, old, target, "instance_stopped", lost=t)


def instance_died(life: Life, t: float, target: Node) -> Failover:
    """The primary's process ends without a word."""
    old = life.primary
    assert old is not None
    life.dies(old, t)
    life[old].hadrag(t + 0.2, "ERR", "QueryServiceStatusEx returned a process id 0")
    return _server_died(life, t + 0.3, old, target, "instance_died", lost=t)


def _server_died(life: Life, t: float, old: Node, target: Node, trigger: str, *, lost: float) -> Failover:
    life[old].hadrag(t - 0.01, "ERR", "SQL server service is not alive")
    _not_alive(life, old, t, "SERVERDIED")
    _secondaries_resolve(life, t + 0.1, old)
    _moves(life, t + 0.3, old, target, "Failover", on=life.coordinator(old))
    end = t + life.dice.uniform(2, 5)
    _takes_over(life, target, end)
    back = end + life.dice.uniform(25, 90)
    ready = life.starts(old, back)
    life.joins(old, ready + 0.5)
    return Failover(old.name, target.name, "automatic", trigger, trigger, lost, end)


def database_failed(life: Life, t: float, target: Node) -> Failover:
    """A database of the group fails, and the group watches the health of its databases."""
    old = life.primary
    assert old is not None
    journal, database = life[old], life.group.databases[0]
    journal.error(t - 0.6, "spid66", 9001, 21, words.log_lost(database))
    journal.error(t - 0.4, "spid66", 41653, 21, words.database_failed(database, life.group.name))
    return _unhealthy(life, t, target, "database_failed", "database_failed")


TRIGGERS: dict[str, Callable[..., Failover]] = {
    one.__name__: one
    for one in (
        ddl_failover, ddl_forced, cluster_move, node_drained, lease_expired, health_timeout, health_error,
        quorum_lost, node_down, instance_stopped, instance_died, database_failed,
    )
}  # fmt: skip
"""By the word of the trigger."""
