"""What strains a primary until it cannot answer: processors, disks, memory, a dump."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from simulation.groups import words
from simulation.groups.cast import Node
from simulation.groups.health import component
from simulation.groups.life import Life

DATA = r"E:\SQLData\Sales.mdf"
LOG = r"L:\SQLLog\Sales_log.ldf"


@dataclass(frozen=True)
class Strain:
    """How a node fares while it is strained; the defaults are those of a node that is not.

    Parameters
    ----------
    cause
        The word for it.
    component
        Name and data of the component of sp_server_diagnostics that shows it.
    processor_percent, memory_mb, disk_s
        What the cluster samples every ten seconds.
    seconds
        How long before it was taken for failed the strain began.
    """

    cause: str = ""
    component: tuple[str, str] = field(default_factory=lambda: ("system", component("system")))
    processor_percent: float = 22.0
    memory_mb: float = 8_700.0
    disk_s: float = 0.0006
    seconds: float = 90.0

    def samples(self, life: Life, node: Node, t: float) -> list[str]:
        """Return the five samples that the cluster keeps: its time is UTC."""
        found, dice = [], life.dice
        for place in range(5, 0, -1):
            at = life.group.utc(node, t) - timedelta(seconds=10 * place)
            busy = min(self.processor_percent * dice.uniform(0.99, 1.01), 100.0)
            memory = self.memory_mb * dice.uniform(0.97, 1.03) * 2**20
            disk = self.disk_s * dice.uniform(0.8, 1.2)
            stamp = f"{at.month}/{at.day}/{at.year} {at.hour}:{at.minute}:{at.second}.0"
            found.append(f"{stamp}, {busy:.6f}, {memory:.6f}, {disk / 3:.6f}, {disk:.6f}")
        return found


CPU = Strain("cpu_starvation", ("system", component("system", cpu=100, sql_cpu=31)), processor_percent=99.4)
DISK = Strain("long_io", ("io_subsystem", component("io_subsystem", long_ios=23)), disk_s=17.0, seconds=150.0)
MEMORY = Strain(
    "memory_pressure", ("resource", component("resource", memory_mb=52, out_of_memory_s=160)), memory_mb=52.0
)
DUMPS = Strain("dump", ("system", component("system", dumps=127)), seconds=40.0)
WORKERS = Strain("health_error", ("query_processing", component("query_processing", stuck=True)))
STRAINS = {one.cause: one for one in (CPU, DISK, MEMORY, DUMPS)}


def strained(life: Life, node: Node, t: float, strain: Strain | None) -> None:
    """Write what a node under strain writes until it is taken for failed."""
    if strain is None:
        return
    journal, since, dice = life[node], t - strain.seconds, life.dice
    name, data = strain.component
    if strain.cause == "cpu_starvation":
        at = since
        while at < t:
            journal.processor(at, sql=dice.randrange(24, 40), idle=0)
            at += 60
        if dice.random() < 0.7:
            journal.error(t - dice.uniform(8, 25), "Server", 17883, 1, words.non_yielding(9_100, 0))
    elif strain.cause == "long_io":
        for place in range(4):
            path, ms = (LOG, DATA)[place % 2], 15_000 + dice.randrange(500, 24_000)
            at = since + 20 + (strain.seconds - 30) * place / 4
            journal.says(at, f"spid{11 + place}s", words.long_io(dice.randrange(1, 30), path, 6, ms))
    elif strain.cause == "memory_pressure":
        for place in range(2):
            text = words.paged_out(300 * place, 412_000 + 900 * place, 14_680_064)
            journal.says(since + 35 * place, "Server", text)
    elif strain.cause == "dump":
        for place, text in enumerate(words.DUMP):
            journal.says(since + 4 + place / 100, "Server", text)
        journal.says(t + 2.0, "Server", words.DUMP_DONE)
    journal.component(t - 25, name, "warning", data, hosts_group=True)


def long_io(life: Life, node: Node, t: float, count: int) -> None:
    """Write slow input and output that harms nobody."""
    for place in range(count):
        ms = 15_000 + life.dice.randrange(200, 4_000)
        text = words.long_io(1, r"T:\TempDB\tempdb.mdf", 2, ms)
        life[node].says(t + 31 * place, "spid12s", text)
