"""The limit of a copy, and its rate over time: the network, a disk of one end, or unknown.

The waits of both ends decide together: the source waits for its disk or to send, the target waits to receive
or for its disk. One end alone leaves two candidates, because it also waits for the network if the other end's
disk is slow. Saturated resources (a card, a disk) corroborate, decide between candidates, or contradict; on a
contradiction the limit is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from agtrace.diagnostics.seeding.rows import Report
from agtrace.history.seedings import SOURCE, TARGET, Operation, Reason, Side
from agtrace.measure.usage import Usage, is_enough, of
from agtrace.thresholds import Thresholds

NETWORK, DISK = "network", "disk"
MIXED, SMALL = "mixed", "small"
WAITS_AND_RESOURCE, WAITS, ONE_END_AND_RESOURCE, RESOURCE = 0.95, 0.8, 0.65, 0.6
"""Confidence in a limit, by evidence: waits of both ends or of one, a saturated resource."""

CARD = {SOURCE: "card_sent_busy", TARGET: "card_received_busy"}
"""The direction of its network cards that a copy uses on each end."""

Limit = tuple[str, str]
"""The limiting resource and its end: (NETWORK, "") or (DISK, SOURCE) or (DISK, TARGET)."""


@dataclass(frozen=True)
class Waits:
    """Waits of one end during the copy.

    Parameters
    ----------
    share
        Disk waits divided by disk and network waits.
    of_copy
        Both waits divided by the time of the copy.
    dominant
        DISK, NETWORK, MIXED, or SMALL if both are too small to judge.
    """

    role: str
    host: str | None
    disk_ms: int
    network_ms: int
    share: float
    of_copy: float
    dominant: str

    @property
    def network_share(self) -> float:
        """Network waits over disk and network waits."""
        return 1 - self.share


@dataclass(frozen=True)
class Limiter:
    """The limit of a copy.

    Parameters
    ----------
    limit
        None if unknown.
    reason
        The reason: a section of said/limits.toml, with its values.
    candidates
        Limits possible by the waits of one end alone; empty if decided, or without waits.
    saturated
        Resources that were saturated during the copy, with the limit that each indicates.
    busy_cpu
        Processors near their limit; they have no waits here.
    """

    limit: Limit | None
    confidence: float
    reason: Reason
    waits: tuple[Waits, ...] = ()
    saturated: tuple[tuple[Limit, Usage], ...] = ()
    candidates: tuple[Limit, ...] = ()
    busy_cpu: tuple[Usage, ...] = ()


def waits_of(side: Side, seconds: float | None, limits: Thresholds) -> Waits | None:
    """Return the waits of one end; None if not captured."""
    if side.disk_wait_ms is None or side.network_wait_ms is None:
        return None
    total, lasted = side.disk_wait_ms + side.network_wait_ms, seconds
    if side.copy_start is not None and side.copy_end is not None:
        lasted = (side.copy_end - side.copy_start).total_seconds() or seconds
    if not lasted:
        return None
    share = side.disk_wait_ms / total if total else 0.0
    of_copy = total / 1000 / lasted
    if of_copy < limits.seeding_wait_share:
        dominant = SMALL
    elif share >= limits.seeding_wait_dominance:
        dominant = DISK
    elif 1 - share >= limits.seeding_wait_dominance:
        dominant = NETWORK
    else:
        dominant = MIXED
    waited = (side.disk_wait_ms, side.network_wait_ms)
    return Waits(side.role, side.host, *waited, share, of_copy, dominant)


def judge(
    operation: Operation, usages: Iterable[Usage], limits: Thresholds, seconds: float | None = None
) -> Limiter:
    """Return the limit of an operation's copy.

    Parameters
    ----------
    usages
        Activity of the hosts during the copy, in windows numbered like the operation.
    seconds
        Time of a copy that has not ended, where it is known.
    """
    rows = list(usages)
    lasted = operation.copy_seconds or seconds
    waits = tuple(w for side in operation.sides if (w := waits_of(side, lasted, limits)) is not None)
    full = saturated(operation, rows, limits)
    seen = (of(rows, operation.number, side.host, "cpu") for side in operation.sides)
    cpu = tuple(u for u in seen if u and is_enough(u, limits) and u.p50 >= limits.seeding_processors_percent)
    if lasted is not None and lasted < limits.backup_min_s:
        return Limiter(None, 0.0, Reason("fixed_costs", {"seconds": lasted}), waits)
    by_role = {w.role: w.dominant for w in waits}
    shown = sorted({limit for limit, _ in full})
    limit, confidence, name, candidates = _decide(by_role, shown)
    starved = limit is None and by_role == {SOURCE: SMALL, TARGET: NETWORK}
    figures = {
        "waited": list(by_role.items()),
        "full": shown,
        "candidates": candidates,
        "points_to": _BOTH.get((by_role.get(SOURCE, ""), by_role.get(TARGET, ""))),
        "is_starved": starved and any(usage.host == waits[0].host for usage in cpu),
    }
    return Limiter(limit, confidence, Reason(name, figures), waits, full, candidates, cpu)


def saturated(
    operation: Operation, usages: list[Usage], limits: Thresholds
) -> tuple[tuple[Limit, Usage], ...]:
    """Return the cards and disks of both ends that were full for half of the copy or more."""
    found = []
    for side in operation.sides:
        for resource, share, limit in (
            (CARD[side.role], limits.seeding_card_share, (NETWORK, "")),
            ("disk_busy", limits.seeding_disk_busy_share, (DISK, side.role)),
        ):
            usage = of(usages, operation.number, side.host, resource)
            if usage is not None and is_enough(usage, limits) and usage.p50 >= 100 * share:
                found.append((limit, usage))
    return tuple(found)


_BOTH: dict[tuple[str, str], Limit] = {
    (NETWORK, DISK): (DISK, TARGET),
    (DISK, NETWORK): (DISK, SOURCE),
    (NETWORK, NETWORK): (NETWORK, ""),
}
"""Dominant waits of (source, target), with the limit they indicate; no other pair fits a single limit."""

_ONE: dict[tuple[str, str], tuple[Limit, ...]] = {
    (SOURCE, NETWORK): ((NETWORK, ""), (DISK, TARGET)),
    (TARGET, NETWORK): ((NETWORK, ""), (DISK, SOURCE)),
    (SOURCE, DISK): ((DISK, SOURCE),),
    (TARGET, DISK): ((DISK, TARGET),),
}
"""Limits possible by the dominant wait of one end; a disk's own waits alone are not enough."""

