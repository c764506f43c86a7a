"""The workload tables: frames to look at. pandas is imported when one is made."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.workload.curves import METRICS
from agtrace.diagnostics.workload.names import tool_of, workload_name
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials import BUILD, Activity, Tested
from agtrace.measures import Measure, frame
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

FASTER = {1: "second", -1: "first", 0: "tie"}

START, END = Measure("start", unit="UTC"), Measure("end", unit="UTC")
FAILED = Measure("failed", meaning="virtual users or queries that failed", better="lower")
MINUTES = Measure("minutes", "length", "min")
NOPM, TPM, _ = METRICS
TESTED = tuple(map(Measure, ("workload", "load", "configuration")))
LOADS = (
    *map(Measure, ("workload", "metric", "unit", "load", "first", "second", "first_value", "second_value")),
    Measure("change_percent", "change", "%"),
    Measure("faster"),
    Measure("n", meaning="trials of each at this load, the fewest"),
)
PROGRESS = (
    *(*TESTED, Measure("readings"), MINUTES, TPM),
    *(Measure(name, f"transactions per minute, {name}", "1/min") for name in ("p5", "p95")),
    Measure("counted", "transactions counted"),
    Measure("counted_per_transaction", "transactions counted for each of its own"),
    Measure("times"),
)
BUILDS = (
    *map(Measure, ("configuration", "warehouses", "virtual_users")),
    *(START, MINUTES, FAILED, Measure("host")),
    *(
        Measure(f"{name}_mb_per_s", name.replace("_", " "), "MB/s")
        for name in ("written", "read", "log_received")
    ),
    Measure("source"),
)
SETUP = tuple(map(Measure, ("of", "setting", "value", "source")))
HOSTS = (
    *(*TESTED, Measure("host")),
    Measure("disk_read", "disk reads", "B/s"),
    Measure("disk_written", "disk writes", "B/s"),
    Measure("disk", "disk reads and writes", "B/s"),
    Measure("page_reads", unit="B/s"),
    Measure("batches_per_s", "batch requests", "1/s"),
    Measure("log_received", unit="log B/s"),
    Measure("cpu_percent", "CPU", "%"),
    Measure("samples"),
)
TRIALS = (
    *map(Measure, ("tool", "driver", "load", "configuration")),
    *(START, END, NOPM, TPM, Measure("run_time_s", "run time", "s", better="lower")),
    *(Measure("value"), Measure("unit"), Measure("client_s_per_iteration", "client time per iteration", "s")),
    *(Measure("readings"), FAILED, Measure("source")),
)
MEASURES = tuple(dict.fromkeys((*LOADS, *PROGRESS, *BUILDS, *SETUP, *HOSTS, *TRIALS)))


def _frame(columns: Iterable[Measure], rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a table; text from a capture becomes one line."""
    flat = ({n: words.plain(v) if isinstance(v, str) else v for n, v in row.items()} for row in rows)
    return frame(columns, flat)


def _of(tested: Tested) -> dict[str, Any]:
    """Return what was tested: the first columns of tables."""
    trial = tested.trial
    workload = workload_name(trial.workload)
    return {"workload": workload, "load": trial.load, "configuration": tested.configuration.name}


def loads(found: Study) -> pd.DataFrame:
    """Return one row per workload, metric and load."""
    rows = []
    for c in found.comparisons:
        of = {"workload": workload_name(c.workload), "metric": c.metric.label, "unit": c.metric.unit}
        of |= {"first": c.first.name, "second": c.second.name}
        for point in c.points:
            values = {"first_value": median(point.first), "second_value": median(point.second)}
            change = {"change_percent": round(point.change * 100, 1), "faster": FASTER[point.sign]}
            rows.append({**of, "load": point.load, **values, **change, "n": point.n})
    return _frame(LOADS, rows)


