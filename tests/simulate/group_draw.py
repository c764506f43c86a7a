"""Draws the life of a group: nodes, clocks, what goes wrong, and what somebody copied of it.

The truth of a case is the mechanism that is let loose. What may be answered follows from it and
from what was copied, by `Case.carried`, which names no limit of the diagnostic: a cause is *carried*
when the entries that tell it apart are among the files. Where it is not, its cause, its trigger, what
looks the same without the missing part, and ``open`` are right; anything else is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from tests.make import group_failures as failures
from tests.make.group_calm import CALM, slow_disk
from tests.make.group_cast import Group, Node, Zone
from tests.make.group_failures import Failover
from tests.make.group_files import KINDS, Taken
from tests.make.group_life import Life
from tests.make.group_strain import CPU, DISK, DUMPS, MEMORY, WORKERS, Strain

LEAD_S = 1500.0
"""Quiet time before the first incident and between two."""
NAMES = (("SQLPRD01", "SQLPRD02", "SQLPRD03"), ("ALPHA", "BRAVO", "CHARLIE"), ("FRA-SQL-A", "FRA-SQL-B", "BER-SQL-A"))  # fmt: skip
OFFSETS = (-480, -300, -180, 0, 60, 330, 540)


@dataclass(frozen=True)
class Scenario:
    """A failover to let loose.

    Parameters
    ----------
    strain
        What strains the primary; its cause is the failover's.
    beside
        Something else that goes on at the same time. With ``harms`` it could have been the cause as
        well, and either is right.
    """

    trigger: str
    strain: Strain | None = None
    beside: Strain | None = None
    slow_disk: bool = False
    in_place: bool = False
    late: bool = False

    @property
    def name(self) -> str:
        parts = [self.trigger, *(s.cause for s in (self.strain, self.beside) if s)]
        parts += ["slow disk before"] * self.slow_disk + ["in place"] * self.in_place
        return ", ".join(parts)


SCENARIOS = (
    Scenario("lease_expired", CPU, late=True),
    Scenario("ddl_failover"),
    Scenario("health_timeout", DISK),
    Scenario("node_down"),
    Scenario("lease_expired", CPU, slow_disk=True),
    Scenario("instance_stopped"),
    Scenario("quorum_lost"),
    Scenario("lease_expired", MEMORY),
    Scenario("cluster_move"),
    Scenario("lease_expired"),
    Scenario("instance_died"),
    Scenario("health_error", MEMORY),
    Scenario("node_drained"),
    Scenario("lease_expired", CPU, in_place=True),
    Scenario("database_failed"),
    Scenario("lease_expired", DUMPS),
    Scenario("ddl_forced"),
    Scenario("health_error", DUMPS),
    Scenario("lease_expired", CPU, beside=DISK),
    Scenario("health_timeout"),
    Scenario("lease_expired", DISK),
    Scenario("health_error", WORKERS),
    Scenario("health_timeout", DISK, beside=MEMORY),
)


@dataclass(frozen=True)
class Truth:
    """A failover that happened, with what else could rightly be called its cause."""

    failover: Failover
    scenario: str
    also: frozenset[str] = frozenset()


@dataclass
class Case:
    """A drawn case; `live` lets it happen."""

    number: int
    life: Life
    taken: Taken
    truths: list[Truth] = field(default_factory=list)
    calm: list[str] = field(default_factory=list)
    end: float = 0.0

    def has(self, host: str, *kinds: str) -> bool:
        """Tell whether one of these kinds was copied from a node."""
        nodes = self.taken.nodes
        return (nodes is None or host in nodes) and any(k in self.taken.kinds for k in kinds)

    def is_visible(self, truth: Truth) -> bool:
        """Tell whether some file says that the group came online on its new primary."""
        return self.has(truth.failover.target, "ERRORLOG", "AlwaysOn_health")

    def carried(self, truth: Truth) -> bool:
        """Tell whether the entries that tell the cause apart were copied."""
        one = truth.failover
        old, new = one.source, one.target
        resource = ("cluster log", "SQLDIAG")
        if one.trigger in ("ddl_failover", "ddl_forced"):
            followers = [n.name for n in self.life.group.nodes if n.name != new]
            followed = any(self.has(n, "ERRORLOG") for n in followers)
            return self.has(new, "AlwaysOn_health") or (self.has(new, "ERRORLOG") and followed)
        if one.trigger in ("cluster_move", "node_drained"):
            return self.has(old, "cluster log") and self.has(old, "ERRORLOG")
        if one.trigger == "lease_expired":
            told = self.has(old, "ERRORLOG", "AlwaysOn_health", *resource)
            shown = {
                "cpu_starvation": resource, "memory_pressure": ("ERRORLOG", *resource),
                "long_io": ("ERRORLOG", *resource), "dump": ("ERRORLOG",), "lease_expired": resource,
            }  # fmt: skip
            return told and self.has(old, *shown[one.cause])
        if one.trigger in ("health_timeout", "health_error"):
            kinds = {"long_io": ("ERRORLOG",), "dump": ("SQLDIAG",)}.get(one.cause, resource)
            return self.has(old, *resource) and self.has(old, *kinds)
        if one.trigger == "quorum_lost":
            return self.has(old, "ERRORLOG") and self.has(old, "cluster log")
        if one.trigger in ("node_down", "instance_died"):
            others = [n.name for n in self.life.group.nodes if n.name != old]
            left = any(self.has(n, "cluster log") for n in others)
            return self.has(old, "ERRORLOG") and self.has(old, "cluster log") and left
        return self.has(old, "ERRORLOG")

    def acceptable(self, truth: Truth) -> set[str]:
        """Give the causes that are not wrong."""
        one = truth.failover
        right = {one.cause, one.trigger, "open", *truth.also}
        gone = {"node_down", "quorum_lost", "network", "instance_died", "node_drained"}
        if not self.carried(truth) and one.trigger in gone | {"instance_stopped"}:
            right |= gone
        if not self.carried(truth) and one.mode == "forced":
            right |= {"ddl_failover"}
        if not self.carried(truth) and one.mode == "planned":
            right |= {"ddl_failover", "cluster_move", "node_drained"}
        return right

    @property
    def line(self) -> str:
        """Give the case in a line."""
        group = self.life.group
        clocks = ", ".join(f"{n.name} {n.clock_ms / 1000:+.1f} s" for n in group.nodes)
        zone = f"UTC{group.zone.offset_minutes / 60:+g}"
        if group.zone.step_at is not None:
            zone += f", then {group.zone.step_minutes:+d} min"
        what = "; ".join([t.scenario for t in self.truths] or ["no failover"])
        nodes = ", ".join(self.taken.nodes or ("all nodes",))
        kinds = "all files" if self.taken.kinds == KINDS else "/".join(self.taken.kinds)
        flat = ", flat" if self.taken.flat else ""
        calm = f" (beside: {', '.join(self.calm)})" if self.calm else ""
        return f"#{self.number} {what}{calm}: {nodes}, {kinds}{flat}; {clocks}; {zone}"


def draw(number: int, dice: Random) -> Case:
    """Draw case ``number`` of a run and let it happen."""
    nodes = _nodes(dice)
    start = datetime(2024, 3, 5, 6) + timedelta(minutes=dice.randrange(0, 400_000))
    group = Group("AG1", nodes, ("Sales", "Stock")[: dice.randrange(1, 3)], start, _zone(dice), 5)
    life = Life(group, dice)
    quiet = number % 6 == 5
    wanted = [] if quiet else [SCENARIOS[(number - number // 6) % len(SCENARIOS)]]
    if wanted and dice.random() < 0.35:
        wanted.append(dice.choice(SCENARIOS))
    case = Case(number, life, Taken())
    t = life.founded(nodes[dice.randrange(2)], 0.0) + LEAD_S
    for scenario in wanted:
        if dice.random() < 0.5:
            t = _calm(case, t, dice) + LEAD_S
        t = _fails_over(case, scenario, t) + LEAD_S
    for _ in range(dice.randrange(1, 4) if quiet else dice.randrange(2)):
        t = _calm(case, t, dice) + LEAD_S / 3
    life.healthy(20.0, t)
    case.taken, case.end = _taken(case, dice), t
    return case


def _nodes(dice: Random) -> tuple[Node, ...]:
    names = dice.choice(NAMES)[: dice.choice((2, 2, 3))]
    widest = dice.choice((100, 5000, 5000, 5000))
    return tuple(
        Node(name, place + 1, dice.randrange(-widest, widest + 1))
        for place, name in enumerate(names)
    )


def _zone(dice: Random) -> Zone:
    offset = dice.choice(OFFSETS)
    if dice.random() < 0.25:
        return Zone(offset, dice.uniform(60, LEAD_S - 200), dice.choice((60, -60)))
    return Zone(offset)


def _secondary(life: Life, dice: Random) -> Node:
    return dice.choice([node for node in life.group.nodes if node is not life.primary])


def _calm(case: Case, t: float, dice: Random) -> float:
    name = dice.choice(list(CALM))
    case.calm.append(name)
    return CALM[name](case.life, t, _secondary(case.life, dice))


def _fails_over(case: Case, scenario: Scenario, t: float) -> float:
    life, dice = case.life, case.life.dice
    assert life.primary is not None
    target = life.primary if scenario.in_place else _secondary(life, dice)
    also: frozenset[str] = frozenset()
    if scenario.slow_disk:
        slow_disk(life, t, target)
        t += 400
    make: Callable[..., Failover] = failures.TRIGGERS[scenario.trigger]
    more: dict[str, object] = {"strain": scenario.strain} if scenario.strain else {}
    if scenario.late:
        more["late"] = dice.uniform(10, 25)
    if scenario.beside:
        failures.strained(life, life.primary, t, scenario.beside)
        also = frozenset({scenario.beside.cause})
    case.truths.append(Truth(make(life, t, target, **more), scenario.name, also))
    return t + 500


def _taken(case: Case, dice: Random) -> Taken:
    """Draw what was copied: as a rule everything, else what somebody forgot."""
    nodes = [node.name for node in case.life.group.nodes]
    flat = dice.random() < 0.3
    chance = dice.random()
    if chance < 0.15:
        nodes.remove(dice.choice(nodes))
        return Taken(tuple(nodes), flat=flat)
    without = {
        0.25: ("cluster log",),
        0.33: ("SQLDIAG", "system_health"),
        0.38: ("AlwaysOn_health",),
    }
    for limit, left_out in without.items():
        if chance < limit:
            return Taken(kinds=tuple(kind for kind in KINDS if kind not in left_out), flat=flat)
    return Taken(flat=flat)
