"""Many cases, one after the other: the same work for a batch and for an inbox that is watched."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from agtrace import interrupts
from agtrace.batch.inbox import Seen, Settling, look, named_cases
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.results import DamagedRowsError, is_current, merge
from agtrace.batch.status import write_page
from agtrace.batch.work import TRIES, Log, NotNowError, Options, is_done, work_off
from agtrace.diagnostics import words
from agtrace.diagnostics.finding import SEVERITY_ORDER
from agtrace.errors import AgtraceError, CaseError, StoreError, in_one_line

OVERHEAD = 0.05
"""What is put together over all cases may take this part of the time, as long as cases wait."""

LOOK_SHARE = 0.2
"""Looking at a large inbox on a slow share may take this part of the time."""

LOOK_S = 5.0
RETRY_S = 60.0
LONGEST_RETRY_S = 3600.0
PATIENCE_S = 75.0
"""A watch that starts again on another machine waits so long for the lock of the one that died."""


@dataclass
class Summary:
    """What a batch did.

    Parameters
    ----------
    reported
        Cases that were reported now.
    unchanged
        Cases that had been, as they are.
    broken
        Why nothing could be said of a case, by name.
    postponed
        Why a case was not reported and must be tried again, by name.
    """

    reported: list[str] = field(default_factory=list)
    unchanged: int = 0
    broken: dict[str, str] = field(default_factory=dict)
    postponed: dict[str, str] = field(default_factory=dict)


class Runner:
    """Works cases off and keeps the results and the page over all of them.

    Parameters
    ----------
    reports
        Where; its lock is held.
    options, log
        How, and who is told.
    """

    def __init__(self, reports: Reports, options: Options, log: Log) -> None:
        self.reports = reports
        self.options = options
        self.log = log
        self.waiting: dict[str, str] = {}
        self.gone: frozenset[str] = frozenset()
        self._dirty = True
        self._next_join = 0.0
        reports.remove_leftovers()

    def work(self, seen: Seen) -> CaseRecord:
        """Report one case.

        Raises
        ------
        NotNowError
            It has to be tried again.
        """
        name = self.reports.name_of(seen.path)
        size = f"{words.count(seen.files, 'file')}, {words.size(seen.bytes)}"
        self.log(f"{name}: reading {size} of {seen.path}")
        self.waiting[seen.path.name] = "being read"
        self._dirty = True
        self.join(hurry=False)
        try:
            record = work_off(self.reports, seen, self.options, self.log)
        except NotNowError as error:
            self.log(f"{name}: {error}")
            self.waiting[seen.path.name] = str(error)
            raise
        self.waiting.pop(seen.path.name, None)
        self.log(f"{name}: {_told(record)}; {self.reports.page(name) / 'index.html'}")
        self._dirty = True
        self._limit_stores()
        self.join(hurry=False)
        return record

    def note(self, waiting: dict[str, str], gone: frozenset[str]) -> None:
        """Take in what the page says of cases that are not reported."""
        if (waiting, gone) != (self.waiting, self.gone):
            self.waiting, self.gone, self._dirty = waiting, gone, True

    def join(self, *, hurry: bool) -> None:
        """Bring the results and the page over all cases up to date.

        Parameters
        ----------
        hurry
            False while more cases wait: then only where it is due.
        """
        began = time.monotonic()
        if not hurry and began < self._next_join:
            return
        try:
            if not is_current(self.reports):
                merge(self.reports)
                self._dirty = True
            if self._dirty:
                write_page(self.reports, self.waiting, self.gone)
                self._dirty = False
        except DamagedRowsError as error:
            self.log(f"{error.record.name}: {error}")
            self.reports.forget(error.record)
            self._next_join = 0.0
            return
        except StoreError as error:
            # Windows replaces no file that somebody reads; the next time it may.
            self.log(f"the results over all cases are not up to date: {error}")
            self._dirty = True
        took = time.monotonic() - began
        self._next_join = time.monotonic() + max(took / OVERHEAD, 1.0)

    def _limit_stores(self) -> None:
        """Remove the stores of the cases that were reported longest ago, beyond those to keep."""
        if self.options.keep_stores is None:
            return
        kept = [record for record in self.reports.records().values() if record.store_bytes]
        kept.sort(key=lambda record: record.reported, reverse=True)
        for record in kept[self.options.keep_stores :]:
            self.reports.remove_store(record.name, record.source)
            # Where the disk is full, the page says for now what the store had taken.
            with contextlib.suppress(StoreError):
                self.reports.keep(replace(record, store_bytes=0))
            self.log(f"{record.name}: its store is removed ({words.size(record.store_bytes)})")


def _told(record: CaseRecord) -> str:
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


def batch(
    roots: Iterable[str | Path],
    out: str | Path,
    options: Options | None = None,
    log: Log = lambda _line: None,
    *,
    themselves: bool = False,
) -> Summary:
    """Report every case of some folders, and put the results of all together.

    Cases that have not changed since their report are left alone: a batch that was stopped goes on
    where it was.

    Parameters
    ----------
    roots
        Folders of cases: each folder and archive in them is one.
    out
        Folder of the reports, the stores and the results.
    options, log
        How, and who is told each step in a line.
    themselves
        The roots are the cases.

    Raises
    ------
    CaseError
        No such folder, no case in it, or ``out`` holds something else.
    StoreError
        ``out`` cannot be written, or another run writes it.
    AgtraceError
        With ``on_error="stop"``: a case is broken or could not be reported; those before are.
    """
    options = options or Options()
    listed = [Path(root) for root in roots]
    reports = Reports(Path(out))
    _check_places(listed, reports.root)
    found = named_cases(listed, themselves=themselves, follow_links=options.follow_links)
    for line in found.beside:
        log(line)
    reports.create()
    summary = Summary()
    with reports.lock():
        runner = Runner(reports, options, log)
        todo = []
        for seen in found.cases.values():
            if not options.again and is_done(reports, seen, options):
                summary.unchanged += 1
                record = reports.records()[str(seen.path)]
                if record.status == "broken":
                    summary.broken[record.name] = record.reason
            else:
                todo.append(seen)
        # What others died of must not keep the rest waiting.
        todo.sort(key=lambda seen: reports.tried(reports.name_of(seen.path)) >= TRIES)
        try:
            for seen in todo:
                interrupts.check()
                _work_in_batch(runner, seen, summary, options)
        finally:
            if not interrupts.arrived():
                runner.join(hurry=True)
    return summary


def _work_in_batch(runner: Runner, seen: Seen, summary: Summary, options: Options) -> None:
    name = runner.reports.name_of(seen.path)
    try:
        record = runner.work(seen)
    except NotNowError as error:
        if options.on_error == "stop":
            raise
        summary.postponed[name] = str(error)
        return
    if record.status == "broken":
        summary.broken[name] = record.reason
        if options.on_error == "stop":
            raise AgtraceError(f"{name}: {record.reason}")
    else:
        summary.reported.append(name)


def watch(
    inbox: str | Path,
    out: str | Path,
    options: Options | None = None,
    log: Log = lambda _line: None,
    *,
    settle_s: float = 20.0,
    retry_s: float = RETRY_S,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Report each folder and archive that appears in an inbox, once it has stopped growing.

    Nothing is written into the inbox. A case that grows later is reported again.

    Parameters
    ----------
    inbox
        The folder; looked at again and again, so that shares work too.
    out
        Folder of the reports, the stores and the results.
    options, log
        How, and who is told each step in a line.
    settle_s
        How long nothing of a case may have changed before it is read.
    retry_s
        When a case is tried again whose report failed for a reason that is not in it; doubled each
        time.
    until
        Asked after every look; ends the watch.

    Raises
    ------
    CaseError
        There is no such folder, or ``out`` holds something else.
    StoreError
        ``out`` cannot be written, or another run writes it.
    """
    options = options or Options()
    folder, reports = Path(inbox), Reports(Path(out))
    if not folder.is_dir():
        raise CaseError(f"{inbox}: no such folder", "name the folder that cases are dropped into")
    _check_places([folder], reports.root)
    reports.create()
    with reports.lock(PATIENCE_S) as lock:
        watched = _Watch(folder.resolve(), Runner(reports, options, log), settle_s, retry_s)
        log(f"watching {inbox}; reports go to {out}")
        while True:
            pause = watched.turn()
            if until():
                return
            interrupts.check()
            lock.check()
            time.sleep(pause)


