"""Wait statistics as series: time waited per second, between two snapshots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from agtrace.globs import matches, named
from agtrace.moments import Window
from agtrace.resolve.names import is_meant
from agtrace.store import CaseView
from agtrace.store.part import Part
from agtrace.tables.rows import numbers

OBJECT = "Waits"
UNIT = "ms/s"

_SERIES = """
    SELECT host_id, sql_instance, wait_type, bool_or(time IS NULL) AS is_local FROM waits
    WHERE seconds > 0 GROUP BY ALL ORDER BY ALL
"""
_SAMPLES = """
    SELECT {column} AS time, wait_ms / seconds AS value FROM waits
    WHERE seconds > 0 AND wait_type = $wait_type AND host_id IS NOT DISTINCT FROM $host_id
      AND sql_instance IS NOT DISTINCT FROM $sql_instance AND {within}
    ORDER BY 1
"""

_Row = dict[str, Any]


def wait_types(view: CaseView) -> list[str]:
    """Return the types of all captured waits."""
    rows = view.rows("SELECT DISTINCT wait_type FROM waits WHERE wait_type IS NOT NULL ORDER BY 1")
    return [row["wait_type"] for row in rows]


def series_of(view: CaseView, pattern: str, host: str | Iterable[str] | None) -> list[_Row]:
    """Return the series of wait types that match a glob, as rows of ``counters``.

    Their ``counter_id`` is negative and unique among the returned rows. ``is_local`` is true if the UTC of
    some of their times is unknown.
    """
    hosts = None if host is None else named(host)
    return [
        {
            "counter_id": -number,
            "host_id": row["host_id"],
            "host": row["host_id"],
            "sql_instance": row["sql_instance"],
            "object": OBJECT,
            "instance": None,
            "counter": row["wait_type"],
            "unit": UNIT,
            "is_local": row["is_local"],
        }
        for number, row in enumerate(view.rows(_SERIES), start=1)
        if matches(row["wait_type"], pattern)
        and (hosts is None or any(is_meant(row["host_id"] or "", each) for each in hosts))
    ]


def samples_of(view: CaseView, row: _Row, clock: Window) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the intervals (microseconds since 1970), and the time waited per second in each."""
    column = "time_local" if clock.is_local else "time"
    table = view.table(
        _SAMPLES.format(column=column, within=Part(clock).within(column) or "true"),
        {"wait_type": row["counter"], "host_id": row["host_id"], "sql_instance": row["sql_instance"]},
    )
    return numbers(table["time"].cast("int64")), numbers(table["value"])
