"""The samples of the transport counters, as one grid per SQL Server instance (a node)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from agtrace.measure.base import View, once_per_case
from agtrace.measure.sampler import with_log_steps
from agtrace.measure.transport_counters import Counter, wanted
from agtrace.moments import microseconds
from agtrace.resolve.replicas import DEFAULT_INSTANCE, node_name
from agtrace.store.sql_files import beside
from agtrace.tables.rows import numbers

_sql = beside(__file__)

Values = NDArray[np.float64]
Sampled = tuple[NDArray[np.int32], Values]
"""The steps of a grid in which a series was sampled, and its values there."""

LOT_CELLS = 2_000_000
"""Samples read at once: a query result takes several times the memory of the grid."""


@dataclass(eq=False)
class Node:
    """A SQL Server instance with captures.

    Parameters
    ----------
    host_id, sql_instance
        Its host and instance name; the default instance is MSSQLSERVER, None if unknown.
    is_local
        Whether its UTC offset is unknown: ``times`` are then local and cannot be compared with other hosts.
    step
        Seconds between two rows of its grid: its sampling interval, longer in very large cases.
    averaged
        Rows are means over several samples.
    times
        Time of each row, seconds since 1970 (UTC, or local time when ``is_local``).
    """

    host_id: str
    sql_instance: str | None = DEFAULT_INSTANCE
    is_local: bool = False
    step: float = 1.0
    averaged: bool = False
    times: Values = field(default_factory=lambda: np.empty(0))
    series: dict[Counter, dict[str, Values]] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name as replicas carry it: HOST, or HOST\\INSTANCE."""
        return node_name(self.host_id, self.sql_instance)

    def get(self, counter: Counter, instance: str) -> Values | None:
        """Return a series by its instance (case-insensitive), NaN if blank."""
        return self.series.get(counter, {}).get(instance.lower())

    def add(self, row: dict[str, Any], grid: Values) -> None:
        """Take a series in, as series.sql describes it."""
        instance = row["instance"] or ""
        self.series.setdefault(Counter(row["object"], row["counter"]), {})[instance.lower()] = grid
        self.written.setdefault(instance.lower(), instance)

    def instances(self, *counters: Counter) -> list[str]:
        """Return the instances of some counters, as written."""
        keys = {key for counter in counters for key in self.series.get(counter, {})}
        return sorted(self.written[key] for key in keys)

    def rows(self, start: float, end: float) -> slice:
        """Return the rows of the grid from ``start`` (included) to ``end`` (excluded)."""
        first, last = np.searchsorted(self.times, [start, end])
        return slice(int(first), int(last))


@once_per_case
def load_all(view: View) -> list[Node]:
    """Read the transport counters of a whole case."""
    return load(view)


def load(view: View, start: datetime | None = None, end: datetime | None = None) -> list[Node]:
    """Read the transport counters of a case into one node per SQL Server instance.

    Parameters
    ----------
    view
        The opened case.
    start, end
        Only samples from ``start`` (included) to ``end`` (excluded) of the reference clock, UTC without a
        zone; in local time for a host whose UTC offset is unknown.
    """
    with_log_steps(view)
    view.run(_sql("grid_series.sql"), {"wanted": wanted()})
    series = view.rows(
        "select distinct on (series_no) * from scratch.transport_series order by series_no, counter_id"
    )
    if not series:
        return []
    bounds = {"start_us": start and microseconds(start), "end_us": end and microseconds(end)}
    sampled: dict[int, Sampled] = {}
    for first, last in _lots(series):
        lot = view.table(_sql("grid_samples.sql"), bounds | {"first": first, "last": last})
        sampled |= _by_series(lot, first, last)

    nodes: list[Node] = []
    for host, rows in _by_host(series).items():
        own = [sampled.pop(row["series_no"]) for row in rows]
        # A grid contains only sampled steps: weeks between two captures take no memory.
        steps = np.unique(np.concatenate([step for step, _value in own]))
        grids = [_grid(steps, *own.pop(0)) for _row in rows]
        seconds = rows[0]["step_us"] / 1e6
        averaged = rows[0]["step_us"] > rows[0]["interval_us"]
        times = rows[0]["first_us"] / 1e6 + seconds * steps
        for instance in dict.fromkeys(r["sql_instance"] for r in rows if r["sql_instance"] is not None):
            node = Node(host, instance, rows[0]["is_local"], seconds, averaged, times)
            for row, grid in zip(rows, grids, strict=True):
                if row["sql_instance"] in (None, instance):
                    node.add(row, grid)
            nodes.append(node)
    return nodes


def _lots(series: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each batch of series read at once; most cases have one batch."""
    first, cells = 0, 0.0
    for number, row in enumerate(series):
        if number > first and cells + row["steps"] > LOT_CELLS:
            yield first, number - 1
            first, cells = number, 0.0
        cells += row["steps"]
    yield first, len(series) - 1


def _by_series(lot: pa.Table, first: int, last: int) -> dict[int, Sampled]:
    """Return steps and values of each series of a lot."""
    number = numbers(lot["series_no"])
    step, value = numbers(lot["step"]).astype(np.int32), numbers(lot["value"])
    # Sorted by series each one can be cut out without a search over all samples.
    order = np.lexsort((step, number))
    step, value = step[order], value[order]
    cuts = np.searchsorted(number[order], np.arange(first, last + 2))
    found: dict[int, Sampled] = {}
    before = step[:0]
    for place, (a, b) in enumerate(pairwise(cuts)):
        # Series of one log were sampled at the same times.
        before = before if np.array_equal(before, step[a:b]) else step[a:b].copy()
        found[first + place] = before, value[a:b].copy()
    return found


def mean(values: Values | None) -> float:
    """Return the mean of values that are not blank; 0 without any."""
    if values is None or np.isnan(values).all():
        return 0.0
    return float(np.nanmean(values))


def _by_host(series: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    hosts: dict[str, list[dict[str, Any]]] = {}
    for row in series:
        hosts.setdefault(row["host_id"], []).append(row)
    return hosts


def _grid(steps: NDArray[np.int32], step: NDArray[np.int32], value: Values) -> Values:
    if len(step) == len(steps):
        return value
    grid = np.full(len(steps), np.nan)
    grid[np.searchsorted(steps, step)] = value
    return grid
