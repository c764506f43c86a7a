"""The figures of commits. plotly is imported when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.commit_latency.measured import LOCAL, QUANTILES, Link
from agtrace.say.figures import COLOURS, Line, finish, label, lines

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SHOWN = 6
"""Databases and replicas that a figure has room for."""


def _whose(link: Link) -> str:
    return f"{link.database} to {link.replica}"


def waterfall(links: list[Link]) -> Figure:
    """Draw the hops one after the other: medians, and means among the slowest 1 % of the commits."""
    from plotly.graph_objects import Figure

    fig = Figure()
    names: list[str] = []
    for link in [link for link in links if link.commit is not None][:SHOWN]:
        for which in ("median", "slowest 1 %"):
            row = label(f"{_whose(link)}, {which}")
            names.append(row)
            start = 0.0
            for place, (hop, spread) in enumerate(link.hops.items()):
                ms = spread.quantiles[0] if which == "median" else spread.slow_mean or 0.0
                fig.add_bar(
                    x=[ms], y=[row], base=0.0 if hop == LOCAL else start, orientation="h", name=hop,
                    legendgroup=hop, showlegend=len(names) == 1,
                    offsetgroup="local" if hop == LOCAL else "path",
                    marker_color=COLOURS[place % len(COLOURS)], hovertemplate=f"{hop} %{{x:,.4~g}} ms",
                )  # fmt: skip
                if hop != LOCAL:
                    start += ms
    fig.update_xaxes(title_text="ms", rangemode="tozero")
    fig.update_yaxes(autorange="reversed")
    return finish(fig, "Where the time of a commit goes", 200 + 70 * max(len(names), 1), barmode="group")


def over_time(rows: list[dict[str, Any]]) -> Figure:
    """Draw percentiles of commits over time, one panel per database and replica."""
    series, panels = [], list(dict.fromkeys((row["database"], row["replica"]) for row in rows))
    for place, whose in enumerate(panels[:SHOWN]):
        own = [row for row in rows if (row["database"], row["replica"]) == whose]
        times = [row["time"].replace(tzinfo=None) for row in own]
        series += [Line(name, times, [row[name] for row in own], place) for name in QUANTILES]
    titles = [f"{database} to {replica}" for database, replica in panels[:SHOWN]]
    return lines(series, title="Commits over time", unit="ms", panels=titles)


def hops(links: list[Link]) -> Figure:
    """Draw p50, p95 and p99 of each hop side by side."""
    from plotly.graph_objects import Figure

    fig = Figure()
    for place, link in enumerate(links[:SHOWN]):
        names = list(link.hops)
        for which, (quantile, opacity) in enumerate((("p50", 1.0), ("p95", 0.7), ("p99", 0.4))):
            fig.add_bar(
                x=names, y=[link.hops[name].quantiles[which] for name in names],
                name=label(f"{_whose(link)}, {quantile}"), opacity=opacity,
                marker_color=COLOURS[place % len(COLOURS)], hovertemplate="%{y:,.4~g} ms",
            )  # fmt: skip
    fig.update_yaxes(title_text="ms", type="log")
    return finish(fig, "How long each hop takes", 450, barmode="group")
