"""The percentiles as figures; plotly is imported on first use."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from agtrace.diagnostics.percentiles.tables import leading, weekday
from agtrace.history.distributions import CURVE, GROUPS_SHOWN, Distribution, Group
from agtrace.say import words
from agtrace.say.colours import BAND, COLOURS, FAINT, HOSTS, INK
from agtrace.say.figures import finish, label
from agtrace.say.words import amount

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

NOTHING = "No sample of such a counter lies in the window"


def _scaled(groups: list[Group]) -> tuple[float, str]:
    """Return the divisor and the unit that suit the largest value."""
    unit = groups[0].unit
    if unit not in ("B", "B/s"):
        return 1.0, unit
    largest = max(abs(group.quantile(0.99)) for group in groups)
    shown, multiple = words.scaled(largest)
    return (largest / shown if shown else 1.0), multiple + unit[1:]


def _by_unit(groups: list[Group]) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {}
    for group in groups:
        found.setdefault(group.unit, []).append(group)
    return found


def _shown(found: Distribution) -> list[Group]:
    """Return the groups that fit in a figure: each counter's highest ones, counter by counter."""
    ranked = [group for group in leading(found) if not group.is_still] or leading(found)
    by_name: dict[str, list[Group]] = {}
    for group in ranked:
        by_name.setdefault(group.name, []).append(group)
    turns = max(map(len, by_name.values()), default=0)
    taken = [g[n] for n in range(turns) for g in by_name.values() if n < len(g)][:GROUPS_SHOWN]
    return [group for group in ranked if group in taken]


def percentiles(found: Distribution) -> Figure:
    """Draw p5 to p95 of each group, one panel per unit."""
    from plotly.subplots import make_subplots

    shown = _shown(found)
    units = _by_unit(shown)
    fig = make_subplots(
        rows=max(len(units), 1),
        cols=1,
        row_heights=[max(len(groups), 2) for groups in units.values()] or None,
        vertical_spacing=0.12 / max(len(units), 1),
    )
    for row, groups in enumerate(units.values(), 1):
        divisor, unit = _scaled(groups)
        names = [label(group.label, 90) for group in groups]
        for name, low, high, width, colour in (
            ("p5 to p95", 0.05, 0.95, 4, FAINT),
            ("p25 to p75", 0.25, 0.75, 11, INK),
        ):
            x: list[float | None] = []
            y: list[str | None] = []
            for text, group in zip(names, groups, strict=True):
                x += [group.quantile(low) / divisor, group.quantile(high) / divisor, None]
                y += [text, text, None]
            shown_as = {"name": name, "legendgroup": name, "showlegend": row == 1, "hoverinfo": "skip"}
            line = {"color": colour, "width": width}
            fig.add_scatter(x=x, y=y, mode="lines", line=line, row=row, col=1, **shown_as)
        fig.add_scatter(
            x=[group.quantile(0.5) / divisor for group in groups], y=names, name="p50", mode="markers",
            legendgroup="p50", showlegend=row == 1, marker={"color": BAND, "size": 9},
            hovertemplate=f"%{{x:,.4~g}} {unit}", row=row, col=1,
        )  # fmt: skip
        fig.update_xaxes(title_text=unit, rangemode="tozero", row=row, col=1)
        fig.update_yaxes(autorange="reversed", linecolor=FAINT, row=row, col=1)
    title = NOTHING
    if found.heat_of is not None:
        top = found.heat_of
        title = f"Highest p95: {amount(top.quantile(0.95), top.unit)} ({top.label})"
    more = len(found.groups) - len(shown)
    if more > 0:
        title += f"; {more:,} more in the table"
    height = 170 + 34 * max(len(shown), 2) + 60 * max(len(units), 1)
    return finish(fig, title, height, legend_above=True, hovermode="closest")


def distribution(found: Distribution) -> Figure:
    """Draw each value over the share of samples below it."""
    import plotly.graph_objects as go

    fig = go.Figure()
    shown = _shown(found)
    # One axis: the groups of the unit that the leading group has.
    unit = found.heat_of.unit if found.heat_of else ""
    groups = [group for group in shown if group.unit == unit]
    divisor, text = _scaled(groups) if groups else (1.0, "")
    for group, colour in zip(groups, cycle((*COLOURS, *HOSTS)), strict=False):
        x, y = [100 * p for p in CURVE], [each / divisor for each in group.curve]
        hover = f"%{{x:.0f}} % of the samples are below %{{y:,.4~g}} {text}"
        name = label(group.label, 90)
        fig.add_scatter(
            x=x, y=y, name=name, mode="lines", line={"width": 1.75, "color": colour}, hovertemplate=hover
        )
    title = "Each value with the share of the samples below it" if groups else NOTHING
    fig.update_xaxes(title_text="share of the samples below (%)", range=[0, 100])
    fig.update_yaxes(title_text=text, rangemode="tozero")
    legend = {"orientation": "v", "y": -0.18, "yanchor": "top"}
    return finish(fig, title, 460 + 22 * len(groups), hovermode="closest", legend=legend)


def heat(found: Distribution) -> Figure:
    """Draw the median by hour and weekday, local time; a day or less has no comparison."""
    import plotly.graph_objects as go

    fig = go.Figure()
    title = NOTHING
    if found.cells and not found.is_of_days:
        title = "Median by hour and weekday: no more than a day was captured"
    elif found.heat_of is not None and found.cells:
        divisor, unit = _scaled([found.heat_of])
        median = {(cell["weekday"], cell["hour"]): cell["median"] / divisor for cell in found.cells}
        days = [1, 2, 3, 4, 5, 6, 0]
        fig.add_heatmap(
            z=[[median.get((day, hour)) for hour in range(24)] for day in days],
            x=list(range(24)),
            y=[weekday(day) for day in days],
            name="median by weekday and hour",
            colorscale="Cividis",
            colorbar={"title": {"text": unit}},
            hovertemplate=f"%{{y}}, %{{x}} h: %{{z:,.4~g}} {unit}<extra></extra>",
        )
        title = f"Median by hour and weekday: {found.heat_of.label}"
    fig.update_xaxes(title_text="hour (local time of the host)", dtick=2)
    fig.update_yaxes(autorange="reversed")
    return finish(fig, title, 400, hovermode="closest")
