"""The tested workloads and server configurations, and their names.

The configuration of a trial is given by a labelled window of the case, else by the folder of its file.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from agtrace.history import runs
from agtrace.history.trials.trial import Trial

_OFF = re.compile(r"off|false|no|none|0|disabled|without|baseline", re.IGNORECASE)
_LOAD = re.compile(r"users?|virtual_users|threads?|load|vu|repetition|repeat|run", re.IGNORECASE)
_ROUTING = re.compile(r"rout", re.IGNORECASE)
_WITHOUT = re.compile(r"(?:^|[^a-z])(?:no|non|not|without|off|disabled)(?:[^a-z]|$)", re.IGNORECASE)

FOLDER = "folder"
"""The factor of trials outside labelled windows: the folder of their file."""

Workload = tuple[str, str, int | None]
"""Tool, driver and work per user: equal in trials that can be compared."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(runs.Configuration[int]):
    """The common configuration of several trials, which are identified by their indexes.

    Parameters
    ----------
    name
        Name given by the window or folder.
    routing
        Whether read-only routing was on; None if unknown.
    """

    name: str
    routing: bool | None


def configure(trials: Sequence[Trial], windows: Sequence[dict[str, Any]]) -> list[Configuration]:
    """Group trials by what held in them: factors of their labelled window, else the place of their file."""
    by_id = {window["run_id"]: window for window in windows}
    folders = _folders(trials)
    places: dict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    labels: dict[tuple[tuple[str, str], ...], Counter[str]] = defaultdict(Counter)
    for place, trial in enumerate(trials):
        window = by_id.get(trial.run_id)
        factors = ((FOLDER, folders[place]),) if window is None else _factors(window)
        places[factors].append(place)
        if window is not None:
            labels[factors][window["label"]] += 1
    shared = Counter(label for own in labels.values() for label in own)
    found = []
    for factors, own in places.items():
        called, *others = labels[factors] or [folders[own[0]]]
        if factors in labels and labels[factors] and (others or shared[called] > 1):
            called = _spelled(factors)
        routing = _routing(factors, called)
        found.append(Configuration(factors=dict(factors), runs=own, name=called, routing=routing))
    return found


def _factors(window: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the factors of a window, except those that state the load or count repetitions."""
    factors = runs.read_factors(window["factors"])
    kept = {name: value for name, value in factors.items() if not _LOAD.fullmatch(name.strip())}
    return tuple(sorted(kept.items())) or (("label", window["label"]),)


def _spelled(factors: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{key}={value}" for key, value in factors)


def _routing(factors: tuple[tuple[str, str], ...], name: str) -> bool | None:
    for key, value in factors:
        if key == FOLDER:
            continue
        if _ROUTING.search(key):
            return _OFF.fullmatch(value.strip()) is None
        if _ROUTING.search(value):
            return _WITHOUT.search(value) is None
    return _WITHOUT.search(name) is None if _ROUTING.search(name) else None


def _folders(trials: Sequence[Trial]) -> list[str]:
    """Return the folder of the file of each trial, or the file's name if all share one."""
    folders = [str(PurePosixPath(trial.path.replace("\\", "/")).parent) for trial in trials]
    if len(set(folders)) > 1:
        return folders
    is_one_file = len({trial.path for trial in trials}) == 1
    return ["one configuration" if is_one_file else PurePosixPath(trial.path).stem for trial in trials]


def baseline_first(found: Iterable[Configuration]) -> list[Configuration]:
    """Return each configuration once, the baseline first.

    That is the one without routing; else the one with the most factors off; else the first.
    """

    def rank(configuration: Configuration) -> tuple[bool, int]:
        values = [value for name, value in configuration.factors.items() if name != FOLDER]
        return bool(configuration.routing), -sum(bool(_OFF.fullmatch(value)) for value in values)

    return sorted(dict.fromkeys(found), key=rank)
