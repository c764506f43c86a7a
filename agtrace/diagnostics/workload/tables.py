"""The workload tables: frames to look at."""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import fmean, median

import pandas as pd

from agtrace.diagnostics.workload.configurations import tool_of, workload_name
from agtrace.diagnostics.workload.hosts import Activity
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials.trial import BUILD
from agtrace.say import words

_FASTER = {1: "second", -1: "first", 0: "tie"}


def loads(found: Study) -> pd.DataFrame:
    """Give one row per workload, metric and load."""
    rows = [
        {
            "workload": workload_name(c.workload),
            "metric": c.metric.label,
            "unit": c.metric.unit,
            "load": point.load,
            "first": c.first.name,
            "second": c.second.name,
            "first_value": median(point.first),
            "second_value": median(point.second),
            "change_percent": round(point.change * 100, 1),
            "faster": _FASTER[point.sign],
            "n": point.n,
        }
        for c in found.comparisons
        for point in c.points
    ]
    columns = (
        "workload", "metric", "unit", "load", "first", "second", "first_value", "second_value",
        "change_percent", "faster", "n",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def side_by_side(found: Study) -> pd.DataFrame:
    """Give one row per workload and load; times in s or min, disks in MB/s, means over the trials."""
    cells: dict[tuple[str, int], dict[str, list[float]]] = {}
    units: dict[tuple[str, int], str] = {}
    names = list(dict.fromkeys(c.name for c in found.configurations))
    longest: dict[str, float] = {}
    for trial in found.trials:
        name = workload_name(trial.workload)
        longest[name] = max(longest.get(name, 0.0), trial.values.get("elapsed_s", 0.0))
    measures = ["time", "TPM", "NOPM", "value", *(f"{h}, MB/s" for h in found.hosts.names), "all disks, MB/s"]
    for trial, configuration, activities in zip(
        found.trials, found.configurations, found.hosts.by_trial, strict=True
    ):
        if trial.failed:
            continue
        workload = workload_name(trial.workload)
        key = (workload, trial.load)
        minutes = longest[workload] >= 120
        units[key] = words.plain(trial.unit, 20) if trial.unit else "min" if minutes else "s"
        values = {
            "TPM": trial.values.get("tpm"),
            "NOPM": trial.values.get("nopm"),
            "value": trial.values.get("value"),
        }
        if "elapsed_s" in trial.values:
            values["time"] = trial.values["elapsed_s"] / (60 if minutes else 1)
        disks = {host: a.disk for host, a in activities.items() if a.disk is not None}
        values |= {f"{host}, MB/s": rate / 1e6 for host, rate in disks.items()}
        values["all disks, MB/s"] = sum(disks.values()) / 1e6 if disks else None
        row = cells.setdefault(key, {})
        for measure, value in values.items():
            if value is not None:
                row.setdefault(f"{configuration.name}: {measure}", []).append(value)
    columns = [f"{name}: {measure}" for name in names for measure in measures]
    rows = [
        {"workload": workload, "load": load, "unit": units[workload, load]}
        | {
            name: float(f"{fmean(row[name]):{'.3g' if name.endswith('MB/s') else '.6g'}}")
            for name in columns
            if name in row
        }
        for (workload, load), row in sorted(cells.items())
    ]
    frame = pd.DataFrame(rows, columns=["workload", "load", "unit", *columns])
    kept = frame.columns[:3].union(frame.columns[frame.notna().any()], sort=False)
    return frame[[name for name in frame.columns if name in set(kept)]]


def progress(found: Study) -> pd.DataFrame:
    """Give one row per run whose transaction counter was captured; transactions per minute."""
    rows = [
        {
            "workload": workload_name(course.workload),
            "load": course.trial.load,
            "configuration": course.configuration.name,
            "readings": len(course.tpm),
            "minutes": round(course.minutes[-1], 2),
            "tpm": course.trial.values.get("tpm"),
            "p5": round(course.spread[0]),
            "p95": round(course.spread[1]),
            "counted": round(course.counted),
            "counted_per_transaction": round(course.counted / course.work, 2) if course.work else None,
            "times": "of the counter" if course.is_timed else "readings spread evenly over the run",
        }
        for course in found.courses
    ]
    columns = (
        "workload", "load", "configuration", "readings", "minutes", "tpm", "p5", "p95", "counted",
        "counted_per_transaction", "times",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def builds(found: Study) -> pd.DataFrame:
    """Give one row per build of a schema and host; MB/s of 10^6 bytes."""
    rows = [
        {
            "configuration": configuration.name,
            "warehouses": trial.work,
            "virtual_users": trial.load,
            "start": _utc(trial.start_us),
            "minutes": round(trial.values.get("elapsed_s", 0.0) / 60, 2),
            "failed": trial.failed,
            "host": host,
            "written_mb_per_s": _megabytes(activity.disk_written),
            "read_mb_per_s": _megabytes(activity.disk_read),
            "log_received_mb_per_s": _megabytes(activity.received),
            "source": words.plain(trial.source),
        }
        for trial, configuration, activities in zip(
            found.trials, found.configurations, found.hosts.by_trial, strict=True
        )
        if trial.driver == BUILD
        for host, activity in (activities or {"": Activity()}).items()
    ]
    columns = (
        "configuration", "warehouses", "virtual_users", "start", "minutes", "failed", "host",
        "written_mb_per_s", "read_mb_per_s", "log_received_mb_per_s", "source",
    )  # fmt: skip
    return pd.DataFrame(rows, columns=list(columns))


def _megabytes(rate: float | None) -> float | None:
    return None if rate is None else round(rate / 1e6, 2)


def setup(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Give one row per setting: of which host, replica or group; its value; what says so."""
    cells = [{name: words.plain(value) for name, value in row.items()} for row in rows]
    return pd.DataFrame(cells, columns=["of", "setting", "value", "source"])


def hosts(found: Study) -> pd.DataFrame:
    """Give one row per test and host; bytes per second."""
    rows = [
        {
            "workload": tool_of(trial.workload),
            "load": trial.load,
            "configuration": configuration.name,
            "host": host,
            "disk_read": activity.disk_read,
            "disk_written": activity.disk_written,
            "disk": activity.disk,
            "page_reads": activity.page_reads,
            "batches_per_s": activity.batches,
            "log_received": activity.received,
            "cpu_percent": activity.cpu,
            "samples": activity.n,
        }
        for trial, configuration, activities in zip(
            found.trials, found.configurations, found.hosts.by_trial, strict=True
        )
        for host, activity in activities.items()
    ]
    columns = (
        "workload", "load", "configuration", "host", "disk_read", "disk_written", "disk", "page_reads",
        "batches_per_s", "log_received", "cpu_percent", "samples",
    )  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.sort_values(["workload", "load", "configuration", "host"], ignore_index=True)


def trials(found: Study) -> pd.DataFrame:
    """Give one row per test."""
    rows = [
        {
            "tool": words.plain(trial.tool, 80),
            "driver": trial.driver,
            "load": trial.load,
            "configuration": configuration.name,
            "start": _utc(trial.start_us),
            "end": _utc(trial.end_us),
            "nopm": trial.values.get("nopm"),
            "tpm": trial.values.get("tpm"),
            "run_time_s": trial.values.get("elapsed_s"),
            "value": trial.values.get("value"),
            "unit": trial.unit,
            "client_s_per_iteration": trial.details.get("client_s"),
            "readings": len(trial.readings),
            "failed": trial.failed,
            "source": trial.source,
        }
        for trial, configuration in zip(found.trials, found.configurations, strict=True)
    ]
    columns = (
        "tool", "driver", "load", "configuration", "start", "end", "nopm", "tpm", "run_time_s",
        "value", "unit", "client_s_per_iteration", "readings", "failed", "source",
    )  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.dropna(axis="columns", how="all")


def _utc(micros: int | None) -> str:
    return "" if micros is None else f"{datetime.fromtimestamp(micros / 1e6, UTC):%Y-%m-%d %H:%M:%S}"
