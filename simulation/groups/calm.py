"""What happens to a group without a failover: connections that break, secondaries that restart."""

from __future__ import annotations

from collections.abc import Callable

from simulation.groups import words
from simulation.groups.cast import Node
from simulation.groups.failures import comes_back, heartbeats_missed, removed, returns
from simulation.groups.life import Life
from simulation.groups.strain import long_io


def disconnected(life: Life, t: float, node: Node) -> float:
    """Make a secondary's connection time out and come back; return when all is well again."""
    primary = life.primary
    assert primary is not None
    life.loses(primary, node, t)
    life.loses(node, primary, t + life.dice.uniform(0, 4))
    back = t + life.dice.uniform(15, 90)
    text = words.not_reached(primary.server, str(primary.replica_id).upper())
    life[node].says(t + 12, "spid17s", text, number=35201)
    life.connects(node, back)
    return back + 1


def restarted(life: Life, t: float, node: Node, why: str = words.STOP_REQUEST) -> float:
    """Restart a secondary."""
    primary = life.primary
    assert primary is not None
    life.loses(primary, node, t + 0.6)
    life.stops(node, t, why)
    system = why == words.SYSTEM_SHUTDOWN
    away = life.dice.uniform(80, 300) if system else life.dice.uniform(4, 40)
    back = t + 9 + away
    comes_back(life, node, back)
    return back + 10


def patched(life: Life, t: float, node: Node) -> float:
    """Patch the secondaries, one after another: each stops twice, the second time with its Windows."""
    for secondary in [one for one in life.group.nodes if one is not life.primary]:
        t = restarted(life, t, secondary) + 45
        t = restarted(life, t, secondary, words.SYSTEM_SHUTDOWN) + 60
    return t


def cut_off(life: Life, t: float, node: Node) -> float:
    """Cut a secondary's node off the cluster for a minute; the primary keeps the group."""
    primary = life.primary
    assert primary is not None
    journal = life[node]
    journal.clusters(t, "ERR", f"[QUORUM] Node {node.number}: Lost quorum ({node.number})")
    journal.says(t + 0.1, "Server", words.NODE_NOT_ONLINE, number=41049)
    journal.says(t + 0.2, "spid47s", words.manager_offline(words.NO_QUORUM))
    life.loses(primary, node, t + 0.4)
    life.becomes(node, t + 0.5, "RESOLVING_NORMAL", words.STOPPING, "spid47s")
    life.databases_become(node, t + 0.6, "SECONDARY", "RESOLVING")
    back = t + life.dice.uniform(40, 120)
    life.joins(node, back)
    return back + 3


def lost(life: Life, t: float, node: Node) -> float:
    """Cut a secondary's node's power, and restore it some minutes later."""
    primary = life.primary
    assert primary is not None
    life.dies(node, t)
    for other in life.others(node):
        heartbeats_missed(life, other, node, t + 10)
        removed(life, other, node, t + 10)
    life.loses(primary, node, t + 10.3)
    life.down.add(node.name)
    back = t + life.dice.uniform(200, 420)
    comes_back(life, node, back)
    return back + 10


def refused(life: Life, t: float, node: Node) -> float:
    """Ask a secondary to take over that is not synchronised: it refuses."""
    text = (
        f"The availability replica for availability group '{life.group.name}' on this instance of SQL "
        f"Server cannot become "
        "the primary replica. One or more databases are not synchronized or have not joined the "
        "availability group."
    )
    life[node].ddl(t, f"ALTER AVAILABILITY GROUP [{life.group.name}] FAILOVER;", phases=("begin", "rollback"))
    life[node].error(t + 0.05, "spid71", 41142, 16, text)
    return t + 1


def certificate_expired(life: Life, t: float, node: Node, until: float) -> None:
    """Restart a secondary's Windows whose endpoint had a certificate that expired: connections that stood
    went on, a new one is refused from then on.
    """
    primary = life.primary
    assert primary is not None
    life.loses(primary, node, t + 0.6)
    life.stops(node, t, words.SYSTEM_SHUTDOWN)
    back = t + 9 + life.dice.uniform(90, 150)
    ready = returns(life, node, back)
    life.resolved(node, ready)
    life[primary].says(
        ready + 10, "spid17s", words.not_reached(node.server, str(node.replica_id).upper()), number=35201
    )
    at = ready + 1
    while at < until:
        life[node].says(at, "Logon", words.certificate_expired(primary.address))
        at += life.dice.uniform(9, 16)


def slow_disk(life: Life, t: float, node: Node) -> float:
    """Slow the primary's disk down for a while, without harm to the group."""
    assert life.primary is not None
    long_io(life, life.primary, t, 3)
    return t + 100


def far_lost(life: Life, t: float, node: Node) -> float:
    """Lose the other group of the distributed one for a while: no host is named."""
    assert life.primary is not None
    back = t + life.dice.uniform(15, 120)
    life.loses_far(life.primary, t)
    life.reaches_far(life.primary, back)
    return back + 1


CALM: dict[str, Callable[[Life, float, Node], float]] = {
    one.__name__: one for one in (disconnected, restarted, patched, cut_off, lost, refused, slow_disk)
}
"""By their names; each takes a secondary and gives when it is over."""
FAR = {far_lost.__name__: far_lost}
"""What happens to groups that are one of a distributed group."""
