"""How loads, workloads, configurations and values are worded."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.workload.configurations import Configuration
from agtrace.diagnostics.workload.curves import Comparison, Point, Workload
from agtrace.diagnostics.workload.metrics import Metric
from agtrace.history.trials.trial import HAMMERDB


def users(workload: Workload, loads: int | list[int]) -> str:
    """Word a load, or several: "4 virtual users", "1, 2 and 4 threads"."""
    noun = "virtual user" if workload[0] == HAMMERDB else "thread"
    if isinstance(loads, int):
        return words.count(loads, noun)
    return f"{words.listing([str(load) for load in loads], 12)} {noun}" + (
        "s" if loads != [1] else ""
    )


def unit(workload: Workload) -> str:
    """Give the axis title of the load."""
    return "virtual users" if workload[0] == HAMMERDB else "threads"


def workload_name(workload: Workload) -> str:
    """Word a workload: its tool, its driver, the work of each user."""
    tool, driver, work = workload
    if tool == HAMMERDB and driver == "timed":
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
