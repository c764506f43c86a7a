"""All results on the runs of a case, computed once, and the weaknesses of their comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.comparison.configurations import Configuration, baseline, configure, is_called
from agtrace.diagnostics.comparison.pairs import Pair, pairs
from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.history import transfers
from agtrace.history.coverage import coverage
from agtrace.history.runs import labelled_windows, measured_backups
from agtrace.history.seedings import Compressed, Operation, judge_compression, load_seedings
from agtrace.history.transfers import (
    BYTES,
    CPU,
    GIVEN,
    READ,
    RECEIVED,
    SEEDING,
    SENT,
    WRITTEN,
    Elsewhere,
    Run,
    Uses,
    covered,
    of_run,
)
from agtrace.history.trials import read_trials
from agtrace.measure.usage import moment
from agtrace.say.said import Said
from agtrace.thresholds import Thresholds

SAID = Said(__package__ or "")

MOST_TOLD = 30
"""Comparisons that become findings; the tables have every run."""


@dataclass(frozen=True)
class Asked:
    """The requested comparison; times in UTC, a name case-insensitive."""

    database: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    baseline: str | None = None

    def wants(self, run: Run) -> bool:
        """Return whether a run starts in the window and is of the database."""
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
    """The runs of a case and their comparison.

    Parameters
    ----------
    open
        Unknowns, one sentence each.
    contradictions
        Contradicting figures, one sentence each, by run.
    unmeasured
        Measurements missing from its hosts, one sentence each, by run.
    """

    runs: tuple[Run, ...]
    groups: tuple[Group, ...]
    uses: Uses
    open: tuple[str, ...]
    contradictions: dict[int, list[str]]
    unmeasured: dict[int, list[str]]
    limits: Thresholds

    def unseen(self, runs: Iterable[Run]) -> list[dict[str, Any]]:
        """Return the missing measurements of runs, as `by_text`."""
        return by_text({run.number: [*run.unseen, *self.unmeasured[run.number]] for run in runs})

    @property
    def pairs(self) -> list[Pair]:
        return [pair for group in self.groups for pair in group.pairs]

    @property
    def clear_pairs(self) -> list[Pair]:
        """Return the pairs that become findings: all, or if too many, those that differ most."""
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


def study(view: View, asked: Asked) -> Study:
    """Find the runs of a case, measure and compare them."""
    limits = thresholds.of(view)
    operations = load_seedings(view)
    judged = judge_compression(view, operations, limits)
    runs, told = find(view, operations, judged, limits)
    return examine(view, runs, told, asked, limits)


def find(
    view: View, operations: Sequence[Operation], judged: dict[int, Compressed], limits: Thresholds
) -> tuple[list[Run], list[str]]:
    """Return every run in chronological order, and the unknowns."""
    rows = transfers.read_restored(view)
    manual, told = transfers.find_by_hand(
        rows, transfers.read_joins(view), operations, limits, coverage(view)
    )
    unplaced = view.rows(
        """select distinct host_id from backups where status = 'completed' and "end" is null
           and host_id is not null order by host_id"""
    )
    if hosts := [row["host_id"] for row in unplaced]:
        told.append(_said("open.unplaced", {"hosts": hosts}))
    automatic, others = transfers.find_seeded(operations, judged)
    if others:
        told.append(_said("open.incomplete", {"n": others}))
    windows = labelled_windows(view)
    other = _elsewhere(view, limits) if windows else Elsewhere()
    every = [*manual, *automatic]
    found, left_out = transfers.merge_labelled(every, windows, other, limits.compare_window_share)
    return found, [*told, *(_said(f"open.{what}", each) for what, each in left_out)]


def _said(name: str, facts: Mapping[str, Any]) -> str:
    return SAID.text(f"{name}.text", facts)


def _elsewhere(view: View, limits: Thresholds) -> Elsewhere:
    """Return times that other pages measure: starts of load tests, middles of backups."""
    backups = view.rows(
        'select start, "end" from measured_backups where not is_seeding and start is not null',
        given={"measured_backups": measured_backups(view, limits.backup_min_s)},
    )
    trials = [moment(t.start_us) for t in read_trials(view) if t.start_us is not None]
    return Elsewhere(tuple(trials), tuple(b["start"] + (b["end"] - b["start"]) / 2 for b in backups))


def examine(view: View, runs: Sequence[Run], told: Sequence[str], asked: Asked, limits: Thresholds) -> Study:
    """Measure runs and compare those of one database."""
    wanted = [replace(run, number=n) for n, run in enumerate(filter(asked.wants, runs), 1)]
    by_database = _by_database(wanted)
    measured = transfers.measure_uses(view, wanted)
    wanted = [run for own in by_database.values() for run in transfers.with_cores(own, measured)]
    wanted.sort(key=lambda run: run.number)
    # A labelled window is known only from perfmon.
    shown = [
        [run for run in own if run.method != GIVEN or measured.of(run)]
        for own in _by_database(wanted).values()
    ]
    groups = [_group(own, measured, asked, limits) for own in shown if len(own) > 1]
    open_ = list(told)
    if asked.baseline:
        _check_baseline(asked.baseline, [run for group in groups for run in group.runs])
    n = sum(len(group.pairs) for group in groups)
    if n > MOST_TOLD:
        open_.append(_said("open.many", {"n": n, "told": MOST_TOLD}))
    compared = {run.number for group in groups for run in group.runs}
    is_told = {run.number for run in wanted if run.number in compared or run.method == GIVEN}
    lacking = {
        run.number: [_said(*each) for each in unmeasured(measured, run, limits.usage_covered_share)]
        for run in wanted
    }
    unseen = {
        run.number: [*run.unseen, *(lacking[run.number] if run.number in is_told else ())] for run in wanted
    }
    open_ += [_said("open.run", each) for each in by_text(unseen)]
    against = {run.number: [_said(*each) for each in contradictions(run, measured, limits)] for run in wanted}
    return Study(
        tuple(wanted), tuple(groups), measured, tuple(dict.fromkeys(open_)), against, lacking, limits
    )


def _check_baseline(name: str, runs: Sequence[Run]) -> None:
    if runs and not any(is_called(run, name) for run in runs):
        known = [each for run in runs for each in (run.label, run.run_id, str(run.number)) if each]
        raise CaseError(f"no run is called {name!r}", instead(name, known))


def by_text(unseen: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the missing measurements, merged if they apply to several runs: text, run numbers."""
    found: dict[str, list[str]] = {}
    for number, texts in unseen.items():
        for text in texts:
            found.setdefault(text, []).append(str(number))
    return [{"text": text, "numbers": numbers} for text, numbers in found.items()]


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


