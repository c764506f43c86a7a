"""How loads, workloads, configurations and values are worded."""

from __future__ import annotations

from agtrace.diagnostics.workload.configurations import Configuration
from agtrace.diagnostics.workload.curves import Comparison, Point, Workload
from agtrace.diagnostics.workload.hosts import Hosts
from agtrace.diagnostics.workload.metrics import Metric
from agtrace.history.trials.trial import BUILD, GIVEN, HAMMERDB, TIMED, Trial
from agtrace.say import words


def capital(text: str) -> str:
    """Begin a text with a capital."""
    return text[:1].upper() + text[1:]


def users(workload: Workload, loads: int | list[int]) -> str:
    """Word a load, or several: "4 virtual users", "1, 2 and 4 threads", "load 1"."""
    if workload[1] == GIVEN:
        each = [loads] if isinstance(loads, int) else loads
        return f"load {words.listing([str(load) for load in each], 12)}"
    noun = "virtual user" if workload[0] == HAMMERDB else "thread"
    if isinstance(loads, int):
        return words.count(loads, noun)
    return f"{words.listing([str(load) for load in loads], 12)} {noun}" + ("s" if loads != [1] else "")


def unit(workload: Workload) -> str:
    """Give the axis title of the load."""
    if workload[1] == GIVEN:
        return "load"
    return "virtual users" if workload[0] == HAMMERDB else "threads"


def workload_name(workload: Workload) -> str:
    """Word a workload: its tool, its driver, the work of each user."""
    tool, driver, work = workload
    if driver == GIVEN:
        return words.plain(tool, 80)
    if driver == BUILD:
        return f"{tool}, build of the schema" + (f", {words.count(work, 'warehouse')}" if work else "")
    if tool == HAMMERDB and driver == TIMED:
        return f"{tool}, timed driver"
    if tool == HAMMERDB:
        amount = f", {work:,} transactions per user" if work else ""
        return f"{tool}, test driver{amount}"
    return f"{tool}, {words.count(work, 'iteration')} per thread" if work else tool


def value(metric: Metric, number: float) -> str:
    """Word a value of a metric."""
    return words.span(number) if metric.unit == "s" else words.number(number)


def name(configuration: Configuration) -> str:
    """Give a configuration's name as plain text of one line."""
    return words.plain(configuration.name, 60)


def change(point: Point, metric: Metric) -> str:
    """Word a change: "+5 %"."""
    return f"{point.change * 100:+.0f} %" if abs(point.change) < 10 else f"x{point.change + 1:.0f}"


def course(comparison: Comparison) -> str:
    """Say at which loads the second is faster, slower and the same."""
    parts = []
    for sign, word in ((-1, "slower"), (1, "faster"), (0, "the same")):
        loads = comparison.loads(sign)
        if loads:
            first = comparison.points[0].sign if comparison.points else 0
            parts.append((sign != first, f"{word} at {users(comparison.workload, loads)}"))
    return words.listing([text for _late, text in sorted(parts, key=lambda part: part[0])])


def builds(trials: list[Trial], hosts: Hosts) -> list[str]:
    """Say of each build of a schema how long it wrote, and what the disks wrote meanwhile."""
    told = []
    for trial, activities in zip(trials, hosts.by_trial, strict=True):
        if trial.driver != BUILD:
            continue
        what = words.count(trial.work, "warehouse") if trial.work else "the schema"
        took = words.span(trial.values.get("elapsed_s"))
        text = f"{trial.tool} built {what} with {users(trial.workload, trial.load)} in {took}"
        written = [
            f"{words.rate(activity.disk_written)} on {words.plain(host)}"
            for host, activity in activities.items()
            if activity.disk_written is not None
        ]
        meanwhile = f"; the disks wrote {words.listing(written)} meanwhile." if written else "."
        told.append(text + meanwhile)
    return told
