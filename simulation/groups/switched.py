"""The documented switch of a group without a cluster: its primary is demoted, and only then the other one
forced.

What was not sent cannot be lost then; the databases of the old primary are suspended until somebody resumes
them.
"""

from __future__ import annotations

from simulation.groups import words
from simulation.groups.cast import Node
from simulation.groups.failures import Failover
from simulation.groups.life import Life


def switched(life: Life, t: float, target: Node) -> Failover:
    """Somebody switches the primary, in the order that loses nothing."""
    old = life.primary
    assert old is not None
    name, dice = life.group.name, life.dice
    life[old].ddl(t - 0.2, f"ALTER AVAILABILITY GROUP [{name}] SET (ROLE = SECONDARY);")
    for node in life.others(old):
        life.loses(old, node, t + 0.02, timed_out=False)
        life.loses(node, old, t + 0.05, timed_out=False)
    life.becomes(old, t, "RESOLVING_NORMAL", words.OFFLINE, "spid58")
    life.databases_become(old, t + 0.01, "PRIMARY", "RESOLVING")
    forced = t + dice.uniform(2, 14)
    statement = f"ALTER AVAILABILITY GROUP [{name}] FORCE_FAILOVER_ALLOW_DATA_LOSS;"
    life[target].ddl(forced, statement, phases=("begin",))
    life.becomes(target, forced + 0.2, "RESOLVING_PENDING_FAILOVER", words.FORCED, "spid71")
    life.databases_become(target, forced + 0.25, "SECONDARY", "RESOLVING")
    end = forced + dice.uniform(1, 3)
    life.online(target, end)
    life[target].ddl(end + 0.4, statement, phases=("commit",))
    for place, node in enumerate(life.others(target)):
        joined = end + 0.8 + place / 2
        if life.roles[node.name] == "RESOLVING_NORMAL":
            life.joins(node, joined)
        else:
            life.connects(node, joined)
        life.holds(node, joined + 0.1, until=joined + 200)
    return Failover(old.name, target.name, "planned", "ddl_forced", "ddl_forced", t, end)
