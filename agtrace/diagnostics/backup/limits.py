"""Which side holds a backup or a restore back: reading, or writing.

A backup reads the database and writes the backup, a restore the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from agtrace.diagnostics.backup.studies import NUL, BackupStudy, Configuration
from agtrace.diagnostics.backup.watched import Watched, together
from agtrace.thresholds import Thresholds

READER, WRITER, UNDECIDED = "reader", "writer", "undecided"
RESTORE = "restore"


@dataclass
class Volume:
    """A disk while the runs of a configuration went on; latencies in seconds, rates in bytes/s."""

    name: str
    read_s: float | None = None
    write_s: float | None = None
    read_rate: float = 0.0
    write_rate: float = 0.0


@dataclass(eq=False)
class Sides:
    """What perfmon saw on both sides while a configuration ran.

    Parameters
    ----------
    card_share
        Of its bandwidth, of the busiest card in the direction in which the backup goes.
    network_rate
        Bytes on the wire per second in that direction, all cards.
    is_inferred
        True where the files of the database are not known, and the disks that were read (written
        by a restore) stand for them.
    mb_per_s
        Mean throughput of the runs that perfmon saw, MB of 2^20 bytes.
    """

    configuration: Configuration
    verdict: str
    reason: str
    sources: list[Volume] = field(default_factory=list)
    targets: list[Volume] = field(default_factory=list)
    cpu: float | None = None
    card_share: float | None = None
    network_rate: float | None = None
    mb_per_s: float = 0.0
    samples: int = 0
    runs: int = 0
    is_inferred: bool = False

    @property
    def read_s(self) -> float | None:
        """Mean time of a read of the sources, weighted by what they delivered."""
        return _weighted((v.read_s, v.read_rate) for v in self.sources)

    @property
    def write_s(self) -> float | None:
        """Mean time of a write to the targets, weighted by what they took."""
        return _weighted((v.write_s, v.write_rate) for v in self.targets)


def busiest(sides: Iterable[Sides], way: str) -> tuple[Sides, Volume] | None:
    """Give the volume that moved most in one configuration; None where no rate was captured.

    Parameters
    ----------
    way
        "read", of what is read, or "write", of what is written.
    """
    found = [
        (getattr(volume, f"{way}_rate"), side, volume)
        for side in sides
        for volume in (side.sources if way == "read" else side.targets)
    ]
    most = max(found, key=lambda each: each[0], default=None)
    return (most[1], most[2]) if most is not None and most[0] > 0 else None


def _weighted(pairs: Iterable[tuple[float | None, float]]) -> float | None:
    known = [(seconds, weight) for seconds, weight in pairs if seconds is not None]
    total = sum(weight for _, weight in known)
    return sum(s * w for s, w in known) / total if total > 0 else None


def sides(
    study: BackupStudy,
    seen: Mapping[int, Watched],
    places: Mapping[int, tuple[list[str], list[str]]],
    limits: Thresholds,
) -> list[Sides]:
    """Judge each configuration of a study that perfmon saw, the fastest first.

    Parameters
    ----------
    seen
        What the host did, by operation.
    places
        Files of the database and devices of the backup, by operation.
    """
    found = []
    ids = study.columns["operation_id"]
    for configuration in sorted(study.real, key=lambda c: -c.median):
        own = [int(i) for i in ids[configuration.runs] if int(i) in seen]
        if own:
            all_ = [seen[i] for i in own]
            judged = _judge(configuration, all_, study.operation, places[own[0]], limits)
            judged.runs = len(own)
            judged.mb_per_s = float(study.columns["mb_per_s"][np.isin(ids, own)].mean())
            found.append(judged)
    return found


def _judge(
    configuration: Configuration,
    runs: list[Watched],
    operation: str,
    places: tuple[list[str], list[str]],
    limits: Thresholds,
) -> Sides:
    files, devices = places
    seen = together(runs)
    disks = [
        Volume(
            name,
            _seconds(of.get("disk_read_ms")),
            _seconds(of.get("disk_write_ms")),
            of.get("disk_read", 0.0),
            of.get("disk_written", 0.0),
        )
        for name, of in seen.volumes.items()
    ]
    of_database = [v for v in disks if any(_lies_on(path, v.name) for path in files)]
    of_backup = [v for v in disks if any(_lies_on(path, v.name) for path in devices)]
    inferred = not of_database
    way = "write_rate" if operation == RESTORE else "read_rate"
    if inferred:
        # What moves a tenth of the busiest disk and holds no backup is taken for the database's.
        rest = [v for v in disks if v not in of_backup]
        most = max((getattr(v, way) for v in rest), default=0.0)
        of_database = [v for v in rest if getattr(v, way) >= most / 10 > 0]
    read, written = (of_backup, of_database) if operation == RESTORE else (of_database, of_backup)
    judged = Sides(configuration, UNDECIDED, "", read, written, is_inferred=inferred)
    judged.cpu = seen.mean("cpu")
    busy = seen.mean("card_received_busy" if operation == RESTORE else "card_sent_busy")
    judged.network_rate = seen.mean("network_received" if operation == RESTORE else "network_sent")
    judged.card_share = None if busy is None else busy / 100
    judged.samples = sum(run.n for run in runs)
    judged.verdict, judged.reason = _verdict(judged, operation, devices, limits)
    return judged


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _lies_on(path: str, instance: str) -> bool:
    """Say whether a file lies on a disk: ``F:``, ``C:\\mount``, or PhysicalDisk's ``2 F: G:``."""
    where = path.strip().lower()
    parts = [instance.lower()] if not instance[:1].isdigit() else instance.lower().split()[1:]
    return any(":" in part and where.startswith(part.rstrip("\\") + "\\") for part in parts)


