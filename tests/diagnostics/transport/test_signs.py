"""What is gathered about why a stream is slow, and how long log writes take."""

from __future__ import annotations

from typing import Any

import numpy as np

from agtrace.diagnostics.transport.signs import Signs, log_write, signs
from agtrace.history.streams.chain import read_chain, read_stream
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.measure.grid import Node
from tests.diagnostics.transport.made import known, link, ping, secondary
from tests.folded import folded

FIRST_HALF, LAST_HALF = slice(0, 30), slice(30, 60)


def gathered(
    of: Link, beside: StreamFacts | None = None, rows: tuple[slice, slice] = (FIRST_HALF, LAST_HALF)
) -> Signs:
    beside = beside or known()
    chains = [read_chain(of, [name]) for name in of.group.databases.values()]
    return signs(of, read_stream(of, beside.sending(of).counted), chains, (0.0, 300.0), rows, beside)


def halves(one: float, other: float) -> list[float]:
    return [one] * 30 + [other] * 30


def windows(n: float, ms: float = 100) -> float:
    """Return the rate that puts so many unscaled windows in flight."""
    return n * 65_535 * 1000 / ms


@folded(
    ("databases", "fits"),
    [
        ({"Sales": 0.5}, ["the stream to the replica", "Sales"]),
        ({"Sales": 1.5}, ["the stream to the replica", "Sales"]),
        ({"Sales": 0.49}, []),
        ({"Sales": 1.51}, []),
        ({"Sales": 0.6, "Stock": 0.6}, ["the stream to the replica", "Sales", "Stock"]),
        ({"Sales": 1.0, "Stock": 1.0}, ["Sales", "Stock"]),
        ({"Sales": 1.0, "Stock": 0.1}, ["the stream to the replica"]),
        ({"Sales": 1.4, "Stock": 0.3}, []),
    ],
)
def test_the_stream_or_every_database_fits_an_unscaled_window(databases, fits):
    there = secondary(
        received={name: windows(n) for name, n in databases.items()}, queue=dict.fromkeys(databases, 0)
    )
    assert gathered(link(None, there, tuple(databases)), known(ping(100))).fits == fits
    assert gathered(link(None, there, tuple(databases))).fits == []


# Log writes.


def written(of: Node | None, *names: str, machines: Any = None, rows: slice = slice(None)) -> Any:
    found = log_write(of, rows, list(names or ("Sales",)), known(machines=machines).machines)
    return found and (found.ms, found.n, found.is_log, found.source, found.busy)


SOURCE = "Log Flush Write Time (ms) / Log Flushes/sec on S"


def test_a_log_write_is_the_median_of_the_samples_with_writes():
    busy = [0.0] * 30 + [0.5] * 20 + [2.0] * 10
    there = secondary(flush_ms=[0.0] * 30 + [10.0] * 30, flushes=busy)
    assert written(there) == (20, 30, True, SOURCE, 0.01)
    assert written(there, rows=slice(50, 60)) == (5, 10, True, SOURCE, 0.01)


def test_blank_samples_of_one_database_leave_those_of_the_others():
    there = secondary(
        flush_ms={"Sales": halves(100, np.nan), "Stock": 100},
        flushes={"Sales": halves(10, np.nan), "Stock": 10},
    )
    assert written(there, "Sales", "Stock") == (10, 60, True, SOURCE, 0.15)
