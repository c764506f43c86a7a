"""The workload tables: frames to look at."""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import median

import pandas as pd

from agtrace.diagnostics.workload import wording
from agtrace.diagnostics.workload.study import Study

_FASTER = {1: "second", -1: "first", 0: "tie"}


def loads(found: Study) -> pd.DataFrame:
    """Give one row per workload, metric and load."""
    rows = [
        {
            "workload": wording.workload_name(c.workload),
            "metric": c.metric.name,
            "unit": c.metric.unit,
            "load": point.load,
            "first": wording.name(c.first),
            "second": wording.name(c.second),
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


def hosts(found: Study) -> pd.DataFrame:
    """Give one row per test and host; bytes per second."""
    rows = [
        {
            "workload": trial.tool,
            "load": trial.load,
            "configuration": wording.name(configuration),
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
            "tool": trial.tool,
            "driver": trial.driver,
            "load": trial.load,
            "configuration": wording.name(configuration),
            "start": _utc(trial.start_us),
            "end": _utc(trial.end_us),
            "nopm": trial.values.get("nopm"),
            "tpm": trial.values.get("tpm"),
            "run_time_s": trial.values.get("elapsed_s"),
            "client_s_per_iteration": trial.details.get("client_s"),
            "readings": len(trial.readings),
            "failed": trial.failed,
            "source": trial.source,
        }
        for trial, configuration in zip(found.trials, found.configurations, strict=True)
    ]
    columns = (
        "tool", "driver", "load", "configuration", "start", "end", "nopm", "tpm", "run_time_s",
        "client_s_per_iteration", "readings", "failed", "source",
    )  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.dropna(axis="columns", how="all")


def _utc(micros: int | None) -> str:
    return (
        "" if micros is None else f"{datetime.fromtimestamp(micros / 1e6, UTC):%Y-%m-%d %H:%M:%S}"
    )
