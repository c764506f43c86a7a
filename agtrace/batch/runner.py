"""Report cases, sequentially or in parallel, and keep the results over all of them up to date."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial

from agtrace import interrupts, memory
from agtrace.batch.inbox import Seen
from agtrace.batch.options import Log, Options
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.progress import Progress, beside_bars
from agtrace.batch.results import DamagedRowsError, UnfitRowsError, is_current, merge
from agtrace.batch.status import write_page
from agtrace.batch.work import CaseJob, NotNowError, Worked, as_its_own, begin, end, given_up, run_case
from agtrace.engines import Engine, Lost, Processes, Serial, Task, local
from agtrace.errors import CaseError, StoreError
from agtrace.say import words
from agtrace.say.finding import SEVERITY_ORDER

OVERHEAD = 0.05
"""Fraction of the time that combining results over all cases may take while cases wait."""

READING = "being read"
STOPPED = "waits until this is started again: it was stopped while it was read"

BESIDE = 4
"""Cases for which it is worth to start processes that work on them side by side."""


class Runner:
    """Reports cases, and keeps the results and the page over all cases up to date.

    Parameters
    ----------
    reports
        The reports, with their lock held.
    options, log
        Options, and a callback for each step.
    engine
        Runs the cases; None for this machine.
    progress
        Show a progress bar on the terminal.
    """

    def __init__(
        self,
        reports: Reports,
        options: Options,
        log: Log,
        engine: Engine | None = None,
        *,
        progress: bool = False,
    ) -> None:
        if engine is not None and options.case_timeout is not None:
            raise CaseError("--case-timeout holds on this machine alone", "leave it or --scheduler out")
        self.reports = reports
        self.options = options
        self.log = beside_bars(log) if progress else log
        self._progress = progress
        self.waiting: dict[str, str] = {}
        self.gone: frozenset[str] = frozenset()
        self._engine = engine
        self._begun: dict[str, CaseJob] = {}
        self._dirty = True
        self._next_join = 0.0
        reports.remove_leftovers()

    def run(
        self, todo: Iterable[Seen], count: int, total: int
    ) -> Iterator[tuple[Seen, CaseRecord | NotNowError]]:
        """Report cases, several in parallel, and yield the result of each as it ends.

        Parameters
        ----------
        todo
            The cases, taken one by one as workers become free.
        count, total
            Number of cases, and their total size in bytes.
        """
        with (
            Progress(count, total, shown=self._progress) as progress,
            contextlib.closing(self._run(todo, count, progress.seen)) as running,
        ):
            for ended in running:
                progress.done()
                yield ended

    def _run(
        self, todo: Iterable[Seen], count: int, seen: Callable[[int], None]
    ) -> Generator[tuple[Seen, CaseRecord | NotNowError]]:
        engine, options = self._shared_out(count)
        refused: list[tuple[Seen, NotNowError]] = []
        in_process = isinstance(engine, Serial)
        work = partial(run_case, log=self.log) if in_process else run_case
        try:
            for task, worked in engine.map(work, self._tasks(todo, options, refused), seen):
                while refused:
                    yield refused.pop()
                job = self._begun.pop(task.argument.name)
                if isinstance(worked, Lost) and worked.overdue:
                    worked = given_up(self.reports, job)
                elif isinstance(worked, Lost):
                    worked = Worked(None, f"not reported: {worked.reason}")
                yield job.seen, self._end(job, worked)
            yield from refused
        finally:
            # The user stopped the run: do not count these cases as failed attempts.
            for name in self._begun:
                self.reports.end(name)
            self._begun.clear()

    def _shared_out(self, count: int) -> tuple[Engine, Options]:
        """Choose the engine for ``count`` cases, and the number of processes of each."""
        if self._engine is not None:
            return self._engine, replace(self.options, jobs=1)
        engine = local(self.options.jobs, worth=count >= BESIDE, each=2 * memory.NOTEBOOK)
        longest_s = self.options.case_timeout
        if not isinstance(engine, Processes) or count < 2:
            return Serial() if longest_s is None else Processes(1, longest_s), self.options
        beside = min(engine.at_once, count)
        return Processes(beside, longest_s), replace(self.options, jobs=max(engine.at_once // beside, 1))

    def _tasks(
        self, todo: Iterable[Seen], options: Options, refused: list[tuple[Seen, NotNowError]]
    ) -> Iterator[Task[CaseJob]]:
        for seen in todo:
            name = self.reports.name_of(seen.source)
            size = f"{words.count(seen.files, 'file')}, {words.size(seen.bytes)}"
            self.log(f"{name}: reading {size} of {seen.source}")
            self.waiting[seen.path.name] = READING
            self._dirty = True
            self.join(hurry=False)
            try:
                with as_its_own():
                    job = begin(self.reports, seen, options, self.log)
            except NotNowError as error:
                refused.append((seen, self._postponed(name, seen, error)))
                continue
            self._begun[job.name] = job
            yield Task(job.key, job, seen.bytes)

    def _end(self, job: CaseJob, worked: Worked) -> CaseRecord | NotNowError:
        # Log each reported case exactly once, even if the run is interrupted now.
        with interrupts.held_back():
            for line in worked.log:
                self.log(line)
            try:
                with as_its_own():
                    record = end(self.reports, job, worked)
            except NotNowError as error:
                return self._postponed(job.name, job.seen, error)
            self.waiting.pop(job.seen.path.name, None)
            told = _told(record, job.before)
            self.log(f"{job.name}: {told}; {self.reports.index_of(job.name)}")
            self._dirty = True
        self._limit_stores()
        self.join(hurry=False)
        return record

    def _postponed(self, name: str, seen: Seen, error: NotNowError) -> NotNowError:
        self.log(f"{name}: {error}")
        self.waiting[seen.path.name] = str(error)
        return error

    def note(self, waiting: dict[str, str], gone: frozenset[str]) -> None:
        """Set what the page shows about cases that are not reported."""
        if (waiting, gone) != (self.waiting, self.gone):
            self.waiting, self.gone, self._dirty = waiting, gone, True

    def stopped(self) -> None:
        """Update the page when a run is stopped; write the results too if time permits."""
        for name, why in self.waiting.items():
            if why == READING:
                self.waiting[name] = STOPPED
        with contextlib.suppress(StoreError):
            write_page(self.reports, self.waiting, self.gone)
        self._dirty = True
        self.join(hurry=True)

    def join(self, *, hurry: bool) -> None:
        """Bring the results and the page over all cases up to date.

        Parameters
        ----------
        hurry
            False while more cases wait: then update only if due.
        """
        began = time.monotonic()
        if not hurry and began < self._next_join:
            return
        try:
            if not is_current(self.reports):
                self._merge()
                self._dirty = True
            if self._dirty:
                write_page(self.reports, self.waiting, self.gone)
                self.reports.publish()
                self._dirty = False
        except DamagedRowsError as error:
            self.log(f"{error.record.name}: {error}")
            self.reports.forget(error.record)
            self._next_join = 0.0
            return
        except StoreError as error:
            # Windows cannot replace a file that is open for reading; try again next time.
            self.log(f"the results over all cases are not up to date: {error}")
            self._dirty = True
        took = time.monotonic() - began
        self._next_join = time.monotonic() + max(took / OVERHEAD, 1.0)

    def _merge(self) -> None:
        """Put the rows of all cases together but those of cases whose rows do not go with the others."""
        left_out: set[str] = set()
        while True:
            try:
                merge(self.reports, left_out)
                return
            except UnfitRowsError as error:
                # Each time one less: it ends.
                left_out.add(error.record.name)
                self.log(f"{error.record.name}: {error}")

    def _limit_stores(self) -> None:
        """Remove the stores of the cases that were reported longest ago, beyond those to keep."""
        if self.options.keep_stores is None:
            return
        records = self.reports.records().values()
        kept = [r for r in records if r.store_bytes and r.name not in self._begun]
        kept.sort(key=lambda record: record.reported, reverse=True)
        for record in kept[self.options.keep_stores :]:
            self.reports.remove_store(record.name, record.source)
            # Where the disk is full, the page says for now what the store had taken.
            with contextlib.suppress(StoreError):
                self.reports.keep(replace(record, store_bytes=0))
            self.log(f"{record.name}: its store is removed ({words.size(record.store_bytes)})")


def _told(record: CaseRecord, before: CaseRecord | None) -> str:
    if before is not None and record.reported == before.reported:
        return "the same contents as before, its report stays"
    took = words.span(record.seconds)
    if record.status == "broken":
        return f"broken: {record.reason}"
    counts = [
        f"{record.findings[severity]:,} {severity}"
        for severity in reversed(SEVERITY_ORDER)
        if record.findings.get(severity)
    ]
    failed = f"; not complete: {record.reason}" if record.reason else ""
    return f"reported in {took}: {', '.join(counts) or 'no findings'}{failed}"
