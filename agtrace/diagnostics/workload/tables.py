"""The workload tables: frames to look at. pandas is imported when one is made."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.workload.configurations import tool_of, workload_name
from agtrace.diagnostics.workload.curves import METRICS
from agtrace.diagnostics.workload.hosts import Activity
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials.trial import BUILD
from agtrace.measures import Measure
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

FASTER = {1: "second", -1: "first", 0: "tie"}

WORKLOAD, LOAD, CONFIGURATION = (
    Measure("workload", "workload"),
    Measure("load", "load"),
    Measure("configuration", "configuration"),
)
HOST, SOURCE, UNIT, VALUE = (Measure(name, name) for name in ("host", "source", "unit", "value"))
START, END = Measure("start", "start", "UTC"), Measure("end", "end", "UTC")
FAILED = Measure("failed", "failed", "", "virtual users or queries that failed", "lower")
NOPM, TPM, _ = METRICS
LOADS = (
    WORKLOAD, Measure("metric", "metric"), UNIT, LOAD, Measure("first", "first"), Measure("second", "second"),
    Measure("first_value", "first value"), Measure("second_value", "second value"), Measure("change_percent", "change", "%"),
    Measure("faster", "faster"), Measure("n", "n", "", "trials of each at this load, the fewest"),
)  # fmt: skip
PROGRESS = (
    WORKLOAD, LOAD, CONFIGURATION, Measure("readings", "readings"), Measure("minutes", "length", "min"), TPM,
    Measure("p5", "transactions per minute, p5", "1/min"), Measure("p95", "transactions per minute, p95", "1/min"),
    Measure("counted", "transactions counted"),
    Measure("counted_per_transaction", "transactions counted for each of its own"), Measure("times", "times"),
)  # fmt: skip
BUILDS = (
    CONFIGURATION, Measure("warehouses", "warehouses"), Measure("virtual_users", "virtual users"), START,
    Measure("minutes", "length", "min"), FAILED, HOST, Measure("written_mb_per_s", "written", "MB/s"),
    Measure("read_mb_per_s", "read", "MB/s"), Measure("log_received_mb_per_s", "log received", "MB/s"), SOURCE,
)  # fmt: skip
SETUP = (Measure("of", "of"), Measure("setting", "setting"), VALUE, SOURCE)
HOSTS = (
    WORKLOAD, LOAD, CONFIGURATION, HOST, Measure("disk_read", "disk reads", "B/s"), Measure("disk_written", "disk writes", "B/s"),
    Measure("disk", "disk reads and writes", "B/s"), Measure("page_reads", "page reads", "B/s"),
    Measure("batches_per_s", "batch requests", "1/s"), Measure("log_received", "log received", "log B/s"),
    Measure("cpu_percent", "CPU", "%"), Measure("samples", "samples"),
)  # fmt: skip
TRIALS = (
    Measure("tool", "tool"), Measure("driver", "driver"), LOAD, CONFIGURATION, START, END, NOPM, TPM,
    Measure("run_time_s", "run time", "s", better="lower"), VALUE, UNIT,
    Measure("client_s_per_iteration", "client time per iteration", "s"), Measure("readings", "readings"), FAILED, SOURCE,
)  # fmt: skip
MEASURES = tuple(dict.fromkeys((*LOADS, *PROGRESS, *BUILDS, *SETUP, *HOSTS, *TRIALS)))


def _frame(measures: Iterable[Measure], rows: Iterable[tuple[Any, ...]]) -> pd.DataFrame:
    import pandas as pd

    flat = [[words.plain(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return pd.DataFrame(flat, columns=[measure.name for measure in measures])


def loads(found: Study) -> pd.DataFrame:
    """Give one row per workload, metric and load."""
    return _frame(LOADS, (
        (workload_name(c.workload), c.metric.label, c.metric.unit, point.load, c.first.name, c.second.name,
         median(point.first), median(point.second), round(point.change * 100, 1), FASTER[point.sign], point.n)
        for c in found.comparisons
        for point in c.points
    ))  # fmt: skip


def side_by_side(found: Study) -> pd.DataFrame:
    """Give one row per workload and load; times in s or min, disks in MB/s, means over the trials."""
    import pandas as pd

    cells: dict[tuple[str, int], dict[str, list[float]]] = {}
    units: dict[tuple[str, int], str] = {}
    names = found.names
    longest: dict[str, float] = {}
    for trial in found.trials:
        name = workload_name(trial.workload)
        longest[name] = max(longest.get(name, 0.0), trial.values.get("elapsed_s", 0.0))
    measures = ["time", "TPM", "NOPM", "value", *(f"{h}, MB/s" for h in found.hosts.names), "all disks, MB/s"]
    for trial, configuration, activities in found.tested:
        if trial.failed:
            continue
        workload = workload_name(trial.workload)
        key = (workload, trial.load)
        minutes = longest[workload] >= 120
        units[key] = words.plain(trial.unit, 20) if trial.unit else "min" if minutes else "s"
        values = {name: trial.values.get(name.lower()) for name in ("TPM", "NOPM", "value")}
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
    return _frame(PROGRESS, (
        (workload_name(course.workload), course.trial.load, course.configuration.name, len(course.tpm),
         round(course.minutes[-1], 2), course.trial.values.get("tpm"), *map(round, course.spread), round(course.counted),
         round(course.counted / course.work, 2) if course.work else None,
         "of the counter" if course.is_timed else "readings spread evenly over the run")
        for course in found.courses
    ))  # fmt: skip


def builds(found: Study) -> pd.DataFrame:
    """Give one row per build of a schema and host; MB/s of 10^6 bytes."""
    return _frame(BUILDS, (
        (configuration.name, trial.work, trial.load, _utc(trial.start_us), round(trial.values.get("elapsed_s", 0.0) / 60, 2),
         trial.failed, host, *map(_megabytes, (activity.disk_written, activity.disk_read, activity.received)),
         trial.source)
        for trial, configuration, activities in found.tested
        if trial.driver == BUILD
        for host, activity in (activities or {"": Activity()}).items()
    ))  # fmt: skip


def _megabytes(rate: float | None) -> float | None:
    return None if rate is None else round(rate / 1e6, 2)


def setup(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Give one row per setting: of which host, replica or group; its value; what says so."""
    return _frame(SETUP, (tuple(row[measure.name] for measure in SETUP) for row in rows))


def hosts(found: Study) -> pd.DataFrame:
    """Give one row per test and host; bytes per second."""
    frame = _frame(HOSTS, (
        (tool_of(trial.workload), trial.load, configuration.name, host, a.disk_read, a.disk_written, a.disk, a.page_reads,
         a.batches, a.received, a.cpu, a.n)
        for trial, configuration, activities in found.tested
        for host, a in activities.items()
    ))  # fmt: skip
    return frame.sort_values(["workload", "load", "configuration", "host"], ignore_index=True)


def trials(found: Study) -> pd.DataFrame:
    """Give one row per test."""
    frame = _frame(TRIALS, (
        (words.plain(trial.tool, 80), trial.driver, trial.load, configuration.name, _utc(trial.start_us), _utc(trial.end_us),
         *map(trial.values.get, ("nopm", "tpm", "elapsed_s", "value")), trial.unit, trial.details.get("client_s"),
         len(trial.readings), trial.failed, trial.source)
        for trial, configuration, _activities in found.tested
    ))  # fmt: skip
    return frame.dropna(axis="columns", how="all")


def _utc(micros: int | None) -> str:
    return "" if micros is None else f"{datetime.fromtimestamp(micros / 1e6, UTC):%Y-%m-%d %H:%M:%S}"
