"""Tables of the notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import QUANTILES, Link, Spread
from agtrace.measures import Measure

if TYPE_CHECKING:
    import pandas as pd

MEASURES = (
    Measure("mean_ms", "mean", "ms"),
    *(Measure(f"{name}_ms", name, "ms") for name in QUANTILES),
    Measure("share_percent", "share of a mean commit", "%"),
    Measure("at_slow", "median at slow commits"),
    Measure("at_others", "median at other commits"),
    *(Measure(f"{end}_disk_write_ms", f"disk write of the {end}", "ms") for end in ("primary", "replica")),
    *(
        Measure(f"{end}_processors_percent", f"processors of the {end}", "%")
        for end in ("primary", "replica")
    ),
    Measure("recovery_queue_mb", "recovery queue", "MB"),
    Measure("flow_control_percent", "flow control, share of the time", "%"),
)
"""The columns of the tables that bear a unit, or words of ours."""


def hops(links: list[Link]) -> pd.DataFrame:
    """Give n, mean, percentiles (ms) and share (%) of each hop, commit and wait."""
    import pandas as pd

    rows = []
    for link in links:
        parts: dict[str, Spread | None] = {"commit": link.commit, **link.hops, "commit wait": link.wait}
        for name, spread in parts.items():
            if spread is None:
                continue
            row = {"database": link.database, "replica": link.replica, "hop": name, "n": spread.n,
                   "mean_ms": spread.mean}  # fmt: skip
            row |= {f"{q}_ms": v for q, v in zip(QUANTILES, spread.quantiles, strict=True)}
            row["share_percent"] = link.share(name) if name in link.hops else None
            rows.append(row)
    return pd.DataFrame(rows)


def beside(links: list[Link], found: dict[str, list[Beside]]) -> pd.DataFrame:
    """Give each series of both hosts: its value in the middle at the moments of slow commits, and at the others'."""
    import pandas as pd

    names = ("database", "replica", "host", "what", "slow_commits", "samples", "at_slow", "at_others", "unit")
    rows = [
        (link.database, link.replica, each.host, each.what, each.n, each.samples, each.slow, each.usual, each.kind.unit)
        for link in links
        for each in found.get(link.key, [])
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(names))
