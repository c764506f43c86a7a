"""The sample cases of an availability group's health: four stories, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from simulation.formats.pdh_text import Cell, write_pdh
from simulation.groups import calm, failures
from simulation.groups.cast import Group, Node, Zone
from simulation.groups.failures import Failover
from simulation.groups.files import write_group
from simulation.groups.life import Life
from simulation.groups.strain import CPU, DISK

SEED = 2024
INCIDENT_S, UNTIL_S, STEP_S = 2400.0, 3600.0, 15
EASTERN = Zone(-300)
HEADER = "(Eastern Standard Time)(300)"
SOURCE = (
    "Made up, after the order and the words in which the ERRORLOGs, health sessions and cluster logs of "
    "real failovers tell "
    "such a story. No names, addresses or times of a real case."
)


@dataclass(frozen=True)
class Strained:
    """When a node's counters leave their usual level, true seconds."""

    node: str = ""
    processor: bool = False
    disk: bool = False
    since: float = 0.0
    until: float = 0.0


@dataclass
class Truth:
    """What a sample shows, for the manifest."""

    facts: dict[str, Any]
    hosts: dict[str, int]
    files: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Story:
    """A sample: who takes part, and what happens at `INCIDENT_S`."""

    shows: str
    notes: tuple[str, ...]
    nodes: tuple[Node, ...]
    start: datetime
    happens: Callable[[Life], Failover | None]
    strained: Strained = Strained()


def _lease(life: Life) -> Failover:
    return failures.lease_expired(life, INCIDENT_S, life.group.nodes[1], CPU, late=13.0)


def _stall(life: Life) -> Failover:
    return failures.health_timeout(life, INCIDENT_S, life.group.nodes[1], DISK)


def _planned(life: Life) -> Failover:
    return failures.ddl_failover(life, INCIDENT_S, life.group.nodes[1])


def _lost(life: Life) -> None:
    calm.lost(life, INCIDENT_S, life.group.nodes[2])


def _expired(life: Life) -> None:
    calm.certificate_expired(life, INCIDENT_S, life.group.nodes[1], UNTIL_S)


PAIR = ("HASQL1", "HASQL2")
STORIES = {
    "failover_lease_cpu": Story(
        "An automatic failover: the processors of the primary are busy for a minute and a half, its lease "
        "is not renewed in "
        "time, and the other node takes the group. The starved primary notes the expiry only after the new "
        "one is in place.",
        (
            "The clock of HASQL2 is 1.8 s ahead of that of HASQL1: its entries seem to come later than "
            "they do.",
            "The processors are busy with something other than SQL Server: system_health shows no idle "
            "time, and SQL Server at a third.",
        ),
        (Node(PAIR[0], 1), Node(PAIR[1], 2, 1800)),
        datetime(2024, 2, 6, 14, 5, 12),
        _lease,
        Strained(PAIR[0], processor=True, since=INCIDENT_S - 95, until=INCIDENT_S + 10),
    ),
    "failover_io_stall": Story(
        "An automatic failover: disks of the primary stand still for minutes, sp_server_diagnostics gives "
        "no sign within the "
        "health check timeout, and the other node takes the group.",
        ("Log and data of the primary lie on the array that stalls; the secondary has its own.",),
        (Node(PAIR[0], 1, -120), Node(PAIR[1], 2, 640)),
        datetime(2024, 2, 13, 19, 40, 3),
        _stall,
        Strained(PAIR[0], disk=True, since=INCIDENT_S - 145, until=INCIDENT_S + 5),
    ),
    "failover_planned": Story(
        "A planned failover: somebody asks the secondary to take over, with ALTER AVAILABILITY GROUP .. "
        "FAILOVER.",
        ("Nothing is wrong: the group is without a primary for seconds, and the roles are exchanged.",),
        (Node(PAIR[0], 1, 35), Node(PAIR[1], 2, -410)),
        datetime(2024, 2, 21, 2, 55, 40),
        _planned,
    ),
    "endpoint_certificate": Story(
        "A secondary is gone since its Windows was patched: the certificate of its endpoint expired weeks "
        "ago. The connection that stood outlived that, a new one is refused every dozen seconds.",
        (
            "Nothing failed over: the primary keeps its databases, and is alone from then on.",
            "The primary says a connection timeout, the secondary why.",
        ),
        (Node(PAIR[0], 1, -70), Node(PAIR[1], 2, 310)),
        datetime(2024, 4, 16, 1, 20, 31),
        _expired,
    ),
    "secondary_lost": Story(
        "No failover: one of two secondaries loses its power and comes back minutes later, while the "
        "primary keeps the group.",
        ("The lost node's own log ends without a word and begins anew; the others tell when it was gone.",),
        (Node(PAIR[0], 1), Node(PAIR[1], 2, 250), Node("HASQL3", 3, -900)),
        datetime(2024, 3, 4, 8, 12, 55),
        _lost,
    ),
}  # fmt: skip


