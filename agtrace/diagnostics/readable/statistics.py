"""readable.statistics: statistics that a secondary made for itself, as the primary has none, or old ones.

Sources: "Offload read-only workload to secondary replica of an Always On availability group" (statistics for
read-only access databases) and "Statistics" of Microsoft's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from agtrace.diagnostics.readable.measures import STATISTICS
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

Row = Mapping[str, Any]

SEEN = 0.9
SHOWN = 5


def statistics(rows: Iterable[Row]) -> list[Judged]:
    """Judge each secondary that had made statistics of its own.

    Parameters
    ----------
    rows
        Of statistics.sql.
    """
    return [_of_host(host, list(own)) for host, own in groupby(rows, key=itemgetter("host_id"))]


def _of_host(host: str, rows: list[Row]) -> Judged:
    is_local = any(row["time"] is None for row in rows)
    times = [row["time_local"] if is_local else row["time"] for row in rows]
    first = rows[0]
    return Judged(
        said="statistics",
        id="readable.statistics",
        severity="info",
        subject={"host": host},
        window=window(min(times), max(times), is_local=is_local),
        confidence=SEEN,
        evidence=(
            *(STATISTICS.about(database=row["database"])(row["n"], row["place"]) for row in rows[:SHOWN]),
            quoted(f"most of them in {first['database']}", ", ".join(first["most"]), first["place"]),
        ),
        facts={
            "host": host,
            "n": sum(row["n"] for row in rows),
            "databases": [row["database"] for row in rows],
            "tables": first["most"],
            "database": first["database"],
            "at": max(times),
        },
    )
