"""The style of all figures, and the reduction of long series to few representative points.

plotly is imported only when a figure is made.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace import notebook_format
from agtrace.say import words
from agtrace.say.colours import BAND, COLOURS, FAINT, GRID, INK
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    from plotly.graph_objects import Figure
    from plotly.graph_objs.layout import Template

WIDTH = 1000
"""Width in pixel columns for which figures are reduced."""
MOST_POINTS = 40_000
"""Points of all lines of a figure together: more take a browser seconds, and show no more."""

GAP_FACTOR = float(Thresholds().gap_steps)
"""A step of more than this many median steps is a gap: no data was captured there."""

NOTHING = "nothing to draw"
EMPTY = "application/vnd.agtrace.empty-figure+json"
"""The mimetype of a figure without values, shown as text: ``{"title": ..}``."""
LIBRARY = "application/vnd.agtrace.plotly+json"
"""The mimetype beside the script that draws figures in pages of nbconvert; its output is empty."""
MOMENT = "%Y-%m-%d %H:%M:%S"
MIMETYPE = "plotly_mimetype"
"""plotly's name for the renderer that shows a figure as the mimetype of its JSON."""
CONFIG = {"displaylogo": False, "showSendToCloud": False}
"""Settings that remove plotly's button for uploading data to a public service."""
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"


@dataclass(frozen=True)
class Line:
    """One series of a time figure.

    Parameters
    ----------
    name
        Text of the legend; escaped here.
    times, values
        Instants in UTC (numpy, pandas or Arrow) and the values at them.
    panel
        Which of the panels, from 0.
    colour
        One of `COLOURS`; the next one when None.
    dash
        plotly's dash style: solid, dash, dot.
    is_right
        Its values belong to the axis at the right.
    width
        In pixels.
    """

    name: str
    times: Any
    values: Any
    panel: int = 0
    colour: str | None = None
    dash: str = "solid"
    is_right: bool = False
    width: float = 1.75


@dataclass(frozen=True)
class Band:
    """A span to shade, with an explanatory text."""

    start: Any
    end: Any
    text: str = ""
    colour: str = BAND