class _Watch:
    """One inbox under watch."""

    def __init__(self, inbox: Path, runner: Runner, settle_s: float, retry_s: float) -> None:
        self._inbox = inbox
        self._runner = runner
        self._settling = Settling(settle_s)
        self._look_s = min(LOOK_S, settle_s / 4)
        self._retry_s = retry_s
        self._failed: dict[Path, tuple[int, float, str]] = {}
        self._said: set[str] = set()

    def turn(self) -> float:
        """Look, and report what has settled; give the seconds until the next look."""
        began = time.monotonic()
        try:
            looked = look(self._inbox, follow_links=self._runner.options.follow_links)
        except OSError as error:
            # A share that is away: nothing is known of the cases, and none of them has gone.
            self._say([f"the inbox cannot be read: {in_one_line(error)}"])
            return self._look_s
        took = time.monotonic() - began
        settled = self._settling.update(looked.cases)
        self._say(looked.beside)
        todo = [seen for seen in settled if self._is_due(seen)]
        todo.sort(key=lambda seen: self._tries(seen) >= TRIES)
        self._note(looked.cases, todo)
        for seen in todo:
            self._work(seen)
            interrupts.check()
            if time.monotonic() - began > max(self._look_s, took / LOOK_SHARE):
                # What else has come or gone meanwhile is seen before the next case is begun.
                self._runner.join(hurry=False)
                return 0.0
        self._runner.join(hurry=True)
        return max(self._look_s, took / LOOK_SHARE)

    def _say(self, lines: Iterable[str]) -> None:
        """Say each line once, and again after it had ceased to be true."""
        now = set(lines)
        for line in sorted(now - self._said):
            self._runner.log(line)
        self._said = now

    def _tries(self, seen: Seen) -> int:
        return self._runner.reports.tried(self._runner.reports.name_of(seen.path))

    def _is_due(self, seen: Seen) -> bool:
        if is_done(self._runner.reports, seen, self._runner.options):
            self._failed.pop(seen.path, None)
            return False
        failed = self._failed.get(seen.path)
        return failed is None or failed[1] <= time.monotonic()

    def _work(self, seen: Seen) -> None:
        try:
            self._runner.work(seen)
            self._failed.pop(seen.path, None)
        except NotNowError as error:
            times = self._failed.get(seen.path, (0, 0.0, ""))[0]
            wait = min(self._retry_s * 2**times, LONGEST_RETRY_S)
            self._failed[seen.path] = (times + 1, time.monotonic() + wait, str(error))

    def _note(self, cases: dict[Path, Seen], todo: list[Seen]) -> None:
        """Tell the page what is not reported, and why; and the log what has appeared or grows."""
        reports = self._runner.reports
        records = reports.records()
        waiting = {}
        for path, seen in self._settling.growing.items():
            if not is_done(reports, seen, self._runner.options):
                waiting[path.name] = "still growing, or only just come"
        for seen in todo:
            waiting[seen.path.name] = "complete, waits for its turn"
        for path, (_times, _at, why) in list(self._failed.items()):
            if path in cases:
                waiting.setdefault(path.name, why)
            else:
                del self._failed[path]
        appeared = [name for name in waiting if name not in self._runner.waiting]
        for name in sorted(appeared):
            known = str(self._inbox / name) in records
            self._runner.log(f"{name}: {'changed' if known else 'appeared'}")
        gone = frozenset(
            record.name
            for source, record in records.items()
            if Path(source).parent == self._inbox and Path(source) not in cases
        )
        self._runner.note(waiting, gone)


def _check_places(roots: Iterable[Path], out: Path) -> None:
    place = out.resolve()
    for root in roots:
        other = root.resolve()
        if place.is_relative_to(other) or other.is_relative_to(place):
            raise CaseError(
                f"{out}: the reports and {root} lie in one another", "choose another --out"
            )
