"""The comparison tables: frames to look at. pandas is imported when one is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.diagnostics.comparison.study import Study
from agtrace.history.transfers import uses as m
from agtrace.history.transfers.run import GIVEN, Run, Step
from agtrace.history.transfers.seeded import COMPRESSION
from agtrace.measures import Measure
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

TOTAL = "total"
RUN, HOST, SECONDS = (
    Measure("run", "run"),
    Measure("host", "host"),
    Measure("seconds", "duration", "s", better="lower"),
)
START, END = Measure("start_utc", "start", "UTC"), Measure("end_utc", "end", "UTC")
STEP, DURATION = Measure("step", "step"), Measure("duration", "duration", "", "minutes and seconds")
RUNS = (
    RUN, Measure("what", "what"), Measure("baseline", "baseline"), DURATION, Measure("size", "size of the database"),
    Measure("rate", "bytes of the database per second", better="higher"), Measure("stream", "stream"),
    Measure("flag_9567", "trace flag 9567"), Measure("is_compression_enabled", "is_compression_enabled"), START,
    Measure("database", "database"), Measure("source", "source"), Measure("target", "target"), Measure("factors", "factors"),
    Measure("told_by", "told by"),
)  # fmt: skip
STEPS = (
    RUN,
    STEP,
    HOST,
    START,
    END,
    DURATION,
    SECONDS,
    Measure("database_rate", "bytes of the database per second"),
)
RESOURCES = (
    RUN, STEP, HOST, Measure("resource", "resource"), Measure("of", "of"), Measure("n", "n", "", "samples"),
    Measure("unit", "unit"), *(Measure(name, name) for name in ("mean", "p5", "p50", "p95", "highest", "capacity")),
    Measure("in_bits", "in bits", "", "p5 to p95"), Measure("cores", "cores"),
    Measure("core_seconds", "processor work", "core-s"),
)  # fmt: skip
MEASURES = tuple(dict.fromkeys((*RUNS, *STEPS, *RESOURCES)))
MB = 1e6
BESIDE = 40
"""Runs that stand beside each other."""
NEGLIGIBLE = 0.01
"""Resources that moved less than this per byte of the database in every run are left out."""


def clock(seconds: float) -> str:
    """Word a duration as minutes and seconds: 06'55", 1h 02'03"."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (f"{hours}h " if hours else "") + f"{minutes:02}'{left:02}\""


def _frame(measures: Iterable[Measure], rows: Iterable[tuple[Any, ...]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=[measure.name for measure in measures])


def runs(found: Study) -> pd.DataFrame:
    """Give one row per run."""
    rows = []
    for run in found.runs:
        configuration, is_base = _configuration(found, run)
        others = [f"{name}={value}" for name, value in run.factors if name != COMPRESSION]
        stream = run.compressed
        told = (
            ("", "", "") if stream is None else (stream.told, _on(stream.trace_flag), _on(stream.flag_says))
        )
        rows.append((
            run.number, configuration.full_name if configuration else run.label or run.method, "yes" if is_base else "",
            clock(run.seconds), words.size(run.database_bytes) if run.database_bytes else "",
            words.rate(run.bytes_per_s) if run.bytes_per_s else "", *told, _utc(run.start), run.database or "",
            run.source or "", run.target or "", ", ".join(others), run.told_by,
        ))  # fmt: skip
    frame = _frame(RUNS, rows)
    return frame.loc[:, [bool((frame[name] != "").any()) for name in frame.columns]]


def steps(found: Study) -> pd.DataFrame:
    """Give the steps of each run, and their total, as minutes and seconds."""
    rows = []
    for run in (run for run in found.runs if run.method != GIVEN):
        whole = Step(TOTAL, run.start, run.end, None, run.database_bytes)
        for step in (*run.steps, whole):
            rate = step.bytes / step.seconds if step.bytes and step.seconds else None
            rows.append((
                run.number, step.name, step.host or "", _utc(step.start), _utc(step.end), clock(step.seconds),
                round(step.seconds, 1), words.rate(rate) if rate else "",
            ))  # fmt: skip
    return _frame(STEPS, rows)


def resources(found: Study) -> pd.DataFrame:
    """Give the distribution of each resource of both hosts over each run, and over its steps.

    Rates are in MB/s of 10^6 bytes.
    """
    rows = []
    for use in _ordered(found.uses):
        u, divisor = use.usage, MB if "B/s" in use.usage.unit else 1
        statistics = (u.mean, u.p5, u.p50, u.p95, u.highest, u.capacity)
        is_wire = u.resource in (m.SENT, m.RECEIVED)
        rows.append((
            use.run.number, _part(use), u.host, m.NAMES[u.resource], u.instance, u.n, u.unit.replace("B/s", "MB/s"),
            *(None if value is None else value / divisor for value in statistics),
            f"{words.bits(u.p5)} to {words.bits(u.p95)}" if is_wire else None, u.cores.count if u.cores else None,
            u.core_seconds,
        ))  # fmt: skip
    return _frame(RESOURCES, rows)


def per_byte(found: Study) -> pd.DataFrame:
    """Give what each resource moved per byte of the database, run beside run: the first `BESIDE`.

    Processors of hosts whose number of them is known, in core-seconds per GB of 10^9 bytes.
    """
    import pandas as pd

    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for use in _ordered(found.uses):
        if use.step is not None or use.is_whole or use.per_byte is None:
            continue
        unit = "core-seconds per GB" if use.usage.resource == m.CPU else "bytes per byte"
        key = (use.usage.host, m.NAMES[use.usage.resource], unit)
        rows.setdefault(key, {})[f"run {use.run.number}"] = use.per_byte
    columns = [f"run {run.number}" for run in found.runs if run.database_bytes][:BESIDE]
    return pd.DataFrame(
        [
            dict(zip(("host", "resource", "unit"), key, strict=True)) | values
            for key, values in rows.items()
            if max((values[name] for name in columns if name in values), default=0) >= NEGLIGIBLE
        ],
        columns=["host", "resource", "unit", *columns],
    )


def _part(use: m.Use) -> str:
    if use.is_whole:
        return "whole run"
    return "while data moved" if use.step is None else use.step.name


def _ordered(uses: Sequence[m.Use]) -> list[m.Use]:
    order = list(m.SHOWN)
    return sorted(
        uses,
        key=lambda u: (
            u.run.number, u.is_whole, u.step is not None, u.step.start if u.step else u.run.start,
            u.usage.host != u.run.source, u.usage.host, order.index(u.usage.resource),
        ),
    )  # fmt: skip


def _configuration(found: Study, run: Run) -> tuple[Configuration | None, bool]:
    if run.number not in found.places:
        return None, False
    group, configuration = found.places[run.number]
    return configuration, configuration is group.base


def _on(value: bool | None) -> str:
    return "" if value is None else "on" if value else "off"


def _utc(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
