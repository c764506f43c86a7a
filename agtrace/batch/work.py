"""Process one case of many: read it, report it, store its rows, and only then write its record."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import agtrace
from agtrace import interrupts
from agtrace.batch.inbox import Seen
from agtrace.batch.options import Log, Options
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.remote import reports_at
from agtrace.batch.results import keep_rows
from agtrace.batch.unchanged import contents_key, holding, key_of, renewed
from agtrace.errors import AgtraceError, LockedError, MissingExtraError, StoreError, in_one_line, is_full
from agtrace.ingest import ingest
from agtrace.ingest.redacted import redacted_store
from agtrace.ingested import IngestReport
from agtrace.opening import nothing_usable
from agtrace.report import report
from agtrace.report.broken import write_broken
from agtrace.say import words
from agtrace.say.headline import headline
from agtrace.storage import stand_in
from agtrace.store import Store
from agtrace.store.place import place_in
from agtrace.store.scratch import remove_abandoned

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.report import ReportResult

TRIES = 3
"""After this many attempts that never ended, a case is read into a new store; the old one may be at fault."""

LONGEST_REASON = 600
PATIENCE_S = 15.0
"""Seconds that a case waits for another process that writes its store."""
LOOK_S = 0.2


class NotNowError(AgtraceError):
    """A case cannot be reported now for a reason outside it; it is tried again."""


@contextlib.contextmanager
def as_its_own() -> Iterator[None]:
    """Turn any error in one case into a failure of that case alone.

    Raises
    ------
    NotNowError
        Something did.
    """
    try:
        yield
    except NotNowError:
        raise
    except Exception as error:
        interrupts.raise_again(error)
        raise NotNowError(f"not reported: {in_one_line(error)}") from error


@dataclass(frozen=True)
class CaseJob:
    """One case to report, on any machine.

    Parameters
    ----------
    out
        The folder of all reports, absolute, or its URL.
    name, seen
        The case, and the state of its files when it was chosen.
    options
        The options.
    answer
        Key of its answer.
    before
        Its record so far.
    """

    out: str
    name: str
    seen: Seen
    options: Options
    answer: str
    before: CaseRecord | None = None

    @property
    def key(self) -> str:
        """Key of the work, independent of paths."""
        how = f"{self.answer} {self.options}"
        return f"report-{self.name}-{hashlib.sha256(how.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class Worked:
    """Result of a case, small enough to be sent between processes.

    Parameters
    ----------
    record
        The record to store; None if the case must be tried again.
    not_now
        Why it must be tried again.
    log
        Steps that were not logged yet, one line each.
    """

    record: CaseRecord | None
    not_now: str = ""
    log: tuple[str, ...] = ()


def begin(reports: Reports, seen: Seen, options: Options, log: Log) -> CaseJob:
    """Record that the work on a case begins. The caller must hold the lock of the reports.

    Raises
    ------
    NotNowError
        It cannot be recorded.
    """
    name = reports.reserve(seen.source)
    if reports.tried(name) >= TRIES:
        log(f"{name}: begun {reports.tried(name)} times and never ended; its store is made anew")
        reports.remove_store(name, seen.source)
    try:
        reports.begin(name)
    except StoreError as error:
        raise NotNowError(f"not reported: {in_one_line(error)}") from error
    answer, before = key_of(reports, name, seen, options), reports.records().get(seen.source)
    return CaseJob(reports.place, name, seen, options, answer, before)


def run_case(job: CaseJob, seen: Callable[[int], None], log: Log | None = None) -> Worked:
    """Read and report a case, in this or another process; it can be repeated if killed at any moment.

    Parameters
    ----------
    job
        The case.
    seen
        Called with the bytes that are done; in total those of the case, even if it fails.
    log
        Called with each step, one line each; None returns the steps with the result.
    """
    began = time.monotonic()
    lines: list[str] = []
    left = job.seen.bytes

    def count(done: int) -> None:
        nonlocal left
        # The contents of an archive are larger than the archive itself.
        done = min(done, left)
        left -= done
        seen(done)

    try:
        reports = reports_at(job.out)
        record = _worked(reports, job, log or lines.append, count)
        if not _is_kept(job, record):
            store = reports.store(job.name, job.seen.source)
            record = _timed(record, job, time.monotonic() - began, store)
            reports.deliver(record)
    except NotNowError as error:
        return Worked(None, str(error), tuple(lines))
    except Exception as error:
        interrupts.raise_again(error)
        return Worked(None, f"not reported: {in_one_line(error)}", tuple(lines))
    finally:
        count(left)
    return Worked(record, log=tuple(lines))


def end(reports: Reports, job: CaseJob, worked: Worked) -> CaseRecord:
    """Store the result of a case, which is valid from then on. The caller must hold the lock.

    Raises
    ------
    NotNowError
        The case changed or vanished while it was read, or the disk is full; the earlier report is kept.
    """
    if worked.record is None:
        reports.end(job.name)
        source = job.seen.source
        if job.seen.look_again() is None and source not in reports.records():
            # The case is gone and never had a report: its store is no longer needed.
            reports.remove_store(job.name, source)
        raise NotNowError(worked.not_now)
    before = reports.records().get(worked.record.source)
    try:
        reports.keep(worked.record)
    except StoreError as error:
        raise NotNowError(f"not reported: {in_one_line(error)}") from error
    if before and before.rows and before.rows != worked.record.rows:
        reports.remove_rows(before.rows)
    reports.end(job.name)
    return worked.record


def given_up(reports: Reports, job: CaseJob) -> Worked:
    """Record as broken a case that took too long; its worker has ended."""
    name, seen, limit_s = job.name, job.seen, job.options.case_timeout or 0.0
    reason = f"took longer than {limit_s:g} s (--case-timeout)"
    try:
        remove_abandoned()
        before = reports.records().get(seen.source)
        for rows in (reports.rows / name).glob("*"):
            if before is None or before.rows != f"{name}/{rows.name}":
                reports.remove_rows(f"{name}/{rows.name}")
        write_broken(reports.page(name), seen.path.name, reason, [])
        record = CaseRecord(name, seen.source, seen.signature, "broken", reason, given_up_s=limit_s)
        record = _timed(record, job, limit_s, reports.store(name, seen.source))
        reports.deliver(record)
    except Exception as error:
        interrupts.raise_again(error)
        return Worked(None, f"not reported: {in_one_line(error)}")
    return Worked(record)


def _worked(reports: Reports, job: CaseJob, log: Log, count: Callable[[int], None]) -> CaseRecord:
    """Do the work that can fail; a broken case gets a page with the reason."""
    ingested: IngestReport | None = None
    contents = ""
    name, seen, options = job.name, job.seen, job.options

    def unchanged() -> None:
        now = seen.look_again()
        if now is None:
            raise NotNowError("gone while it was read; no report is made of what was left")
        if now.signature != seen.signature:
            raise NotNowError("changed while it was read; waiting until it is whole")

    try:
        began = time.monotonic()
        folder = seen.folder
        reports.make_fit(name, seen.source, trust=options.trust_store)
        store = _store(reports, name, seen, options)
        ingested = _unlocked(
            lambda: ingest(folder, store, jobs=options.jobs, follow_links=options.follow_links, seen=count)
        )
        # From here on the store counts: what is in it is what was seen.
        unchanged()
        log(f"{name}: {_told(ingested)} in {words.span(time.monotonic() - began)}")
        read = store or place_in(folder)
        contents = contents_key(reports, name, seen, options, Store(read))
        if before := holding(job.before, contents, options):
            return renewed(before, seen, job.answer, bytes_in(store) if store else 0)
        if not ingested.usable:
            raise nothing_usable(folder)
        record = _reported(reports, name, seen, options, unchanged)
        return replace(record, contents=contents)
    except (NotNowError, StoreError, MissingExtraError, OSError):
        unchanged()
        raise
    except Exception as error:
        interrupts.raise_again(error)
        unchanged()
        if is_full(error):
            raise
        reason = words.plain(in_one_line(error), LONGEST_REASON)
        write_broken(reports.page(name), seen.path.name, reason, ingested.captures if ingested else [])
        return CaseRecord(name, seen.source, seen.signature, "broken", reason, contents=contents)


def _store(reports: Reports, name: str, seen: Seen, options: Options) -> Path | None:
    """Return the store that a case is read into; None for a case that is a store itself."""
    if not seen.url and redacted_store(seen.path, trust=options.trust_store) is not None:
        return None
    return reports.store(name, seen.source)


def _unlocked(work: Callable[[], IngestReport]) -> IngestReport:
    """Work on a store once no other process writes it; workers of a killed run take a while to end."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return work()
        except LockedError:
            if time.monotonic() >= until:
                raise
            time.sleep(LOOK_S)


