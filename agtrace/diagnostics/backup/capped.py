"""Which side caps each configuration: reads, writes and latencies as a figure and a table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.backup.formula import MB
from agtrace.diagnostics.backup.limited import Judged
from agtrace.diagnostics.backup.limits import READER, RESTORE, UNDECIDED, WRITER, Sides, Volume
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration
from agtrace.say import words
from agtrace.say.figures import COLOURS, FAINT, label, template
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

BARS = 30
VERDICTS = {READER: "reading", WRITER: "writing", UNDECIDED: "not decided"}
NOT_SEEN = "not captured"
COLUMNS = (
    "host", "database", "operation", "configuration", "n", "p50", "caps", "why", "runs_seen", "samples",
    "seen_mb_per_s", "read_volumes", "read_ms", "read_mb_per_s", "read_mb_per_s_of_one", "written_volumes",
    "write_ms", "written_mb_per_s", "written_mb_per_s_of_one", "cpu", "network_mbit_per_s", "card_busy",
    "of_nul",
)  # fmt: skip


def figure(each: Judged | None, limits: Thresholds) -> Figure:
    """Draw what one volume reads and writes, and how long an access takes, by configuration."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    shown = each.sides[:BARS][::-1] if each is not None else []
    if each is None or not shown:
        fig = go.Figure()
        title = "No backup was seen by perfmon: which side caps it is not known"
        fig.update_layout(template=template(), title_text=label(title, 160), height=260)
        return fig
    fig = make_subplots(rows=1, cols=2, shared_yaxes=True, horizontal_spacing=0.05, column_widths=[0.55, 0.45])  # fmt: skip
    names = [
        label(f"{each.study.named(s.configuration)} ({_caps(each, s.configuration, limits)})", 90)
        for s in shown
    ]
    read, write = _words(each.study)
    series: tuple[tuple[int, str, str, list[float | None]], ...] = (
        (1, f"one volume of {read} reads", "circle", [_most(s.sources, "read_rate") for s in shown]),
        (1, f"one volume of {write} takes", "square-open", [_most(s.targets, "write_rate") for s in shown]),
        (2, "a read takes", "circle", [_ms(s.read_s) for s in shown]),
        (2, "a write takes", "square-open", [_ms(s.write_s) for s in shown]),
    )  # fmt: skip
    for place, (column, name, symbol, values) in enumerate(series):
        unit = "MB/s" if column == 1 else "ms"
        fig.add_scatter(
            x=values, y=names, mode="markers", name=name, row=1, col=column,
            marker={"size": 9, "symbol": symbol, "color": COLOURS[place % 2], "line": {"width": 2}},
            hovertemplate=f"%{{y}}: %{{x:,.4~g}} {unit}", showlegend=True,
        )  # fmt: skip
    fig.add_vline(x=limits.backup_busy_ms, line={"color": FAINT, "dash": "dot"}, row=1, col=2)
    fig.update_xaxes(title_text="MB/s", rangemode="tozero", row=1, col=1)
    fig.update_xaxes(title_text="ms", rangemode="tozero", row=1, col=2)
    height = 190 + 26 * len(shown)
    fig.update_layout(template=template(), title_text=label(_title(each, limits), 160), height=height, hovermode="closest")  # fmt: skip
    return fig


def _words(study: BackupStudy) -> tuple[str, str]:
    return ("the backup", "the database") if study.operation == RESTORE else ("the database", "the backup")  # fmt: skip


def _caps(each: Judged, configuration: Configuration, limits: Thresholds) -> str:
    verdict = each.verdict(configuration, limits)
    return NOT_SEEN if verdict is None else VERDICTS[verdict]


def _title(each: Judged, limits: Thresholds) -> str:
    counts = Counter(each.verdict(s.configuration, limits) for s in each.sides)
    total = words.count(len(each.sides), "configuration")
    told = [
        f"{VERDICTS[verdict].capitalize()} caps {counts[verdict]:,}"
        for verdict in (READER, WRITER)
        if counts[verdict]
    ]
    if not told:
        return f"Neither side is seen to cap any of {total}"
    return f"{' and '.join(told).capitalize()} of {total} that perfmon saw"


def table(judged: list[Judged], limits: Thresholds) -> pd.DataFrame:
    """Give one row per configuration: rates in MB/s of 2^20 bytes, latencies in ms, shares in %.

    Configurations that perfmon did not see stay in, with what a backup to NUL says of them.
    """
    import pandas as pd

    rows = []
    for each in judged:
        seen = {s.configuration.number: s for s in each.sides}
        nulls = {t.configuration.number: t.share for t in each.nulls}
        for c in sorted(each.study.real, key=lambda c: -c.median):
            row = _row(each.study, c, seen.get(c.number), nulls.get(c.number))
            rows.append(row | {"caps": _caps(each, c, limits)})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(study: BackupStudy, c: Configuration, side: Sides | None, of_nul: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "host": study.host_id, "database": study.database, "operation": study.what,
        "configuration": study.named(c), "n": c.n, "p50": c.median,
        "why": None if of_nul is None else "a backup to NUL with the same buffers writes nothing",
        "of_nul": None if of_nul is None else 100 * of_nul,
    }  # fmt: skip
    if side is None:
        return row
    return row | {
        "why": row["why"] or side.reason, "runs_seen": side.runs, "samples": side.samples,
        "seen_mb_per_s": side.mb_per_s,
        "read_volumes": _names(side.sources), "read_ms": _ms(side.read_s),
        "read_mb_per_s": _sum(side.sources, "read_rate"), "read_mb_per_s_of_one": _most(side.sources, "read_rate"),
        "written_volumes": _names(side.targets), "write_ms": _ms(side.write_s),
        "written_mb_per_s": _sum(side.targets, "write_rate"),
        "written_mb_per_s_of_one": _most(side.targets, "write_rate"),
        "cpu": side.cpu,
        "network_mbit_per_s": None if side.network_rate is None else 8 * side.network_rate / 1e6,
        "card_busy": None if side.card_share is None else 100 * side.card_share,
    }  # fmt: skip


def _names(volumes: list[Volume]) -> str:
    return " ".join(words.plain(v.name, 40) for v in volumes)


def _sum(volumes: list[Volume], rate: str) -> float | None:
    return sum(getattr(v, rate) for v in volumes) / MB if volumes else None


def _most(volumes: list[Volume], rate: str) -> float | None:
    return max(getattr(v, rate) for v in volumes) / MB if volumes else None


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds
