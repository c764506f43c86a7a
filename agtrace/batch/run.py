"""Many cases: the same work for a batch and for an inbox that is watched."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agtrace import interrupts
from agtrace.batch.inbox import Seen, Settling, located, look, named_cases
from agtrace.batch.options import Log, Options, as_installed
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.remote import reports_at
from agtrace.batch.runner import Runner
from agtrace.batch.unchanged import is_done
from agtrace.batch.work import TRIES, NotNowError, as_its_own
from agtrace.engines import Engine
from agtrace.errors import AgtraceError, CaseError, StorageError, in_one_line
from agtrace.storage import is_url, joined, url_of

LOOK_SHARE = 0.2
"""Fraction of the time that polling a large inbox on a slow share may take."""

LOOK_S = 5.0
RETRY_S = 60.0
LONGEST_RETRY_S = 3600.0
PATIENCE_S = 75.0
"""Seconds that a watch restarted on another machine waits for the lock of the one that died."""

TIDY_S = 8.0
"""Maximum seconds that a stopped run takes to update its page, because services are killed if they take more
than ten seconds to end.
"""


@dataclass
class Summary:
    """Result of a batch.

    Parameters
    ----------
    reported
        Cases that were reported in this run.
    unchanged
        Number of cases already reported and unchanged since.
    broken
        Why a case could not be reported, by name.
    postponed
        Why a case was not reported and must be tried again, by name.
    findings
        Number of findings in all reported cases, by severity.
    """

    reported: list[str] = field(default_factory=list)
    unchanged: int = 0
    broken: dict[str, str] = field(default_factory=dict)
    postponed: dict[str, str] = field(default_factory=dict)
    findings: Counter[str] = field(default_factory=Counter)


def batch(
    roots: Iterable[str | Path],
    out: str | Path,
    options: Options | None = None,
    log: Log = lambda _line: None,
    *,
    themselves: bool = False,
    engine: Engine | None = None,
    progress: bool = False,
) -> Summary:
    """Report every case of some folders, and combine the results.

    Cases that have not changed since their report are skipped, so a batch that was stopped continues where
    it was.

    Parameters
    ----------
    roots
        Folders of cases, or their URLs; each folder and archive in them is a case.
    out
        Folder of the reports, the stores and the results, or a URL; the stores of reports at a URL
        stay on this machine.
    options, log
        Options, and a callback for each step, called with one line.
    themselves
        The roots are the cases themselves.
    engine
        Runs the cases; default: processes on this machine. Workers elsewhere must see the cases and ``out``
        under the same paths.
    progress
        Show a progress bar on the terminal.

    Raises
    ------
    CaseError
        There is no such folder, it has no case, or ``out`` contains something else.
    StoreError
        ``out`` cannot be written, or another run writes it.
    AgtraceError
        With ``on_error="stop"``: a case is broken or could not be reported; earlier cases are reported.
    """
    options = as_installed(options or Options(), log)
    listed = list(roots)
    reports = reports_at(out)
    _check_places(listed, reports)
    found = named_cases(listed, themselves=themselves, follow_links=options.follow_links)
    for line in found.beside:
        log(line)
    reports.create(trust=options.trust_store)
    summary = Summary()
    with reports.lock():
        runner = Runner(reports, options, log, engine, progress=progress)
        todo = []
        for seen in found.cases.values():
            try:
                with as_its_own():
                    done = not options.again and is_done(reports, seen, options)
            except NotNowError as error:
                found.failed[seen.path.name] = str(error)
                continue
            if done:
                summary.unchanged += 1
                record = reports.records()[seen.source]
                if record.status == "broken":
                    summary.broken[record.name] = record.reason
            else:
                todo.append(seen)
        for name, reason in found.failed.items():
            log(f"{name}: {reason}")
            _count(name, NotNowError(reason), summary, options)
        # Cases that ended their worker before come last, so that the others need not wait.
        todo.sort(key=lambda seen: reports.tried(reports.name_of(seen.source)) >= TRIES)
        with interrupts.tidied_up_within(TIDY_S):
            try:
                before = dict(reports.records())
                for seen, became in runner.run(todo, len(todo), _bytes_of(todo)):
                    _count(reports.name_of(seen.source), became, summary, options, before.get(seen.source))
                    interrupts.check()
            except KeyboardInterrupt:
                runner.stopped()
                raise
            finally:
                if not interrupts.arrived():
                    runner.join(hurry=True)
        records = reports.records()
        for source in {seen.source for seen in found.cases.values()} & set(records):
            if records[source].name not in summary.postponed:
                summary.findings.update(records[source].findings)
    return summary


def _count(
    name: str,
    became: CaseRecord | NotNowError,
    summary: Summary,
    options: Options,
    before: CaseRecord | None = None,
) -> None:
    if isinstance(became, NotNowError):
        if options.on_error == "stop":
            raise became
        summary.postponed[name] = str(became)
    elif before is not None and became.reported == before.reported:
        summary.unchanged += 1
        if became.status == "broken":
            summary.broken[name] = became.reason
    elif became.status == "broken":
        summary.broken[name] = became.reason
        if options.on_error == "stop":
            raise AgtraceError(f"{name}: {became.reason}")
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
    engine: Engine | None = None,
    progress: bool = False,
) -> None:
    """Report each folder and archive that appears in an inbox, once it has stopped growing.

    Nothing is written into the inbox. A case that grows later is reported again.

    Parameters
    ----------
    inbox
        The folder; it is polled, so that network shares work too.
    out
        Folder of the reports, the stores and the results.
    options, log
        Options, and a callback for each step, called with one line.
    settle_s
        Seconds without a change before a case is read.
    retry_s
        Seconds before the first retry of a case whose report failed for an outside reason; doubled each time.
    until
        Called after every poll; the watch ends when it returns True.
    engine, progress
        As in `batch`.

    Raises
    ------
    CaseError
        There is no such folder, or ``out`` contains something else.
    StoreError
        ``out`` cannot be written, or another run writes it.
    """
    options = as_installed(options or Options(), log)
    folder, reports = located(inbox), reports_at(out)
    if not folder.is_dir():
        raise CaseError(f"{inbox}: no such folder", "name the folder that cases are dropped into")
    _check_places([inbox], reports)
    reports.create(trust=options.trust_store)
    with reports.lock(PATIENCE_S) as lock, interrupts.tidied_up_within(TIDY_S):
        runner = Runner(reports, options, log, engine, progress=progress)
        watched = _Watch(folder.resolve(), runner, settle_s, retry_s)
        log(f"watching {inbox}; reports go to {out}")
        try:
            while True:
                pause = watched.turn()
                if until():
                    return
                interrupts.check()
                lock.check()
                time.sleep(pause)
        except KeyboardInterrupt:
            runner.stopped()
            raise


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
        """Poll the inbox, report cases that have stopped growing; return the seconds to the next poll."""
        began = time.monotonic()
        try:
            looked = look(self._inbox, follow_links=self._runner.options.follow_links)
        except (OSError, StorageError) as error:
            # The share is unavailable: do not treat its cases as removed.
            self._say([f"the inbox cannot be read: {in_one_line(error)}"])
            return self._look_s
        took = time.monotonic() - began
        settled = self._settling.update(looked.cases)
        self._say([*looked.beside, *(f"{name}: {why}" for name, why in looked.failed.items())])
        todo = [seen for seen in settled if self._is_due(seen)]
        todo.sort(key=lambda seen: self._tries(seen) >= TRIES)
        self._note(looked.cases, todo)
        pause = max(self._look_s, took / LOOK_SHARE)
        left = deque(todo)
        due = _until(began + pause, left)
        for seen, became in self._runner.run(due, len(todo), _bytes_of(todo)):
            self._took_note(seen, became)
            interrupts.check()
        if left:
            # Poll again before the next case starts, to see cases added or removed meanwhile.
            self._runner.join(hurry=False)
            return 0.0
        self._runner.join(hurry=True)
        return pause

    def _say(self, lines: Iterable[str]) -> None:
        """Log each line once, and again once it had stopped being true."""
        now = set(lines)
        for line in sorted(now - self._said):
            self._runner.log(line)
        self._said = now

    def _tries(self, seen: Seen) -> int:
        return self._runner.reports.tried(self._runner.reports.name_of(seen.source))

    def _is_due(self, seen: Seen) -> bool:
        try:
            with as_its_own():
                done = is_done(self._runner.reports, seen, self._runner.options)
        except NotNowError as error:
            if self._failed.get(seen.path, (0, 0.0, ""))[1] <= time.monotonic():
                self._runner.log(f"{seen.path.name}: {error}")
                self._took_note(seen, error)
            return False
        if done:
            self._failed.pop(seen.path, None)
            return False
        failed = self._failed.get(seen.path)
        return failed is None or failed[1] <= time.monotonic()

    def _took_note(self, seen: Seen, became: CaseRecord | NotNowError) -> None:
        if isinstance(became, NotNowError):
            times = self._failed.get(seen.path, (0, 0.0, ""))[0]
            wait = min(self._retry_s * 2**times, LONGEST_RETRY_S)
            self._failed[seen.path] = (times + 1, time.monotonic() + wait, str(became))
        else:
            self._failed.pop(seen.path, None)

    def _note(self, cases: dict[Path, Seen], todo: list[Seen]) -> None:
        """Write unreported cases and the reasons to the page; log new and growing cases."""
        reports = self._runner.reports
        records = reports.records()
        waiting = {}
        for path, seen in self._settling.growing.items():
            with contextlib.suppress(NotNowError), as_its_own():
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
            known = self._source(name) in records
            self._runner.log(f"{name}: {'changed' if known else 'appeared'}")
        there = {seen.source for seen in cases.values()}
        left = (source for source in records if self._is_inside(source) and source not in there)
        gone = frozenset(records[source].name for source in left)
        self._runner.note(waiting, gone)

    def _source(self, name: str) -> str:
        url = url_of(self._inbox)
        return joined(url, name) if url else str(self._inbox / name)

    def _is_inside(self, source: str) -> bool:
        if url := url_of(self._inbox):
            return source.rpartition("/")[0] == url
        return Path(source).parent == self._inbox


def _bytes_of(cases: Iterable[Seen]) -> int:
    return sum(seen.bytes for seen in cases)


def _until(end: float, left: deque[Seen]) -> Iterator[Seen]:
    """Yield cases until a deadline; the first in any case."""
    while left:
        yield left.popleft()
        if time.monotonic() > end:
            return


def _check_places(roots: Iterable[str | Path], reports: Reports) -> None:
    for root in roots:
        if is_url(root) or is_url(reports.place):
            one, other = f"{str(root).rstrip('/')}/", f"{reports.place}/"
            in_one_another = one.startswith(other) or other.startswith(one)
        else:
            place, folder = Path(reports.place).resolve(), Path(root).resolve()
            in_one_another = place.is_relative_to(folder) or folder.is_relative_to(place)
        if in_one_another:
            raise CaseError(
                f"{reports.place}: the reports and {root} lie in one another", "choose another --out"
            )
