"""readable.statistics: statistics that a secondary made for itself, as the primary has none, or old ones.

Sources: "Offload read-only workload to secondary replica of an Always On availability group" (statistics for
read-only access databases) and "Statistics" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from agtrace.diagnostics.readable.measures import STATISTICS
from agtrace.diagnostics.readable.rows import Statistics
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

SEEN = 0.9
SHOWN = 5


def statistics(rows: Iterable[Statistics]) -> list[Judged]:
    """Judge each secondary that had created its own statistics.

    Parameters
    ----------
    rows
        Rows of statistics.sql.
    """
    return [_of_host(host, list(own)) for host, own in groupby(rows, key=attrgetter("host_id"))]


def _of_host(host: str, rows: list[Statistics]) -> Judged:
    in_utc = [row.time for row in rows if row.time is not None]
    is_local = len(in_utc) < len(rows)
    times = [row.time_local for row in rows] if is_local else in_utc
    first = rows[0]
    return Judged(
        said="statistics",
        id="readable.statistics",
        severity="info",
        subject={"host": host},
        window=window(min(times), max(times), is_local=is_local),
        confidence=SEEN,
        evidence=(
            *(STATISTICS.about(database=row.database)(row.n, row.place) for row in rows[:SHOWN]),
            quoted(f"most of them in {first.database}", ", ".join(first.most), first.place),
        ),
        facts={
            "host": host,
            "n": sum(row.n for row in rows),
            "databases": [row.database for row in rows],
            "tables": first.most,
            "database": first.database,
            "at": max(times),
        },
    )
