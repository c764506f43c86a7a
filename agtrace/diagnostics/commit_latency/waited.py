"""What wait statistics tell of commits where no block was captured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.judge import WAIT_MEAN
from agtrace.history import View
from agtrace.measures import Measure
from agtrace.say.said import Judged

CONFIDENCE = 0.6
"""Of waits alone: they are of all replicas, and of whatever else waits so."""
WRITE_MEAN = Measure("log_write_mean_ms", "log write mean", "ms")


@dataclass(frozen=True)
class Waited:
    """The commits of one server by its wait statistics; means in ms.

    Parameters
    ----------
    n, mean
        Waits of HADR_SYNC_COMMIT.
    writes, write_mean
        Writes of the log, by file statistics, else waits of WRITELOG; None where neither was captured.
    start, end
        First and last moment that they tell of, UTC; None where the host's offset is not known.
    """

    host: str
    ag: str
    n: int
    mean: float
    writes: int
    write_mean: float | None
    write_source: str
    start: datetime | None
    end: datetime | None


def waited(view: View, sql: Callable[[str], str]) -> list[Waited]:
    """Read the waits of every server whose commits waited for replicas often enough to speak of."""
    least = thresholds.of(view).min_samples
    servers: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in view.rows(sql("waits.sql")):
        servers.setdefault((row["host_id"], row["sql_instance"]), {})[row["wait_type"]] = row
    files = {(row["host_id"], row["sql_instance"]): row for row in view.rows(sql("log_writes.sql"))}
    found = []
    for (host, instance), rows in servers.items():
        commit = rows.get("HADR_SYNC_COMMIT")
        if commit is None or commit["n"] < least:
            continue
        writes, source = files.get((host, instance)), f"file statistics of {host}"
        if writes is None or writes["mean"] is None:
            writes, source = rows.get("WRITELOG") or {"n": 0, "mean": None}, f"WRITELOG of {host}"
        found.append(
            Waited(host, group_of(view, sql, host), commit["n"], commit["mean"], writes["n"], writes["mean"],
                   source, commit["start"], commit["end"])
        )  # fmt: skip
    return found


def judged(waited: Waited) -> Judged:
    """Judge what commits wait, and what the log's own writes take; which hop, waits cannot say."""
    evidence = [WAIT_MEAN(waited.mean, f"HADR_SYNC_COMMIT of {waited.host}, n = {waited.n:,}")]
    if waited.write_mean is not None:
        evidence.append(WRITE_MEAN(waited.write_mean, f"{waited.write_source}, n = {waited.writes:,}"))
    window = {}
    if waited.start is not None and waited.end is not None:
        window = {"start": waited.start.isoformat(), "end": waited.end.isoformat()}
    return Judged(
        said="latency.waits",
        id="commit.latency",
        severity="info",
        subject={"ag": waited.ag},
        window=window,
        evidence=tuple(evidence),
        confidence=CONFIDENCE,
        facts=vars(waited),
    )


def group_of(view: View, sql: Callable[[str], str], host: str) -> str:
    """Name the group that a host has the primary of; empty where none or several are known."""
    rows = [row for row in view.rows(sql("groups.sql")) if row["host_id"] == host]
    named = [row["ag"] for row in rows if row["has_primary"]] or [row["ag"] for row in rows]
    return named[0] if len(named) == 1 else ""
