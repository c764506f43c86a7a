"""Nodes that stand still: a machine that is paused, an instance that is silent while its machine goes on.

Lengths, orders and words follow real ones: a primary that was paused for six minutes and resigned twenty
seconds after it went on, one that was silent for four and whose lease had long run out when it noted it, one
that lost quorum and was primary for twenty seconds beside the new one.
"""

from __future__ import annotations

from simulation.groups import words
from simulation.groups.cast import Node
from simulation.groups.failures import (
    Failover,
    heartbeats_missed,
    lease_expired,
    removed,
    survivors_take_over,
)
from simulation.groups.journal import Still
from simulation.groups.life import Life
from simulation.groups.strain import Strain, strained


def paused(life: Life, t: float, target: Node, *, length: float, awake: float) -> Failover:
    """The primary's machine is paused; the cluster removes it, and it resigns some time after it goes on."""
    old = life.primary
    assert old is not None
    journal, name, wakes, gone = life[old], life.group.name, t + length, life.dice.uniform(6.4, 9)
    journal.stills.append(Still(old.name, t, wakes, is_paused=True))
    rest = life.others(old)
    for node in rest:
        heartbeats_missed(life, node, old, t + gone)
        removed(life, node, old, t + gone)
    for place, node in enumerate(rest):
        life.loses(old, node, wakes + 0.05 + place / 50)
    end = survivors_take_over(life, t + gone, old, target)
    resigns = wakes + awake
    _leaves_cluster(life, old, wakes + 0.6 * awake)
    journal.error(wakes + 0.7 * awake, "spid60s", 41144, 16, words.replica_failed(name))
    journal.error(resigns - 0.12, "Server", 19421, 16, words.no_signal_from_cluster(name))
    journal.error(resigns - 0.11, "Server", 19407, 16, words.lease_expired(name))
    journal.lease_event(resigns - 0.1, "LeaseExpired")
    journal.says(resigns - 0.01, "Server", words.lease_offline(name))
    life.becomes(old, resigns, "RESOLVING_NORMAL", words.LEASE, "Server")
    life.databases_become(old, resigns + 0.3, "PRIMARY", "RESOLVING")
    joins_again(life, old, max(resigns, end) + life.dice.uniform(60, 200))
    life.overlaps(old, target, end, resigns, awake=resigns - max(wakes, end))
    return Failover(old.name, target.name, "automatic", "standstill", "standstill", t, end)


def silent(life: Life, t: float, target: Node, *, length: float, before: Strain | None = None) -> Failover:
    """The primary's instance is silent while its machine goes on: its lease runs out, and it notes it when it
    goes on.

    Parameters
    ----------
    before
        What strained the node before it, and goes on meanwhile.
    """
    old = life.primary
    assert old is not None
    journal, wakes = life[old], t + length
    strained(life, old, t - 1, before)
    journal.stills.append(Still(old.name, t, wakes, is_paused=False))
    for node in life.others(old):
        life.loses(node, old, t + life.dice.uniform(10, 13))
    expires = t + life.dice.uniform(14, 22)
    made = lease_expired(life, expires, target, late=wakes - expires, samples=before, timed_out=True)
    life.overlaps(old, target, made.end, wakes, awake=0.0)
    return Failover(old.name, target.name, "automatic", "lease_expired", "standstill", made.start, made.end)


def joins_again(life: Life, node: Node, t: float) -> None:
    """Rejoin a node that the cluster had removed; its replica follows the primary."""
    life.down.discard(node.name)
    journal = life[node]
    joined = f"This node has successfully joined the failover cluster '{life.group.name}CLU'."
    journal.clusters(t - 4, "INFO", joined, channel="Operational")
    journal.says(t - 2, "spid47s", words.MANAGER_STARTS)
    for place, text in enumerate(words.CLUSTER_WAITS):
        journal.says(t - 1.9 + place / 4, "spid47s", text)
    life.joins(node, t)


def _leaves_cluster(life: Life, node: Node, t: float) -> None:
    """Make a node find that it was removed from its cluster."""
    journal = life[node]
    journal.clusters(t - 0.5, "ERR", f"[QUORUM] Node {node.number}: Lost quorum ({node.number})")
    journal.says(t, "Server", words.NODE_NOT_ONLINE, number=41049)
    journal.says(t + 0.4, "spid47s", words.manager_offline(words.NO_QUORUM))


def paused_secondary(life: Life, t: float, node: Node) -> float:
    """Pause a secondary's machine until the cluster has removed it."""
    primary, dice = life.primary, life.dice
    assert primary is not None
    wakes = t + dice.uniform(25, 240)
    life[node].stills.append(Still(node.name, t, wakes, is_paused=True))
    gone = t + dice.uniform(6.4, 9)
    for other in life.others(node):
        heartbeats_missed(life, other, node, gone)
        removed(life, other, node, gone)
    life.loses(primary, node, gone - 1)
    life.loses(node, primary, wakes + 0.1)
    leaves = wakes + dice.uniform(6, 13)
    _leaves_cluster(life, node, leaves)
    life.becomes(node, leaves + 0.6, "RESOLVING_NORMAL", words.STOPPING, "spid47s")
    life.databases_become(node, leaves + 0.7, "SECONDARY", "RESOLVING")
    back = leaves + dice.uniform(40, 120)
    joins_again(life, node, back)
    return back + 3


def silent_secondary(life: Life, t: float, node: Node) -> float:
    """Silence a secondary's instance for a while, like one that writes a dump: the primary loses it."""
    primary, dice = life.primary, life.dice
    assert primary is not None
    wakes = t + dice.uniform(25, 180)
    life[node].stills.append(Still(node.name, t, wakes, is_paused=False))
    life.loses(primary, node, t + dice.uniform(10, 14))
    life.loses(node, primary, wakes + 0.1)
    back = wakes + dice.uniform(1, 9)
    life.connects(node, back)
    return back + 1


def hiccup(life: Life, t: float, node: Node) -> float:
    """Pause the primary's machine so briefly that its loss goes unnoticed."""
    assert life.primary is not None
    wakes = t + life.dice.uniform(2, 5)
    life[life.primary].stills.append(Still(life.primary.name, t, wakes, is_paused=True))
    return wakes + 1


STILL = {one.__name__: one for one in (paused_secondary, silent_secondary, hiccup)}
"""What stands still without a failover, by name."""
