"""The transport tables that a person looks at, as pandas frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.transport.chain import Series
from agtrace.diagnostics.transport.narrative import instant
from agtrace.diagnostics.transport.parts import Part
from agtrace.diagnostics.transport.stats import slope
from agtrace.diagnostics.transport.study import LinkStudy, Study

if TYPE_CHECKING:
    import pandas as pd

HOPS = ("flushed", "received", "hardened", "redone")


def chain(links: list[LinkStudy]) -> pd.DataFrame:
    """Give one row per replica and database; rates in log bytes per second, queues in bytes."""
    import pandas as pd

    rows = [_chain_row(studied, part) for studied in links for part in studied.parts]
    columns = ["ag", "primary", "replica", "database", "start", "end", "samples", "verdict"]
    for hop in HOPS:
        columns += [f"{hop}_p50", f"{hop}_p95", f"{hop}_max"]
    columns += ["send_queue_end", "send_queue_slope", "recovery_queue_end", "recovery_queue_slope"]
    return pd.DataFrame(rows, columns=columns)


def _chain_row(studied: LinkStudy, part: Part) -> dict[str, Any]:
    link, read = studied.link, part.chain
    queue = read.send_queue
    row: dict[str, Any] = {
        "ag": link.ag,
        "primary": link.primary_name,
        "replica": link.replica,
        "database": part.database,
        "start": instant(float(read.times[0]), is_local=link.is_local),
        "end": instant(float(read.times[-1]), is_local=link.is_local),
        "samples": queue.spread.n if queue is not None and queue.spread is not None else 0,
        "verdict": ", ".join(
            v.id.removeprefix("transport.")
            for v in studied.verdicts
            if part.database in v.databases
        ),
    }
    for hop in HOPS:
        series: Series | None = getattr(read, hop)
        s = series.spread if series is not None else None
        if s is not None:
            row |= {f"{hop}_p50": s.p50, f"{hop}_p95": s.p95, f"{hop}_max": s.max}
    for name, series, end in (
        ("send_queue", queue, read.queue_end),
        ("recovery_queue", read.recovery_queue, read.recovery_end),
    ):
        fit = slope(read.times, series.values) if series is not None else None
        row[f"{name}_end"] = end
        row[f"{name}_slope"] = fit.value if fit is not None else None
    return row


def roles(study: Study) -> pd.DataFrame:
    """Give one row per availability group, replica and stretch; open ends are empty."""
    import pandas as pd

    rows = []
    for group in study.groups:
        for node in group.nodes:
            for role in study.roles[group.ags][node.name]:
                ends = [
                    "" if math.isinf(at) else instant(at, is_local=node.is_local)
                    for at in (role.start, role.end)
                ]
                rows.append((group.name, node.name, role.role, *ends, role.evidence))
    return pd.DataFrame(rows, columns=["ag", "replica", "role", "start", "end", "evidence"])


def rpo_rto(links: list[LinkStudy]) -> pd.DataFrame:
    """Give one row per replica and database; all values in seconds."""
    import pandas as pd

    rows = []
    for studied in links:
        redo = {item.database: item for item in studied.redo_times}
        for item in studied.losses:
            s, other = item.spread, redo.get(item.database)
            r = other.spread if other is not None else None
            rows.append(
                {
                    "replica": studied.link.replica,
                    "database": item.database,
                    "rpo_end": item.end,
                    "rpo_p50": s.p50,
                    "rpo_p95": s.p95,
                    "rpo_max": s.max,
                    "rpo_method": item.method,
                    "redo_end": other.end if other is not None else None,
                    "redo_p95": r.p95 if r is not None else None,
                    "redo_max": r.max if r is not None else None,
                    "samples": s.n,
                }
            )
    columns = ["replica", "database", "rpo_end", "rpo_p50", "rpo_p95", "rpo_max", "rpo_method"]
    columns += ["redo_end", "redo_p95", "redo_max", "samples"]
    return pd.DataFrame(rows, columns=columns)