def label(text: object, limit: int = 80) -> str:
    """Escape text for a plotly label, which renders a part of HTML."""
    line = words.plain(text, limit)
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def reduce(times: Any, values: Any, points: int = 4 * WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """Reduce a series to at most ``points`` points with the same shape.

    The span is cut into buckets of equal time; the first, lowest, highest and last value of each are kept
    (M4: Jugel and others, VLDB 2014), so extremes and their times are exact. A step longer than `GAP_FACTOR`
    median steps breaks the line with a NaN; with too many gaps, the longest are kept. Blank (NaN) values are
    dropped first. Returned times are sorted.
    """
    t, v = _series(times, values)
    if len(t) < 2:
        return t, v
    steps = np.diff(t).astype(np.float64)
    gaps = np.flatnonzero(steps > GAP_FACTOR * np.median(steps))
    buckets = max(points // 5, 1)  # four points and at most one gap each
    if len(t) + len(gaps) <= points:
        keep = np.arange(len(t))
    else:
        keep = _first_low_high_last(t, v, buckets)
        gaps = np.sort(gaps[np.argsort(-steps[gaps], kind="stable")[:buckets]])
    breaks = t[gaps] + (t[gaps + 1] - t[gaps]) // 2
    places = np.searchsorted(keep, gaps, side="right")
    return np.insert(t[keep], places, breaks), np.insert(v[keep], places, np.nan)


def _series(times: Any, values: Any) -> tuple[np.ndarray, np.ndarray]:
    t, v = np.asarray(times), np.asarray(values, dtype=np.float64)
    if t.dtype == object or t.dtype.kind == "M":
        t = np.asarray(times, dtype="datetime64[us]")
    known = ~np.isnan(v)
    if t.dtype.kind == "M":
        known &= ~np.isnat(t)
    if not known.all():
        t, v = t[known], v[known]
    if (t[1:] < t[:-1]).any():
        order = np.argsort(t, kind="stable")
        t, v = t[order], v[order]
    return t, v


def _first_low_high_last(t: np.ndarray, v: np.ndarray, buckets: int) -> np.ndarray:
    place = (t - t[0]).astype(np.float64)
    width = place[-1] / buckets if place[-1] else 1.0
    edges = np.searchsorted(place, np.arange(buckets) * width)
    starts = np.unique(edges[edges < len(t)])
    counts = np.diff(np.append(starts, len(t)))
    extremes = [
        _first_equal(v, np.repeat(lowest.reduceat(v, starts), counts), starts)
        for lowest in (np.minimum, np.maximum)
    ]
    return np.unique(np.concatenate([starts, starts + counts - 1, *extremes]))


def _first_equal(v: np.ndarray, wanted: np.ndarray, starts: np.ndarray) -> np.ndarray:
    hits = np.flatnonzero(v == wanted)
    return hits[np.searchsorted(hits, starts)]


def lines(
    series: Iterable[Line],
    *,
    title: str,
    unit: str | Sequence[str] = "",
    panels: Sequence[str] = (),
    bands: Iterable[Band] = (),
    width: int = WIDTH,
    time_title: str = "time (UTC)",
    panel_height: int = 240,
    right_unit: str = "",
    log: bool = False,
) -> Figure:
    """Draw series over one time axis, in one panel or several below each other.

    Parameters
    ----------
    series
        The lines, each reduced to at most 4 points per pixel column, and to its share of `MOST_POINTS`.
    title
        One line; escaped here, as are names, panels and texts of bands.
    unit
        Unit of the values, one for all panels or one each. Units in bytes ("B", "B/s", "log B/s")
        are shown in the decimal multiple that suits the largest value of the panel.
    panels
        Titles of the panels; empty: one panel without title.
    bands
        Spans to shade in every panel.
    panel_height
        Height of a panel in pixels, with the space above it.
    right_unit
        Unit of the right axis, if some lines belong to it.
    log
        Draw values on a logarithmic axis.
    """
    from plotly.subplots import make_subplots

    series = list(series)
    has_right = any(line.is_right for line in series)
    rows = max(len(panels), 1)
    units = [unit] * rows if isinstance(unit, str) else list(unit)
    fig = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.32 / (rows + 3),
        subplot_titles=[label(p) for p in panels] or None,
        **({"specs": [[{"secondary_y": True}]] * rows} if has_right else {}),
    )
    points = min(4 * width, MOST_POINTS // max(len(series), 1))
    reduced = [(line, *reduce(line.times, line.values, points)) for line in series]
    colours: dict[str, str] = {}
    for row in range(rows):
        here = [each for each in reduced if each[0].panel == row]
        for is_right in (False, True) if has_right else (False,):
            place = {"row": row + 1, "col": 1} | ({"secondary_y": is_right} if has_right else {})
            found = [each for each in here if each[0].is_right is is_right]
            _draw(fig, found, right_unit if is_right else units[row], place, colours)
    if has_right:
        # plotly would align its ticks with those on the left, at odd values.
        fig.update_yaxes(tickmode="auto", showgrid=False, secondary_y=True)
    if log:
        fig.update_yaxes(type="log")
    for band in bands:
        _shade(fig, band)
    fig.update_xaxes(hoverformat=MOMENT)
    fig.update_xaxes(title_text=time_title, row=rows, col=1)
    finish(fig, title, 140 + panel_height * rows, legend_above=True)
    if panels:
        fig.update_layout(margin_t=104)
    # Panel titles are at the left end of their panel, where reading starts.
    fig.for_each_annotation(lambda a: a.update(x=0, xanchor="left", font_size=13), {"yanchor": "bottom"})
    return fig


def _draw(
    fig: Figure,
    here: list[tuple[Line, np.ndarray, np.ndarray]],
    unit: str,
    place: dict[str, Any],
    colours: dict[str, str],
) -> None:
    """Draw the lines of one axis; a name has one colour in the whole figure."""
    largest = max((float(np.nanmax(np.abs(v))) for _, _, v in here if len(v)), default=0.0)
    factor, shown = shown_unit(unit, largest)
    for line, t, v in here:
        name = label(line.name)
        first = name not in colours
        colour = colours.setdefault(name, line.colour or COLOURS[len(colours) % len(COLOURS)])
        fig.add_scatter(
            x=t, y=v / factor, name=name, mode="lines", connectgaps=False, legendgroup=name,
            showlegend=first, line={"color": colour, "dash": line.dash, "width": line.width}, **place,
        )  # fmt: skip
    suffix = f" {shown}" if shown else ""
    fig.update_yaxes(title_text=shown, hoverformat=",.4~g", rangemode="tozero", **place)
    fig.update_traces(hovertemplate=f"%{{y:,.4~g}}{suffix}", **place)


def finish(fig: Figure, title: str, height: int, *, legend_above: bool = False, **layout: Any) -> Figure:
    """Style a figure and set its title (escaped here), its height, and the rest of its layout.

    Parameters
    ----------
    legend_above
        Place the legend below the title for any figure height, not above the first panel.
    """
    fig.update_layout(template=template(), title_text=label(title, 160), height=height)
    if legend_above:
        fig.update_layout(legend={"yref": "container", "yanchor": "top", "y": 1 - 46 / height})
    fig.update_layout(**layout)
    return fig


def shown_unit(unit: str, largest: float) -> tuple[float, str]:
    """Return the divisor and the unit in which values up to ``largest`` are shown."""
    *whose, measure = unit.split(" ") if unit else [""]
    if measure not in ("B", "B/s"):
        return 1.0, unit
    value, multiple = words.scaled(largest)
    factor = largest / value if value else 1.0
    return factor, " ".join([*whose, multiple + measure[1:]])


def _shade(fig: Figure, band: Band) -> None:
    fig.add_vrect(
        x0=band.start, x1=band.end, fillcolor=band.colour, opacity=0.12, line_width=0, layer="below"
    )
    if band.text:
        fig.add_annotation(
            x=band.start, y=1, yref="paper", yanchor="top", xanchor="left", showarrow=False,
            text=label(band.text), font={"size": 11, "color": FAINT},
        )  # fmt: skip


def template() -> Template:
    """Return the template of all figures: quiet axes, tabular numbers, one hover for all lines."""
    import plotly.graph_objects as go

    axis: dict[str, Any] = {
        "linecolor": FAINT, "tickcolor": FAINT, "ticks": "outside", "ticklen": 4, "showline": True,
        "gridcolor": GRID, "zeroline": False, "automargin": True,
        "title": {"font": {"size": 12, "color": FAINT}, "standoff": 8},
    }  # fmt: skip
    layout: dict[str, Any] = {
        "font": {"family": FONT, "size": 13, "color": INK},
        "title": {"x": 0, "xref": "container", "xanchor": "left", "y": 1, "yref": "container",
            "yanchor": "top", "pad": {"l": 12, "t": 18}, "font": {"size": 16}},
        "colorway": list(COLOURS),
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "hovermode": "x unified",
        "hoverlabel": {"bgcolor": "#ffffff", "bordercolor": GRID, "font": {"size": 12, "color": INK},
            "namelength": -1},
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom",
                   "font": {"size": 12}},
        "margin": {"l": 64, "r": 24, "t": 84, "b": 48},
        "xaxis": axis | {"showgrid": False},
        "yaxis": axis | {"showline": False, "ticks": ""},
    }  # fmt: skip
    return go.layout.Template(layout=layout)


def describe(*figs: Figure) -> str:
    """Describe figures, one line per trace: points, lowest and highest value, gaps.

    Printed beside a figure in a notebook, where a test compares it: the picture's content as text.
    Figures are separated by an empty line.
    """
    return "\n\n".join(map(_described, figs)) or NOTHING


def _described(fig: Figure) -> str:
    told = []
    for trace in fig.data:
        name = html.unescape(trace.name or trace.type)
        if trace.type == "heatmap":
            z = np.asarray(trace.z, dtype=np.float64)
            known = z[~np.isnan(z)]
            text = words.count(len(known), "cell")
            told.append(
                f"{name}: {text}" + (f", {known.min():.3g} to {known.max():.3g}" if len(known) else "")
            )
            continue
        if trace.type == "box":
            told.append(f"{name}: {words.count(len(trace.median), 'box', 'boxes')}")
            continue
        if trace.type != "scatter":
            told.append(f"{name}: {words.count(len(trace.y if trace.y is not None else ()), 'bar')}")
            continue
        # If names are on the vertical axis, the values are on the other one.
        rows = fig.layout["yaxis" + (trace.yaxis or "y")[1:]]
        is_named = rows.ticktext is not None or any(isinstance(each, str) for each in trace.y)
        along = "x" if is_named else "y"
        if (
            is_named
            and not any(each is None for each in trace.x)
            and not (len(trace.x) and all(isinstance(x, int | float) for x in trace.x))
        ):
            told.append(f"{name}: {_marks(trace.y, rows)}")
            continue
        y = np.asarray(trace[along], dtype=np.float64)
        known = y[~np.isnan(y)]
        text = words.count(len(known), "point")
        if len(known):
            axis = fig.layout[f"{along}axis" + (trace[f"{along}axis"] or along)[1:]]
            unit = (axis.title.text or "").strip()
            text += f", {known.min():.3g} to {known.max():.3g} {unit}".rstrip()
        told.append(f"{name}: {text}, {words.count(int(np.isnan(y).sum()), 'gap')}")
    return "\n".join(told) or NOTHING


def _marks(places: Any, rows: Any) -> str:
    """Return the number of marked moments, by row; positions within rows have no meaning."""
    told = words.count(len(places), "point")
    if rows.ticktext is None or not len(places):
        return told
    at = np.asarray(rows.tickvals, dtype=np.float64)
    met = {int(np.abs(at - place).argmin()) for place in np.asarray(places, dtype=np.float64)}
    return f"{told} on {words.listing([html.unescape(rows.ticktext[row]) for row in sorted(met)])}"


def use_renderer() -> None:
    """Show all figures as the mimetype that JupyterLab and the report render.

    Their tool bar then has no upload button.
    """
    # plotly imports it when it looks for its renderers.
    notebook_format.load()
    import plotly.io as pio

    if MIMETYPE not in pio.renderers.default.split("+"):
        pio.renderers.default = MIMETYPE
    pio.renderers[MIMETYPE].config = dict(CONFIG)


def show(*figs: Figure) -> None:
    """Show figures in a notebook, as the mimetype that JupyterLab and the report render.

    The JSON is the same in every run, unlike plotly's HTML with its random ids. A figure without values is
    shown as a line of text: an empty axis is useless.
    """
    import plotly.io as pio
    from IPython.display import display

    use_renderer()
    for fig in figs:
        if _has_values(fig):
            pio.show(fig, renderer=MIMETYPE)
            continue
        title = html.unescape(fig.layout.title.text or "Figure")
        shown = {
            EMPTY: {"title": title},
            "text/markdown": f"*{words.md(title)}: {NOTHING}.*",
            "text/plain": f"{words.plain(title)}: {NOTHING}.",
        }
        display(shown, raw=True)


def _has_values(fig: Figure) -> bool:
    held = [trace[axis] for trace in fig.data for axis in ("x", "y", "z") if axis in trace]
    return any(each is not None for values in held if values is not None for each in values)
