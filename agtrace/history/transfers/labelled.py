"""Labelled windows (runs.csv, runs.toml): they name found runs, or are runs of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from agtrace.history.runs import read_factors
from agtrace.history.transfers import run as r
from agtrace.history.transfers.run import Run, Step

Row = dict[str, Any]


LOAD, BACKUPS, COPIES = "load", "backups", "copies"
LeftOut = tuple[str, dict[str, Any]]
"""A reason and its values: windows with load tests or backups, or restores of databases that never joined."""


@dataclass(frozen=True)
class Elsewhere:
    """Times measured on other pages: load tests and backups, UTC."""

    trials: tuple[datetime, ...] = ()
    backups: tuple[datetime, ...] = ()


def merge_labelled(
    found: Iterable[Run], windows: Iterable[Row], other: Elsewhere, most: float
) -> tuple[list[Run], list[LeftOut]]:
    """Return the runs with labels, and the windows that contain none of them as further runs.

    Restores of databases that never joined count only if a window covers them. A window labels every run that
    is mostly within it, and adds its factors; of several such windows the shortest counts. Any other window
    is a run of its own, unless the page on load tests or backups compares its contents.

    Parameters
    ----------
    most
        A window labels a run if it covers more than this share of it.

    Returns
    -------
    tuple
        The runs, numbered in chronological order, and those left out.
    """
    windows = list(windows)
    used: set[str] = set()
    runs: list[Run] = []
    elsewhere: list[Run] = []
    for run in found:
        covering = [w for w in windows if run.shares(w["start"], w["end"]) > most * run.seconds]
        window = min(covering, key=lambda w: w["end"] - w["start"], default=None)
        used |= {w["run_id"] for w in covering}
        if window is not None:
            runs.append(_named(run, window))
        else:
            (elsewhere if run.is_elsewhere else runs).append(run)
    load, backups = [], []
    for window in windows:
        if window["run_id"] in used:
            continue
        if _holds(window, other.trials):
            load.append(window["label"])
        elif _holds(window, other.backups):
            backups.append(window["label"])
        else:
            runs.append(_window(window))
    ordered = sorted(runs, key=lambda run: (run.start, run.end, run.target or ""))
    left_out: list[LeftOut] = [
        (what, {"labels": labels}) for what, labels in ((LOAD, load), (BACKUPS, backups)) if labels
    ]
    if elsewhere:
        targets = sorted({run.target or "" for run in elsewhere})
        left_out.append((COPIES, {"n": len(elsewhere), "targets": targets}))
    return [replace(run, number=place) for place, run in enumerate(ordered, 1)], left_out


def _holds(window: Row, moments: Iterable[datetime]) -> bool:
    return any(window["start"] <= moment < window["end"] for moment in moments)


def _named(run: Run, window: Row) -> Run:
    known = dict(run.factors)
    known |= {name: value for name, value in read_factors(window["factors"]).items() if name not in known}
    return replace(
        run,
        label=window["label"],
        run_id=window["run_id"],
        factors=tuple(known.items()),
        told_by=f"{run.told_by}; {window['source']}",
    )


def _window(window: Row) -> Run:
    return Run(
        number=0,
        method=r.GIVEN,
        database=None,
        source=None,
        target=None,
        steps=(Step(r.WINDOW, window["start"], window["end"]),),
        factors=tuple(read_factors(window["factors"]).items()),
        label=window["label"],
        run_id=window["run_id"],
        told_by=window["source"],
    )


def shared_labels(runs: Iterable[Run]) -> set[str]:
    """Return the labels that several runs share."""
    counted = Counter(run.label for run in runs if run.label)
    return {label for label, n in counted.items() if n > 1}
