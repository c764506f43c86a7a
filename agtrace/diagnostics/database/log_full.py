"""database.log_full: a log that was full, or is kept from truncation by a replica, and which one.

Sources: message 9002 of sys.messages; "Troubleshoot a full transaction log (SQL Server Error 9002)" and
"sys.databases, log_reuse_wait" of Microsoft's documentation; docs/formats/errorlog.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agtrace.diagnostics.database.measures import (
    ENTRIES,
    FULL_IN,
    FULL_LEAST,
    FULL_MOST,
    GROWTH,
    HELD,
    SIGMAS,
    SIZE,
    USED,
    WRITES,
    moments,
    window_of,
)
from agtrace.diagnostics.database.rows import Full
from agtrace.measures import Measured, quoted
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

BY_REASON = {
    "AVAILABILITY_REPLICA": "replica",
    "LOG_BACKUP": "backup",
    "ACTIVE_TRANSACTION": "transaction",
    "REPLICATION": "replication",
    "ACTIVE_BACKUP_OR_RESTORE": "running_backup",
    "DATABASE_MIRRORING": "mirroring",
    "DATABASE_SNAPSHOT_CREATION": "snapshot_creation",
    "LOG_SCAN": "scan",
    "CHECKPOINT": "checkpoint",
    "OLDEST_PAGE": "checkpoint",
    "XTP_CHECKPOINT": "xtp",
    "NOTHING": "nothing",
}
"""Reasons why a log is not reused (log_reuse_wait_desc), and their texts; other reasons share one text."""
REPLICA = "AVAILABILITY_REPLICA"
NO_OTHER = (None, "NOTHING", REPLICA)
"""Reasons in a snapshot that do not exclude a replica holding the log back."""
SURE, HOLDER_GUESSED, HOLDER_UNKNOWN, HOLDER_UNTIMED = 0.95, 0.85, 0.8, 0.65
"""Message 9002 names the reason. The holder of the log is seen, shown by queues alone, not captured, or shown
by a snapshot without a time."""
SEEN = ("connection", "suspended")
GOES_ON = 0.5
"""A growth continues if its second half is at least this share as steep as the whole."""


def parameters(limits: Thresholds) -> dict[str, float]:
    """Return the parameters of full.sql: thresholds for slow log writes on a replica."""
    return {"least": limits.min_samples, "slow_ms": limits.log_write_ms, "idle_share": limits.log_idle_share}


def full(rows: Iterable[Full], limits: Thresholds) -> list[Judged]:
    """Judge each log that was full, and each filling log held back by a replica.

    Parameters
    ----------
    rows
        Rows of full.sql.
    """
    found = (_full(row) if row.stretch == "full" else _filling(row, limits) for row in rows)
    return [one for one in found if one is not None]


def _full(row: Full) -> Judged:
    place = f"{row.path} line {row.line}"
    grows = row.growth is not None and row.growth > 0 and (row.samples or 0) > 2
    kind = BY_REASON.get(row.reason or "", "other")
    of_replica = kind == "replica"
    return Judged(
        said=f"log_full.{kind}",
        id="database.log_full",
        severity="critical",
        subject=_subject(row, of_replica=of_replica),
        window=window_of(row),
        confidence=_confidence(row) if of_replica else SURE,
        evidence=(
            ENTRIES(row.entries, place),
            quoted("reason", row.reason, place),
            *_sizes(row, grows=grows),
            *_holder(row),
            *([quoted("volume", row.volume, f"timeline of {row.host_id}")] if row.volume else ()),
        ),
        facts={
            **_facts(row),
            "volume": row.volume,
            "entries": row.entries,
            "growth": row.growth if grows else None,
            **moments(row),
        },
    )


def _confidence(row: Full) -> float:
    """Return the confidence in the replica that holds the log back."""
    if row.held_place is not None and row.held_since is None:
        return HOLDER_UNTIMED
    return SURE if row.hop in SEEN else HOLDER_GUESSED if row.hop else HOLDER_UNKNOWN


def _filling(row: Full, limits: Thresholds) -> Judged | None:
    """Judge a log that has room yet; None where it has enough, or no replica is shown to hold it back."""
    growth, size, used = row.growth, row.size_bytes, row.used_bytes
    if growth is None or size is None or used is None:
        return None
    if (row.samples or 0) < limits.min_samples or row.reason not in NO_OTHER:
        return None
    error = SIGMAS * (row.growth_error or 0.0)
    late = row.late_growth
    if growth <= error or late is None or late < GOES_ON * growth:
        return None
    full_in = max(size - used, 0.0) / growth
    is_held = row.hop in SEEN or (row.held_bytes or 0.0) >= limits.log_held_share * used
    if full_in > 3600 * limits.log_full_h or not (is_held or row.reason == REPLICA):
        return None
    perfmon = f"perfmon of {row.host_id}, {row.database}"
    low, high = (max(size - used, 0.0) / (growth + sign * error) for sign in (1, -1))
    numbers = [FULL_IN(full_in, perfmon), FULL_LEAST(low, perfmon), FULL_MOST(high, perfmon)]
    if row.reason == REPLICA:
        numbers.append(quoted("reason", row.reason, row.reason_place or "a snapshot"))
    return Judged(
        said="log_full.filling",
        id="database.log_full",
        severity="warning",
        subject=_subject(row, of_replica=True),
        window=window_of(row),
        confidence=HOLDER_GUESSED if row.hop else HOLDER_UNKNOWN,
        evidence=(*numbers, *_sizes(row, grows=True), *_holder(row)),
        facts={
            **_facts(row), "growth": growth, "full_in": full_in, "low": low, "high": high,
            "size": size, "looked": row.reason == REPLICA, **moments(row),
        },
    )  # fmt: skip


def _subject(row: Full, *, of_replica: bool) -> dict[str, str]:
    return {
        "ag": row.ag or "",
        "database": row.database,
        "replica": (row.replica or "") if of_replica else "",
        "host": row.host_id,
    }


def _sizes(row: Full, *, grows: bool) -> list[Measured]:
    perfmon = f"perfmon of {row.host_id}, {row.database}"
    numbers = [
        measure(value, perfmon)
        for measure, value in ((USED, row.used_bytes), (SIZE, row.size_bytes))
        if value is not None
    ]
    return [*numbers, GROWTH(row.growth, f"{perfmon}, n = {row.samples}")] if grows else numbers


def _holder(row: Full) -> list[Measured]:
    hop, replica = row.hop, row.replica
    if not hop:
        return []
    told = row.held_place or f"{hop}, as the captures show it"
    numbers: list[Measured] = [quoted("held back by", replica or "not named", told)]
    if row.held_bytes is not None:
        queue = "redo" if hop == "redo" else "send"
        numbers.append(HELD(row.held_bytes, row.held_place or f"perfmon, {queue} queue of {replica}"))
    if row.write_ms is not None:
        source = f"perfmon of {replica}, Log Flush Write Time / Log Flushes"
        numbers.append(WRITES.about(replica=replica, n=row.writes_n)(row.write_ms, source))
    return numbers


def _facts(row: Full) -> dict[str, Any]:
    return {
        "database": row.database, "host": row.host_id, "reason": row.reason,
        "replica": row.replica, "hop": row.hop, "since": row.held_since,
        "held": row.held_bytes, "used": row.used_bytes, "write_ms": row.write_ms,
        "at_a_look": row.held_place is not None,
    }  # fmt: skip
