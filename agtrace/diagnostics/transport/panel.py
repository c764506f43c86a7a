"""The samples of the transport counters, as one grid per SQL Server instance (a node)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agtrace.diagnostics.base import View
from agtrace.diagnostics.transport.counters import Counter, wanted
from agtrace.diagnostics.transport.names import DEFAULT_INSTANCE, node_name

Values = NDArray[np.float64]


@dataclass(eq=False)
class Node:
    """A SQL Server instance that left captures.

    Parameters
    ----------
    host_id, sql_instance
        Where it runs; the default instance is MSSQLSERVER.
    is_local
        Its clock is unknown: ``times`` are its local time and compare with no other host's.
    step
        Seconds between two rows of its grid: its sampling interval, longer in very large cases.
    times
        Time of each row, seconds since 1970 (UTC, or local time when ``is_local``).
    """

    host_id: str
    sql_instance: str = DEFAULT_INSTANCE
    is_local: bool = False
    step: float = 1.0
    times: Values = field(default_factory=lambda: np.empty(0))
    series: dict[Counter, dict[str, Values]] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name as replicas carry it: HOST, or HOST\\INSTANCE."""
        return node_name(self.host_id, self.sql_instance)

    def get(self, counter: Counter, instance: str) -> Values | None:
        """Give a series by its instance (without regard to case), NaN where blank."""
        return self.series.get(counter, {}).get(instance.lower())

    def instances(self, *counters: Counter) -> list[str]:
        """Give the instances of some counters, as written."""
        keys = {key for counter in counters for key in self.series.get(counter, {})}
        return sorted(self.written[key] for key in keys)

    def rows(self, start: float, end: float) -> slice:
        """Give the rows of the grid within ``start`` (included) and ``end`` (left out)."""
        first, last = np.searchsorted(self.times, [start, end])
        return slice(int(first), int(last))


def microseconds(moment: datetime | None) -> int | None:
    """Give a moment as the SQL compares it; without zone it is UTC."""
    if moment is None:
        return None
    from datetime import UTC

    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(aware.timestamp() * 1e6)


def load(
    view: View, sql: Any, start: datetime | None = None, end: datetime | None = None
) -> list[Node]:
    """Read the transport counters of a case into one node per SQL Server instance.

    Parameters
    ----------
    view
        The opened case.
    sql
        Gives the text of an SQL file by name.
    start, end
        Only samples from ``start`` (included) to ``end`` (left out).
    """
    view.run(sql("series.sql"), {"wanted": wanted()})
    series = view.table(
        "select distinct on (series_no) * from transport_series order by series_no, counter_id"
    ).to_pylist()
    if not series:
        return []
    bounds = {"start_us": microseconds(start), "end_us": microseconds(end)}
    samples = view.table(sql("samples.sql"), bounds)
    number = samples["series_no"].to_numpy().astype(np.int64)
    step = samples["step"].to_numpy().astype(np.int64)
    value = samples["value"].to_numpy()
    # Values sorted by series let each one be cut out without a search over all samples.
    order = np.argsort(number, kind="stable")
    number, step, value = number[order], step[order], value[order]
    cuts = np.searchsorted(number, np.arange(len(series) + 1))

    nodes: dict[tuple[str, str], Node] = {}
    for row in series:
        if row["sql_instance"] is not None:
            key = (row["host_id"], row["sql_instance"])
            nodes.setdefault(key, _empty_node(row))
    for row in series:
        part = slice(cuts[row["series_no"]], cuts[row["series_no"] + 1])
        for node in nodes.values():
            if node.host_id != row["host_id"]:
                continue
            if row["sql_instance"] in (None, node.sql_instance):
                grid = np.full(len(node.times), np.nan)
                grid[step[part]] = value[part]
                instance = row["instance"] or ""
                node.series.setdefault((row["object"], row["counter"]), {})[instance.lower()] = grid
                node.written.setdefault(instance.lower(), instance)
    return list(nodes.values())


def _empty_node(row: dict[str, Any]) -> Node:
    step = row["step_us"] / 1e6
    count = int((row["last_us"] - row["first_us"]) / row["step_us"] + 0.5) + 1
    times = row["first_us"] / 1e6 + step * np.arange(count)
    return Node(row["host_id"], row["sql_instance"], row["is_local"], step, times)
