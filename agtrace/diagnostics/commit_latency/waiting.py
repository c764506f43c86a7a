"""What wait statistics explain of commits and of the send queue, interval by interval, against the counters.

HADR_SYNC_COMMIT is what replicas add to a commit after its own log is hard; WRITELOG is that log. Which of
the two is longer, and whether flow control or a replica that catches up held commits meanwhile, is told of
each interval. Intervals that follow each other and tell the same are one stretch. Source:
"sys.dm_os_wait_stats (Transact-SQL)" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from agtrace.measures import Measure
from agtrace.thresholds import Thresholds

Row = Mapping[str, Any]

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
"""What a stretch tells besides, where tasks waited for it for long."""
NOTABLE_MS_PER_S = 100
APART_S = 1.0
"""Looks so close follow each other."""


@dataclass(frozen=True)
class Stretch:
    """Intervals in a row that tell the same of a server.

    Parameters
    ----------
    rows
        Of explained.sql, in order of time.
    cause
        ``replica``, ``log``, ``both``, ``no_log`` (waits for the log were not captured), ``flow_control`` or
        ``catch_up``.
    """

    rows: Sequence[Row]
    cause: str

    def _sum(self, name: str) -> float:
        return float(sum(row[name] or 0 for row in self.rows))

    @property
    def facts(self) -> dict[str, Any]:
        """What words name of it."""
        first, last = self.rows[0], self.rows[-1]
        seconds, commits, writes = self._sum("seconds"), self._sum("commits"), self._sum("writes")
        queued = [row for row in self.rows if row["queue_bytes"] is not None]
        top = max(queued, key=lambda row: float(row["queue_bytes"]), default=None)
        return {
            "host": first["host_id"],
            "cause": self.cause,
            "first": first["start"] or first["start_local"],
            "last": last["end"] or last["end_local"],
            "commits": int(commits),
            "commit_mean": self._sum("commit_ms") / commits if commits else None,
            "writes": int(writes),
            "write_mean": self._sum("write_ms") / writes if writes else None,
            "flow_control": self._sum("flow_control_ms") / seconds,
            "catch_up": self._sum("catch_up_ms") / seconds,
            "beside": [
                (what, rate)
                for what, name in BESIDE.items()
                if (rate := self._sum(name) / seconds) >= NOTABLE_MS_PER_S
            ],
            "queue": top["queue_bytes"] if top is not None else None,
            "replica": top["replica"] if top is not None else None,
            "samples": top["samples"] if top is not None else 0,
            "waited_ms": self._sum("commit_ms"),
        }


def cause(row: Row, limits: Thresholds) -> str | None:
    """Give what an interval's waits explain; None where they are too few, or commits are short.

    Parameters
    ----------
    row
        Of explained.sql.
    """
    if row["catch_up_ms"] / row["seconds"] >= limits.flow_control_ms_per_s:
        return CATCH_UP
    if row["flow_control_ms"] / row["seconds"] >= limits.flow_control_ms_per_s:
        return FLOW_CONTROL
    if row["commits"] < limits.min_samples:
        return None
    mean = row["commit_ms"] / row["commits"]
    if row["writes"] is None:
        return NO_LOG
    write = row["write_ms"] / row["writes"] if row["writes"] else 0.0
    low, high = sorted((mean, write))
    if high - low <= limits.commit_apart_ms or high <= limits.commit_apart_ratio * low:
        return BOTH if high > limits.commit_apart_ms else None
    return REPLICA if mean > write else LOG


def stretches(rows: Iterable[Row], limits: Thresholds) -> list[Stretch]:
    """Put intervals together that follow each other and tell the same, in order of server and time."""
    found = []
    for _server, own in groupby(rows, key=lambda row: (row["host_id"], row["sql_instance"])):
        held: list[Row] = []
        told: str | None = None
        for row in own:
            now = cause(row, limits)
            if held and (now != told or _is_apart(held[-1], row)):
                found += [Stretch(held, told)] if told is not None else []
                held = []
            held, told = [*held, row], now
        found += [Stretch(held, told)] if held and told is not None else []
    return found


def _is_apart(before: Row, after: Row) -> bool:
    return bool((after["start_local"] - before["end_local"]).total_seconds() > APART_S)


def table(rows: Iterable[Row], limits: Thresholds) -> list[dict[str, Any]]:
    """Give the rows of the table: each interval with its means, and what it explains."""
    return [
        {
            **row,
            "start": row["start"] or row["start_local"],
            "end": row["end"] or row["end_local"],
            "commit_mean_ms": row["commit_ms"] / row["commits"] if row["commits"] else None,
            "write_mean_ms": row["write_ms"] / row["writes"] if row["writes"] else None,
            **{
                f"{name}_per_s": row[name] / row["seconds"]
                for name in ("flow_control_ms", "catch_up_ms", *BESIDE.values())
            },
            "explains": cause(row, limits) or "",
        }
        for row in rows
    ]
