"""Activity of volumes, processors and network cards during backups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agtrace.diagnostics.backup.rows import Alone
from agtrace.diagnostics.backup.studies import flat
from agtrace.history import View
from agtrace.history.backups import MB
from agtrace.measure.usage import Part, Usage, Window, parts, usage
from agtrace.measures import Measure

Watched = dict[int, list[Part | Usage]]
"""Perfmon measurements of a host, by operation."""

READ, WRITE = "read", "write"
RESOURCES = {READ: ("disk_read", "disk_read_ms"), WRITE: ("disk_written", "disk_write_ms")}
"""Perfmon counters for the volumes of a side: bytes/s, and the time per access."""
OF_HOST = ("cpu", "network_sent", "network_received", "card_sent_busy", "card_received_busy")

TIME = {
    READ: Measure("read_ms", "time of a read, mean", "ms", "weighted by what the volumes delivered"),
    WRITE: Measure("write_ms", "time of a write, mean", "ms", "weighted by what the volumes took"),
}
RATE = {
    READ: Measure("read_mb_per_s", "read by all of {volumes}, mean", "MB/s", "MB of 2^20 bytes"),
    WRITE: Measure("written_mb_per_s", "write by all of {volumes}, mean", "MB/s", "MB of 2^20 bytes"),
}
MOST = {
    READ: Measure("read_mb_per_s_of_one", "most read of one volume, mean of a configuration", "MB/s"),
    WRITE: Measure("written_mb_per_s_of_one", "most write of one volume, mean of a configuration", "MB/s"),
}
CPU = Measure("cpu", "CPU, mean", "%")
CARD = Measure(
    "card_busy", "network card, share of its bandwidth", "%", "the busiest one, as the backup goes"
)
OF_NUL = Measure(
    "of_nul", "share of the backup to NUL", "%", "throughput of the same buffers, and of those to NUL"
)


@dataclass(frozen=True)
class Volume:
    """A volume while the runs of a configuration went on: time of an access in ms, bytes/s."""

    name: str
    ms: float | None
    rate: float

    @property
    def mb_per_s(self) -> float:
        """MB of 2^20 bytes per second."""
        return self.rate / MB


@dataclass(frozen=True)
class Side:
    """The volumes that a backup reads, or those that it writes.

    Parameters
    ----------
    way
        `READ` or `WRITE`.
    """

    way: str
    volumes: tuple[Volume, ...] = ()

    @property
    def ms(self) -> float | None:
        """Return the mean time per access, weighted by the volumes' traffic; None if not captured."""
        known = [(v.ms, v.rate) for v in self.volumes if v.ms is not None]
        total = sum(weight for _, weight in known)
        return sum(ms * weight for ms, weight in known) / total if total > 0 else None

    @property
    def rate(self) -> float | None:
        """Bytes/s of all of its volumes."""
        return sum(v.rate for v in self.volumes) if self.volumes else None

    @property
    def mb_per_s(self) -> float | None:
        """The same in MB of 2^20 bytes."""
        return None if self.rate is None else self.rate / MB

    @property
    def most_mb_per_s(self) -> float | None:
        """Return the throughput of the busiest volume, MB of 2^20 bytes per second."""
        return max((v.mb_per_s for v in self.volumes), default=None)

    @property
    def names(self) -> list[str]:
        """Names of its volumes."""
        return [flat(v.name) for v in self.volumes]


def watch(view: View, alone: list[Alone]) -> Watched:
    """Return the activity of hosts while operations ran alone (alone.sql), except those without samples."""
    windows = []
    for row in alone:
        in_utc = (row.start, row.end) if row.start and row.end else None
        start, end = in_utc or (row.start_local, row.end_local)
        windows.append(Window(row.operation_id, start, end, host=row.host_id))
    found: list[Part | Usage] = []
    if windows:
        of_disks = tuple(resource for both in zip(*RESOURCES.values(), strict=True) for resource in both)
        found += [*parts(view, windows, of_disks), *usage(view, windows, OF_HOST)]
    seen: Watched = {}
    for each in found:
        seen.setdefault(each.window, []).append(each)
    return seen


def volumes(found: Sequence[Part | Usage], way: str) -> list[Volume]:
    """Return the traffic of each volume in a direction, all samples weighted equally."""
    rate, time = RESOURCES[way]
    disks = dict.fromkeys(each.instance for each in found if isinstance(each, Part))
    of = {name: [each for each in found if each.instance == name] for name in disks}
    return [Volume(name, mean(own, time), mean(own, rate) or 0.0) for name, own in of.items()]


def mean(found: Sequence[Part | Usage], resource: str) -> float | None:
    """Return the mean of a resource, with equal weight for each sample; None if unseen."""
    own = [each for each in found if each.resource == resource]
    n = sum(each.n for each in own)
    return sum(each.mean * each.n for each in own) / n if n else None


def lies_on(path: str, instance: str) -> bool:
    """Return whether a file is on a disk: ``F:``, ``C:\\mount``, or PhysicalDisk's ``2 F: G:``."""
    where = path.strip().lower()
    names = [instance.lower()] if not instance[:1].isdigit() else instance.lower().split()[1:]
    return any(":" in name and where.startswith(name.rstrip("\\") + "\\") for name in names)
