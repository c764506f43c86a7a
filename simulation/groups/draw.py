"""Draws the life of a group: nodes, clocks, what goes wrong, and what somebody copied of it.

The truth of a case is the mechanism that is let loose. What may be answered follows from it and
from what was copied, by `Case.carried`, which names no limit of the diagnostic: a cause is *carried*
when the entries that tell it apart are among the files. Where it is not, its cause, its trigger, what
looks the same without the missing part, and ``open`` are right; anything else is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from simulation.groups import build, failures, still
from simulation.groups.build import INSTANCES, OF_ONE, READ_SCALE, TOGETHER
from simulation.groups.calm import CALM, FAR, slow_disk
from simulation.groups.cast import Node
from simulation.groups.failures import Failover
from simulation.groups.files import KINDS, Taken
from simulation.groups.journal import Still
from simulation.groups.life import Life, Overlap
from simulation.groups.pace import keep_pace
from simulation.groups.strain import CPU, DISK, DUMPS, MEMORY, WORKERS, Strain
from simulation.groups.switched import switched
from simulation.groups.together import Twin, live_together

LEAD_S = 1500.0
"""Quiet time before the first incident and between two."""
SAMPLE_LATE_S = 22.0
"""A sample of each minute that is so late shows that its instance stood still, or its machine."""


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
    build: str = ""
    """How the group is built that it happens to; as drawn where it is empty."""

    @property
    def name(self) -> str:
        parts = [self.trigger, *(s.cause for s in (self.strain, self.beside) if s)]
        parts += ["late"] * (self.late and self.trigger == "quorum_lost") + [self.build] * bool(self.build)
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
    Scenario("paused"),
    Scenario("silent"),
    Scenario("quorum_lost", late=True),
    Scenario("switched", build=READ_SCALE),
    Scenario("node_down", build=TOGETHER),
    Scenario("silent", CPU),
    Scenario("ddl_failover", build=INSTANCES),
    Scenario("paused"),
    Scenario("health_timeout", DISK, build=TOGETHER),
    Scenario("lease_expired", CPU, build=INSTANCES),
    Scenario("instance_died", build="distributed"),
    Scenario("paused", build=TOGETHER),
    Scenario("silent", build=INSTANCES),
)
TRIGGERS: dict[str, Callable[..., Failover]] = {
    **failures.TRIGGERS,
    "paused": still.paused, "silent": still.silent, "switched": switched,
}  # fmt: skip
OF_INSTANCE = (
    "ddl_failover",
    "lease_expired",
    "health_timeout",
    "health_error",
    "instance_stopped",
    "instance_died",
    "silent",
)
"""What happens to one instance of a node and not to the other."""


@dataclass(frozen=True)
class Truth:
    """A failover that happened, with what else could rightly be called its cause.

    Parameters
    ----------
    together
        The number of what moved several groups at once; equal for all of them.
    """

    failover: Failover
    scenario: str
    also: frozenset[str] = frozenset()
    ag: str = "AG1"
    together: int = 0


@dataclass
class Case:
    """A drawn case; `live` lets it happen."""

    number: int
    life: Life
    taken: Taken
    truths: list[Truth] = field(default_factory=list)
    calm: list[str] = field(default_factory=list)
    end: float = 0.0
    build: str = ""

    @property
    def lives(self) -> list[Life]:
        """The lives of all instances."""
        return [self.life, *self.life.beside]

    @property
    def stills(self) -> list[Still]:
        """Every time in which something stood still."""
        return [one for life in self.lives for journal in life.journals.values() for one in journal.stills]

    @property
    def overlaps(self) -> list[Overlap]:
        """Every time in which a group had two primaries."""
        return [one for life in self.lives for one in life.two_primaries]

    def shows(self, one: Still) -> bool:
        """Return whether a minute's sample came late enough to show it, in a copy from a known host."""
        if self.taken.flat or not self.has(one.host, "system_health") or not self.has(one.host, "ERRORLOG"):
            return False
        return any(
            after - before > build.PACE_S + SAMPLE_LATE_S
            for life in self.lives
            if one in life.journals[one.host].stills
            for run in life.journals[one.host].runs
            for before, after in build.minutes(run)
            if before <= one.end and after >= one.start
        )

    def has(self, host: str, *kinds: str) -> bool:
        """Return whether one of these kinds was copied from a node."""
        nodes = self.taken.nodes
        return (nodes is None or host in nodes) and any(k in self.taken.kinds for k in kinds)

    def is_visible(self, truth: Truth) -> bool:
        """Return whether some file shows that the group came online on its new primary."""
        return self.has(truth.failover.target, "ERRORLOG", "AlwaysOn_health")

    def carried(self, truth: Truth) -> bool:
        """Return whether the entries that identify the cause were copied."""
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
            if one.cause == "standstill":
                return told and self._is_shown(truth)
            shown = {
                "cpu_starvation": resource, "memory_pressure": ("ERRORLOG", *resource),
                "long_io": ("ERRORLOG", *resource), "dump": ("ERRORLOG",), "lease_expired": resource,
            }  # fmt: skip
            return told and self.has(old, *shown[one.cause])
        if one.trigger in ("health_timeout", "health_error"):
            kinds = {"long_io": ("ERRORLOG",), "dump": ("SQLDIAG",)}.get(one.cause, resource)
            return self.has(old, *resource) and self.has(old, *kinds)
        if one.trigger == "standstill":
            return self.has(old, "ERRORLOG") and self._is_shown(truth)
        if one.trigger == "quorum_lost":
            return self.has(old, "ERRORLOG") and self.has(old, "cluster log")
        if one.trigger in ("node_down", "instance_died"):
            others = [n.name for n in self.life.group.nodes if n.name != old]
            left = any(self.has(n, "cluster log") for n in others)
            return self.has(old, "ERRORLOG") and self.has(old, "cluster log") and left
        return self.has(old, "ERRORLOG")

    def _is_shown(self, truth: Truth) -> bool:
        """Return whether a standstill before a failover can be seen."""
        one = truth.failover
        own = [s for s in self.stills if s.host == one.source and s.start <= one.end and s.end >= one.start]
        return any(self.shows(s) for s in own)

    def acceptable(self, truth: Truth) -> set[str]:
        """Return the causes that are not wrong."""
        one = truth.failover
        right = {one.cause, one.trigger, "open", *truth.also}
        gone = {"node_down", "quorum_lost", "network", "instance_died", "node_drained"}
        if one.cause == "standstill" and not self._is_shown(truth):
            right |= gone
        if not self.carried(truth) and one.trigger in gone | {"instance_stopped"}:
            right |= gone
        if not self.carried(truth) and one.trigger == "ddl_forced":
            right |= {"ddl_failover"}
        if not self.carried(truth) and one.mode == "planned":
            right |= {"ddl_failover", "cluster_move", "node_drained"}
        return right

    @property
    def line(self) -> str:
        """Return the case in a line."""
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
        what = f"{self.build}: {what}" if self.build else what
        return f"#{self.number} {what}{calm}: {nodes}, {kinds}{flat}; {clocks}; {zone}"