Doubt = tuple[str, dict[str, Any]]
"""A sentence: the name of its text, and the values used in it."""


def unmeasured(uses: Uses, run: Run, least: float) -> list[Doubt]:
    """Return the hosts of a run without CPU, disk or network data while its data moved.

    ``least`` is the share of that time which samples are to cover.
    """
    groups = {"CPU": (CPU,), "disks": (READ, WRITTEN), "network": (SENT, RECEIVED)}
    hosts = [host for host in (run.source, run.target) if host]
    if run.method == GIVEN:
        hosts = sorted({use.usage.host for use in uses.of(run)})
        if not hosts:
            return [("unseen.window", {})]
    told: list[Doubt] = []
    for host in hosts:
        lacking = [
            name
            for name, wanted in groups.items()
            if all(of_run(uses, run, host, each) is None for each in wanted)
        ]
        if lacking:
            what = "host" if len(lacking) == len(groups) else "resources"
            told.append((f"unseen.{what}", {"host": host, "lacking": lacking}))
        seen = {u.usage.resource for u in uses.of(run) if u.usage.host == host}
        shares = [covered(uses, run, host, each) for each in (CPU, *BYTES) if each in seen]
        if shares and min(shares) < least:
            facts = {"host": host, "share": min(shares), "is_window": run.method == GIVEN}
            told.append(("unseen.stretch", facts))
    return told


def contradictions(run: Run, uses: Uses, limits: Thresholds) -> list[Doubt]:
    """Compare the bytes on the disks and the wire with the bytes of the database.

    A backup reads every page from disk and a restore writes every one (neither goes through the
    buffer pool), so less than the database is as wrong as, on an idle host, more.
    """
    size = run.database_bytes
    if run.method == GIVEN or not size:
        return []
    share = limits.seeding_contradiction_share
    told: list[Doubt] = []
    for host, resource, verb in ((run.source, READ, "read"), (run.target, WRITTEN, "wrote")):
        use = of_run(uses, run, host, resource)
        if use is None or covered(uses, run, use.usage.host, resource) < limits.usage_covered_share:
            continue
        assert use.total is not None
        part = use.total / size
        facts = {"host": use.usage.host, "verb": verb, "moved": use.total, "size": size, "part": part}
        if part < 1 - share:
            told.append(("contradiction.too_little", facts))
        elif part > limits.seeding_foreign_ratio and run.method == SEEDING:
            told.append(("contradiction.too_much", facts))
    wire, whole = (
        of_run(uses, run, run.source, SENT, whole=w) or of_run(uses, run, run.target, RECEIVED, whole=w)
        for w in (False, True)
    )
    is_plain = run.compressed is not None and run.compressed.verdict is False
    if wire and whole and is_plain and (kept_up := wire.usage.p95 * run.seconds) > (1 + share) * size:
        facts = {"p95": wire.usage.p95, "seconds": run.seconds, "kept_up": kept_up, "mean": whole.usage.mean}
        told.append(("contradiction.plateau", facts))
    return told
