"""redo.waits: what the redo of a secondary waits for, and who or what makes it wait.

Sources: "sys.dm_os_wait_stats (Transact-SQL)" and "Troubleshoot REDO queue build-up (data latency issues) on
AG readable secondary replicas" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from agtrace.measures import Measure, Measured, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

Row = Mapping[str, Any]

WAITED = Measure("wait_ms_per_s", "{wait}, n = {n:,}", "ms/s", "of all tasks that waited, in a second")
WATCHED = Measure("watched_s", "wait statistics over", "s")
GROWTH = Measure("recovery_queue_growth", "growth of the recovery queues", "B/s", "of all databases together")
LOCKS = Measure("locks", "lock_redo_blocked of {database}", "", "events of the session")
IDLE = "idle"
WITH_LOCKS, WITH_QUEUE, ALONE = 0.9, 0.8, 0.6
"""An event names the lock; a growing queue shows that it matters; waits alone may be of other sessions."""


def waits(
    rows: Iterable[Row],
    behind: Sequence[Row],
    serial: Sequence[Row],
    locks: Sequence[Row],
    limits: Thresholds,
) -> list[Judged]:
    """Judge each server whose redo waited for more than it may.

    Parameters
    ----------
    rows, behind, serial, locks
        Of the queries of this folder with these names; ``rows`` is that of waited.sql.
    """
    queues = {row["host_id"]: row for row in behind}
    flags = {row["host_id"]: row for row in serial if row["is_serial"]}
    found = []
    for host, own in groupby(rows, key=itemgetter("host_id")):
        of_host = [row for row in locks if row["host_id"] == host]
        judged = _waits(host, list(own), queues.get(host), flags.get(host), of_host, limits)
        found += [judged] if judged else []
    return found


def _waits(
    host: str, rows: list[Row], queue: Row | None, flag: Row | None, locks: list[Row], limits: Thresholds
) -> Judged | None:
    seconds = rows[0]["seconds"]
    rates = {row["wait_type"]: row["wait_ms"] / seconds for row in rows}
    held = [row for row in rows if row["cause"] != IDLE]
    if seconds < limits.redo_watched_s or not held:
        return None
    by_cause: dict[str, float] = {}
    for row in held:
        by_cause[row["cause"]] = by_cause.get(row["cause"], 0.0) + rates[row["wait_type"]]
    cause = max(by_cause, key=by_cause.__getitem__)
    if by_cause[cause] < limits.redo_wait_ms:
        return None
    grows = queue is not None and queue["growth"] > 0 and _overlap(queue, rows[0])
    numbers: list[Measured] = [
        WAITED.about(wait=row["wait_type"], n=row["n"])(rates[row["wait_type"]], row["place"]) for row in rows
    ]
    numbers.append(WATCHED(seconds, f"{rows[0]['intervals']:,} intervals"))
    if queue is not None and grows:
        numbers.append(GROWTH(queue["growth"], f"perfmon of {host}, Recovery Queue"))
    if cause == "readers":
        numbers += [LOCKS.about(database=each["database"])(each["n"], each["path"]) for each in locks]
    if flag is not None:
        numbers.append(quoted("trace flag 3459", "on", flag["place"]))
    return Judged(
        said=f"waits.{cause}",
        id="redo.waits",
        severity="warning" if grows else "notice",
        subject={"host": host, "replica": host},
        window=window(rows[0]["start"], rows[0]["end"]),
        confidence=WITH_LOCKS if locks and cause == "readers" else WITH_QUEUE if grows else ALONE,
        evidence=tuple(numbers),
        facts={
            "host": host,
            "rate": by_cause[cause],
            "types": [row["wait_type"] for row in held if row["cause"] == cause],
            "seconds": seconds,
            "growth": queue["growth"] if queue is not None and grows else None,
            "idle": sum(rates[row["wait_type"]] for row in rows if row["cause"] == IDLE),
            "databases": [each["database"] for each in locks],
            "is_serial": flag is not None,
        },
    )


def _overlap(queue: Row, watched: Row) -> bool:
    return bool(queue["start"] < watched["end"] and queue["end"] > watched["start"])
