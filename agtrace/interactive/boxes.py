"""Box plots of counters, by series, hour, weekday or day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace.interactive.plotted import Panel, Plotted
from agtrace.moments import Window
from agtrace.say import figures
from agtrace.say.colours import COLOURS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

BY = ("hour", "weekday", "day")
MONDAY = date(2024, 1, 1)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def boxes(
    panels: Sequence[Panel],
    drawn: Sequence[list[Plotted]],
    *,
    by: str | None,
    clock: Window,
    title: str,
    log_y: bool,
) -> Figure:
    """Draw a box for each series, or for each of its hours, weekdays or days.

    A box spans the quartiles, with a line at the median; its whiskers reach to p5 and p95.
    """
    from plotly.subplots import make_subplots

    rows = len(panels)
    figure = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes=by is not None,
        vertical_spacing=0.32 / (rows + 3),
        subplot_titles=[figures.label(panel.title) for panel in panels] if rows > 1 else None,
    )
    names = sorted({each.name for here in drawn for each in here})
    for row, (panel, here) in enumerate(zip(panels, drawn, strict=True), start=1):
        largest = max((float(np.nanmax(np.abs(each.values))) for each in here), default=0.0)
        factor, unit = figures.shown_unit(panel.unit, largest)
        for each in here:
            colour = COLOURS[names.index(each.name) % len(COLOURS)]
            figure.add_trace(_trace(each, by, factor, colour), row=row, col=1)
        figure.update_yaxes(title_text=unit, hoverformat=",.4~g", row=row, col=1, rangemode="tozero")
    if log_y:
        figure.update_yaxes(type="log")
    if by is not None:
        order = {"array": _weekdays()} if by == "weekday" else {"order": "category ascending"}
        figure.update_xaxes(type="category", **{f"category{key}": each for key, each in order.items()})
        figure.update_xaxes(title_text=f"{by} ({clock.called})", row=rows, col=1)
    figures.finish(figure, f"{title}: quartiles, whiskers to p5 and p95", 140 + 240 * rows, legend_above=True)
    figure.update_layout(boxmode="group", hovermode="closest", showlegend=by is not None)
    return figure


def _trace(series: Plotted, by: str | None, factor: float, colour: str) -> Any:
    import plotly.graph_objects as go

    groups = _groups(series, by)
    found = np.array([np.nanquantile(values, QUANTILES) for _name, values in groups]) / factor
    p5, q1, median, q3, p95 = found.T
    name = figures.label(series.name)
    return go.Box(
        x=[figures.label(group) for group, _values in groups] if by else [name],
        lowerfence=p5, q1=q1, median=median, q3=q3, upperfence=p95,
        name=name, legendgroup=name, marker_color=colour, line_width=1.5,
    )  # fmt: skip


def _weekdays() -> list[str]:
    return [f"{MONDAY + timedelta(days=number):%A}" for number in range(7)]


def _groups(series: Plotted, by: str | None) -> list[tuple[str, np.ndarray]]:
    """Return the values of each group, hours and days in chronological order."""
    if by is None:
        return [("", series.values)]
    days = series.times.astype("datetime64[D]")
    if by == "hour":
        number = (series.times.astype("datetime64[h]") - days).astype(np.int64)
        names = {n: f"{n:02}" for n in range(24)}
    elif by == "weekday":
        # 1970 began on a Thursday.
        number = (days.astype(np.int64) + 3) % 7
        names = dict(enumerate(_weekdays()))
    else:
        number = days.astype(np.int64)
        names = {int(day.astype(np.int64)): str(day) for day in np.unique(days)}
    return [(names[int(each)], series.values[number == each]) for each in np.unique(number)]
