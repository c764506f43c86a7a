"""The seeding figures: states over time, rate and resources over time, waits of both ends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding.limits import best_report
from agtrace.diagnostics.seeding.study import SLOT, Seeded, Study, after_copy
from agtrace.diagnostics.seeding.verdict import SAID
from agtrace.history.seedings import SOURCE, TARGET, copy_windows
from agtrace.measure import usage as resources
from agtrace.measure.usage import Window
from agtrace.say import words
from agtrace.say.colours import BAND, FAINT, INK, STEPS
from agtrace.say.colours import RESOURCES as OF_RESOURCES
from agtrace.say.figures import Line, label, lines, template
from agtrace.tables import kernels as pc

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST = 6
"""Most seedings in a figure; the longest ones if there are more."""
MARGIN = timedelta(seconds=60)
"""Time shown before and after each copy."""
WIDE, NARROW = 0.2, 0.02
"""Shares of the longest bar: from the first on, a bar has a label; below the second, it has no legend entry
of its own."""
SHORT = "short states"
RESOURCES = ("network_sent", "network_received", "disk_read", "disk_written", "backup_restore")

# Colour and pattern both identify a state, so that it is also clear in grey print.
_LOOKS = {
    SLOT: (STEPS[1], "x"),
    "SEEDING": (STEPS[0], ""),
    "CATCHUP": (STEPS[2], "/"),
    "CHECK_IF_SEEDING_NEEDED": (STEPS[4], "."),
    "ReadingAndSendingData": (STEPS[5], ""),
    "ReceivingAndWritingData": (STEPS[5], "."),
    "SendingData": (STEPS[7], "\\"),
    "WaitingForRestoreToFinish": (STEPS[8], "."),
    "WaitingForRestoreToStart": (STEPS[3], "-"),
    "WaitingForBackupToStartSending": (STEPS[3], "|"),
}
_OTHER = (STEPS[6], "+")


def _marker(colour: str, shape: str, size: int = 8, opacity: float = 0.45) -> dict[str, Any]:
    """Return the style of a bar: a colour with a pattern over it."""
    pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": INK, "size": size, "fgopacity": opacity}
    return {"color": colour, "line": {"color": INK, "width": 0.8}, "pattern": pattern}


def _shown(found: Study, wanted: Callable[[Seeded], bool]) -> list[Seeded]:
    usable = filter(wanted, found.seeded)
    longest = sorted(usable, key=lambda s: -(s.lasted or s.operation.copy_seconds or 0))
    return sorted(longest[:MOST], key=lambda s: s.operation.number)


def _panel(each: Seeded) -> str:
    return f"{each.operation.number}: {SAID.text('seeding.name', each.facts)}"


def _panels(shown: list[Seeded], **layout: Any) -> Figure:
    """Make a figure with one panel per seeding."""
    from plotly.subplots import make_subplots

    titles = [label(_panel(each)) for each in shown] or None
    return make_subplots(rows=max(len(shown), 1), cols=1, subplot_titles=titles, **layout)


def _laid_out(fig: Figure, title: str, height: int, **layout: Any) -> Figure:
    """Style a figure of panels and return it; the legend is below the title."""
    legend = {"yref": "container", "yanchor": "top", "y": 1 - 46 / height}
    fig.update_layout(
        template=template(), title_text=label(title, 160), height=height, legend=legend, **layout
    )
    # Panel titles are at the left end of their panel, where reading starts.
    fig.for_each_annotation(lambda a: a.update(x=0, xanchor="left", font_size=13), {"yanchor": "bottom"})
    return fig


def timeline(found: Study) -> Figure:
    """Draw the states of both ends as bars over time, one panel per seeding."""
    shown = _shown(found, lambda s: any(side.states or side.phases for side in s.operation.sides))
    rows = max(len(shown), 1)
    bars = [_bars(each) for each in shown]
    lanes = [len({bar["lane"] for bar in panel}) for panel in bars] or [1]
    fig = _panels(shown, row_heights=[n + 1 for n in lanes], vertical_spacing=min(0.36 / rows, 0.16))
    seen: set[str] = set()
    for row, panel in enumerate(bars, 1):
        for name in dict.fromkeys(bar["legend"] for bar in panel):
            _add_states(fig, name, [bar for bar in panel if bar["legend"] == name], row, name not in seen)
            seen.add(name)
        fig.update_xaxes(type="date", row=row, col=1)
        fig.update_yaxes(autorange="reversed", row=row, col=1)
    fig.update_xaxes(title_text="time (UTC)", row=rows, col=1)
    height = 166 + sum(44 * n + 74 for n in lanes)
    title = _timeline_title(found) + _of_all(len(shown), found)
    return _laid_out(fig, title, height, barmode="overlay", margin_t=128, hovermode="closest")


def _add_states(fig: Figure, name: str, bars: list[dict[str, Any]], row: int, is_first: bool) -> None:
    """Add the bars of one entry of the legend to a panel."""
    inside = {"textposition": "inside", "insidetextanchor": "middle", "textangle": 0}
    inside["textfont"] = {"size": 11, "color": "#ffffff" if name == "SEEDING" else INK}
    of = {key: [bar[key] for bar in bars] for key in ("lane", "ms", "start", "inside", "text")}
    fig.add_bar(
        orientation="h",
        **{"y": of["lane"], "x": of["ms"], "base": of["start"], "text": of["inside"], "width": 0.7},
        **{"name": label(name), "legendgroup": label(name), "showlegend": is_first, **inside},
        **{"customdata": of["text"], "hovertemplate": "%{customdata}<extra></extra>"},
        marker=_marker(*_LOOKS.get(name, _OTHER), size=9, opacity=0.35),
        row=row,
        col=1,
    )


def _of_all(shown: int, found: Study) -> str:
    return f" (the {shown} longest of {len(found.seeded):,})" if shown == MOST < len(found.seeded) else ""


def _timeline_title(found: Study) -> str:
    waited = [(s.slot.seconds, s.operation) for s in found.seeded if s.slot is not None]
    if waited:
        seconds, operation = max(waited, key=lambda pair: pair[0])
        if seconds >= found.limits.seeding_slot_s:
            return f"Seeding {operation.number} waited {words.span(seconds)} in {SLOT}"
    return "States of each seeding, on source and target" if found.seeded else "No states captured"


def _bars(each: Seeded) -> list[dict[str, Any]]:
    operation = each.operation
    made: list[dict[str, Any]] = []
    for side in operation.sides:
        name = each.end(side.role)
        for layer, states in ((f"{name} ({side.role})", side.states), (f"{name}, copy", side.phases)):
            for state in states:
                lasted = state.seen_seconds
                if lasted is None or lasted <= 0:
                    continue
                text = label(f"{state.name}: {words.span(lasted)}")
                bar: dict[str, Any] = {"lane": label(layer), "state": state.name, "start": _naive(state.time)}
                made.append({**bar, "ms": lasted * 1000, "text": text})
    whole = max((bar["ms"] for bar in made), default=0.0)
    for bar in made:
        bar["inside"] = bar["text"] if bar["ms"] >= WIDE * whole else ""
        # States too short to see share one entry of the legend; hovering shows their names.
        bar["legend"] = bar["state"] if bar["ms"] >= NARROW * whole else SHORT
    return made


def rate(found: Study, view: View) -> Figure:
    """Draw bytes of the database, of the wire and of the disks per second, over the copy's time."""
    shown = _shown(found, lambda s: None not in s.copied)
    copies = copy_windows(each.operation for each in shown)
    wide = [Window(w.number, w.start - MARGIN, w.end + MARGIN, w.database) for w in copies]
    series = resources.series(view, wide, RESOURCES)
    fig = lines(
        [line for panel, each in enumerate(shown) for line in _lines(each, series, panel)],
        title=_rate_title(shown) + _of_all(len(shown), found),
        unit=["B/s"] * max(len(shown), 1),
        panels=[_panel(each) for each in shown],
        time_title="seconds since the copy began; shaded: the copy",
    )
    fig.update_xaxes(hoverformat=",.0f")
    look = {"fillcolor": BAND, "opacity": 0.12, "line_width": 0, "layer": "below"}
    for row, each in enumerate(shown, 1):
        fig.add_vrect(x0=0, x1=each.operation.copy_seconds, row=row, col=1, **look)
    if shown:
        fig.update_layout(margin_t=112)
    return fig


