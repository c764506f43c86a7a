"""Which side holds a backup back: reading the database, or writing the backup."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.diagnostics.backup.studies import NUL, BackupStudy, Configuration
from agtrace.thresholds import Thresholds

READER, WRITER, UNDECIDED = "reader", "writer", "undecided"
DISKS = ("LogicalDisk", "PhysicalDisk")


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
    is_inferred
        True where the files of the database are not known, and the disks that were read stand for
        them.
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


def _weighted(pairs: Iterable[tuple[float | None, float]]) -> float | None:
    known = [(seconds, weight) for seconds, weight in pairs if seconds is not None]
    total = sum(weight for _, weight in known)
    return sum(s * w for s, w in known) / total if total > 0 else None


def sides(
    study: BackupStudy,
    volumes: pa.Table,
    places: dict[int, tuple[list[str], list[str]]],
    limits: Thresholds,
) -> list[Sides]:
    """Judge each configuration of a study that perfmon saw.

    Parameters
    ----------
    volumes
        Mean of each series during each operation (volumes.sql).
    places
        Files read and devices written, by operation.
    """
    found = []
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in volumes.to_pylist():
        rows[row["operation_id"]].append(row)
    for configuration in study.real:
        seen = [int(i) for i in study.columns["operation_id"][configuration.rows] if int(i) in rows]
        if seen:
            means = _means([row for i in seen for row in rows[i]])
            read, written = places[seen[0]]
            judged = _judge(configuration, means, read, written, limits)
            judged.runs = len(seen)
            ids = study.columns["operation_id"]
            judged.mb_per_s = float(study.columns["mb_per_s"][np.isin(ids, seen)].mean())
            judged.samples = sum(max(row["n"] for row in rows[i]) for i in seen)
            found.append(judged)
    return found


def _means(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str], float]:
    """Average each series over the runs, weighted by samples."""
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in rows:
        total = sums[row["object"], row["counter"], row["instance"] or ""]
        total[0] += row["value"] * row["n"]
        total[1] += row["n"]
    return {key: value / n for key, (value, n) in sums.items()}


def _judge(
    configuration: Configuration,
    means: dict[tuple[str, str, str], float],
    read: list[str],
    written: list[str],
    limits: Thresholds,
) -> Sides:
    disks = _disks(means)
    targets = [v for v in disks if any(_lies_on(path, v.name) for path in written)]
    sources = [v for v in disks if any(_lies_on(path, v.name) for path in read)]
    inferred = not sources
    if inferred:
        # What delivers a tenth of the busiest disk and is no target is taken for a source.
        most = max((v.read_rate for v in disks if v not in targets), default=0.0)
        sources = [v for v in disks if v not in targets and v.read_rate >= most / 10 > 0]
    judged = Sides(configuration, UNDECIDED, "", sources, targets, is_inferred=inferred)
    judged.cpu = means.get(("Processor", "% Processor Time", "_Total"))
    judged.card_share = _card_share(means)
    judged.verdict, judged.reason = _verdict(judged, written, limits)
    return judged


def _disks(means: dict[tuple[str, str, str], float]) -> list[Volume]:
    """Give the volumes: those of LogicalDisk where they were captured."""
    kind = next((kind for kind in DISKS if any(key[0] == kind for key in means)), DISKS[0])
    found: dict[str, Volume] = {}
    names = {
        "Avg. Disk sec/Read": "read_s", "Avg. Disk sec/Write": "write_s",
        "Disk Read Bytes/sec": "read_rate", "Disk Write Bytes/sec": "write_rate",
    }  # fmt: skip
    for (thing, counter, instance), value in means.items():
        if thing == kind and counter in names:
            setattr(found.setdefault(instance, Volume(instance)), names[counter], value)
    return list(found.values())


def _lies_on(path: str, instance: str) -> bool:
    """Say whether a file lies on a disk: ``F:``, ``C:\\mount``, or PhysicalDisk's ``2 F: G:``."""
    where = path.strip().lower()
    parts = [instance.lower()] if not instance[:1].isdigit() else instance.lower().split()[1:]
    return any(":" in part and where.startswith(part.rstrip("\\") + "\\") for part in parts)


def _card_share(means: dict[tuple[str, str, str], float]) -> float | None:
    """Give the largest share of its bandwidth (bits/s) that a network card sent."""
    shares = []
    for (thing, counter, instance), value in means.items():
        if thing == "Network Interface" and counter == "Bytes Sent/sec":
            bandwidth = means.get((thing, "Current Bandwidth", instance))
            if bandwidth:
                shares.append(8 * value / bandwidth)
    return max(shares, default=None)


def _verdict(judged: Sides, written: list[str], limits: Thresholds) -> tuple[str, str]:
    remote = any(path.startswith(("\\\\", "http")) for path in written)
    if remote and judged.card_share is not None and judged.card_share >= limits.backup_card_share:
        return WRITER, "the network card that carries the backup is full"
    read, write, busy = judged.read_s, judged.write_s, limits.backup_busy_ms / 1000
    if read is not None and write is not None:
        if read >= busy and read >= limits.backup_side_ratio * write:
            return READER, "reads of the data volumes take long while writes of the target do not"
        if write >= busy and write >= limits.backup_side_ratio * read:
            return WRITER, "writes of the target take long while reads of the data volumes do not"
        return UNDECIDED, "neither side waits much longer than the other"
    if read is None:
        return UNDECIDED, "the latency of the data volumes was not captured"
    return UNDECIDED, "the latency of the target was not captured"


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
