"""Ingest: find what is in a case folder, decode what is new, keep it in the store."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from agtrace.errors import CaptureError, CaseError
from agtrace.ingest.discover import Place, content_id, find_captures
from agtrace.ingest.engine import run_jobs
from agtrace.ingest.job import Job, Outcome, options_key, readers_fingerprint
from agtrace.readers import ReadOptions, readers
from agtrace.readers.text import is_encoding
from agtrace.store import CommitRecord, FoundCapture, Store, open_store

__all__ = ["IngestReport", "IngestedCapture", "ingest"]

FAILED = ("failed", "unreadable")


@dataclass(frozen=True)
class IngestedCapture:
    """What became of one file."""

    path: str
    kind: str
    status: str
    reason: str
    bytes: int
    rows: int
    seconds: float | None
    """Time it took; None when nothing was to be done."""


@dataclass
class IngestReport:
    """What an ingest found and did."""

    store: Path
    captures: list[IngestedCapture] = field(default_factory=list)

    @property
    def ingested(self) -> int:
        """Captures decoded now."""
        return sum(c.status == "ingested" and c.seconds is not None for c in self.captures)

    @property
    def skipped(self) -> int:
        """Captures that the store already held."""
        return sum(c.status == "ingested" and c.seconds is None for c in self.captures)

    @property
    def failed(self) -> int:
        """Captures that could not be read (fully)."""
        return sum(c.status in FAILED for c in self.captures)

    @property
    def usable(self) -> bool:
        """Whether anything was read that can be asked about, now or before."""
        return any(c.status == "ingested" or c.rows for c in self.captures)

    @property
    def not_understood(self) -> int:
        """Files of no known format."""
        return sum(c.status == "not_understood" for c in self.captures)


def ingest(
    case: str | Path,
    store: str | Path | None = None,
    *,
    jobs: int | None = None,
    counters: tuple[str, ...] = (),
    encoding: str | None = None,
    utc_offsets: dict[str, int] | None = None,
    progress: bool = False,
) -> IngestReport:
    """Bring the store of a case up to date.

    Unchanged contents are not read again. Nothing that was stored is lost when this fails.

    Parameters
    ----------
    case
        Folder of captures.
    store
        Folder of the store; default ``CASE/.agtrace``.
    jobs
        Processes to decode with.
    counters
        Globs of counter paths; only these are decoded.
    encoding
        Overrides the guess of the encoding of text captures.
    utc_offsets
        Minutes local minus UTC by host name, ``"*"`` for all; kept in the store, used where no
        capture tells.
    progress
        Show a progress bar on the terminal.

    Raises
    ------
    CaseError
        There is no such folder, or nothing in it, or no such encoding.
    StoreError
        The store cannot be written, or another process writes it.
    """
    if encoding is not None and not is_encoding(encoding):
        raise CaseError(f"{encoding!r} is no character encoding", "name one such as cp1251")
    folder = Path(case)
    places, settled = find_captures(folder)
    kept = open_store(folder, store)
    options = ReadOptions(counters=tuple(counters), encoding=encoding)
    before, offsets_before = kept.captures(), kept.utc_offsets()
    known = {(c.path, c.bytes, c.mtime_ns): c for c in before}
    found = _identify(places, known) + settled
    found.sort(key=lambda capture: capture.path)
    records = kept.records()
    work = _plan(places, found, records, kept, options)
    seconds: dict[str, float] = {}
    offsets = offsets_before | (utc_offsets or {})
    if work or found != before or offsets != offsets_before:
        with kept.lock():
            kept.write_utc_offsets(offsets)
            kept.remove_unnamed_parts()
            for outcome in _run(work, jobs, progress):
                records[outcome.record.content_id] = outcome.record
                seconds[outcome.record.content_id] = outcome.seconds
            kept.write_captures(found)
    return IngestReport(kept.root, [_describe(capture, records, seconds) for capture in found])


def _identify(
    places: list[Place], known: dict[tuple[str, int, int], FoundCapture]
) -> list[FoundCapture]:
    def identify(place: Place) -> FoundCapture:
        before = known.get((place.shown, place.bytes, place.mtime_ns))
        if before and before.content_id:
            return before
        try:
            return FoundCapture(place.shown, place.bytes, place.mtime_ns, content_id(place))
        except CaptureError as error:
            return FoundCapture(
                place.shown, place.bytes, place.mtime_ns, None, "unreadable", reason=str(error)
            )

    # Hashing releases the GIL.
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(identify, places))


def _plan(
    places: list[Place],
    found: list[FoundCapture],
    records: dict[str, CommitRecord],
    store: Store,
    options: ReadOptions,
) -> list[Job]:
    ids = {capture.path: capture.content_id for capture in found}
    jobs: dict[str, Job] = {}
    for place in places:
        content = ids[place.shown]
        if content and content not in jobs and not _is_current(records.get(content), options):
            jobs[content] = Job(place, content, store.root, options)
    return sorted(jobs.values(), key=lambda job: -job.place.bytes)


def _is_current(record: CommitRecord | None, options: ReadOptions) -> bool:
    if record is None:
        return False
    if record.part is None:
        return record.readers == readers_fingerprint()
    version = {reader.name: reader.version for reader in readers()}.get(record.reader or "")
    return record.reader_version == version and record.options == options_key(options)


def _run(work: list[Job], jobs: int | None, progress: bool) -> list[Outcome]:
    if not work:
        return []
    if not progress:
        return list(run_jobs(work, jobs, lambda _bytes: None))
    from tqdm import tqdm

    total = sum(job.place.bytes for job in work)
    # disable=None: silent when the output is not a terminal.
    with tqdm(
        total=total, unit="B", unit_scale=True, desc="reading", disable=None, leave=False
    ) as bar:
        advance: Callable[[int], None] = bar.update
        return list(run_jobs(work, jobs, advance))


def _describe(
    capture: FoundCapture, records: dict[str, CommitRecord], seconds: dict[str, float]
) -> IngestedCapture:
    record = records.get(capture.content_id or "")
    if record is None:
        return IngestedCapture(
            capture.path,
            capture.kind,
            capture.status or "failed",
            capture.reason,
            capture.bytes,
            0,
            None,
        )
    return IngestedCapture(
        capture.path,
        record.kind,
        record.status,
        record.reason,
        capture.bytes,
        record.rows,
        seconds.get(record.content_id),
    )
