"""The figure of the overview: which machine was captured when, one bar per capture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from agtrace.diagnostics.overview.captured import covered
from agtrace.diagnostics.overview.rows import Captures, ErrorlogGaps, Gaps
from agtrace.say import figures
from agtrace.say.colours import COLOURS
from agtrace.say.figures import label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LANES = 60
"""With more captures than this, those of one host and kind share a lane."""

MOST_GAPS = 40
"""Gaps drawn for each capture, the longest; the text has the total number."""

NARROWEST = 1 / 300
"""Shortest visible bar, as a share of the axis."""

Stretch = tuple[datetime, datetime]
Gap = Gaps | ErrorlogGaps


def draw(captures: Sequence[Captures], gaps: Iterable[Gap]) -> Figure:
    """Draw the captures that have times, grouped by host.

    Parameters
    ----------
    gaps
        Times left blank in the bars.
    """
    import plotly.graph_objects as go

    spans = {row: span for row in captures if (span := covered(row)) is not None}
    timed = list(spans)
    lanes = _lanes(timed)
    gaps_of: dict[str | None, list[Gap]] = {}
    for gap in gaps:
        gaps_of.setdefault(gap.content_id, []).append(gap)
    ends = [end for span in spans.values() for end in span]
    whole = max(ends) - min(ends) if ends else timedelta(0)
    fig = go.Figure()
    looks = sorted({(str(row.kind), row.local_only) for row in timed})
    kinds = sorted({kind for kind, _ in looks})
    for kind, local_only in looks:
        rows = [r for r in timed if (str(r.kind), r.local_only) == (kind, local_only)]
        bars = [(r, s) for r in rows for s in _pieces(spans[r], gaps_of.get(r.content_id, []))]
        lengths = [max(end - start, whole * NARROWEST).total_seconds() for _, (start, end) in bars]
        pattern = {"shape": "/" if local_only else "", "fgcolor": "#ffffff", "size": 6}
        colour = COLOURS[kinds.index(kind) % len(COLOURS)]
        fig.add_bar(
            orientation="h",
            name=label(kind + (", local time (zone not known)" if local_only else "")),
            base=[start for _, (start, _end) in bars],
            x=[seconds * 1000 for seconds in lengths],
            y=[lanes[_lane(r, lanes)] for r, _ in bars],
            customdata=[[label(r.path), f"{a:%Y-%m-%d %H:%M:%S}", f"{b:%H:%M:%S}"] for r, (a, b) in bars],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]} to %{customdata[2]}<extra></extra>",
            marker={"color": colour, "line": {"width": 0}, "pattern": pattern},
            width=0.62,
        )
    height = 150 + 26 * max(len(lanes), 2)
    fig.update_layout(template=figures.template(), title_text="What was captured, by host and time")
    fig.update_layout(barmode="overlay", bargap=0.3, hovermode="closest", height=height, margin={"t": 92})
    legend = {"yref": "container", "yanchor": "top", "y": 1 - 44 / height}
    fig.update_layout(showlegend=True, legend=legend)
    fig.update_xaxes(type="date", title_text="time (UTC; hatched: local time)", showgrid=True)
    names = [f"<b>{label(host)}</b>" if name is None else label(_short(name)) for host, name in lanes]
    ticks = {"tickvals": list(lanes.values()), "ticktext": names}
    fig.update_yaxes(range=[len(lanes) - 0.4, -0.6], showgrid=False, **ticks)
    heads = {lane: place for lane, place in lanes.items() if lane[1] is None}
    for place in list(heads.values())[1:]:
        fig.add_hline(y=place - 0.5, line={"color": figures.GRID, "width": 1})
    return fig


def _lanes(rows: Sequence[Captures]) -> dict[tuple[str, str | None], int]:
    """Return the lanes numbered from the top: a head for each host, its captures below."""
    shared = len(rows) > MOST_LANES
    found: dict[tuple[str, str | None], None] = {}
    for row in rows:
        host = _host(row)
        found[host, None] = None
        found[host, str(row.kind) if shared else row.path] = None
    ordered = sorted(found, key=lambda lane: [host for host, _ in found].index(lane[0]))
    return {lane: place for place, lane in enumerate(ordered)}


def _lane(row: Captures, lanes: dict[tuple[str, str | None], int]) -> tuple[str, str | None]:
    by_path = (_host(row), row.path)
    return by_path if by_path in lanes else (_host(row), str(row.kind))


def _host(row: Captures) -> str:
    return row.host or "host not known"


def _short(path: str, limit: int = 44) -> str:
    # The end of a path is more specific than its beginning.
    return path if len(path) <= limit else "…" + path[1 - limit :]


def _pieces(span: Stretch, gaps: Sequence[Gap]) -> list[Stretch]:
    longest = sorted(gaps, key=lambda gap: -gap.missing_s)[:MOST_GAPS]
    pieces, (start, end) = [], span
    for gap in sorted(longest, key=lambda gap: gap.gap_from):
        if start <= gap.gap_from <= end:
            pieces.append((start, gap.gap_from))
            start = gap.gap_to
    return [*pieces, (start, max(start, end))]
