"""What the hosts did while each backup or restore ran alone, and that over the runs of a configuration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.measure.usage import Part, Usage, Window, parts, usage

OF_DISKS = ("disk_read", "disk_written", "disk_read_ms", "disk_write_ms")
OF_HOST = ("cpu", "network_sent", "network_received", "card_sent_busy", "card_received_busy")


@dataclass(frozen=True)
class Watched:
    """What perfmon showed of one operation, or of several together.

    Parameters
    ----------
    disks
        By resource and disk.
    host
        Processors and cards, by resource.
    """

    disks: list[Part] = field(default_factory=list)
    host: list[Usage] = field(default_factory=list)

    @property
    def n(self) -> int:
        """Samples of what was sampled most."""
        return max([p.n for p in self.disks] + [u.n for u in self.host], default=0)

    @property
    def volumes(self) -> dict[str, dict[str, float]]:
        """Mean of each resource by disk, each sample of the same weight."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for name in dict.fromkeys(part.instance for part in self.disks):
            for resource in OF_DISKS:
                own = [p for p in self.disks if (p.instance, p.resource) == (name, resource)]
                mean = _mean(own)
                if mean is not None:
                    found[name][resource] = mean
        return found

    def mean(self, resource: str) -> float | None:
        """Give the mean of processors or cards, each sample of the same weight; None where unseen."""
        return _mean([of for of in self.host if of.resource == resource])


def _mean(of: Sequence[Part | Usage]) -> float | None:
    n = sum(each.n for each in of)
    return sum(each.mean * each.n for each in of) / n if n else None


def watch(view: View, operations: Iterable[dict[str, Any]]) -> dict[int, Watched]:
    """Measure the host of each operation (alone.sql) while it ran; those without samples are left out."""
    windows = [
        Window(row["operation_id"], row["start"], row["end"], host=row["host_id"])
        if row["start"] and row["end"]
        else Window(row["operation_id"], row["start_local"], row["end_local"], host=row["host_id"])
        for row in operations
    ]
    found: dict[int, Watched] = defaultdict(Watched)
    if windows:
        for part in parts(view, windows, OF_DISKS):
            found[part.window].disks.append(part)
        for used in usage(view, windows, OF_HOST):
            found[used.window].host.append(used)
    return dict(found)


def together(seen: Iterable[Watched]) -> Watched:
    """Put what was seen of several operations together."""
    all_ = list(seen)
    return Watched([p for w in all_ for p in w.disks], [u for w in all_ for u in w.host])