def _rate_title(shown: list[Seeded]) -> str:
    known = [(each.rates.mean, each.operation.number) for each in shown if each.rates.mean]
    if not known:
        return "No copy with known times was captured"
    told = [f"seeding {number}: {words.rate(mean)}" for mean, number in known]
    return f"Mean rate of the copy, {words.listing(told, 4)}"


_SHOWN = (
    ("network_sent", SOURCE, "sent by the source", OF_RESOURCES["network"], "solid"),
    ("network_received", TARGET, "received by the target", OF_RESOURCES["network"], "dot"),
    ("disk_read", SOURCE, "disks of the source, read", OF_RESOURCES["disk"], "dash"),
    ("disk_written", TARGET, "disks of the target, written", OF_RESOURCES["disk"], "dashdot"),
)


def _lines(each: Seeded, series: pa.Table, panel: int) -> list[Line]:
    operation, made = each.operation, []
    assert operation.copy_start is not None
    best = best_report(operation, each.reports)
    own = series.filter(pc.equal(series["window"], operation.number))
    name = "database, between progress reports"
    if best is not None and best.times and best.rates:
        since = np.array([(time - operation.copy_start).total_seconds() for time in best.times])
        made.append(Line(name, since, np.array(best.rates), panel, INK))
    else:
        counted = own.filter(pc.equal(own["resource"], "backup_restore"))
        # Of one host: the copy is counted at both ends.
        counted = counted.filter(pc.equal(counted["host"], counted["host"][0])) if len(counted) else counted
        name = "database, Backup/Restore Throughput/sec"
        if len(counted):
            since = _since(operation.copy_start, counted["time"].to_numpy())
            made.append(Line(name, since, counted["value"].to_numpy(), panel, INK))
    for resource, role, text, colour, dash in _SHOWN:
        side = operation.source if role == SOURCE else operation.target
        if side is not None:
            got = own.filter(
                pc.and_(pc.equal(own["host"], side.host or ""), pc.equal(own["resource"], resource))
            )
            if len(got):
                since = _since(operation.copy_start, got["time"].to_numpy())
                made.append(Line(text, since, got["value"].to_numpy(), panel, colour, dash))
    return made