def write_case(folder: Path, name: str) -> Truth:
    """Write a sample case; give what is true of it."""
    story = STORIES[name]
    dice = Random(f"{SEED} {name}")
    group = Group("SalesAG", story.nodes, ("Sales", "Stock"), story.start, EASTERN)
    life = Life(group, dice)
    life.founded(group.nodes[0], 0.0)
    happened = story.happens(life)
    life.healthy(20.0, UNTIL_S)
    files = write_group(folder, life)
    for node in group.nodes:
        files.append(f"{node.name}/perfmon.csv")
        (folder / files[-1]).write_bytes(_perfmon(life, node, story.strained, dice))
    return Truth(_facts(group, happened), {n.name: n.clock_ms for n in group.nodes}, sorted(files))


def _facts(group: Group, happened: Failover | None) -> dict[str, Any]:
    facts: dict[str, Any] = {"ag": group.name, "utc_offset_minutes": group.zone.offset_minutes}
    if happened is None:
        return {**facts, "failovers": 0, "lost_host": group.nodes[-1].name}
    return {
        **facts,
        "failovers": 1,
        "from": happened.source,
        "to": happened.target,
        "mode": happened.mode,
        "trigger": happened.trigger,
        "cause": happened.cause,
        "start": f"{group.true_time(happened.start):%Y-%m-%dT%H:%M:%S.%f}",
        "end": f"{group.true_time(happened.end):%Y-%m-%dT%H:%M:%S.%f}",
    }


def _perfmon(life: Life, node: Node, strained: Strained, dice: Random) -> bytes:
    """Return the counters of a node while its instance runs; a node without power has a gap."""
    group, paths = life.group, (
        r"Processor(_Total)\% Processor Time",
        r"Memory\Available MBytes",
        r"PhysicalDisk(1 L:)\Avg. Disk sec/Write",
        r"PhysicalDisk(1 L:)\Disk Write Bytes/sec",
        r"PhysicalDisk(2 E:)\Avg. Disk sec/Read",
        r"PhysicalDisk(2 E:)\Disk Read Bytes/sec",
    )  # fmt: skip
    rows: list[list[Cell]] = []
    times: list[datetime] = []
    moments = [INCIDENT_S / 2 + STEP_S * n for n in range(int((UNTIL_S - INCIDENT_S / 2) / STEP_S))]
    for t in moments:
        if not any(run.start <= t <= (run.ended or UNTIL_S) for run in life[node].runs):
            continue
        bad = strained.node == node.name and strained.since <= t <= strained.until
        busy = dice.uniform(97.5, 100) if bad and strained.processor else dice.uniform(12, 34)
        stalls = bad and strained.disk
        disk = dice.uniform(9, 24) if stalls else dice.uniform(0.0006, 0.003)
        moved = dice.uniform(2e3, 3e4) if stalls else dice.uniform(4e6, 9e6)
        row = [busy, float(dice.randrange(8_600, 8_900)), disk, moved, 0.8 * disk, 1.7 * moved]
        rows.append([*row])
        times.append(group.local(node, t) + timedelta(milliseconds=37))
    for place in (0, 3, 5):
        rows[0][place] = None  # a rate has no first value
    return write_pdh([rf"\\{node.name}\{path}" for path in paths], rows, zone=HEADER, times=times)
