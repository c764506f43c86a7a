"""Display names of workloads and their loads."""

from __future__ import annotations

from agtrace.history.trials import BUILD, GIVEN, HAMMERDB, TIMED, Workload
from agtrace.say import words


def tool_of(workload: Workload) -> str:
    """Return the short name of a workload: its tool, or what was measured, as plain text."""
    return words.plain(workload[0], 80) + (" build" if workload[1] == BUILD else "")


def users(workload: Workload, loads: int | list[int]) -> str:
    """Format a load, or several: "4 virtual users", "1, 2 and 4 threads", "load 1"; "" for none."""
    if loads == []:
        return ""
    if workload[1] == GIVEN:
        each = [loads] if isinstance(loads, int) else loads
        return f"load {words.listing([str(load) for load in each], 12)}"
    noun = "virtual user" if workload[0] == HAMMERDB else "thread"
    if isinstance(loads, int):
        return words.count(loads, noun)
    return f"{words.listing([str(load) for load in loads], 12)} {noun}" + ("s" if loads != [1] else "")


def axis_title(workload: Workload) -> str:
    """Return the axis title of the load."""
    if workload[1] == GIVEN:
        return "load"
    return "virtual users" if workload[0] == HAMMERDB else "threads"


def workload_name(workload: Workload) -> str:
    """Format a workload: its tool, its driver, the work of each user."""
    tool, driver, work = workload
    if driver == GIVEN:
        return tool_of(workload)
    if driver == BUILD:
        return f"{tool}, build of the schema" + (f", {words.count(work, 'warehouse')}" if work else "")
    if tool == HAMMERDB and driver == TIMED:
        return f"{tool}, timed driver"
    if tool == HAMMERDB:
        amount = f", {work:,} transactions per user" if work else ""
        return f"{tool}, test driver{amount}"
    return f"{tool}, {words.count(work, 'iteration')} per thread" if work else tool
