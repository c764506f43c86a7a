"""The comparison figures; plotly is imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace.diagnostics.base import View
from agtrace.diagnostics.comparison.study import Study
from agtrace.diagnostics.comparison.tables import clock
from agtrace.history import transfers as m
from agtrace.history.transfers import Run
from agtrace.measure import usage
from agtrace.measure.usage import Window
from agtrace.say import figures, words
from agtrace.say.colours import COLOURS, FAINT, HOSTS, INK
from agtrace.say.figures import Line, finish, label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

# Hosts have no colours on this page: steps of a run have a palette, and runs that of series.
_COLOURS = {
    m.REQUEST: HOSTS[8], m.SLOT: HOSTS[3], m.WAIT: HOSTS[5], m.BACKUP: HOSTS[0], m.COPY: HOSTS[7],
    m.RESTORE: HOSTS[2], m.UNSEEN_RESTORE: HOSTS[2], m.LOG_BACKUP: FAINT, m.LOG_RESTORE: FAINT,
    m.JOIN: INK, m.CATCH_UP: HOSTS[4], m.WINDOW: HOSTS[6],
}  # fmt: skip
_PANELS = (
    ("Wire, sent by the source", "B/s", ((m.SENT, "source"),)),
    ("Disks: reads of the source, writes of the target", "B/s", ((m.READ, "source"), (m.WRITTEN, "target"))),
    ("CPU of both hosts", "%", ((m.CPU, "source"), (m.CPU, "target"))),
)
_OF_WINDOWS = (
    ("Network, sent", "B/s", ((m.SENT, ""),)),
    ("Disks: reads and writes", "B/s", ((m.READ, ""), (m.WRITTEN, ""))),
    ("CPU", "%", ((m.CPU, ""),)),
)
BARS = 40
"""Most runs whose steps are drawn."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""Of the hosts of runs that have no source: a colour is a run."""
MOST = len(COLOURS)
"""Runs that are drawn: the first of each configuration, up to as many as there are colours."""


def durations(found: Study) -> Figure:
    """Draw the steps of each run one behind the other, a bar for each run."""
    import plotly.graph_objects as go

    fig = go.Figure()
    runs = _firsts(found)
    longest = max((run.seconds for run in runs), default=0)
    divisor, unit = (60, "min") if longest >= 120 else (1, "s")
    names = {run.number: _name(found, run) for run in runs}
    for step in dict.fromkeys(step.name for run in runs for step in run.steps):
        own = [(run, s) for run in runs for s in run.steps if s.name == step]
        fig.add_bar(
            y=[label(names[run.number]) for run, _step in own],
            x=[s.seconds / divisor for _run, s in own],
            base=[(s.start - run.start).total_seconds() / divisor for run, s in own],
            name=label(step),
            orientation="h",
            marker_color=_COLOURS.get(step, HOSTS[1]),
            customdata=[clock(s.seconds) for _run, s in own],
            hovertemplate="%{customdata}",
        )
    for run in runs:
        text, place = f"<b>{clock(run.seconds)}</b>", {"xanchor": "left", "xshift": 6, "showarrow": False}
        fig.add_annotation(x=run.seconds / divisor, y=label(names[run.number]), text=text, **place)
    title = "How long each run took, by step" if runs else "No run was captured"
    if len(runs) < len(found.runs):
        title += f": {len(runs)} of {len(found.runs):,} runs"
    fig.update_xaxes(title_text=unit, range=[0, longest / divisor * 1.12 or 1])
    fig.update_yaxes(autorange="reversed", linecolor=FAINT)
    height = 190 + 44 * max(len(runs), 1)
    fig.update_layout(hovermode="closest", legend_traceorder="normal")
    return finish(fig, title, height, barmode="overlay")


def _firsts(found: Study) -> list[Run]:
    """Return the runs to draw: all, or if there are very many, one per configuration first."""
    firsts = {c.first.number for group in found.groups for c in group.configurations}
    chosen = sorted(found.runs, key=lambda run: (run.number not in firsts, run.number))[:BARS]
    return sorted(chosen, key=lambda run: run.number)


def aligned(found: Study, view: View) -> Figure:
    """Draw wire, disks and CPU of the runs over the seconds since each began."""
    chosen = [c.first for group in found.groups for c in group.configurations][:MOST]
    if not chosen:
        chosen = list(found.runs[:MOST])
    series = _series(view, chosen)
    panels = _OF_WINDOWS if all(run.method == m.GIVEN for run in chosen) else _PANELS
    hosts = sorted({host for _run, host, _resource in series})
    lines = []
    for place, run in enumerate(chosen):
        for panel, (_title, _unit, parts) in enumerate(panels):
            for resource, role in parts:
                for host in sorted({key[1] for key in series if key[0] == run.number}):
                    is_source = run.method == m.GIVEN or host == run.source
                    if role and is_source != (role == "source"):
                        continue
                    if (run.number, host, resource) in series:
                        seconds, values = series[run.number, host, resource]
                        name = f"{_name(found, run)}, {host}"
                        dash = "solid" if is_source and resource != m.WRITTEN else "dot"
                        if run.method == m.GIVEN:
                            dash = DASHES[hosts.index(host) % len(DASHES)]
                        lines.append(Line(name, seconds, values, panel, COLOURS[place], dash))
    fig = figures.lines(
        lines,
        title="The runs side by side, each from its start" if lines else "No perfmon log covers a run",
        unit=[unit for _title, unit, _parts in panels],
        panels=[title for title, _unit, _parts in panels],
        time_title="seconds since the start of the run",
    )
    fig.update_xaxes(hoverformat=",.0f", rangemode="tozero")
    entries = len({line.name for line in lines})
    if entries > 2:  # the legend takes a line for about two entries
        more = 22 * ((entries + 1) // 2 - 1)
        height = fig.layout.height + more
        fig.update_layout(height=height, margin_t=104 + more)
        fig.update_layout(legend={"y": 1 - 46 / height})
    return fig


def _series(view: View, runs: list[Run]) -> dict[tuple[int, str, str], tuple[Any, Any]]:
    windows = [Window(run.number, run.start, run.end, run.database) for run in runs]
    wanted = (m.CPU, m.SENT, m.READ, m.WRITTEN)
    table = usage.series(view, windows, wanted) if windows else None
    if table is None or not len(table):
        return {}
    starts = {run.number: run.start.timestamp() for run in runs}
    concerned = {run.number: run for run in runs}
    keys = [table[name].to_pylist() for name in ("window", "host", "resource")]
    times = table["time"].cast("int64").to_numpy() / 1e6
    values = table["value"].to_numpy()
    places: dict[tuple[int, str, str], list[int]] = {}
    for place, key in enumerate(zip(*keys, strict=True)):
        places.setdefault(key, []).append(place)
    return {
        key: (times[np.array(own)] - starts[key[0]], values[np.array(own)])
        for key, own in places.items()
        if m.concerns(concerned[key[0]], key[1])
    }


def _name(found: Study, run: Run) -> str:
    name, number = run.label or run.method, f" (run {run.number})"
    if run.number in found.places:
        configuration = found.places[run.number][1]
        name = configuration.full_name
        is_shared = configuration.n > 1 or len(found.groups) > 1
        number = number if is_shared and "(run" not in name else ""
        name += f" of {run.database}" if len(found.groups) > 1 and run.database else ""
    return words.plain(name, 60 - len(number)) + number
