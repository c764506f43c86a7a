"""The percentiles as frames."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pandas as pd

from agtrace.diagnostics.base import View
from agtrace.diagnostics.percentiles.distribution import PROBABILITIES, Distribution, read_series
from agtrace.diagnostics.percentiles.leading import leading

SUNDAY = date(2023, 1, 1)


def percentiles(found: Distribution) -> pd.DataFrame:
    """Give one row per group, in the unit named beside it."""
    rows = [
        (
            group.name, *group.shown, group.unit, group.n, group.idle, group.mean, group.low, *group.quantiles,
            group.high,
        )
        for group in leading(found)
    ]  # fmt: skip
    names = [f"p{round(100 * probability)}" for probability in PROBABILITIES]
    columns = ["counter", *found.asked.by, "unit", "n", "idle", "mean", "lowest", *names, "highest"]
    return pd.DataFrame(rows, columns=columns)


def heat(found: Distribution) -> pd.DataFrame:
    """Give one row per weekday and hour."""
    rows = [(weekday(cell.weekday), cell.hour, cell.n, cell.median) for cell in found.cells]
    return pd.DataFrame(rows, columns=["weekday", "hour", "n", "median"])


def counters(view: View, sql: Callable[[str], str]) -> pd.DataFrame:
    """Give one row per counter of the case."""
    columns = ["object", "counter", "host", "counter_id", "unit"]
    frame = pd.DataFrame(read_series(view, sql), columns=columns)
    grouped = frame.groupby(["object", "counter"], sort=True)
    return grouped.agg(
        hosts=("host", "nunique"),
        series=("counter_id", "size"),
        unit=("unit", lambda units: next((u for u in units if u), "")),
    ).reset_index()


def weekday(number: int) -> str:
    """Name a weekday; 0 is Sunday."""
    return f"{SUNDAY + timedelta(days=number):%A}"
