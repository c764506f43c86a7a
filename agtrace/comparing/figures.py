"""The figures of a comparison; plotly is imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.comparing.compared import Compared
from agtrace.comparing.rows import Row
from agtrace.comparing.said import Words
from agtrace.say import figures, words
from agtrace.say.colours import COLOURS, FAINT, INK
from agtrace.say.figures import Line, finish, label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_RATIOS = 30
"""Numbers of which the ratio is drawn: those that differ most."""
MOST_PANELS = 4
LOWEST, HIGHEST = 1e-3, 1e3
"""Ratios beyond a thousand are drawn at the edge, labelled with the number."""
SAID = {True: (COLOURS[1], "differs"), False: (FAINT, "no difference that can be told")}


def ratios(of: Compared, said: Words) -> Figure:
    """Draw how many times the second of each number is the first, with its interval."""
    import plotly.graph_objects as go

    rows = [row for row in of.numbers if row.ratio is not None]
    rows.sort(key=lambda row: (not row.differs, row.about, row.what))
    fig = go.Figure()
    for differs, (colour, name) in SAID.items():
        own = [row for row in rows[:MOST_RATIOS] if row.differs == differs]
        if not own:
            continue
        ratio = [_within(row.ratio.value) for row in own if row.ratio]
        high = [_within(row.ratio.high or row.ratio.value) for row in own if row.ratio]
        low = [_within(row.ratio.low or row.ratio.value) for row in own if row.ratio]
        fig.add_scatter(
            x=ratio, y=[label(f"{row.what}, {row.about}") for row in own], mode="markers", name=name,
            marker={"color": colour, "size": 9},
            error_x={
                "type": "data", "symmetric": False, "color": colour, "thickness": 1.5,
                "array": [max(0.0, one - other) for one, other in zip(high, ratio, strict=True)],
                "arrayminus": [max(0.0, one - other) for one, other in zip(ratio, low, strict=True)],
            },
            customdata=[label(said.row(row), 300) for row in own],
            hovertemplate="%{customdata}<extra></extra>",
        )  # fmt: skip
    fig.add_vline(x=1, line={"color": INK, "width": 1})
    title = f"{of.after.name} over {of.before.name}: medians of minutes, 95 % intervals"
    fig.update_xaxes(type="log", title_text="times as much (1: the same)")
    fig.update_yaxes(autorange="reversed", linecolor=FAINT)
    fig.update_layout(hovermode="closest")
    return finish(fig, title, 190 + 26 * max(min(len(rows), MOST_RATIOS), 1))


def _within(value: float) -> float:
    return min(max(value, LOWEST), HIGHEST)


def minutes(of: Compared) -> Figure:
    """Draw the largest differences minute by minute, both cases from their start."""
    found = sorted((row for row in of.numbers if row.differs), key=_apart)[:MOST_PANELS]
    series = []
    for panel, row in enumerate(found):
        for place, side in enumerate((of.before, of.after)):
            values = row.values[place]
            series.append(Line(side.name, list(range(len(values))), list(values), panel, COLOURS[place]))
    return figures.lines(
        series,
        title="What differs most, minute by minute" if found else "No number differs",
        unit=[row.unit for row in found] or "",
        panels=[f"{words.capital(row.what)} of {row.about}" for row in found],
        time_title="minutes since the start of each case",
    )


def _apart(row: Row) -> tuple[float, str, str]:
    value = row.ratio.value if row.ratio else 0.0
    return (-max(value, 1 / value) if value > 0 else float("-inf"), row.about, row.what)
