"""The backup figures. plotly is imported when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace.diagnostics.backup import conditions
from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.best import best_of
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration
from agtrace.diagnostics.backup.wording import around, changed, mb_s, percent
from agtrace.say import words
from agtrace.say.figures import COLOURS, FAINT, INK, label, template

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

BARS = 30
POINTS = 3000
NOTHING = "No backup was measured"


def _figure(title: str, height: int, **layout: Any) -> Figure:
    import plotly.graph_objects as go

    fig = go.Figure()
    fig.update_layout(template=template(), title_text=label(title, 160), height=height, **layout)
    return fig


def throughput(study: BackupStudy | None) -> Figure:
    """Draw p5 to p95 and the median of each configuration, the fastest on top."""
    if study is None:
        return _figure(NOTHING, 260)
    shown = sorted(study.configurations, key=lambda c: -c.median)[:BARS][::-1]
    best = best_of(study) if study.real else shown[-1]
    title = f"{study.named(best)} is the fastest with {mb_s(best.median)}"
    fig = _figure(title, 150 + 26 * len(shown), hovermode="closest")
    names = [label(f"{study.named(c)} (n = {c.n})", 90) for c in shown]
    p5, p50, p95 = (np.array([c.sample.quantile(q) for c in shown]) for q in (0.05, 0.5, 0.95))
    fig.add_scatter(
        x=p50, y=np.arange(len(shown)), mode="markers", marker={"size": 9, "color": COLOURS[0]},
        name=f"p50 of {mb_s(p50.min())} to {mb_s(p50.max())}, with p5 to p95", text=names,
        error_x={"type": "data", "symmetric": False, "array": p95 - p50, "arrayminus": p50 - p5, "thickness": 2},
        hovertemplate="%{text}: %{x:,.4~g} MB/s", showlegend=True,
    )  # fmt: skip
    _rows(fig, names)
    fig.update_xaxes(title_text="MB/s (of 2^20 bytes)", rangemode="tozero")
    return fig


def _rows(fig: Figure, names: list[str]) -> None:
    """Name the rows of a figure that has one for each thing."""
    places = list(range(len(names)))
    fig.update_yaxes(tickvals=places, ticktext=names, range=[-0.7, len(names) - 0.3])


def effect(study: BackupStudy | None) -> Figure:
    """Draw the change that each factor makes, all else equal, with its interval."""
    changes = fx.changes(fx.effects(study)) if study is not None else []
    if study is None or not changes:
        return _figure("No two configurations differ in one factor only", 260)
    reversing = [of for of in changes if of.reverses]
    title = "What each factor does to throughput, all else equal"
    if reversing:
        title = f"What {changed(reversing[0])} does depends on the rest"
    pairs = [(of, e) for of in changes for e in of.effects][:BARS][::-1]
    names = [label(f"{changed(of)} ({around(e, study.varying)})", 110) for of, e in pairs]
    fig = _figure(title, 150 + 26 * len(pairs), hovermode="closest")
    for name, wanted, colour in (
        ("on its own", False, COLOURS[0]),
        ("depends on the rest", True, COLOURS[1]),
    ):
        here = [(row, e) for row, (of, e) in enumerate(pairs) if of.reverses == wanted]
        if not here:
            continue
        value = np.array([100 * (e.ratio.value - 1) for _, e in here])
        low = np.array([100 * ((e.ratio.low or e.ratio.value) - 1) for _, e in here])
        high = np.array([100 * ((e.ratio.high or e.ratio.value) - 1) for _, e in here])
        fig.add_scatter(
            x=value, y=[row for row, _ in here], mode="markers", text=[names[row] for row, _ in here],
            name=f"{name}: {value.min():+.3g} to {value.max():+.3g} %", marker={"size": 9, "color": colour},
            error_x={"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low},
            hovertemplate="%{text}: %{x:+.3g} %", showlegend=True,
        )  # fmt: skip
    _rows(fig, names)
    fig.update_xaxes(title_text="change of the median (%)", zeroline=True, zerolinecolor=FAINT)
    return fig


def memory(study: BackupStudy | None) -> Figure:
    """Draw the median of each configuration over the memory of its buffers."""
    known = [c for c in study.real if c.memory_mb is not None] if study is not None else []
    if study is None or not known:
        return _figure("No buffer configuration was logged (trace flag 3213)", 260)
    best = max(known, key=lambda c: c.median)
    near = [c for c in known if c.median >= 0.95 * best.median]
    cheap = min(near, key=lambda c: c.memory_mb or 0.0)
    title = (
        f"{words.number(cheap.memory_mb, 'MB')} of buffers reach {mb_s(cheap.median)}, "
        f"{words.number(best.memory_mb, 'MB')} {mb_s(best.median)}"
    )
    if cheap is best:
        title = f"The fastest configuration takes {words.number(best.memory_mb, 'MB')} of buffers"
    fig = _figure(title, 420, hovermode="closest")
    targets: dict[str, list[Configuration]] = {}
    for c in sorted(known, key=lambda c: (str(c.factors["media"]), c.factors["stripes"] or 0)):
        targets.setdefault(f"{c.factors['stripes'] or '?'} x {c.factors['media']}", []).append(c)
    for name, of in targets.items():
        fig.add_scatter(
            x=[c.memory_mb for c in of], y=[c.median for c in of], mode="markers", name=label(name),
            marker={"size": 10}, text=[label(study.named(c)) for c in of],
            hovertemplate="%{text}: %{y:,.4~g} MB/s with %{x:,} MB",
        )  # fmt: skip
    fig.update_xaxes(title_text="memory of the buffers (MB)", type="log")
    fig.update_yaxes(title_text="MB/s", rangemode="tozero")
    return fig


def hours(study: BackupStudy | None) -> Figure:
    """Draw throughput relative to the median of its configuration by hour of the day."""
    rows = conditions.by_hour(study) if study is not None else []
    if study is None or not rows:
        return _figure(NOTHING, 260)
    found = conditions.weekend(study)
    title = "Throughput by hour, against the median of each configuration"
    if found is not None and found.spread is not None and found.spread.away_from(1):
        title = f"Variation on the weekend is {percent(found.spread.value)} against working days"
    fig = _figure(title, 420)
    for number, days in enumerate(("working days", "weekend")):
        here = [row for row in rows if row[0] == days]
        if here:
            _n, hour, _count, p5, p50, p95 = (np.array(column) for column in zip(*here, strict=True))
            fig.add_scatter(
                x=hour.astype(float), y=100 * p50.astype(float), mode="markers+lines", name=days,
                line={"color": COLOURS[number], "width": 1.5}, hovertemplate="%{y:.4~g} %",
                error_y={"type": "data", "symmetric": False, "array": 100 * (p95 - p50).astype(float),
                         "arrayminus": 100 * (p50 - p5).astype(float), "thickness": 1},
            )  # fmt: skip
    fig.update_xaxes(title_text="hour of the start, server's local time", range=[-0.5, 23.5])
    fig.update_yaxes(title_text="% of the median")
    return fig


def idle(study: BackupStudy | None, minutes: float) -> Figure:
    """Draw throughput relative to the median of its configuration over the idle time before it."""
    if study is None or np.isnan(study.columns["idle_s"]).all():
        return _figure("No idle time before a backup is known", 260)
    found, turn = conditions.cold(study, minutes), conditions.turns_cold(study)
    title = "Throughput over the idle time before each run"
    if turn is not None:
        between = f"{turn.before.seen[1]:.0f} to {turn.after.seen[0]:.0f}"
        title = f"Disks turn cold after {between} idle minutes: {percent(turn.after.level.value)}"
    elif found is not None:
        title = f"Cold starts reach {percent(found.level.value)} against warm runs"
    fig = _figure(title, 420, hovermode="closest")
    waited = np.maximum(study.columns["idle_s"] / 60, 0.1)
    known = np.flatnonzero(~np.isnan(waited))[:POINTS]
    for name, mask, colour in (
        ("warm", waited < minutes, COLOURS[0]),
        ("cold", waited >= minutes, COLOURS[1]),
    ):
        rows = known[mask[known]]
        fig.add_scatter(
            x=waited[rows], y=100 * study.relative[rows], mode="markers", name=name,
            marker={"size": 5, "color": colour, "opacity": 0.7}, hovertemplate="%{y:.4~g} % after %{x:,.3~g} min",
        )  # fmt: skip
    _medians(fig, conditions.by_idle(study))
    fig.update_xaxes(title_text="idle time before the run (min)", type="log")
    fig.update_yaxes(title_text="% of the median of its configuration")
    return fig


def warm_up(study: BackupStudy | None) -> Figure:
    """Draw throughput relative to the median of its configuration over the time since a pause ended."""
    if study is None or np.isnan(study.columns["warm_s"]).all():
        return _figure("No pause after which disks could be cold is known", 260)
    turn = conditions.turns_warm(study)
    title = "Throughput over the time since the first run behind a pause"
    if turn is not None:
        between = f"{turn.before.seen[1]:.0f} to {turn.after.seen[0]:.0f}"
        title = f"Disks are warm {between} minutes after the first run behind a pause"
    fig = _figure(title, 420, hovermode="closest")
    minutes = study.columns["warm_s"] / 60
    rows = np.flatnonzero(~np.isnan(minutes))[:POINTS]
    fig.add_scatter(
        x=minutes[rows], y=100 * study.relative[rows], mode="markers", name="run",
        marker={"size": 5, "color": COLOURS[0], "opacity": 0.7}, hovertemplate="%{y:.4~g} % after %{x:,.3~g} min",
    )  # fmt: skip
    _medians(fig, conditions.by_warm_up(study))
    fig.update_xaxes(title_text="time since the first run behind the pause (min)")
    fig.update_yaxes(title_text="% of the median of its configuration")
    return fig


def _medians(fig: Figure, stretches: list[conditions.Stretch]) -> None:
    """Draw the median of each stretch of minutes, with its interval, over the times of its runs."""
    known = [each for each in stretches if each.level.is_known]
    if not known:
        return
    value = np.array([100 * each.level.value for each in known])
    low = np.array([100 * (each.level.low or each.level.value) for each in known])
    high = np.array([100 * (each.level.high or each.level.value) for each in known])
    fig.add_scatter(
        x=[max(sum(each.seen) / 2, 0.1) for each in known], y=value, mode="markers",
        name="median of a stretch, 95 % interval", text=[f"n = {each.n}" for each in known],
        marker={"size": 11, "symbol": "diamond-open", "color": INK, "line": {"width": 2}},
        error_y={"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low, "thickness": 2},
        hovertemplate="%{y:.4~g} % (%{text})",
    )  # fmt: skip
