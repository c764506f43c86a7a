"""The rate of a copy over time, bytes of the database per second."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from agtrace.diagnostics.seeding.rows import Report
from agtrace.history.seedings import SOURCE, TARGET, Operation
from agtrace.measure.usage import Usage, of


class Rates(NamedTuple):
    """How fast a copy was: bytes over its time, and percentiles of ``n`` intervals or samples of a source."""

    mean: float | None
    p5: float | None = None
    p50: float | None = None
    p95: float | None = None
    n: int = 0
    source: str = ""


def best_report(operation: Operation, reports: Mapping[str, Report]) -> Report | None:
    """Return what the end with the most rates reported; None where neither has any."""
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
