"""What was tested, and what it is called: workloads, and configurations of the servers.

A labelled window of the case says which configuration a trial tested, else the place of its file.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from agtrace.history.runs import read_factors
from agtrace.history.trials.trial import BUILD, GIVEN, HAMMERDB, TIMED, Trial
from agtrace.say import words

_OFF = re.compile(r"off|false|no|none|0|disabled|without|baseline", re.IGNORECASE)
_LOAD = re.compile(r"users?|virtual_users|threads?|load|vu|repetition|repeat|run", re.IGNORECASE)
_ROUTING = re.compile(r"rout", re.IGNORECASE)
_WITHOUT = re.compile(r"(?:^|[^a-z])(?:no|non|not|without|off|disabled)(?:[^a-z]|$)", re.IGNORECASE)

Workload = tuple[str, str, int | None]
"""Tool, driver and the work of each user: what is equal in trials that compare."""


@dataclass(frozen=True)
class Configuration:
    """What was the same in several trials.

    Parameters
    ----------
    key
        What it compares by.
    called
        As people call it.
    routing
        Whether read-only routing was on; None when nothing says so.
    source
        What says which configuration it was.
    """

    key: str
    called: str
    routing: bool | None
    source: str

    @property
    def name(self) -> str:
        """Its name as plain text of one line."""
        return words.plain(self.called, 60)


def assign(trials: list[Trial], windows: list[dict[str, Any]]) -> list[Configuration]:
    """Give the configuration of each trial, in their order."""
    by_id = {window["run_id"]: window for window in windows}
    labels = _labels(trials, by_id)
    by_folder = _by_folder(trials)
    found = []
    for trial, folder in zip(trials, by_folder, strict=True):
        window = by_id.get(trial.run_id)
        found.append(folder if window is None else labels[_factors(window, trial)])
    return found


def _factors(window: dict[str, Any], trial: Trial) -> tuple[tuple[str, str], ...]:
    """Give the factors of a window, without those that say the load or count repetitions."""
    factors = read_factors(window["factors"])
    kept = {name: value for name, value in factors.items() if not _LOAD.fullmatch(name.strip())}
    return tuple(sorted(kept.items())) or (("label", window["label"]),)


def _labels(
    trials: list[Trial], windows: dict[str | None, dict[str, Any]]
) -> dict[tuple[tuple[str, str], ...], Configuration]:
    """Name each set of factors: by the label of its windows where they share one."""
    names: dict[tuple[tuple[str, str], ...], Counter[str]] = {}
    sources: dict[tuple[tuple[str, str], ...], str] = {}
    for trial in trials:
        window = windows.get(trial.run_id)
        if window is not None:
            factors = _factors(window, trial)
            names.setdefault(factors, Counter())[window["label"]] += 1
            sources.setdefault(factors, window["source"])
    shared = Counter(label for labels in names.values() for label in labels)
    found = {}
    for factors, labels in names.items():
        spelled = ", ".join(f"{key}={value}" for key, value in factors)
        label = next(iter(labels))
        name = label if len(labels) == 1 and shared[label] == 1 else spelled
        found[factors] = Configuration(spelled, name, _routing(factors, name), sources[factors])
    return found


def _routing(factors: tuple[tuple[str, str], ...], name: str) -> bool | None:
    for key, value in factors:
        if _ROUTING.search(key):
            return _OFF.fullmatch(value.strip()) is None
        if _ROUTING.search(value):
            return _WITHOUT.search(value) is None
    return _named_routing(name)


def _named_routing(name: str) -> bool | None:
    if not _ROUTING.search(name):
        return None
    return _WITHOUT.search(name) is None


def _by_folder(trials: list[Trial]) -> list[Configuration]:
    """Name configurations by the folders of the files, or by their names where they share one."""
    folders = [str(PurePosixPath(trial.path.replace("\\", "/")).parent) for trial in trials]
    names = folders if len(set(folders)) > 1 else [PurePosixPath(t.path).stem for t in trials]
    if len({trial.path for trial in trials}) == 1:
        names = ["one configuration"] * len(trials)
    source = "the place of the file"
    return [Configuration(name, name, _named_routing(name), source) for name in names]


def baseline_first(found: list[Configuration]) -> list[Configuration]:
    """Give each configuration once, the one to compare against first.

    That is the one without routing; else the one with the most factors off; else the first.
    """
    each = list({configuration.key: configuration for configuration in found}.values())

    def rank(configuration: Configuration) -> tuple[bool, int]:
        values = [pair.partition("=")[2] for pair in configuration.key.split(", ")]
        return bool(configuration.routing), -sum(bool(_OFF.fullmatch(v)) for v in values)

    return sorted(each, key=rank)


def tool_of(workload: Workload) -> str:
    """Give the short name of a workload: its tool, or what was measured, as plain text."""
    return words.plain(workload[0], 80) + (" build" if workload[1] == BUILD else "")


def users(workload: Workload, loads: int | list[int]) -> str:
    """Word a load, or several: "4 virtual users", "1, 2 and 4 threads", "load 1"."""
    if workload[1] == GIVEN:
        each = [loads] if isinstance(loads, int) else loads
        return f"load {words.listing([str(load) for load in each], 12)}"
    noun = "virtual user" if workload[0] == HAMMERDB else "thread"
    if isinstance(loads, int):
        return words.count(loads, noun)
    return f"{words.listing([str(load) for load in loads], 12)} {noun}" + ("s" if loads != [1] else "")


def axis_title(workload: Workload) -> str:
    """Give the axis title of the load."""
    if workload[1] == GIVEN:
        return "load"
    return "virtual users" if workload[0] == HAMMERDB else "threads"


def workload_name(workload: Workload) -> str:
    """Word a workload: its tool, its driver, the work of each user."""
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