def number_of(scenario: str) -> int:
    """Return the first case that begins with a scenario: every sixth has none."""
    place = [one.name for one in SCENARIOS].index(scenario)
    return next(n for n in range(place, 2 * place + 6) if n % 6 != 5 and n - n // 6 == place)


def draw(number: int, dice: Random) -> Case:
    """Draw case ``number`` of a run and let it happen."""
    quiet = number % 6 == 5
    wanted = [] if quiet else [SCENARIOS[(number - number // 6) % len(SCENARIOS)]]
    kind = wanted[0].build if wanted and wanted[0].build else build.drawn(wanted, dice)
    life = build.life(kind, dice)
    case = Case(number, life, Taken(), build=kind)
    if kind not in (READ_SCALE, INSTANCES) and wanted:
        if wanted[0].trigger == "paused" and dice.random() < 0.5:
            # What carries the ticks of the machine before it is paused.
            wanted.insert(0, Scenario("lease_expired", CPU, in_place=True))
        elif dice.random() < 0.35:
            wanted.append(dice.choice([one for one in SCENARIOS if one.build in ("", kind)]))
    if kind == TOGETHER:
        wanted = [one for one in wanted if one.trigger not in OF_ONE]
    first = life.group.nodes[dice.randrange(2)]
    t = life.founded(first, 0.0) + LEAD_S
    for beside in life.beside:
        beside.founded(dice.choice(beside.group.nodes), 0.0)
        # No instance is quiet for hours: what it writes after clocks were set shows that they were.
        CALM["disconnected"](beside, LEAD_S + 60, _secondary(beside, dice))
    for scenario in wanted:
        if dice.random() < 0.5:
            t = _calm(case, t, dice) + LEAD_S
        t = _fails_over(case, life, scenario, t) + LEAD_S
    for _ in range(dice.randrange(1, 4) if quiet else dice.randrange(2)):
        t = _calm(case, t, dice) + LEAD_S / 3
    for beside in life.beside:
        other = dice.choice([one for one in SCENARIOS if one.trigger in OF_INSTANCE and not one.in_place])
        t = _fails_over(case, beside, other, t + LEAD_S) + LEAD_S
    if kind == TOGETHER:
        _all_together(case, dice)
    for one in case.lives:
        keep_pace(one, 0.0, t)
    case.taken, case.end = _taken(case, dice), t
    return case


def _all_together(case: Case, dice: Random) -> None:
    """Repeat the events for other groups of the instances, each a little later."""
    life, delays = case.life, [dice.uniform(0.1, 0.7) for _ in range(dice.randrange(1, 6))]
    twins = tuple(
        Twin(f"AG{n}", tuple(f"{name}{n}" for name in life.group.databases), sum(delays[: n - 1]))
        for n in range(2, len(delays) + 2)
    )
    live_together(life, twins)
    for number, truth in enumerate(list(case.truths), 1):
        case.truths.remove(truth)
        case.truths.append(replace(truth, together=number))
        for twin in twins:
            moved = replace(
                truth.failover, start=truth.failover.start + twin.after, end=truth.failover.end + twin.after
            )
            case.truths.append(replace(truth, failover=moved, ag=twin.name, together=number))
    for one in list(life.two_primaries):
        for twin in twins:
            # What went on before it resigned was awake for as much longer; what never stood still was awake
            # all the while.
            longer = one.awake is not None and one.awake < one.end - one.start - 0.01
            awake = (one.awake or 0.0) + twin.after if longer else one.awake
            moved = replace(
                one, ag=twin.name, awake=awake, start=one.start + twin.after, end=one.end + twin.after
            )
            life.two_primaries.append(moved)


def _secondary(life: Life, dice: Random) -> Node:
    return dice.choice([node for node in life.group.nodes if node is not life.primary])


def _calm(case: Case, t: float, dice: Random) -> float:
    names = {
        READ_SCALE: ["disconnected", "restarted", "silent_secondary"],
        INSTANCES: ["disconnected", "restarted", "refused", "slow_disk", "silent_secondary"],
    }.get(case.build, [*CALM, *still.STILL])
    if case.life.group.distributed:
        names = [*names, *FAR]
    name = dice.choice(names)
    case.calm.append(name)
    return {**CALM, **FAR, **still.STILL}[name](case.life, t, _secondary(case.life, dice))


def _fails_over(case: Case, life: Life, scenario: Scenario, t: float) -> float:
    dice = life.dice
    assert life.primary is not None
    target = life.primary if scenario.in_place else _secondary(life, dice)
    also: frozenset[str] = frozenset()
    if scenario.slow_disk:
        slow_disk(life, t, target)
        t += 400
    make = TRIGGERS[scenario.trigger]
    more: dict[str, object] = {"strain": scenario.strain} if scenario.strain else {}
    old = life.primary
    if scenario.trigger in ("paused", "silent"):
        more = (
            {"length": dice.uniform(40, 420)}
            if scenario.trigger == "paused"
            else {"length": dice.uniform(60, 300)}
        )
        more |= (
            {"awake": dice.uniform(12, 25)} if scenario.trigger == "paused" else {"before": scenario.strain}
        )
        also = frozenset({scenario.strain.cause} if scenario.strain else ())
    elif scenario.late:
        more["late"] = late = dice.uniform(10, 25)
        if scenario.trigger == "lease_expired":
            # Starved: silent until it notes it, awake or not.
            life[old].stills.append(Still(old.name, t, t + late, is_paused=False))
            also = frozenset({"standstill"})
    if scenario.beside:
        failures.strained(life, life.primary, t, scenario.beside)
        also = frozenset({scenario.beside.cause})
    made = make(life, t, target, **more)
    if scenario.trigger == "lease_expired" and scenario.late:
        life.overlaps(old, target, made.end, t + late, awake=None)
    case.truths.append(Truth(made, scenario.name, also, life.group.name))
    return t + 500 + (float(more["length"]) if "length" in more else 0.0)  # type: ignore[arg-type]


def _taken(case: Case, dice: Random) -> Taken:
    """Draw what was copied: as a rule everything, else what somebody forgot."""
    nodes = [node.name for node in case.life.group.nodes]
    flat = dice.random() < 0.3 and case.build != INSTANCES
    chance = dice.random()
    if chance < 0.15:
        nodes.remove(dice.choice(nodes))
        return Taken(tuple(nodes), flat=flat)
    without = {0.25: ("cluster log",), 0.33: ("SQLDIAG", "system_health"), 0.38: ("AlwaysOn_health",)}
    for limit, left_out in without.items():
        if chance < limit:
            return Taken(kinds=tuple(kind for kind in KINDS if kind not in left_out), flat=flat)
    return Taken(flat=flat)
