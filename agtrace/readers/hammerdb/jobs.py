"""The report of a job as JSON (``hammerdb-job-report-v1``, version 6): result and counter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.hammerdb.moments import iso_moment

SCHEMA = '"hammerdb-job-report-v1"'
MAX_CHARACTERS = 4 << 20
"""Characters of a report: readings of days."""
TPROC_C = "tproc_c_result"


def looks_like(text: str) -> bool:
    """Return whether a text, or its beginning, is such a report."""
    return SCHEMA in text[:2000] and text[:2000].lstrip().startswith("{")


def decode(text: str) -> Decoded:
    """Yield the job's facts; none if the report is cut off, or of an implausible size."""
    if len(text) > MAX_CHARACTERS:
        message = f"the job report has more than {MAX_CHARACTERS:,} characters and is not read"
        yield Fault("too_many_values", message, "data_loss")
        return
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Fault("truncated", f"the job report is no whole JSON document ({error})")
        return
    if not isinstance(report, dict) or _part(report, "result").get("type") != TPROC_C:
        yield Fault("no_result", "the job report holds no TPROC-C result", "info")
        return
    yield from _facts(report)


def _facts(report: dict[str, Any]) -> Iterator[Fact]:
    job, result = _part(report, "job"), _part(report, "result")
    config = _part(report, "benchmark_config")
    started = iso_moment(job.get("timestamp"))
    window = _part(_part(report, "analysis_hints"), "active_window")
    values: list[tuple[str, Any, str | None]] = [
        ("driver", "timed", None),
        ("started", started and started.isoformat(" "), None),
        ("virtual_users", result.get("active_virtual_users"), "n"),
        ("rampup_minutes", config.get("rampup_minutes"), "min"),
        ("duration_minutes", config.get("duration_minutes"), "min"),
        ("warehouses", config.get("warehouses"), "n"),
        ("nopm", result.get("nopm"), "1/min"),
        ("tpm", result.get("tpm"), "1/min"),
        ("database", result.get("database_display"), None),
        ("job", job.get("jobid"), None),
        ("version", job.get("hdb_version"), None),
    ]
    for key, value, unit in values:
        if isinstance(value, str) or _is_number(value):
            yield Fact("hammerdb_result", 0, key, str(value)[:200], unit, None, started)
    ended = iso_moment(window.get("end"))
    if ended is not None:
        yield Fact("hammerdb_result", 0, "ended", ended.isoformat(" "), None, None, ended)
    for point in _points(report):
        at = iso_moment(point.get("timestamp"))
        value = point.get("value")
        if _is_number(value) and isinstance(at, datetime):
            yield Fact("hammerdb_count", 0, "tpm", f"{value:.15g}", "1/min", None, at)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15


def _points(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    series = _part(report, "transaction_count").get("series")
    for each in series if isinstance(series, list) else []:
        points = each.get("points") if isinstance(each, dict) else None
        for point in points if isinstance(points, list) else []:
            if isinstance(point, dict):
                yield point


def _part(report: dict[str, Any], name: str) -> dict[str, Any]:
    part = report.get(name)
    return part if isinstance(part, dict) else {}
