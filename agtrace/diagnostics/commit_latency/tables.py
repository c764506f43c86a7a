"""Tables of the notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import QUANTILES, Link, Spread
from agtrace.measures import Measure, frame

if TYPE_CHECKING:
    import pandas as pd

ENDS = ("primary", "replica")
HOPS = (
    *map(Measure, ("database", "replica", "hop", "n")),
    Measure("mean_ms", "mean", "ms"),
    *(Measure(f"{name}_ms", name, "ms") for name in QUANTILES),
    Measure("share_percent", "share of a mean commit", "%"),
)
BESIDE = (
    *map(Measure, ("database", "replica", "host", "what", "slow_commits", "samples")),
    Measure("at_slow", "median at slow commits"),
    Measure("at_others", "median at other commits"),
    Measure("unit"),
)
SLOW = (
    *(Measure(f"{end}_disk_write_ms", f"disk write of the {end}", "ms") for end in ENDS),
    *(Measure(f"{end}_processors_percent", f"processors of the {end}", "%") for end in ENDS),
    Measure("recovery_queue_mb", "recovery queue", "MB"),
    Measure("flow_control_percent", "flow control, share of the time", "%"),
)
"""The columns of slow.sql besides those of hops and commits."""
MEASURES = tuple(dict.fromkeys((*HOPS, *BESIDE, *SLOW)))


def hops(links: list[Link]) -> pd.DataFrame:
    """Return n, mean, percentiles (ms) and share (%) of each hop, commit and wait."""
    rows = []
    for link in links:
        parts: dict[str, Spread | None] = {"commit": link.commit, **link.hops, "commit wait": link.wait}
        for name, spread in parts.items():
            if spread is not None:
                share = link.share(name) if name in link.hops else None
                row = (link.database, link.replica, name, spread.n, spread.mean, *spread.quantiles, share)
                rows.append(row)
    return frame(HOPS, rows)


def beside(links: list[Link], found: dict[str, list[Beside]]) -> pd.DataFrame:
    """Return each series of both hosts: its median during slow commits, and during the others."""
    rows = []
    for link in links:
        for each in found.get(link.key, []):
            values = (each.n, each.samples, each.slow, each.usual, each.kind.unit)
            rows.append((link.database, link.replica, each.host, each.what, *values))
    return frame(BESIDE, rows)