_NAMES = {RESTORE: ("the backup", "the data volumes")}
"""What is read and what is written; else the data volumes and the target."""


def _verdict(judged: Sides, operation: str, devices: list[str], limits: Thresholds) -> tuple[str, str]:
    if judged.samples < limits.usage_samples:
        return UNDECIDED, "too few samples lie wholly within its runs"
    remote = any(path.startswith(("\\\\", "http")) for path in devices)
    if remote and judged.card_share is not None and judged.card_share >= limits.backup_card_share:
        side = READER if operation == RESTORE else WRITER
        return side, "the network card that carries the backup is full"
    source, target = _NAMES.get(operation, ("the data volumes", "the target"))
    read, write, busy = judged.read_s, judged.write_s, limits.backup_busy_ms / 1000
    if read is not None and write is not None:
        if read >= busy and read >= limits.backup_side_ratio * write:
            return READER, f"reads of {source} take long while writes of {target} do not"
        if write >= busy and write >= limits.backup_side_ratio * read:
            return WRITER, f"writes of {target} take long while reads of {source} do not"
        return UNDECIDED, "neither side waits much longer than the other"
    return UNDECIDED, f"the latency of {source if read is None else target} was not captured"


@dataclass(frozen=True)
class NullTest:
    """A configuration against a backup to the null device with the same buffers."""

    configuration: Configuration
    null: Configuration
    share: float

    def verdict(self, limits: Thresholds) -> str:
        """Nothing is written to NUL: what is as fast is held back by reading."""
        return READER if self.share >= limits.backup_nul_share else WRITER


def null_tests(study: BackupStudy) -> list[NullTest]:
    """Compare every configuration with the backup to NUL that has its buffers."""
    nulls = [c for c in study.configurations if c.factors["media"] == NUL]
    names = ("buffer_count", "max_transfer_size_kb", "compression")
    return [
        NullTest(c, null, c.median / null.median)
        for c in study.real
        for null in nulls
        if all(c.factors[name] == null.factors[name] for name in names)
    ]
