"""The comparison tables: frames to look at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from agtrace.diagnostics.comparison import uses as m
from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.diagnostics.comparison.study import Study
from agtrace.history.transfers.run import GIVEN, Run
from agtrace.history.transfers.seeded import COMPRESSION
from agtrace.say import words

TOTAL = "total"
_RUN_COLUMNS = (
    "run", "what", "baseline", "duration", "size", "rate", "stream", "flag_9567", "is_compression_enabled", "start_utc",
    "database", "source", "target", "factors", "told_by",
)  # fmt: skip
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


def runs(found: Study) -> pd.DataFrame:
    """Give one row per run."""
    rows = []
    for run in found.runs:
        configuration, is_base = _configuration(found, run)
        compressed = run.compressed
        others = [f"{name}={value}" for name, value in run.factors if name != COMPRESSION]
        rows.append(
            {
                "run": run.number,
                "what": configuration.full_name if configuration else run.label or run.method,
                "baseline": "yes" if is_base else "",
                "database": run.database or "",
                "source": run.source or "",
                "target": run.target or "",
                "start_utc": _utc(run.start),
                "duration": clock(run.seconds),
                "size": words.size(run.database_bytes) if run.database_bytes else "",
                "rate": words.rate(run.bytes_per_s) if run.bytes_per_s else "",
                "stream": "" if compressed is None else compressed.told,
                "flag_9567": "" if compressed is None else _on(compressed.trace_flag),
                "is_compression_enabled": "" if compressed is None else _on(compressed.flag_says),
                "factors": ", ".join(others),
                "told_by": run.told_by,
            }
        )
    frame = pd.DataFrame(rows, columns=list(_RUN_COLUMNS))
    return frame.loc[:, [bool((frame[name] != "").any()) for name in frame.columns]]


def steps(found: Study) -> pd.DataFrame:
    """Give the steps of each run, and their total, as minutes and seconds."""
    rows = []
    for run in found.runs:
        if run.method == GIVEN:
            continue
        for step in run.steps:
            rate = step.bytes / step.seconds if step.bytes and step.seconds else None
            rows.append(
                _step(run, step.name, step.host, step.start, step.end, step.seconds)
                | {"database_rate": words.rate(rate) if rate else ""}
            )
        rate = run.bytes_per_s
        rows.append(
            _step(run, TOTAL, None, run.start, run.end, run.seconds)
            | {"database_rate": words.rate(rate) if rate else ""}
        )
    columns = ("run", "step", "host", "start_utc", "end_utc", "duration", "seconds", "database_rate")  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def _step(
    run: Run, name: str, host: str | None, start: datetime, end: datetime, seconds: float
) -> dict[str, Any]:
    return {
        "run": run.number, "step": name, "host": host or "", "start_utc": _utc(start), "end_utc": _utc(end),
        "duration": clock(seconds), "seconds": round(seconds, 1),
    }  # fmt: skip


def resources(found: Study) -> pd.DataFrame:
    """Give the distribution of each resource of both hosts over each run, and over its steps.

    Rates are in MB/s of 10^6 bytes.
    """
    rows = [
        {
            "run": use.run.number,
            "step": _part(use),
            "host": use.usage.host,
            "resource": m.NAMES[use.usage.resource],
            "of": use.usage.instance,
            "n": use.usage.n,
            "unit": use.usage.unit.replace("B/s", "MB/s"),
            "in_bits": f"{words.bits(use.usage.p5)} to {words.bits(use.usage.p95)}"
            if use.usage.resource in (m.SENT, m.RECEIVED)
            else None,
            "cores": use.usage.cores.count if use.usage.cores else None,
            "core_seconds": use.usage.core_seconds,
        }
        | {
            name: None if value is None else value / (MB if "B/s" in use.usage.unit else 1)
            for name, value in (
                ("mean", use.usage.mean), ("p5", use.usage.p5), ("p50", use.usage.p50), ("p95", use.usage.p95),
                ("highest", use.usage.highest), ("capacity", use.usage.capacity),
            )
        }
        for use in _ordered(found.uses)
    ]  # fmt: skip
    columns = (
        "run", "step", "host", "resource", "of", "n", "unit", "mean", "p5", "p50", "p95", "highest", "capacity",
        "in_bits", "cores", "core_seconds",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def per_byte(found: Study) -> pd.DataFrame:
    """Give what each resource moved per byte of the database, run beside run: the first `BESIDE`.

    Processors of hosts whose number of them is known, in core-seconds per GB of 10^9 bytes.
    """
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
