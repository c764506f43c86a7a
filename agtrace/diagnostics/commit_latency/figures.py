"""The figures of commits; plotly is imported on first use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.commit_latency.measured import LOCAL, QUANTILES, Link
from agtrace.diagnostics.commit_latency.rows import OverTime
from agtrace.say.colours import FAINT, INK, STEPS
from agtrace.say.figures import Line, finish, label, lines

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HOPS = (
    "capture", "compression", "send", "network", "receive", "decompression", "remote harden",
    "acknowledgement", LOCAL,
)  # fmt: skip
"""In the order of their colours; the remote path as a whole has the colour of the network."""
SHADES = {"p50": (INK, "solid", 1.0), "p95": (FAINT, "dash", 1.0), "p99": (FAINT, "dot", 0.5)}
"""Line styles of percentiles: dash and opacity, since colours identify hops."""
PATTERNS = ("", "/", "x", "-", ".", "|")
"""Fill patterns of databases and replicas, if bars of several are side by side."""
SHOWN = 6
"""Most databases and replicas in a figure."""


def _colour(hop: str) -> str:
    return STEPS[HOPS.index(hop) if hop in HOPS else HOPS.index("network")]


def _whose(link: Link) -> str:
    return f"{link.database} to {link.replica}"


def waterfall(links: list[Link]) -> Figure:
    """Draw the hops one after the other: medians, and means among the slowest 1 % of the commits."""
    from plotly.graph_objects import Figure

    fig = Figure()
    names: list[str] = []
    listed: set[str] = set()
    for link in [link for link in links if link.commit is not None][:SHOWN]:
        for which in ("median", "slowest 1 %"):
            row = label(f"{_whose(link)}, {which}")
            names.append(row)
            start = 0.0
            for hop, spread in link.hops.items():
                ms = spread.quantiles[0] if which == "median" else spread.slow_mean or 0.0
                fig.add_bar(
                    x=[ms], y=[row], base=0.0 if hop == LOCAL else start, orientation="h", name=hop,
                    legendgroup=hop, showlegend=hop not in listed,
                    offsetgroup="local" if hop == LOCAL else "path",
                    marker_color=_colour(hop), hovertemplate=f"{hop} %{{x:,.4~g}} ms",
                )  # fmt: skip
                listed.add(hop)
                if hop != LOCAL:
                    start += ms
    fig.update_xaxes(title_text="ms", rangemode="tozero")
    fig.update_yaxes(autorange="reversed")
    return finish(fig, "Where the time of a commit goes", 200 + 70 * max(len(names), 1), barmode="group")


def over_time(rows: list[OverTime]) -> Figure:
    """Draw percentiles of commits over time, one panel per database and replica."""
    series, panels = [], list(dict.fromkeys((row.database, row.replica) for row in rows))
    for place, whose in enumerate(panels[:SHOWN]):
        own = [row for row in rows if (row.database, row.replica) == whose]
        times = [row.time.replace(tzinfo=None) for row in own]
        series += [
            Line(name, times, [getattr(row, name) for row in own], place, *SHADES[name][:2])
            for name in QUANTILES
        ]
    titles = [f"{database} to {replica}" for database, replica in panels[:SHOWN]]
    return lines(series, title="Commits over time", unit="ms", panels=titles)


def hops(links: list[Link]) -> Figure:
    """Draw p50, p95 and p99 of each hop side by side."""
    from plotly.graph_objects import Figure

    fig = Figure()
    for place, link in enumerate(links[:SHOWN]):
        names = list(link.hops)
        for which, (quantile, (colour, _dash, opacity)) in enumerate(SHADES.items()):
            fig.add_bar(
                x=names,
                y=[link.hops[name].quantiles[which] for name in names],
                name=label(f"{_whose(link)}, {quantile}"),
                opacity=opacity,
                marker={"color": colour, "pattern": {"shape": PATTERNS[place], "fgcolor": "#ffffff"}},
                hovertemplate="%{y:,.4~g} ms",
            )
    fig.update_yaxes(title_text="ms", rangemode="tozero")
    return finish(fig, "How long each hop takes", 450, barmode="group")


def waits(rows: Iterable[Mapping[str, Any]]) -> Figure:
    """Draw mean waits of each interval of wait statistics, held over the interval, and the queue meanwhile.

    Parameters
    ----------
    rows
        Of the table of waits.
    """
    shown = (
        ("commit_mean_ms", "waits for replicas", 0, "solid"),
        ("write_mean_ms", "waits for the log", 0, "dash"),
        ("queue_bytes", "log send queue", 1, "solid"),
    )
    found: dict[tuple[str, str], tuple[list[Any], list[Any]]] = {}
    for row in rows:
        for name, _label, _panel, _dash in shown:
            if row[name] is not None:
                times, values = found.setdefault((row["host_id"], name), ([], []))
                times += [row["start"].replace(tzinfo=None), row["end"].replace(tzinfo=None)]
                values += [row[name], row[name]]
    series = [
        Line(f"{host}: {what}", *found[host, name], panel=panel, dash=dash)
        for host in dict.fromkeys(host for host, _ in found)
        for name, what, panel, dash in shown
        # A queue that is always empty is described in the text.
        if (host, name) in found and (not panel or any(found[host, name][1]))
    ]
    has_queue = any(line.panel for line in series)
    return lines(
        series,
        title="What commits wait for, by wait statistics",
        unit=["ms", "B"] if has_queue else "ms",
        panels=("mean wait", "log send queue of the replica that has most") if has_queue else (),
    )
