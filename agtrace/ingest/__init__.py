"""Ingest: find what is in a case folder, decode what is new, keep it in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from agtrace.engines import Engine
from agtrace.errors import CaseError, StoreError
from agtrace.globs import named
from agtrace.ingest.archives import Listings, Unpacked, unpacked_folder
from agtrace.ingest.discover import Found, find_files, with_members
from agtrace.ingest.engine import run_jobs
from agtrace.ingest.job import Job, Outcome
from agtrace.ingest.redacted import redacted_store
from agtrace.ingest.remote import case_folder, find_remote
from agtrace.ingest.update import Update
from agtrace.ingested import IngestedCapture, IngestReport
from agtrace.readers import ReadOptions
from agtrace.readers.text import is_encoding
from agtrace.storage import is_url, url_of
from agtrace.store import CommitRecord, FoundCapture, Store, open_store, set_aside

__all__ = ["case_folder", "ingest"]


def ingest(
    case: str | Path,
    store: str | Path | None = None,
    *,
    jobs: int | None = None,
    counters: str | Iterable[str] = (),
    encoding: str | None = None,
    progress: bool = False,
    follow_links: bool = False,
    trust_store: bool = False,
    engine: Engine | None = None,
    seen: Callable[[int], None] = lambda _bytes: None,
) -> IngestReport:
    """Bring the store of a case up to date.

    Unchanged contents are not read again. Nothing that was stored is lost when this fails.

    Parameters
    ----------
    case
        Folder of captures, or the URL of one.
    store
        Folder of the store, or a URL; default ``CASE/.agtrace``.
    jobs
        Processes to decode with.
    counters
        Glob of counter paths, or several; only these are decoded.
    encoding
        Overrides the guess of the encoding of text captures.
    progress
        Show a progress bar on the terminal.
    follow_links
        Read links to files outside of the case, too; they are named and not read otherwise.
    trust_store
        Use the store in the case although it was made by somebody else, or elsewhere; where it can be
        written, it is this user's from then on.
    engine
        Where captures are decoded; default processes of this machine. Workers elsewhere must see the
        case and its store under the same paths.
    seen
        Told bytes as they are read, where no progress bar is shown.

    Raises
    ------
    CaseError
        There is no such folder, or nothing in it, or no such encoding.
    StoreError
        The store cannot be written, or another process writes it.
    EngineError
        The engine has nobody to do the work.
    """
    if encoding is not None and not is_encoding(encoding):
        raise CaseError(f"{encoding!r} is no character encoding", "name one such as cp1251")
    folder = case_folder(case)
    if (without_names := redacted_store(folder, trust=trust_store)) is not None:
        return _stored(without_names)
    options = ReadOptions(counters=named(counters), encoding=encoding)
    if trust_store and store is None:
        # Before the folder is looked at: a store that is ours is no part of the case.
        set_aside(folder, trust=True)
    with unpacked_folder() as unpacked:
        if url := url_of(folder):
            found = find_remote(url, unpacked, str(store) if is_url(store) else None)
        else:
            own = Path(store) if store and not is_url(store) else None
            found = find_files(folder, follow_links=follow_links, own=own)
        strange = set_aside(folder, trust=trust_store) if store is None else None
        kept = open_store(folder, store, trust=trust_store)
        update, seconds = _updated(
            kept, options, found, unpacked, lambda work: _run(work, jobs, engine, progress, seen)
        )
        notes = [note for note in (strange, *kept.damage()) if note]
    return IngestReport(
        kept.root, [_describe(capture, update.records, seconds) for capture in update.found], notes
    )


def _stored(kept: Store) -> IngestReport:
    """Report what a store holds to which nothing can be added."""
    records = kept.records()
    return IngestReport(
        kept.root, [_describe(capture, records, {}) for capture in kept.captures()], kept.damage()
    )


def _updated(
    kept: Store,
    options: ReadOptions,
    found: Found,
    unpacked: Unpacked,
    decode: Callable[[list[Job]], Iterator[Outcome]],
) -> tuple[Update, dict[str, float]]:
    """Bring the store up to date; give what was done, and the seconds that each content took."""
    listings = Listings(kept.archives())
    update = Update(kept, options, *with_members(found, listings, unpacked))
    seconds: dict[str, float] = {}
    listed = listings.to_keep
    # A lock without any work is one that a killed process has left: taking it over removes it.
    if update.work or update.is_changed or update.stale or listed or kept.is_locked():
        try:
            with kept.lock() as lock:
                kept.remove_leftovers(update.records)
                seconds = update.run(lock, decode)
                lock.check()
                # Of workers that were lost on the way.
                kept.remove_leftovers(update.records)
                if listed:
                    kept.write_archives(listed)
                if update.work:
                    kept.write_unread(update.records.values())
                kept.write_captures(update.found)
        except StoreError:
            # Another writer is at it, or the case is read-only by now: what is wanted here may all
            # be stored already.
            if update.is_needed:
                raise
    return update, seconds


def _run(
    work: list[Job], jobs: int | None, engine: Engine | None, progress: bool, seen: Callable[[int], None]
) -> Iterator[Outcome]:
    if not progress:
        yield from run_jobs(work, jobs, seen, engine)
        return
    from tqdm import tqdm

    total = sum(job.place.bytes for job in work)
    # disable=None: silent when the output is not a terminal.
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        advance: Callable[[int], None] = bar.update
        bar.set_description(f"reading {len(work):,} files")
        for done, outcome in enumerate(run_jobs(work, jobs, advance, engine), 1):
            yield outcome
            bar.set_description(f"read {done:,} of {len(work):,} files")


def _describe(
    capture: FoundCapture, records: dict[str, CommitRecord], seconds: dict[str, float]
) -> IngestedCapture:
    record = records.get(capture.content_id or "")
    if record is None:
        return IngestedCapture(
            capture.path, capture.kind, capture.status or "failed", capture.reason, capture.bytes, 0, None
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
