"""The swim lanes: a lane per node with its role as colour, events as marks, panels below on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from agtrace.diagnostics.health.group_history import GroupHistory, kind_of
from agtrace.diagnostics.health.rows import Timeline
from agtrace.history.coverage import ROLE_SOURCES
from agtrace.measure.resources import UNITS
from agtrace.say import colours, figures, words
from agtrace.say.event_marks import MARKS
from agtrace.say.figures import label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

T = TypeVar("T")

STATES = {
    "PRIMARY_NORMAL": "primary",
    "SECONDARY_NORMAL": "secondary",
    "RESOLVING_NORMAL": "resolving",
    "RESOLVING_PENDING_FAILOVER": "resolving",
    "PRIMARY_PENDING": "resolving",
    "NOT_AVAILABLE": "away",
}
RESOURCES = {"cpu": "Processors", "disk_write_ms": "Disk write, mean", "disk_read_ms": "Disk read, mean"}
"""Perfmon counters of the hosts, in panels below the lanes."""
LANE, PANEL = 70, 130
"""Heights of a lane and of a panel, pixels."""
MOST_MARKS = 4000
"""Most marks drawn of each kind, evenly chosen; texts and tables count all."""


@dataclass(frozen=True)
class Stay:
    """A time in which a replica had a role."""

    ag: str
    host: str
    role: str
    start: datetime
    end: datetime
    is_last: bool = False
    is_assumed: bool = False

    @property
    def seconds(self) -> float:
        """How long it lasted."""
        return (self.end - self.start).total_seconds()


def stays(history: GroupHistory) -> list[Stay]:
    """Return the duration of each role of each replica, from its own state changes."""
    found = []
    for (ag, host), changes in history.states.items():
        # The last one lasts for as long as its host was watched, whatever was captured of others.
        ends = [row.time for row in changes[1:]] + [history.watched_until(host, changes[-1].time)]
        for row, end in zip(changes, ends, strict=True):
            role = STATES.get(row.after or "")
            if role:
                found.append(Stay(ag, host, role, row.time, max(end, row.time), row is changes[-1]))
    return found


def captured(history: GroupHistory) -> list[Stay]:
    """Return the parts of stays that were captured; those that no source of roles covers are assumed."""
    return [
        replace(stay, start=piece.first, end=piece.last, is_assumed=piece.is_assumed)
        for stay in stays(history)
        # After the last change its sources may end before others do.
        for piece in history.coverage.pieces(
            stay.host, stay.start, None if stay.is_last else stay.end, ROLE_SOURCES
        )
    ]


def lanes(
    history: GroupHistory, series: Sequence[dict[str, Any]], title: str, of_hosts: dict[str, str]
) -> Figure:
    """Draw a lane per group and node: roles as colours, events as marks, failovers as bands.

    Below, on the same axis, a panel for each resource in ``series``, a line per host.
    """
    from plotly.subplots import make_subplots

    kept = captured(history)
    named = {(s.ag, s.host) for s in kept}
    bare = {host for _, host in named}
    order = sorted(named) + [("", host) for host in history.hosts if host not in bare]
    groups = {ag for ag, _ in order if ag}
    place = {lane: n for n, lane in enumerate(order)}
    of_host: dict[str, list[int]] = {}
    for (_, host), n in place.items():
        of_host.setdefault(host, []).append(n)
    shown = [name for name in RESOURCES if any(one["resource"] == name for one in series)]
    sizes = [max(len(order), 2) * LANE, *[PANEL] * len(shown)]
    fig = make_subplots(
        rows=len(sizes),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.22 / (len(sizes) + 2),
        row_heights=[size / sum(sizes) for size in sizes],
        subplot_titles=["", *(RESOURCES[name] for name in shown)],
    )
    for role, is_assumed in product(colours.ROLES, (False, True)):
        bars = [stay for stay in kept if (stay.role, stay.is_assumed) == (role, is_assumed)]
        if is_assumed and not bars:
            continue
        name = f"{role} (assumed)" if is_assumed else role
        fig.add_bar(
            orientation="h",
            name=name,
            width=0.5,
            base=[stay.start for stay in bars],
            x=[stay.seconds * 1000 for stay in bars],
            y=[place[stay.ag, stay.host] for stay in bars],
            customdata=[[words.instant(stay.start), words.instant(stay.end)] for stay in bars],
            hovertemplate=f"{name}<br>%{{customdata[0]}} to<br>%{{customdata[1]}}<extra></extra>",
            marker={
                "color": colours.ROLES[role],
                "opacity": 0.75,
                "line": {"width": 0},
                "pattern": {"shape": "/", "fgcolor": "#ffffff", "size": 6} if is_assumed else None,
            },
            row=1,
            col=1,
        )
    for name, (symbol, colour, kinds) in MARKS.items():
        events = [(row, on) for row in history.of(*kinds) if (on := _lanes_of(row, place, of_host, history))]
        marks = [(row, n) for row, on in _thinned(events) for n in on]
        fig.add_scatter(
            x=[row.time for row, _ in marks],
            y=[float(n) - 0.34 for _, n in marks],
            name=name,
            mode="markers",
            marker={"symbol": symbol, "color": colour, "size": 9, "line": {"width": 1, "color": colour}},
            customdata=[[_hover(row)] for row, _ in marks],
            hovertemplate="%{customdata[0]}<extra></extra>",
            row=1,
            col=1,
        )
    hosts = sorted({one["host"] for one in series})
    for number, name in enumerate(shown, 2):
        for host in hosts:
            own = [one for one in series if (one["resource"], one["host"]) == (name, host)]
            times, values = figures.reduce([one["time"] for one in own], [one["value"] for one in own])
            line = {"color": of_hosts.get(host, colours.FAINT), "width": 1.5}
            shared = {"name": label(host), "legendgroup": host, "showlegend": number == 2, "mode": "lines"}
            fig.add_scatter(x=times, y=values, line=line, connectgaps=False, row=number, col=1, **shared)
        fig.update_yaxes(title_text=UNITS[name], rangemode="tozero", row=number, col=1)
    for row in history.failovers:
        start, end = history.span(row)
        look = {"fillcolor": figures.BAND, "opacity": 0.2, "line_width": 0, "layer": "below"}
        fig.add_vrect(x0=start, x1=end, **look)
    layout = {"barmode": "overlay", "hovermode": "closest", "showlegend": True, "margin_t": 104}
    figures.finish(fig, title, 170 + sum(sizes), legend_above=True, meta={"tells_roles": True}, **layout)
    fig.update_xaxes(type="date", showgrid=True)
    fig.update_xaxes(title_text="time (UTC)", row=len(sizes), col=1)
    fig.for_each_annotation(lambda a: a.update(x=0, xanchor="left", font_size=13))
    names = [label(f"{ag}: {host}" if ag and len(groups) > 1 else host) for ag, host in order]
    ticks = {"tickvals": list(place.values()), "ticktext": names, "range": [len(order) - 0.4, -0.7]}
    fig.update_yaxes(row=1, col=1, showgrid=False, **ticks)
    return fig


def _lanes_of(
    row: Timeline, place: dict[tuple[str, str], int], of_host: dict[str, list[int]], history: GroupHistory
) -> list[int]:
    """Return the lanes of an event: that of its host if watched, else of the hosts that captured it."""
    host = row.host_id
    if history.coverage.is_watched(host or "", row.time):
        hosts = [host]
    else:
        hosts = [one.host_id for one in row.witnesses if one.host_id != host]
    found = []
    for each in dict.fromkeys(hosts):
        lane = place.get((row.ag or "", each or ""))
        found += of_host.get(each or "", []) if lane is None else [lane]
    return found


def _thinned(rows: Sequence[T]) -> Sequence[T]:
    step = -(-len(rows) // MOST_MARKS)
    return rows[::step] if step > 1 else rows


def _hover(row: Timeline) -> str:
    """Return the hover text of an event's mark: kind, time, text and sources."""
    sources = [f"{w.source} of {label(w.host_id or 'a host', 40)}" for w in row.witnesses]
    lines = [kind_of(row.kind), words.instant(row.time), label(row.text or "", 110)]
    return "<br>".join([*lines, *dict.fromkeys(sources)])
