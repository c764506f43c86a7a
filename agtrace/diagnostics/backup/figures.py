"""The backup figures; plotly is imported on first use."""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup import sides as sd
from agtrace.diagnostics.backup import throughput as moved
from agtrace.diagnostics.backup import volumes as vs
from agtrace.diagnostics.backup.best import CHANGE, best_of, cheapest_near
from agtrace.diagnostics.backup.studies import MEMORY, P50, QUANTILES, RESTORE, BackupStudy, Configuration
from agtrace.diagnostics.backup.tables import CAPS
from agtrace.measure.statistics import Interval, Values
from agtrace.say import words
from agtrace.say.colours import COLOURS, DATABASES, FAINT, HOSTS, INK
from agtrace.say.figures import label, template
from agtrace.thresholds import Thresholds

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


def _bars(value: Values, low: Values, high: Values, thickness: float | None = None) -> dict[str, Any]:
    """Return the bars of values that reach from low to high."""
    bars = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    return bars if thickness is None else bars | {"thickness": thickness}


def _rate(mb_per_s: float) -> str:
    return words.number(mb_per_s, P50.unit)


def _mb(of: Configuration) -> str:
    return words.number(of.memory_mb, MEMORY.unit)


def throughput(study: BackupStudy | None) -> Figure:
    """Draw p5 to p95 and the median of each configuration, the fastest on top."""
    if study is None:
        return _figure(NOTHING, 260)
    shown = study.fastest[:BARS][::-1]
    best = best_of(study) if study.real else shown[-1]
    title = f"{study.named(best)} is the fastest with {_rate(best.median)}"
    fig = _figure(title, 150 + 26 * len(shown), hovermode="closest")
    names = [label(f"{study.named(c)} (n = {c.n})", 90) for c in shown]
    p5, p50, p95 = (np.array([c.sample.quantile(q) for c in shown]) for q in QUANTILES)
    marks = {"mode": "markers", "marker": {"size": 9, "color": INK}, "showlegend": True}
    name = f"p50 of {_rate(p50.min())} to {_rate(p50.max())}, with p5 to p95"
    hover, bars = f"%{{text}}: %{{x:,.4~g}} {P50.unit}", _bars(p50, p5, p95, 2)
    fig.add_scatter(
        x=p50, y=np.arange(len(shown)), name=name, text=names, error_x=bars, hovertemplate=hover, **marks
    )
    _rows(fig, names)
    fig.update_xaxes(title_text=f"{P50.unit} (of 2^20 bytes)", rangemode="tozero")
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
    turning = next((of.name for of in changes if of.reverses), "")
    title = "What each factor does to throughput, all else equal"
    if turning:
        title = f"What {turning} does depends on the rest"
    pairs = [(of, e) for of in changes for e in of.effects][:BARS][::-1]
    names = [label(f"{of.name} ({e.around(study.varying)})", 110) for of, e in pairs]
    fig = _figure(title, 150 + 26 * len(pairs), hovermode="closest")
    for name, wanted in (("on its own", False), ("depends on the rest", True)):
        here = [(row, e) for row, (of, e) in enumerate(pairs) if of.reverses == wanted]
        if not here:
            continue
        value, low, high = (100 * (ends - 1) for ends in _ends([e.ratio for _, e in here]))
        rows = [row for row, _ in here]
        marks = {"mode": "markers", "marker": {"size": 9, "color": DATABASES[wanted]}, "showlegend": True}
        marks |= {"text": [names[row] for row in rows], "hovertemplate": "%{text}: %{x:+.3g} %"}
        name = f"{name}: {value.min():+.3g} to {value.max():+.3g} %"
        fig.add_scatter(x=value, y=rows, name=name, error_x=_bars(value, low, high), **marks)
    _rows(fig, names)
    fig.update_xaxes(title_text=f"{CHANGE.label} ({CHANGE.unit})", zeroline=True, zerolinecolor=FAINT)
    return fig


