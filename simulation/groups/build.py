"""Draws who takes part: nodes with their clocks, and how their groups are built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Protocol

from simulation.groups.cast import Group, Node, Zone
from simulation.groups.journal import Run
from simulation.groups.life import Life
from simulation.groups.pace import MINUTE, PACE_S

__all__ = ["INSTANCES", "PACE_S", "READ_SCALE", "TOGETHER", "drawn", "life", "minutes"]

READ_SCALE, INSTANCES, TOGETHER, DISTRIBUTED = "read-scale", "two instances", "basic", "distributed"
NAMES = (
    ("SQLPRD01", "SQLPRD02", "SQLPRD03"),
    ("ALPHA", "BRAVO", "CHARLIE"),
    ("FRA-SQL-A", "FRA-SQL-B", "BER-SQL-A"),
)
OFFSETS = (-480, -300, -180, 0, 60, 330, 540)
STEP_S = (60.0, 1300.0)
"""When clocks are set, in lives in which they are."""


OF_ONE = ("database_failed", "ddl_forced", "node_drained")
"""What happens to one group, or to several before anything else that they do: not to several in their turn.
"""


class Wanted(Protocol):
    """A scenario, as far as it says what group it happens to."""

    @property
    def trigger(self) -> str:
        """What lets the group fail over."""


def drawn(wanted: Sequence[Wanted], dice: Random) -> str:
    """Draw how the groups of a case are built: as a rule there is one, an ordinary one."""
    chance = dice.random()
    if chance < 0.1:
        return DISTRIBUTED
    if chance < 0.2 and not any(one.trigger in OF_ONE for one in wanted):
        return TOGETHER
    if chance < 0.25 and not wanted:
        return READ_SCALE
    return ""


def life(kind: str, dice: Random) -> Life:
    """Draw the nodes, their clocks and the group, or the groups of two instances of each node."""
    nodes = _nodes(kind, dice)
    start = datetime(2024, 3, 5, 6) + timedelta(minutes=dice.randrange(0, 400_000))
    databases = ("Sales", "Stock")[: dice.randrange(1, 3)]
    zone = _zone(dice)
    if zone.step_at is not None:
        # Clocks are set at a full hour.
        local = start + timedelta(minutes=zone.offset_minutes, seconds=zone.step_at)
        start -= timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    group = Group("AG1", nodes, databases, start, zone, 5)
    if kind == READ_SCALE:
        group = replace(group, has_cluster=False, options="CLUSTER_TYPE = NONE")
    if kind == TOGETHER:
        group = replace(
            group, databases=databases[:1], options="BASIC, DB_FAILOVER = OFF, DTC_SUPPORT = NONE"
        )
    if kind == DISTRIBUTED:
        group = replace(group, distributed=("DAG", "AG9"))
    made = Life(group, dice)
    if kind == INSTANCES:
        others = tuple(replace(node, instance="INST2") for node in nodes)
        beside = Life(replace(group, name="AG2", nodes=others, databases=("Fin",)), dice)
        beside.is_beside = True
        made.beside.append(beside)
    return made


def _nodes(kind: str, dice: Random) -> tuple[Node, ...]:
    # A basic group has two replicas.
    names = dice.choice(NAMES)[: 2 if kind == TOGETHER else dice.choice((2, 2, 3))]
    widest = dice.choice((100, 5000, 5000, 5000))
    instance = "INST1" if kind == INSTANCES else ""
    return tuple(
        Node(name, place + 1, dice.randrange(-widest, widest + 1), instance=instance)
        for place, name in enumerate(names)
    )


def _zone(dice: Random) -> Zone:
    offset = dice.choice(OFFSETS)
    if dice.random() < 0.25:
        return Zone(offset, dice.uniform(*STEP_S), dice.choice((60, -60)))
    return Zone(offset)


def minutes(run: Run) -> Iterator[tuple[float, float]]:
    """Return consecutive samples of the processors."""
    return pairwise(t for t, name, _ in run.system if name == MINUTE)
