"""The percentiles as frames."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from agtrace.diagnostics.base import View
from agtrace.diagnostics.percentiles.distribution import PROBABILITIES, Distribution, read_series
from agtrace.diagnostics.percentiles.leading import leading
from agtrace.measures import Measure, frame

if TYPE_CHECKING:
    import pandas as pd

SUNDAY = date(2023, 1, 1)


def percentiles(found: Distribution) -> pd.DataFrame:
    """Give one row per group, in the unit named beside it."""
    rows = [
        (g.name, *g.shown, g.unit, g.n, g.idle, g.mean, g.low, *g.quantiles, g.high) for g in leading(found)
    ]
    quantiles = [f"p{round(100 * probability)}" for probability in PROBABILITIES]
    names = ["counter", *found.asked.by, "unit", "n", "idle", "mean", "lowest", *quantiles, "highest"]
    return frame(map(Measure, names), rows)


def heat(found: Distribution) -> pd.DataFrame:
    """Give one row per weekday and hour."""
    rows = ((weekday(cell["weekday"]), cell["hour"], cell["n"], cell["median"]) for cell in found.cells)
    return frame(map(Measure, ("weekday", "hour", "n", "median")), rows)


def counters(view: View, sql: Callable[[str], str]) -> pd.DataFrame:
    """Give one row per counter of the case."""
    series = frame(map(Measure, ("object", "counter", "host", "counter_id", "unit")), read_series(view, sql))
    grouped = series.groupby(["object", "counter"], sort=True)
    return grouped.agg(
        hosts=("host", "nunique"),
        series=("counter_id", "size"),
        unit=("unit", lambda units: next((u for u in units if u), "")),
    ).reset_index()


def weekday(number: int) -> str:
    """Name a weekday; 0 is Sunday."""
    return f"{SUNDAY + timedelta(days=number):%A}"
