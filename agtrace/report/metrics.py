"""The metrics that the timeline draws above the hosts: those that the headline is about first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from agtrace.measure import counters as c
from agtrace.measure.counters import TOTAL, Counter
from agtrace.moments import microseconds
from agtrace.say import words
from agtrace.store.sql_files import beside

if TYPE_CHECKING:
    from agtrace.history import View
    from agtrace.say.finding import Finding

MOST_METRICS = 3
POINTS = 500
"""Steps of the whole time, and of the incident's surroundings: in each the greatest value is drawn."""
AROUND_INCIDENT = 4
"""The incident, extended on both sides by this multiple of its length, is drawn in finer steps."""
LEAST_STEP = timedelta(seconds=1)

_sql = beside(__file__)

Span = tuple[datetime, datetime]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Metric:
    """A metric of a host.

    Parameters
    ----------
    name
        For people.
    counters
        The counter, or several that mean the same, the one to prefer first.
    unit
        Of the drawn values.
    total
        How its instances become one value: ``sum``, ``max``, or the instance ``_Total``.
    factor
        From the counter's unit to the drawn one.
    """

    name: str
    counters: tuple[Counter, ...]
    unit: str
    total: str = "sum"
    factor: float = 1.0


SEND_QUEUE = Metric("log send queue", (c.SEND_QUEUE,), "B", factor=1024)
REDO_QUEUE = Metric("redo queue", (c.RECOVERY_QUEUE,), "B", factor=1024)
PROCESSORS = Metric(
    "processors",
    (Counter(c.PROCESSOR_INFORMATION, c.PROCESSOR_TIME), Counter(c.PROCESSOR, c.PROCESSOR_TIME)),
    "%",
    TOTAL,
)
DISK_WRITE = Metric(
    "disk write latency", tuple(Counter(name, c.WRITE_TIME) for name in c.DISKS), "ms", "max", 1000
)
COPY_RATE = Metric("backup and restore throughput", (c.BACKUP_RESTORE,), "B/s")
COMMIT_DELAY = Metric("transaction delay", (c.TRANSACTION_DELAY,), "ms/s")
LOG_WRITTEN = Metric("log written", (c.LOG_FLUSHED,), "B/s")
LOG_RECEIVED = Metric("log received", (c.LOG_RECEIVED,), "B/s")

OF_QUESTION: Mapping[str, tuple[Metric, ...]] = {
    "transport": (SEND_QUEUE, LOG_RECEIVED, REDO_QUEUE),
    "distributed": (SEND_QUEUE, LOG_RECEIVED, REDO_QUEUE),
    "redo": (REDO_QUEUE, PROCESSORS, DISK_WRITE),
    "readable": (REDO_QUEUE, PROCESSORS, DISK_WRITE),
    "seeding": (COPY_RATE, PROCESSORS, DISK_WRITE),
    "backup": (COPY_RATE, PROCESSORS, DISK_WRITE),
    "compare": (COPY_RATE, PROCESSORS, DISK_WRITE),
    "commit": (COMMIT_DELAY, DISK_WRITE, SEND_QUEUE),
    "database": (LOG_WRITTEN, DISK_WRITE, SEND_QUEUE),
    "health": (PROCESSORS, DISK_WRITE, SEND_QUEUE),
}
"""The metrics of a headline by the first part of its id."""
OTHERWISE = (PROCESSORS, DISK_WRITE, SEND_QUEUE)
SUBJECTS = ("replica", "from", "host", "to")
"""Keys of the headline's subject for the host of a metric, in order; else the host with the highest value."""


def drawn_metrics(
    view: View, first: Finding | None, hosts: Sequence[str], whole: Span, shown: Span
) -> list[dict[str, Any]]:
    """Return the metrics that the timeline draws.

    Parameters
    ----------
    view
        The case.
    first
        The headline of the case.
    hosts
        Hosts of the timeline.
    whole, shown
        The time of the case, and the part that is shown first: metrics without a sample there are left out.

    Returns
    -------
    list of dict
        ``name`` with its host; ``unit``; ``parts``, for the whole time and for the surroundings of the part
        shown first: ``from`` and ``to`` (ms since 1970, UTC), ``t`` (ms since 1970), ``v`` (values) and
        ``gap`` (ms: points further apart are not joined).
    """
    metrics = OF_QUESTION.get(first.id.partition(".")[0], OTHERWISE) if first else OTHERWISE
    around = (shown[1] - shown[0]) * AROUND_INCIDENT
    near = max(whole[0], shown[0] - around), min(whole[1], shown[1] + around)
    windows = [whole] if near == whole else [whole, near]
    asked = [(metric, counter) for metric in metrics for counter in metric.counters]
    rows = view.rows(_sql("metrics.sql"), _parameters(asked, hosts, windows))
    sampled = _sampled(rows, shown, len(asked))
    leading = [str(first.subject.get(key, "")) for key in SUBJECTS] if first else []
    found = []
    for metric in metrics:
        for number in (n for n, (each, _) in enumerate(asked) if each is metric):
            own = [row for row in rows if row["metric"] == number and row["host"] in sampled[number]]
            host = _host(own, leading)
            if host:
                found.append(_drawn(metric, host, [row for row in own if row["host"] == host], windows))
                break
    return found[:MOST_METRICS]


def _parameters(
    asked: Sequence[tuple[Metric, Counter]], hosts: Sequence[str], windows: Sequence[Span]
) -> dict[str, Any]:
    return {
        "numbers": list(range(len(asked))),
        "objects": [counter.object for _, counter in asked],
        "counters": [counter.name for _, counter in asked],
        "totals": [metric.total for metric, _ in asked],
        "factors": [metric.factor for metric, _ in asked],
        "hosts": list(hosts),
        "starts": [microseconds(start) for start, _ in windows],
        "ends": [microseconds(end) for _, end in windows],
        "steps": [_step(window) // timedelta(microseconds=1) for window in windows],
    }


def _step(window: Span) -> timedelta:
    return max((window[1] - window[0]) / POINTS, LEAST_STEP)


def _sampled(rows: Iterable[Row], shown: Span, n: int) -> list[set[str]]:
    """Return the hosts that have samples in the part shown first, for each of n counters."""
    start, end = map(microseconds, shown)
    found: list[set[str]] = [set() for _ in range(n)]
    for row in rows:
        if any(start <= us <= end for us in row["us"]):
            found[row["metric"]].add(row["host"])
    return found


def _host(rows: Iterable[Row], leading: Sequence[str]) -> str:
    """Return the host whose metric is drawn; "" if no host has one."""
    most = {row["host"]: max(row["value"]) for row in rows if row["part"] == 0}
    return next((host for host in leading if host in most), max(most, key=most.__getitem__, default=""))


def _drawn(metric: Metric, host: str, rows: Sequence[Row], windows: Sequence[Span]) -> dict[str, Any]:
    parts = []
    for row in rows:
        start, end = window = windows[row["part"]]
        pace = timedelta(microseconds=row["pace_us"])
        parts.append(
            {
                "from": microseconds(start) // 1000,
                "to": microseconds(end) // 1000,
                "t": [us // 1000 for us in row["us"]],
                "v": [float(f"{value:.4g}") for value in row["value"]],
                "gap": max(3 * pace, 2.5 * _step(window)) // timedelta(milliseconds=1),
            }
        )
    return {"name": f"{metric.name} of {words.plain(host, 40)}", "unit": metric.unit, "parts": parts}
