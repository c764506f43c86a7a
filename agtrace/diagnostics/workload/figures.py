"""The workload figures. plotly is imported when one is made."""

from __future__ import annotations

from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.workload.curves import Comparison, Course
from agtrace.diagnostics.workload.names import axis_title, tool_of, users, workload_name
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials import Workload
from agtrace.say import words
from agtrace.say.colours import BAND, COLOURS, FAINT
from agtrace.say.figures import finish, label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LETTERS = 90
DASHES = ("solid", "dash", "dot", "dashdot")


def _panels(titles: list[str], columns: int = 1) -> Figure:
    from plotly.subplots import make_subplots

    rows = max((len(titles) + columns - 1) // columns, 1)
    spacing = {"vertical_spacing": 0.38 / (rows + 2)}
    if columns > 1:
        spacing = {"vertical_spacing": 0.3 / (rows + 1), "horizontal_spacing": 0.09}
    shown = [label(title) for title in titles] or None
    return make_subplots(rows=rows, cols=columns, subplot_titles=shown, **spacing)


def _finish(fig: Figure, title: str, rows: int) -> Figure:
    left = [axis.domain[0] for axis in fig.select_xaxes() if axis.domain]
    fig.for_each_annotation(
        lambda a: a.update(x=max(x for x in left if x <= a.x), xanchor="left", font_size=13),
        {"yanchor": "bottom"},
    )
    return finish(fig, title, 150 + 270 * max(rows, 1), legend_above=True, margin_t=108)


def _add(
    fig: Figure, name: str, place: tuple[int, int], seen: set[str], line: dict[str, Any], **given: Any
) -> None:
    """Add a line to a panel; its name is in the legend once."""
    shown, (row, col) = label(name), place
    is_new = shown not in seen
    fig.add_scatter(name=shown, legendgroup=shown, showlegend=is_new, row=row, col=col, line=line, **given)
    seen.add(shown)


def curves(found: Study) -> Figure:
    """Draw every metric over the load; shaded is where the curves cross."""
    titles = [f"{workload_name(c.workload)}: {c.metric.label}" for c in found.comparisons]
    fig = _panels(titles)
    seen: set[str] = set()
    for row, comparison in enumerate(found.comparisons, 1):
        loads = [point.load for point in comparison.points]
        minutes = comparison.metric.unit == "s" and _longest(comparison) >= 120
        divisor = 60 if minutes else 1
        shown = "min" if minutes else comparison.metric.unit
        for place, configuration in enumerate(comparison.pair):
            values = [median(p.second if place else p.first) / divisor for p in comparison.points]
            line, hover = {"color": COLOURS[place], "width": 1.75}, f"%{{y:,.4~g}} {shown}"
            drawn = {"x": loads, "y": values, "mode": "lines+markers", "hovertemplate": hover}
            _add(fig, configuration.name, (row, 1), seen, line, **drawn)
        for crossover in comparison.crossovers:
            where = {"x0": crossover.below, "x1": crossover.above, "layer": "below", "row": row, "col": 1}
            fig.add_vrect(fillcolor=BAND, opacity=0.14, line_width=0, **where)
        fig.update_yaxes(title_text=shown, rangemode="tozero", row=row, col=1)
        fig.update_xaxes(title_text=axis_title(comparison.workload), row=row, col=1)
    told = [
        f"{c.tool}, {c.metric.label}: {x.below} to {x.above}"
        for c in found.comparisons
        for x in c.crossovers[:1]
    ]
    title = _listed("The curves cross at", told) if told else "The curves do not cross"
    return _finish(fig, title if found.comparisons else "Nothing compares", len(titles))


def _listed(begin: str, told: list[str]) -> str:
    """List as many as fit beside a figure's tools, and how many more there are."""
    shown = len(told)
    while shown > 1 and len("; ".join(told[:shown])) > MOST_LETTERS:
        shown -= 1
    more = f"; and {len(told) - shown} more" if shown < len(told) else ""
    return f"{begin} {'; '.join(told[:shown])}{more}"


MOST_PANELS = 12
"""Loads whose runs are drawn: a page of them."""


def progress(found: Study) -> Figure:
    """Draw transactions per minute over each run: one panel per load, one colour per configuration."""
    panels: dict[tuple[Workload, int], list[Course]] = {}
    for course in found.courses:
        trial = course.tested.trial
        panels.setdefault((trial.workload, trial.load), []).append(course)
    shown = dict(list(panels.items())[:MOST_PANELS])
    several = len({workload for workload, _load in shown}) > 1
    titles = [
        (f"{workload_name(workload)}: " if several else "") + users(workload, load)
        for workload, load in shown
    ]
    fig = _panels(titles, 2)
    names = found.names
    seen: set[str] = set()
    for place, courses in enumerate(shown.values()):
        row, col = place // 2 + 1, place % 2 + 1
        for course in courses:
            name = course.name
            line = {"color": COLOURS[names.index(name) % len(COLOURS)], "width": 1.5}
            drawn = {"x": list(course.minutes), "y": list(course.tpm), "mode": "lines"}
            _add(fig, name, (row, col), seen, line, hovertemplate="%{y:,.0f} 1/min", **drawn)
        fig.update_yaxes(title_text="1/min", rangemode="tozero", row=row, col=col)
        fig.update_xaxes(title_text="min", rangemode="tozero", row=row, col=col)
    title = "No reading of the transaction counter was captured"
    if shown:
        title = f"Transactions per minute over each run, {words.count(len(found.courses), 'run')}"
    if len(panels) > MOST_PANELS:
        title += f"; the first {MOST_PANELS} loads"
    return _finish(fig, title, (len(shown) + 1) // 2)


def _longest(comparison: Comparison) -> float:
    return max(max((*point.first, *point.second)) for point in comparison.points)


def hosts(found: Study, colours: dict[str, str]) -> Figure:
    """Draw the disk throughput of each host over the load, a colour per host, a dash per configuration."""
    workloads = found.workloads
    fig = _panels([workload_name(workload) for workload in workloads])
    names = found.names
    seen: set[str] = set()
    highest = (0.0, "")
    for row, workload in enumerate(workloads, 1):
        for (host, configuration), points in _disks(found, workload).items():
            name, dash = f"{host}, {configuration}", DASHES[names.index(configuration) % len(DASHES)]
            loads, rates = zip(*sorted(points.items()), strict=True)
            values = [fmean(each) / 1e6 for each in rates]
            highest = max(highest, (max(values), name))
            line = {"color": colours.get(host, FAINT), "dash": dash, "width": 1.75}
            drawn = {"x": list(loads), "y": values, "mode": "lines+markers"}
            _add(fig, name, (row, 1), seen, line, hovertemplate="%{y:,.4~g} MB/s", **drawn)
        fig.update_yaxes(title_text="MB/s", rangemode="tozero", row=row, col=1)
        fig.update_xaxes(title_text=axis_title(workload), row=row, col=1)
    title = "No disk was captured during the tests"
    if highest[1]:
        title = f"Disks deliver up to {words.rate(highest[0] * 1e6)} ({highest[1]})"
    return _finish(fig, title, len(workloads))


def _disks(found: Study, workload: Workload) -> dict[tuple[str, str], dict[int, list[float]]]:
    rates: dict[tuple[str, str], dict[int, list[float]]] = {}
    for tested in (each for each in found.tested if each.trial.workload == workload):
        for host, activity in tested.activities.items():
            if activity.disk is not None:
                of = rates.setdefault((host, tested.configuration.name), {})
                of.setdefault(tested.trial.load, []).append(activity.disk)
    return rates


def reads(found: Study, colours: dict[str, str]) -> Figure:
    """Draw each host's share of what was executed, per workload and configuration."""
    import plotly.graph_objects as go

    fig = go.Figure()
    rows = [(each, share) for each in found.routing for share in each.shares]
    for host in dict.fromkeys(share.host for _each, share in rows):
        own = [(each, share) for each, share in rows if share.host == host]
        fig.add_bar(
            x=[share.share * 100 for _each, share in own],
            y=[label(f"{tool_of(e.workload)}: {s.configuration.name}") for e, s in own],
            name=label(host),
            orientation="h",
            hovertemplate="%{x:.1f} %",
            marker_color=colours.get(host, FAINT),
        )
    title = "No configuration with read-only routing was tested, or no replica was captured meanwhile"
    if rows:
        title = "Share of the requests that each replica served"
    fig.update_xaxes(title_text="%", range=[0, 100])
    fig.update_yaxes(autorange="reversed", linecolor=FAINT)
    bars = len({(each.workload, share.configuration) for each, share in rows})
    return finish(fig, title, 240 + 36 * bars, barmode="stack")
