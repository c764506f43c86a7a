"""Everything computed about the runs of a case, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.comparison import contradictions, given, manual, measured, seeded
from agtrace.diagnostics.comparison.compared import Pair, pairs
from agtrace.diagnostics.comparison.configurations import Configuration, baseline, configure, is_called
from agtrace.diagnostics.comparison.given import Elsewhere
from agtrace.diagnostics.comparison.measured import Uses
from agtrace.diagnostics.comparison.run import GIVEN, Run
from agtrace.diagnostics.seeding import compression
from agtrace.history.coverage import coverage
from agtrace.history.runs import labelled_windows
from agtrace.history.seedings.operation import Operation
from agtrace.history.seedings.rows import load as load_seedings
from agtrace.history.trials.trial import read as read_trials
from agtrace.measure.usage import moment
from agtrace.say import words
from agtrace.tables.rows import rows_of
from agtrace.thresholds import Thresholds

MOST_TOLD = 30
"""Comparisons that become findings; the tables show every run."""


@dataclass(frozen=True)
class Asked:
    """What the reader wants compared; times UTC, a name without regard to case."""

    database: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    baseline: str | None = None

    def wants(self, run: Run) -> bool:
        """Say whether a run begins in the window and is of the database."""
        if self.database and (run.database or self.database).lower() != self.database.lower():
            return False
        return (self.start is None or run.start >= self.start) and (self.end is None or run.start < self.end)


@dataclass(frozen=True)
class Group:
    """Runs of one database (None: labelled windows), and how they compare."""

    database: str | None
    runs: tuple[Run, ...]
    configurations: tuple[Configuration, ...]
    base: Configuration
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Study:
    """The runs of a case and what they say.

    Parameters
    ----------
    open
        What stays open, one sentence each.
    contradictions
        Figures that cannot all be true, one sentence each, by run.
    """

    runs: tuple[Run, ...]
    groups: tuple[Group, ...]
    uses: Uses
    open: tuple[str, ...]
    contradictions: dict[int, list[str]]
    limits: Thresholds

    @property
    def pairs(self) -> list[Pair]:
        return [pair for group in self.groups for pair in group.pairs]

    @property
    def told(self) -> list[Pair]:
        """The pairs that findings tell of: all, or where there are very many, those that differ most."""
        most = sorted(self.pairs, key=lambda pair: -pair.size)[:MOST_TOLD]
        kept = set(map(id, most))
        return [pair for pair in self.pairs if id(pair) in kept]

    @cached_property
    def places(self) -> dict[int, tuple[Group, Configuration]]:
        """Group and configuration of each run that compares, by its number."""
        return {
            run.number: (group, configuration)
            for group in self.groups
            for configuration in group.configurations
            for run in configuration.runs
        }


def study(view: View, sql: Callable[[str], str], asked: Asked) -> Study:
    """Find the runs of a case, measure and compare them."""
    limits = thresholds.of(view)
    operations = load_seedings(view)
    judged = compression.judge_all(view, operations, limits)
    runs, told = find(view, sql, operations, judged, limits)
    return examine(view, runs, told, asked, limits)


def find(
    view: View,
    sql: Callable[[str], str],
    operations: Sequence[Operation],
    judged: dict[int, compression.Compressed],
    limits: Thresholds,
) -> tuple[list[Run], list[str]]:
    """Give every run in order of time, and what stays open."""
    rows = rows_of(view.table("select * from backups order by operation_id").select(manual.COLUMNS))
    by_hand, told = manual.find(rows, manual.read_joins(view, sql), operations, limits, coverage(view))
    unplaced = {row["host_id"] for row in rows if row["status"] == "completed" and row["end"] is None}
    if hosts := sorted(filter(None, unplaced)):
        told.append(
            f"When the backups and restores on {words.listing(hosts)} ran is not known: the ERRORLOG does not say how "
            "far its local time is from UTC (`--utc-offset HOST=H:MM` does)."
        )
    automatic, others = seeded.find(operations, judged)
    if others:
        verb = "that did not complete is no run" if others == 1 else "that did not complete are no runs"
        told.append(f"{words.count(others, 'seeding operation')} {verb}: see the page Seeding.")
    windows = labelled_windows(view)
    other = _elsewhere(view, rows, windows, limits)
    every = [*by_hand, *automatic]
    found, left_out = given.merge(every, windows, other, limits.compare_window_share)
    return found, told + left_out


def _elsewhere(
    view: View, rows: Iterable[dict[str, object]], windows: Sequence[object], limits: Thresholds
) -> Elsewhere:
    if not windows:
        return Elsewhere()
    trials = read_trials(view)
    measured_there = [
        row["start"] + (row["end"] - row["start"]) / 2  # type: ignore[operator]
        for row in rows
        if row["status"] == "completed" and not row["is_snapshot"] and row["mb_per_s"]
        and row["start"] and row["end"] and row["media"] != "VIRTUAL_DEVICE"
        and row["duration_s"] >= limits.backup_min_s  # type: ignore[operator]
    ]  # fmt: skip
    return Elsewhere(
        tuple(moment(t.start_us) for t in trials if t.start_us is not None), tuple(measured_there)
    )


def examine(view: View, runs: Sequence[Run], told: Sequence[str], asked: Asked, limits: Thresholds) -> Study:
    """Measure runs and compare those of one database."""
    wanted = [replace(run, number=n) for n, run in enumerate(filter(asked.wants, runs), 1)]
    by_database = _by_database(wanted)
    uses = measured.measure(view, wanted)
    wanted = [run for own in by_database.values() for run in measured.with_cores(own, uses)]
    wanted.sort(key=lambda run: run.number)
    by_database = _by_database(wanted)
    # Of a labelled window nothing is known but what perfmon showed.
    shown = [[run for run in own if run.method != GIVEN or uses.of(run)] for own in by_database.values()]  # fmt: skip
    groups = [_group(own, uses, asked, limits) for own in shown if len(own) > 1]
    open_ = list(told)
    if asked.baseline and not any(is_called(run, asked.baseline) for g in groups for run in g.runs):
        open_.append(f"No run that compares is called {asked.baseline!r}: the plain one is the baseline.")  # fmt: skip
    n = sum(len(group.pairs) for group in groups)
    if n > MOST_TOLD:
        open_.append(f"Of {n:,} comparisons the {MOST_TOLD} with the largest differences are told; the tables show every run.")  # fmt: skip
    compared = {run.number for group in groups for run in group.runs}
    by_text: dict[str, list[str]] = {}
    for run in wanted:
        is_told = run.number in compared or run.method == GIVEN
        lacking = measured.unmeasured(uses, run, limits.usage_covered_share) if is_told else []
        for text in (*run.unseen, *lacking):
            by_text.setdefault(text, []).append(str(run.number))
    open_ += [f"Run {words.listing(numbers, 12)}: {text}" for text, numbers in by_text.items()]
    against = {run.number: contradictions.of(run, uses, limits) for run in wanted}
    return Study(tuple(wanted), tuple(groups), uses, tuple(dict.fromkeys(open_)), against, limits)  # fmt: skip


def _by_database(runs: Iterable[Run]) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault((run.database or "").lower(), []).append(run)
    return found


def _group(runs: list[Run], uses: Uses, asked: Asked, limits: Thresholds) -> Group:
    configurations = configure(runs)
    base = baseline(configurations, asked.baseline)
    made = pairs(configurations, base, uses, limits)
    if runs[0].method == GIVEN:
        made = [pair for pair in made if pair.changes]
    return Group(runs[0].database, tuple(runs), tuple(configurations), base, tuple(made))
