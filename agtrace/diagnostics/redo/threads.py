"""Databases whose redo is serial since the server has no threads of parallel redo left.

Sources: "Prerequisites, restrictions, and recommendations for Always On availability groups" (thread usage)
of Microsoft's documentation: up to SQL Server 2019 an instance uses 100 threads for parallel redo, and a
single one for each database beyond; SQL Server 2022 shares a pool without that limit.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.redo.rows import Threads
from agtrace.measures import Measure, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

MOST = 100
"""Most threads of parallel redo of an instance."""
WITHOUT_LIMIT = 16
"""The first major version in which all databases share one pool (SQL Server 2022)."""
SURE, UNSEEN = 0.8, 0.7
"""Confidence if the log lists each database that received threads; that the others have none follows from
missing entries."""

THREADS = Measure(
    "redo_threads", "threads of parallel redo", "", "message 49930, databases that were started"
)
PARALLEL = Measure("parallel_databases", "databases that have them")
SERIAL = Measure("serial_databases", "secondary databases that have none")
GROWTH = Measure("serial_growth", "growth of their recovery queues", "B/s", "those that grew, together")


def used_up(rows: Iterable[Threads]) -> list[Judged]:
    """Judge each server that has no threads left for another database.

    Parameters
    ----------
    rows
        Rows of threads.sql.
    """
    return [_used_up(row) for row in rows if row.threads + row.most > MOST and _is_limited(row)]


def _is_limited(row: Threads) -> bool:
    return row.version is not None and row.version < WITHOUT_LIMIT


def _used_up(row: Threads) -> Judged:
    host, place = row.host_id, f"{row.path}, messages 49930"
    numbers = [
        THREADS(row.threads, place),
        PARALLEL(row.databases, place),
        SERIAL(len(row.serial), f"{place}, against perfmon of {host}"),
        quoted("databases without threads", ", ".join(row.serial), f"perfmon of {host}"),
    ]
    if row.growth:
        numbers.append(GROWTH(row.growth, f"perfmon of {host}, Recovery Queue"))
    return Judged(
        said="waits.threads",
        id="redo.waits",
        severity="warning" if row.growth else "notice",
        subject={"host": host, "replica": host, "kind": "threads"},
        window=window(row.start, row.end),
        confidence=SURE if row.growth else UNSEEN,
        evidence=tuple(numbers),
        facts={**row._asdict(), "host": host, "limit": MOST},
    )