def memory(study: BackupStudy | None, limits: Thresholds) -> Figure:
    """Draw the median of each configuration over the memory of its buffers."""
    known = [c for c in study.real if c.memory_mb is not None] if study is not None else []
    if study is None or not known:
        return _figure("No buffer configuration was logged (trace flag 3213)", 260)
    best = max(known, key=lambda c: c.median)
    cheap = cheapest_near(known, best, limits)
    title = f"The fastest configuration takes {_mb(best)} of buffers"
    if cheap is not best:
        title = f"{_mb(cheap)} of buffers reach {_rate(cheap.median)}, {_mb(best)} {_rate(best.median)}"
    fig = _figure(title, 420, hovermode="closest")
    targets: dict[str, list[Configuration]] = {}
    for c in sorted(known, key=lambda c: (str(c.factors["media"]), c.factors["stripes"] or 0)):
        targets.setdefault(f"{c.factors['stripes'] or '?'} x {c.factors['media']}", []).append(c)
    hover = f"%{{text}}: %{{y:,.4~g}} {P50.unit} with %{{x:,}} {MEMORY.unit}"
    marks = {"mode": "markers", "hovertemplate": hover}
    for (name, of), colour in zip(targets.items(), cycle(HOSTS), strict=False):
        x, y = [c.memory_mb for c in of], [c.median for c in of]
        fig.add_scatter(
            x=x,
            y=y,
            name=label(name),
            text=[label(study.named(c)) for c in of],
            marker={"size": 10, "color": colour},
            **marks,
        )
    fig.update_xaxes(title_text=f"memory of the buffers ({MEMORY.unit})", type="log")
    fig.update_yaxes(title_text=P50.unit, rangemode="tozero")
    return fig


def hours(study: BackupStudy | None) -> Figure:
    """Draw throughput relative to the median of its configuration by hour of the day."""
    if study is None:
        return _figure(NOTHING, 260)
    rows = moved.by_hour(study)
    found = next((each for each in moved.by_period(study) if each.second == "weekend"), None)
    title = "Throughput by hour, against the median of each configuration"
    if found is not None and found.spread is not None and found.spread.away_from(1):
        title = f"Variation on the weekend is {words.gain(found.spread.value)} against working days"
    fig = _figure(title, 420)
    for days, colour in (("working days", COLOURS[2]), ("weekend", COLOURS[3])):
        here = [numbers for name, *numbers in rows if name == days]
        if here:
            hour, _n, p5, p50, p95 = np.array(here).T
            bars, line = _bars(100 * p50, 100 * p5, 100 * p95, 1), {"color": colour, "width": 1.5}
            marks = {"mode": "markers+lines", "line": line, "hovertemplate": "%{y:.4~g} %"}
            fig.add_scatter(x=hour, y=100 * p50, name=days, error_y=bars, **marks)
    fig.update_xaxes(title_text="hour of the start, server's local time", range=[-0.5, 23.5])
    fig.update_yaxes(title_text="% of the median")
    return fig


def idle(study: BackupStudy | None, minutes: float) -> Figure:
    """Draw throughput relative to the median of its configuration over the idle time before it."""
    if study is None or np.isnan(study.columns.idle_s).all():
        return _figure("No idle time before a backup is known", 260)
    found, stretches = moved.cold(study, minutes), moved.by_idle(study)
    turn = moved.turn(stretches, to_slow=True)
    title = "Throughput over the idle time before each run"
    if turn is not None:
        before, after = turn.minutes
        title = f"Disks turn cold after {before:.0f} to {after:.0f} idle minutes: "
        title += words.gain(turn.after.level.value)
    elif found is not None:
        title = f"Cold starts reach {words.gain(found.level.value)} against warm runs"
    waited = np.maximum(study.columns.idle_s / 60, 0.1)
    runs = {"warm": waited < minutes, "cold": waited >= minutes}
    fig = _relative(study, title, waited, runs, stretches)
    fig.update_xaxes(title_text="idle time before the run (min)", type="log")
    return fig


def warm_up(study: BackupStudy | None) -> Figure:
    """Draw throughput relative to the median of its configuration over the time since a pause ended."""
    if study is None or np.isnan(study.columns.warm_s).all():
        return _figure("No pause after which disks could be cold is known", 260)
    stretches = moved.by_warm_up(study)
    turn = moved.turn(stretches, to_slow=False)
    title = "Throughput over the time since the first run behind a pause"
    if turn is not None:
        before, after = turn.minutes
        title = f"Disks are warm {before:.0f} to {after:.0f} minutes after the first run behind a pause"
    since = study.columns.warm_s / 60
    fig = _relative(study, title, since, {"run": ~np.isnan(since)}, stretches)
    fig.update_xaxes(title_text="time since the first run behind the pause (min)")
    return fig


