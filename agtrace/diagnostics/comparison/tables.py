"""The comparison tables, as frames; pandas is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.diagnostics.comparison.study import Study
from agtrace.history import transfers as m
from agtrace.history.transfers import COMPRESSION, GIVEN, Run, Step
from agtrace.measures import Measure, frame
from agtrace.say import words
from agtrace.say.words import second

if TYPE_CHECKING:
    import pandas as pd

TOTAL = "total"
RUN, STEP, HOST = map(Measure, ("run", "step", "host"))
START, END = Measure("start_utc", "start", "UTC"), Measure("end_utc", "end", "UTC")
DURATION = Measure("duration", meaning="minutes and seconds")
RUNS = (
    *(RUN, Measure("what"), Measure("baseline"), DURATION, Measure("size", "size of the database")),
    Measure("rate", "bytes of the database per second", better="higher"),
    *(Measure("stream"), Measure("flag_9567", "trace flag 9567")),
    *(Measure("is_compression_enabled", "is_compression_enabled"), START),
    *map(Measure, ("database", "source", "target", "factors", "told_by")),
)
STEPS = (
    *(RUN, STEP, HOST, START, END, DURATION, Measure("seconds", "duration", "s", better="lower")),
    Measure("database_rate", "bytes of the database per second"),
)
STATISTICS = ("mean", "p5", "p50", "p95", "highest", "capacity")
RESOURCES = (
    *(RUN, STEP, HOST, Measure("resource"), Measure("of"), Measure("n", meaning="samples"), Measure("unit")),
    *(*map(Measure, STATISTICS), Measure("in_bits", meaning="p5 to p95"), Measure("cores")),
    Measure("core_seconds", "processor work", "core-s"),
)
MEASURES = tuple(dict.fromkeys((*RUNS, *STEPS, *RESOURCES)))
MB = 1e6
BESIDE = 40
"""Most runs shown side by side."""
NEGLIGIBLE = 0.01
"""Resources with less traffic than this per byte of the database in every run are left out."""


def clock(seconds: float) -> str:
    """Format a duration as minutes and seconds: 06'55", 1h 02'03"."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (f"{hours}h " if hours else "") + f"{minutes:02}'{left:02}\""


def runs(found: Study) -> pd.DataFrame:
    """Return one row per run, without columns that have no known values."""
    rows = []
    for run in found.runs:
        configuration, is_base = _configuration(found, run)
        others = [f"{name}={value}" for name, value in run.factors if name != COMPRESSION]
        row = vars(run) | {"run": run.number, "duration": clock(run.seconds), "start_utc": second(run.start)}
        row |= {"what": configuration.full_name if configuration else run.label or run.method}
        row |= {"baseline": "yes" if is_base else "", "factors": ", ".join(others)}
        row["size"] = run.database_bytes and words.size(run.database_bytes)
        row["rate"] = run.bytes_per_s and words.rate(run.bytes_per_s)
        if (stream := run.compressed) is not None:
            row |= {"stream": stream.verdict_name, "flag_9567": _on(stream.trace_flag)}
            row["is_compression_enabled"] = _on(stream.flag_says)
        rows.append({column.name: row.get(column.name) or "" for column in RUNS})
    table = frame(RUNS, rows)
    return table.loc[:, [bool((table[name] != "").any()) for name in table.columns]]


def steps(found: Study) -> pd.DataFrame:
    """Return the steps of each run, and their total, as minutes and seconds."""
    rows = []
    for run in (run for run in found.runs if run.method != GIVEN):
        whole = Step(TOTAL, run.start, run.end, None, run.database_bytes)
        for step in (*run.steps, whole):
            rate = step.bytes / step.seconds if step.bytes and step.seconds else None
            when = (second(step.start), second(step.end), clock(step.seconds), round(step.seconds, 1))
            rows.append((run.number, step.name, step.host or "", *when, words.rate(rate) if rate else ""))
    return frame(STEPS, rows)


def resources(found: Study) -> pd.DataFrame:
    """Return the distribution of each resource of both hosts over each run, and over its steps.

    Rates are in MB/s of 10^6 bytes.
    """
    rows = []
    for use in _ordered(found.uses):
        u, divisor = use.usage, MB if "B/s" in use.usage.unit else 1
        values = [None if (v := getattr(u, name)) is None else v / divisor for name in STATISTICS]
        of = (use.run.number, _part(use), u.host, m.NAMES[u.resource], u.instance, u.n)
        is_wire = u.resource in (m.SENT, m.RECEIVED)
        bits = f"{words.bits(u.p5)} to {words.bits(u.p95)}" if is_wire else None
        cores = u.cores.count if u.cores else None
        rows.append((*of, u.unit.replace("B/s", "MB/s"), *values, bits, cores, u.core_seconds))
    return frame(RESOURCES, rows)


def per_byte(found: Study) -> pd.DataFrame:
    """Return the traffic of each resource per byte of the database, for the first `BESIDE` runs.

    Processors are in core-seconds per GB of 10^9 bytes, for hosts with a known number of them.
    """
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for use in _ordered(found.uses):
        if use.step is not None or use.is_whole or use.per_byte is None:
            continue
        unit = "core-seconds per GB" if use.usage.resource == m.CPU else "bytes per byte"
        key = (use.usage.host, m.NAMES[use.usage.resource], unit)
        rows.setdefault(key, {})[f"run {use.run.number}"] = use.per_byte
    columns = [f"run {run.number}" for run in found.runs if run.database_bytes][:BESIDE]
    of = ("host", "resource", "unit")
    told = [
        dict(zip(of, key, strict=True)) | values
        for key, values in rows.items()
        if any(values[name] >= NEGLIGIBLE for name in columns if name in values)
    ]
    return frame(map(Measure, (*of, *columns)), told)


def _part(use: m.Use) -> str:
    if use.is_whole:
        return "whole run"
    return "while data moved" if use.step is None else use.step.name


def _ordered(uses: Sequence[m.Use]) -> list[m.Use]:
    order = list(m.SHOWN)

    def place(use: m.Use) -> tuple[Any, ...]:
        start = use.step.start if use.step else use.run.start
        host = use.usage.host != use.run.source, use.usage.host, order.index(use.usage.resource)
        return use.run.number, use.is_whole, use.step is not None, start, *host

    return sorted(uses, key=place)


def _configuration(found: Study, run: Run) -> tuple[Configuration | None, bool]:
    if run.number not in found.places:
        return None, False
    group, configuration = found.places[run.number]
    return configuration, configuration is group.base


def _on(value: bool | None) -> str:
    return "" if value is None else "on" if value else "off"
