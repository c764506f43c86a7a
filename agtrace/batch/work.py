"""One case of many: read it, report it, keep its rows, and only then say so in its record."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import agtrace
from agtrace import interrupts
from agtrace.batch.inbox import Seen, look_at
from agtrace.batch.places import CaseRecord, Reports
from agtrace.batch.results import keep_rows
from agtrace.diagnostics import words
from agtrace.errors import AgtraceError, StoreError, in_one_line, is_full
from agtrace.ingest import IngestReport, ingest
from agtrace.opening import nothing_usable
from agtrace.report import report
from agtrace.report.broken import write_broken

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.report import ReportResult

Log = Callable[[str], None]

TRIES = 3
"""Begun so often and never ended, a case is read into a new store: the old one may be the reason."""

LONGEST_REASON = 600


@dataclass(frozen=True)
class Options:
    """How cases are read and reported.

    Parameters
    ----------
    jobs
        Processes to decode with, and notebooks side by side; default one per core.
    pages
        False runs no notebooks: findings and results alone.
    keep_stores
        How many stores stay on disk, those reported last; None keeps all.
    case_settings, follow_links
        As in `agtrace.open_case`.
    on_error
        ``go-on`` with the other cases, or ``stop`` at the first that is broken.
    again
        Report all cases, also those that have not changed since their report.
    """

    jobs: int | None = None
    pages: bool = True
    keep_stores: int | None = None
    case_settings: bool = True
    follow_links: bool = False
    on_error: str = "go-on"
    again: bool = False


class NotNowError(AgtraceError):
    """A case cannot be reported now, and what stands in the way is not in it; it is tried again."""


def is_done(reports: Reports, seen: Seen, options: Options) -> bool:
    """Tell whether a case is reported as it lies there, with all that is asked for."""
    record = reports.records().get(str(seen.path))
    if record is None or record.signature != seen.signature:
        return False
    return record.pages or not options.pages or record.status == "broken"


def work_off(reports: Reports, seen: Seen, options: Options, log: Log) -> CaseRecord:
    """Report a case; killed at any moment, it is done again and nothing of it counts twice.

    Parameters
    ----------
    reports
        Where; its lock is held.
    seen
        The case, as it lay there when it was chosen.
    options
        How.
    log
        Told each step in a line.

    Returns
    -------
    CaseRecord
        What became of it; it has been kept.

    Raises
    ------
    NotNowError
        It changed or went while it was read, or the disk is full: what was reported before stays.
    """
    name = reports.name_of(seen.path)
    began = time.monotonic()
    if reports.tried(name) >= TRIES:
        log(f"{name}: begun {reports.tried(name)} times and never ended; its store is made anew")
        reports.remove_store(name, seen.path)
    try:
        reports.begin(name)
        record = _worked(reports, name, seen, options, log)
        before = reports.records().get(record.source)
        record = _timed(
            record, seen, time.monotonic() - began, reports.store(name, seen.path), options
        )
        reports.keep(record)
        if before and before.rows and before.rows != record.rows:
            shutil.rmtree(reports.rows / before.rows, ignore_errors=True)
    except KeyboardInterrupt:
        reports.end(name)
        raise
    except NotNowError:
        reports.end(name)
        if look_at(seen.path) is None and str(seen.path) not in reports.records():
            # It has gone and never had a report: nobody will ask for its store.
            reports.remove_store(name, seen.path)
        raise
    except Exception as error:
        interrupts.raise_again(error)
        raise NotNowError(f"not reported: {in_one_line(error)}") from error
    reports.end(name)
    return record


def _worked(reports: Reports, name: str, seen: Seen, options: Options, log: Log) -> CaseRecord:
    """Do what can fail; a case that is broken gets a page that says so."""
    ingested: IngestReport | None = None

    def unchanged() -> None:
        now = look_at(seen.path)
        if now is None:
            raise NotNowError("gone while it was read; no report is made of what was left")
        if now.signature != seen.signature:
            raise NotNowError("changed while it was read; waiting until it is whole")

    try:
        began = time.monotonic()
        ingested = ingest(
            seen.path,
            reports.store(name, seen.path),
            jobs=options.jobs,
            follow_links=options.follow_links,
        )
        # From here on the store counts: what is in it is what was seen.
        unchanged()
        log(f"{name}: {_told(ingested)} in {words.span(time.monotonic() - began)}")
        if not ingested.usable:
            raise nothing_usable(seen.path)
        return _reported(reports, name, seen, options, unchanged)
    except (NotNowError, StoreError, OSError):
        unchanged()
        raise
    except Exception as error:
        interrupts.raise_again(error)
        unchanged()
        if is_full(error):
            raise
        reason = words.plain(in_one_line(error), LONGEST_REASON)
        write_broken(
            reports.page(name), seen.path.name, reason, ingested.captures if ingested else []
        )
        return CaseRecord(name, str(seen.path), seen.signature, "broken", reason)


def _told(ingested: IngestReport) -> str:
    rest = ((ingested.skipped, "unchanged"), (ingested.failed, "failed"))
    told = [f"{n:,} {what}" for n, what in rest if n]
    return ", ".join([f"{words.count(ingested.ingested, 'capture')} read", *told])


def _reported(
    reports: Reports,
    name: str,
    seen: Seen,
    options: Options,
    unchanged: Callable[[], None],
) -> CaseRecord:
    rows, failed = "", list[str]()

    def keep(case: Case, made: ReportResult) -> None:
        nonlocal rows, failed
        rows, failed = keep_rows(reports, name, case, made.findings)
        unchanged()

    try:
        made = report(
            seen.path,
            reports.page(name),
            store=reports.store(name, seen.path),
            jobs=options.jobs,
            case_settings=options.case_settings,
            follow_links=options.follow_links,
            ingest=False,
            pages=options.pages,
            whole=keep,
        )
    except BaseException:
        if rows:
            shutil.rmtree(reports.rows / rows, ignore_errors=True)
        raise
    return _record(name, seen, made, rows, failed)


def _record(name: str, seen: Seen, made: ReportResult, rows: str, failed: list[str]) -> CaseRecord:
    counts = Counter(finding.severity for finding in made.findings)
    return CaseRecord(
        name,
        str(seen.path),
        seen.signature,
        "reported",
        words.plain("; ".join([*map(str, made.failures), *failed]), LONGEST_REASON),
        findings=dict(counts),
        worst=words.plain(made.findings[0].title) if made.findings else "",
        ids=tuple(dict.fromkeys(finding.id for finding in made.findings)),
        rows=rows,
    )


def _timed(
    record: CaseRecord, seen: Seen, seconds: float, store: Path, options: Options
) -> CaseRecord:
    return replace(
        record,
        reported=datetime.now(UTC).isoformat(timespec="microseconds"),
        seconds=round(seconds, 3),
        files=seen.files,
        bytes=seen.bytes,
        store_bytes=bytes_in(store),
        pages=options.pages,
        version=agtrace.__version__,
    )


def bytes_in(folder: Path) -> int:
    """Sum up the sizes of the files in a folder; 0 where there is none."""
    total = 0
    for path in folder.rglob("*"):
        try:
            status = path.lstat()
        except OSError:
            continue
        total += status.st_size if path.is_file() else 0
    return total