def _told(ingested: IngestReport) -> str:
    rest = ((ingested.skipped, "unchanged"), (ingested.failed, "failed"))
    told = [f"{n:,} {what}" for n, what in rest if n]
    return ", ".join([f"{words.count(ingested.ingested, 'capture')} read", *told])


def _reported(
    reports: Reports, name: str, seen: Seen, options: Options, unchanged: Callable[[], None]
) -> CaseRecord:
    rows, failed = "", list[str]()

    def keep(case: Case, made: ReportResult) -> None:
        nonlocal rows, failed
        rows, failed = keep_rows(reports, name, case, made.findings)
        unchanged()

    try:
        made = report(
            seen.path if not seen.url else stand_in(seen.url, "case"),
            reports.page(name),
            store=_store(reports, name, seen, options),
            jobs=options.jobs,
            case_settings=options.case_settings,
            thresholds=options.thresholds,
            follow_links=options.follow_links,
            ingest=False,
            pages=options.pages,
            whole=keep,
        )
    except BaseException:
        if rows:
            reports.remove_rows(rows)
        raise
    return _record(name, seen, made, rows, failed, options)


def _record(
    name: str, seen: Seen, made: ReportResult, rows: str, failed: list[str], options: Options
) -> CaseRecord:
    counts = Counter(finding.severity for finding in made.findings)
    first = headline(made.findings)
    return CaseRecord(
        name,
        seen.source,
        seen.signature,
        "reported",
        words.plain("; ".join([*map(str, made.failures), *failed]), LONGEST_REASON),
        findings=dict(counts),
        worst=words.plain(first.title) if first else "",
        ids=tuple(dict.fromkeys(finding.id for finding in made.findings)),
        rows=rows,
    )


def _is_kept(job: CaseJob, record: CaseRecord) -> bool:
    return job.before is not None and record.reported == job.before.reported


def _timed(record: CaseRecord, job: CaseJob, seconds: float, store: Path) -> CaseRecord:
    return replace(
        record,
        reported=datetime.now(UTC).isoformat(timespec="microseconds"),
        seconds=round(seconds, 3),
        files=job.seen.files,
        bytes=job.seen.bytes,
        store_bytes=bytes_in(store),
        pages=job.options.pages,
        version=agtrace.__version__,
        key=job.answer,
        is_fresh=job.seen.is_fresh,
    )


def bytes_in(folder: Path) -> int:
    """Return the total size of the files in a folder; 0 if there is no such folder."""
    total = 0
    for path in folder.rglob("*"):
        try:
            status = path.lstat()
        except OSError:
            continue
        total += status.st_size if path.is_file() else 0
    return total