def _since(start: datetime, times: np.ndarray) -> np.ndarray:
    """Return seconds since an instant."""
    return (times.astype("datetime64[us]") - np.datetime64(_naive(start), "us")).astype(np.float64) / 1e6


def redo(found: Study, view: View) -> Figure:
    """Draw the redo rate of the target, from the end of each copy on."""
    shown = _shown(found, lambda s: any(u.resource == "redo" and u.highest > 0 for u in s.redo))
    windows = [window for each in shown for window in after_copy(each.operation)]
    series, made = resources.series(view, windows, ("redo",)), []
    for panel, each in enumerate(shown):
        target, ended = each.operation.target, each.operation.copy_end
        if target is None or ended is None:
            continue
        own = series.filter(pc.equal(series["window"], each.operation.number))
        own = own.filter(pc.equal(own["host"], target.host))
        since, name = _since(ended, own["time"].to_numpy()), f"redo of {each.end(TARGET)}"
        made.append(Line(name, since, own["value"].to_numpy(), panel, OF_RESOURCES["redo"]))
    fig = lines(
        made,
        title=_redo_title(shown) + _of_all(len(shown), found),
        unit=["log B/s"] * max(len(shown), 1),
        panels=[_panel(each) for each in shown],
        time_title="seconds since the copy ended",
    )
    fig.update_xaxes(hoverformat=",.0f")
    return fig


