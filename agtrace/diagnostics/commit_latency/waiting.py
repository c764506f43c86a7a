"""Wait statistics that explain commits and the send queue, by interval, compared with counters.

HADR_SYNC_COMMIT is the time that replicas add to a commit after its own log is hardened; WRITELOG is the wait
for that log. Each interval has the longer of the two, and whether flow control or a replica catching up held
commits. Consecutive intervals with the same result are merged. Source: "sys.dm_os_wait_stats (Transact-SQL)"
of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from agtrace.diagnostics.commit_latency.rows import Explained
from agtrace.measures import Measure
from agtrace.thresholds import Thresholds

REPLICA, LOG, BOTH, FLOW_CONTROL, CATCH_UP, NO_LOG = (
    "replica",
    "log",
    "both",
    "flow_control",
    "catch_up",
    "no_log",
)
COLUMNS = (
    *map(Measure, ("host_id", "sql_instance", "start", "end")),
    Measure("commits", "waits of commits for replicas"),
    Measure("commit_mean_ms", "commit wait mean", "ms"),
    Measure("writes", "waits for the log"),
    Measure("write_mean_ms", "log write mean", "ms"),
    Measure("flow_control_ms_per_s", "flow control", "ms/s"),
    Measure("catch_up_ms_per_s", "slowed for a replica to catch up", "ms/s"),
    Measure("threads_ms_per_s", "waits for worker threads", "ms/s"),
    Measure("log_buffer_ms_per_s", "waits for room in the log buffer", "ms/s"),
    Measure("replica"),
    Measure("queue_bytes", "log send queue, mean", "B"),
    Measure("explains"),
)
BESIDE = {"threads": "threads_ms", "log_buffer": "log_buffer_ms"}
"""Further waits reported for an interval, if tasks waited long."""
NOTABLE_MS_PER_S = 100
APART_S = 1.0
"""Snapshots at most this far apart are consecutive."""


@dataclass(frozen=True)
class Stretch:
    """Consecutive intervals with the same result for a server.

    Parameters
    ----------
    rows
        In chronological order.
    cause
        ``replica``, ``log``, ``both``, ``no_log`` (waits for the log were not captured), ``flow_control`` or
        ``catch_up``.
    """

    rows: Sequence[Explained]
    cause: str

    def _sum(self, name: str) -> float:
        return float(sum(getattr(row, name) or 0 for row in self.rows))

    def _rate(self, name: str) -> float:
        return self._sum(name) / self._sum("seconds")

    @property
    def host(self) -> str:
        return self.rows[0].host_id

    @property
    def first(self) -> datetime:
        return self.rows[0].start or self.rows[0].start_local

    @property
    def last(self) -> datetime:
        return self.rows[-1].end or self.rows[-1].end_local

    @property
    def commits(self) -> int:
        return int(self._sum("commits"))

    @property
    def waited_ms(self) -> float:
        """How long commits waited for replicas, all together."""
        return self._sum("commit_ms")

    @property
    def commit_mean(self) -> float | None:
        return self.waited_ms / self.commits if self.commits else None

    @property
    def write_mean(self) -> float | None:
        writes = self._sum("writes")
        return self._sum("write_ms") / writes if writes else None

    @property
    def flow_control(self) -> float:
        return self._rate("flow_control_ms")

    @property
    def catch_up(self) -> float:
        return self._rate("catch_up_ms")

    @property
    def beside(self) -> list[tuple[str, float]]:
        """Return the other waits of tasks, with the time waited per second."""
        rates = [(what, self._rate(name)) for what, name in BESIDE.items()]
        return [(what, rate) for what, rate in rates if rate >= NOTABLE_MS_PER_S]

    @property
    def longest_queue(self) -> Explained | None:
        """Return the interval with the longest send queue; None if not captured."""
        queued = [row for row in self.rows if row.queue_bytes is not None]
        return max(queued, key=attrgetter("queue_bytes"), default=None)

    @property
    def queue(self) -> float | None:
        return self.longest_queue.queue_bytes if self.longest_queue else None

    @property
    def replica(self) -> str | None:
        return self.longest_queue.replica if self.longest_queue else None


def cause(row: Explained, limits: Thresholds) -> str | None:
    """Return the explanation of an interval's waits; None if they are too few, or commits are short."""
    if row.catch_up_ms / row.seconds >= limits.flow_control_ms_per_s:
        return CATCH_UP
    if row.flow_control_ms / row.seconds >= limits.flow_control_ms_per_s:
        return FLOW_CONTROL
    if row.commits < limits.min_samples:
        return None
    mean = row.commit_ms / row.commits
    if row.writes is None:
        return NO_LOG
    write = (row.write_ms or 0.0) / row.writes if row.writes else 0.0
    low, high = sorted((mean, write))
    if high - low <= limits.commit_apart_ms or high <= limits.commit_apart_ratio * low:
        return BOTH if high > limits.commit_apart_ms else None
    return REPLICA if mean > write else LOG


def stretches(rows: Iterable[Explained], limits: Thresholds) -> list[Stretch]:
    """Return consecutive intervals with the same result merged, by server and time."""
    found = []
    for _server, own in groupby(rows, key=attrgetter("host_id", "sql_instance")):
        held: list[Explained] = []
        told: str | None = None
        for row in own:
            now = cause(row, limits)
            if held and (now != told or _is_apart(held[-1], row)):
                found += [Stretch(held, told)] if told is not None else []
                held = []
            held, told = [*held, row], now
        found += [Stretch(held, told)] if held and told is not None else []
    return found


def _is_apart(before: Explained, after: Explained) -> bool:
    return (after.start_local - before.end_local).total_seconds() > APART_S


def table(rows: Iterable[Explained], limits: Thresholds) -> list[dict[str, Any]]:
    """Return the rows of the table: each interval with its means and explanation."""
    return [
        {
            **row._asdict(),
            "start": row.start or row.start_local,
            "end": row.end or row.end_local,
            "commit_mean_ms": row.commit_ms / row.commits if row.commits else None,
            "write_mean_ms": (row.write_ms or 0.0) / row.writes if row.writes else None,
            **{
                f"{name}_per_s": getattr(row, name) / row.seconds
                for name in ("flow_control_ms", "catch_up_ms", *BESIDE.values())
            },
            "explains": cause(row, limits) or "",
        }
        for row in rows
    ]