OF_RUNS = {"warm": COLOURS[4], "cold": COLOURS[5], "run": COLOURS[0]}
"""Of runs on warm and on cold disks."""


def _relative(
    study: BackupStudy, title: str, minutes: Values, runs: dict[str, Values], stretches: list[moved.Stretch]
) -> Figure:
    """Draw each run's throughput over minutes, and the median of each stretch with its interval."""
    fig = _figure(title, 420, hovermode="closest")
    shown = np.flatnonzero(~np.isnan(minutes))[:POINTS]
    for name, mask in runs.items():
        rows = shown[mask[shown]]
        marker, hover = (
            {"size": 5, "color": OF_RUNS[name], "opacity": 0.7},
            "%{y:.4~g} % after %{x:,.3~g} min",
        )
        marks = {"mode": "markers", "marker": marker, "hovertemplate": hover}
        fig.add_scatter(x=minutes[rows], y=100 * study.relative[rows], name=name, **marks)
    known = [each for each in stretches if each.level.is_known]
    if known:
        value, low, high = (100 * ends for ends in _ends([each.level for each in known]))
        marker = {"size": 11, "symbol": "diamond-open", "color": INK, "line": {"width": 2}}
        marks = {"mode": "markers", "marker": marker, "hovertemplate": "%{y:.4~g} % (%{text})"}
        marks |= {"name": "median of a stretch, 95 % interval", "text": [f"n = {each.n}" for each in known]}
        x = [max(sum(each.seen) / 2, 0.1) for each in known]
        fig.add_scatter(x=x, y=value, error_y=_bars(value, low, high, 2), **marks)
    fig.update_yaxes(title_text="% of the median of its configuration")
    return fig


def _ends(found: list[Interval]) -> tuple[Values, Values, Values]:
    """Return estimates with both ends of their intervals; without an interval, the estimates."""
    value = np.array([each.value for each in found])
    low, high = (np.array([getattr(each, end) or each.value for each in found]) for end in ("low", "high"))
    return value, low, high


def sides(each: sd.StudySides | None, limits: Thresholds) -> Figure:
    """Draw the reads and writes of one volume, and the time per access, by configuration."""
    from plotly.subplots import make_subplots

    shown = each.sides[:BARS][::-1] if each is not None else []
    if each is None or not shown:
        return _figure("No backup was seen by perfmon: which side caps it is not known", 260)
    verdicts = {s.configuration: each.verdict(s.configuration) for s in each.sides}
    counts, total = Counter(verdicts.values()), words.count(len(each.sides), "configuration")
    caps = [f"{CAPS[side]} caps {counts[side]:,}" for side in (sd.READER, sd.WRITER) if counts[side]]
    title = f"Neither side is seen to cap any of {total}"
    if caps:
        title = f"{words.capital(' and '.join(caps))} of {total} that perfmon saw"
    fig = make_subplots(
        rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.05, column_widths=[0.55, 0.45]
    )
    capped = [(s.configuration, CAPS[verdicts[s.configuration]]) for s in shown]
    names = [label(f"{each.study.named(c)} ({by})", 90) for c, by in capped]
    read, written = ("backup", "database") if each.study.act == RESTORE else ("database", "backup")
    moving = f"one volume of the {read} reads", f"one volume of the {written} takes"
    for place, name in enumerate((*moving, "a read takes", "a write takes")):
        column, way = divmod(place, 2)
        unit = (vs.TIME if column else vs.MOST)[vs.READ].unit
        ways = [s.ways[way] for s in shown]
        x = [side.ms if column else side.most_mb_per_s for side in ways]
        marker = {"size": 9, "symbol": ("circle", "square-open")[way], "color": DATABASES[2 + way]}
        marks = {"mode": "markers", "marker": marker | {"line": {"width": 2}}, "showlegend": not column}
        marks |= {"hovertemplate": f"%{{y}}: %{{x:,.4~g}} {unit}", "row": 1, "col": column + 1}
        fig.add_scatter(x=x, y=names, name=name, **marks)
        fig.update_xaxes(title_text=unit, rangemode="tozero", row=1, col=column + 1)
    fig.add_vline(x=limits.backup_busy_ms, line={"color": FAINT, "dash": "dot"}, row=1, col=2)
    height = 190 + 26 * len(shown)
    fig.update_layout(template=template(), title_text=label(title, 160), height=height, hovermode="closest")
    return fig