def side_by_side(found: Study) -> pd.DataFrame:
    """Return one row per workload and load; times in s or min, disks in MB/s, means over the trials."""
    import pandas as pd

    cells: dict[tuple[str, int], dict[str, list[float]]] = {}
    units: dict[tuple[str, int], str] = {}
    names = found.names
    timed = [(workload_name(trial.workload), trial.values.get("elapsed_s")) for trial in found.trials]
    long = {name for name, seconds in timed if seconds is not None and seconds >= 120}
    measures = ["time", "TPM", "NOPM", "value", *(f"{h}, MB/s" for h in found.hosts.names), "all disks, MB/s"]
    for tested in found.tested:
        trial, workload = tested.trial, workload_name(tested.trial.workload)
        if trial.failed:
            continue
        key = (workload, trial.load)
        minutes = workload in long
        units[key] = words.plain(trial.unit, 20) if trial.unit else "min" if minutes else "s"
        values = {name: trial.values.get(name.lower()) for name in ("TPM", "NOPM", "value")}
        if "elapsed_s" in trial.values:
            values["time"] = trial.values["elapsed_s"] / (60 if minutes else 1)
        disks = {host: a.disk for host, a in tested.activities.items() if a.disk is not None}
        values |= {f"{host}, MB/s": rate / 1e6 for host, rate in disks.items()}
        values["all disks, MB/s"] = sum(disks.values()) / 1e6 if disks else None
        row = cells.setdefault(key, {})
        for measure, value in values.items():
            if value is not None:
                row.setdefault(f"{tested.configuration.name}: {measure}", []).append(value)
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
    """Return one row per run whose transaction counter was captured; transactions per minute."""
    rows = []
    for course in found.courses:
        p5, p95 = map(round, course.spread)
        row: dict[str, Any] = _of(course.tested) | {"p5": p5, "p95": p95, "readings": len(course.tpm)}
        row |= {"tpm": course.tested.trial.values.get("tpm"), "minutes": round(course.minutes[-1], 2)}
        each = None if course.each is None else round(course.each, 2)
        times = "of the counter" if course.is_timed else "readings spread evenly over the run"
        row |= {"counted": round(course.counted), "counted_per_transaction": each, "times": times}
        rows.append(row)
    return _frame(PROGRESS, rows)


def builds(found: Study) -> pd.DataFrame:
    """Return one row per build of a schema and host; MB/s of 10^6 bytes."""
    rows = []
    for tested in (each for each in found.tested if each.trial.driver == BUILD):
        trial = tested.trial
        row = _of(tested) | {"warehouses": trial.work, "virtual_users": trial.load, "failed": trial.failed}
        row |= {"start": _utc(trial.start_us), "source": trial.source}
        seconds = trial.values.get("elapsed_s")
        row["minutes"] = None if seconds is None else round(seconds / 60, 2)
        for host, activity in (tested.activities or {"": Activity()}).items():
            rates = (activity.disk_written, activity.disk_read, activity.log_received)
            written, read, received = (None if rate is None else round(rate / 1e6, 2) for rate in rates)
            moved = {"written_mb_per_s": written, "read_mb_per_s": read, "log_received_mb_per_s": received}
            rows.append({**row, "host": host, **moved})
    return _frame(BUILDS, rows)


def setup(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Return one row per setting: its host, replica or group; its value; its source."""
    return _frame(SETUP, rows)


def hosts(found: Study) -> pd.DataFrame:
    """Return one row per test and host; bytes per second."""
    rows = (
        _of(tested) | {"workload": tool_of(tested.trial.workload), "host": host} | vars(activity)
        for tested in found.tested
        for host, activity in tested.activities.items()
    )
    return _frame(HOSTS, rows).sort_values(["workload", "load", "configuration", "host"], ignore_index=True)


def trials(found: Study) -> pd.DataFrame:
    """Return one row per test."""
    rows = []
    for tested in found.tested:
        trial = tested.trial
        row = (
            _of(tested)
            | vars(trial)
            | trial.values
            | {"readings": len(trial.readings), "source": trial.source}
        )
        row |= {"start": _utc(trial.start_us), "end": _utc(trial.end_us), "tool": words.plain(trial.tool, 80)}
        row["run_time_s"] = trial.values.get("elapsed_s")
        row["client_s_per_iteration"] = trial.details.get("client_s")
        rows.append(row)
    return _frame(TRIALS, rows).dropna(axis="columns", how="all")


def _utc(micros: int | None) -> str:
    return "" if micros is None else words.second(datetime.fromtimestamp(micros / 1e6, UTC))