_Decision = tuple[Limit | None, float, str, tuple[Limit, ...]]
"""The limit, its confidence, the name of the reason, and the possible limits."""


def _decide(by_role: dict[str, str], shown: list[Limit]) -> _Decision:
    if len(shown) > 1:
        return None, 0.0, "several_full", ()
    only = next(iter(shown), None)
    if len(by_role) == 2:
        return _from_both(by_role[SOURCE], by_role[TARGET], only)
    for role, dominant in by_role.items():
        if (role, dominant) in _ONE:
            return _from_one(_ONE[role, dominant], only)
    if only is not None:
        return only, RESOURCE, "full_alone", ()
    return None, 0.0, "none_full", ()


def _from_both(source: str, target: str, only: Limit | None) -> _Decision:
    limit = _BOTH.get((source, target))
    if limit is not None:
        if only is None:
            return limit, WAITS, "waits_alone", ()
        if only == limit:
            return limit, WAITS_AND_RESOURCE, "waits_and_full", ()
        return None, 0.0, "against_full", ()
    if only is not None and DISK not in (source, target):
        return only, RESOURCE, "despite_waits", ()
    return None, 0.0, "none_full" if only is None else "unfit", ()


def _from_one(possible: tuple[Limit, ...], only: Limit | None) -> _Decision:
    if only is not None:
        if only in possible:
            return only, ONE_END_AND_RESOURCE, "waits_and_full", ()
        return None, 0.0, "unfit", ()
    return None, 0.0, "unconfirmed" if len(possible) == 1 else "one_end", possible


class Rates(NamedTuple):
    """How fast a copy was: bytes over its time, and percentiles of ``n`` intervals or samples of a source."""

    mean: float | None
    p5: float | None = None
    p50: float | None = None
    p95: float | None = None
    n: int = 0
    source: str = ""


def best_report(operation: Operation, reports: Mapping[str, Report]) -> Report | None:
    """Return the reports of the end with the most rates; None if neither has any."""
    rated = [
        reports[side.role] for side in operation.sides if side.role in reports and reports[side.role].rates
    ]
    return max(rated, key=lambda report: len(report.rates or ()), default=None)


def rates(operation: Operation, reports: Mapping[str, Report], usages: Iterable[Usage]) -> Rates:
    """Return the rate's percentiles: from progress reports, else Backup/Restore Throughput/sec."""
    mean, best = operation.bytes_per_s, best_report(operation, reports)
    if best is not None and best.rates and len(best.rates) >= 2:
        p5, p50, p95 = (float(p) for p in np.quantile(best.rates, [0.05, 0.5, 0.95]))
        host = operation.host(best.role) or f"the {best.role}"
        return Rates(mean, p5, p50, p95, len(best.rates), f"progress reports of {host}")
    rows = list(usages)
    for role in (SOURCE, TARGET):
        usage = of(rows, operation.number, operation.host(role), "backup_restore")
        if usage is not None and usage.highest > 0:
            source = f"Backup/Restore Throughput/sec of {usage.host}"
            return Rates(mean, usage.p5, usage.p50, usage.p95, usage.n, source)
    return Rates(mean)