def _redo_title(shown: list[Seeded]) -> str:
    told = []
    for each in shown:
        if each.catching_up is not None:
            threads = f" with {each.parallel[0].workers} threads" if each.parallel else ""
            rate_ = words.rate(each.catching_up.mean)
            told.append(f"seeding {each.operation.number}: {rate_}{threads}")
    if told:
        return f"Mean redo while the target caught up, {words.listing(told, 4)}"
    return "Redo after each copy" if shown else "Redo after a copy was not captured"


def cores(found: Study, colours: dict[str, str]) -> Figure:
    """Draw the mean load of each core of the hosts during each copy, one panel per seeding."""
    shown = _shown(found, lambda s: bool(s.cores))
    rows = max(len(shown), 1)
    height = 150 + 200 * rows
    # The numbers of the cores and the name of the next panel are between two of them.
    fig = _panels(shown, shared_xaxes=True, vertical_spacing=48 / (height - 170))
    hosts = list(dict.fromkeys(loads.host for each in shown for loads in each.cores))
    seen: set[str] = set()
    for row, loads in ((row, loads) for row, each in enumerate(shown, 1) for loads in each.cores):
        name, means = label(loads.host), loads.means
        marker = _marker(colours.get(loads.host, FAINT), "/" if hosts.index(loads.host) % 2 else "")
        legend = {"name": name, "legendgroup": name, "showlegend": loads.host not in seen, "marker": marker}
        places = {"row": row, "col": 1, "hovertemplate": "%{y:.0f} %"}
        fig.add_bar(x=list(means), y=list(means.values()), **legend, **places)
        seen.add(loads.host)
    fig.update_xaxes(type="category", showticklabels=True)
    fig.update_xaxes(title_text="core", row=rows, col=1)
    fig.update_yaxes(title_text="%", range=[0, 100])
    return _laid_out(
        fig, _cores_title(shown) + _of_all(len(shown), found), height, barmode="group", margin_t=112
    )


def _cores_title(shown: list[Seeded]) -> str:
    if not shown:
        return "The load of single cores was not captured"
    uneven = [(loads.evenness, loads, each.operation.number) for each in shown for loads in each.cores]
    _evenness, loads, number = min(uneven, key=lambda each: each[0])
    low, high = min(loads.means.values()), loads.means[loads.busiest]
    return f"Cores of {loads.host} at {low:.0f} to {high:.0f} % in seeding {number}, the least even"


def waits(found: Study) -> Figure:
    """Draw the waits of each end as a share of the copy's time."""
    import plotly.graph_objects as go

    fig = go.Figure()
    rows = [(s, w) for s in found.seeded for w in s.limiter.waits][: 2 * MOST]
    names = [label(f"{s.operation.number}: {s.end(w.role)} ({w.role})") for s, w in rows]
    looks = {"orientation": "h", "hovertemplate": "%{x:.1f} %"}
    for kind, shape in (("disk", "/"), ("network", "")):
        values = [100 * w.of_copy * (w.share if kind == "disk" else 1 - w.share) for _seeded, w in rows]
        fig.add_bar(
            y=names, x=values, name=f"{kind} waits", marker=_marker(OF_RESOURCES[kind], shape), **looks
        )
    fig.update_layout(template=template(), barmode="stack", title_text=label(_waits_title(found), 160))
    fig.update_layout(height=230 + 38 * max(len(rows), 1), hovermode="y unified")
    fig.update_xaxes(title_text="% of the copy's time", rangemode="tozero")
    fig.update_yaxes(autorange="reversed", linecolor=FAINT)
    return fig


def _waits_title(found: Study) -> str:
    told = [
        f"seeding {s.operation.number} by {SAID.text('limits.by', s.facts | {'limit': s.limiter.limit})}"
        for s in found.seeded
        if s.limiter.limit is not None
    ]
    if told:
        return f"Limited: {words.listing(told, 3)}"
    if any(s.limiter.waits for s in found.seeded):
        return "What each end waited for; no limit is shown"
    return "Waits were captured on neither end"


def _naive(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(tzinfo=None)
