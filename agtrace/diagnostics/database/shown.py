"""database.log_full and database.recovery from single snapshots: logs nearly full, or with very many small
files.

Sources: "sys.dm_db_log_space_usage", "DBCC SQLPERF", "sys.databases, log_reuse_wait" and "SQL Server
transaction log architecture" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.database.rows import Shown
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

USED = Measure("log_used_percent", "log in use", "%")
SIZE = Measure("log_bytes", "size of the log", "B")
VLFS = Measure("vlf_count", "virtual log files")
SEEN, MANY = 0.8, 0.7
"""Confidence: a snapshot shows one moment; the cost of many virtual log files shows only in a recovery."""


def shown(rows: Iterable[Shown], limits: Thresholds) -> list[Judged]:
    """Judge the logs that looks show as nearly full, and those of very many virtual log files.

    Parameters
    ----------
    rows
        Of shown.sql.
    """
    found = []
    for row in rows:
        if (row.used_percent or 0.0) >= limits.log_used_percent:
            found.append(_nearly_full(row))
        if (row.vlf_count or 0) >= limits.recovery_vlfs:
            found.append(_many_files(row))
    return found


def _nearly_full(row: Shown) -> Judged:
    evidence: list[Measured] = [USED(row.used_percent, row.place)]
    if row.log_bytes is not None:
        evidence.append(SIZE(row.log_bytes, row.place))
    if row.reason:
        evidence.append(quoted("reason", row.reason, row.place))
    return _judged(row, "log_full", "nearly_full", "warning", evidence, SEEN)


def _many_files(row: Shown) -> Judged:
    return _judged(row, "recovery", "many_files", "notice", [VLFS(row.vlf_count, row.place)], MANY)


def _judged(
    row: Shown, name: str, said: str, severity: str, evidence: list[Measured], confidence: float
) -> Judged:
    at = row.time or row.time_local
    return Judged(
        said=f"shown.{said}",
        id=f"database.{name}",
        severity=severity,
        subject={"ag": row.ag or "", "database": row.database, "host": row.host_id},
        window=window(at, at, is_local=row.time is None) if at else {},
        confidence=confidence,
        evidence=tuple(evidence),
        facts={
            "database": row.database,
            "host": row.host_id or "an unknown host",
            "at": at,
            "used_percent": row.used_percent,
            "reason": row.reason or "",
            "vlf_count": row.vlf_count,
        },
    )
