"""Decode one content into one part: a pure job, the same in this process or another."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, BinaryIO, cast

from agtrace import interrupts, moving
from agtrace.errors import MORE_FILES, AgtraceError, CaptureError, StoreError, is_exhausted
from agtrace.ingest.archives import unpacked_folder
from agtrace.ingest.discover import Place, content_id
from agtrace.ingest.summary import Summariser
from agtrace.readers import ReadOptions, detect, issue, readers
from agtrace.readers.base import HEAD_BYTES, Divisible, Reader, Source
from agtrace.readers.vast_values import without_vast
from agtrace.storage import is_url
from agtrace.store import CommitRecord, store_at
from agtrace.store.parts import PartWriter


@dataclass(frozen=True)
class Job:
    """One content to decode."""

    place: Place
    content_id: str
    store: str
    """Its folder, absolute, or its URL."""
    options: ReadOptions
    away: bool = False
    """Whether it is done on another machine, where nothing of it may be left behind."""
    beside: tuple[Place, ...] = ()
    """What lies in the same folder and may settle what the capture leaves open."""
    contents_beside: tuple[str, ...] = ()
    """The content ids of what lies beside it."""


@dataclass(frozen=True)
class Outcome:
    """What became of a job, small enough to travel between processes."""

    record: CommitRecord
    seconds: float
    changed: bool = False
    """The file was not the one that had been found, at some time while it was read: what was read of
    it may be of another content, and must not be kept."""
    issues: tuple[dict[str, Any], ...] = ()
    """What was met in a span of the content, in place of rows in its part."""


def readers_fingerprint() -> str:
    """Name all readers with their versions: what was not understood is asked again when it changes."""
    return _fingerprint(readers())


@cache
def _fingerprint(known: tuple[Reader, ...]) -> str:
    return " ".join(f"{reader.name}-{reader.version}" for reader in known)


def key_of(job: Job) -> str:
    """Name what a job does: its content, how it is read, and nothing of where that lies."""
    how = replace(job.options, span=None)
    span = job.options.span
    stretch = f"-{span.begin}-{span.end}" if span else ""
    return f"decode-{job.content_id}-{_digest_of(readers_fingerprint(), how, job.contents_beside)}{stretch}"


@lru_cache(64)
def _digest_of(fingerprint: str, options: ReadOptions, contents_beside: tuple[str, ...]) -> str:
    how = json.dumps([fingerprint, options_key(options), contents_beside], sort_keys=True)
    return hashlib.sha256(how.encode()).hexdigest()[:16]


def lost(job: Job, reason: str) -> Outcome:
    """Return the outcome of a job that killed its worker: the capture failed, the others go on."""
    record = CommitRecord(
        job.content_id,
        job.place.bytes,
        kind="",
        status="failed",
        reason=f"{job.place.shown}: cannot be read ({reason})",
        readers=readers_fingerprint(),
    )
    return Outcome(record, 0.0)


def run(job: Job, seen: Callable[[int], None] | None = None) -> Outcome:
    """Detect, read and write one content into a part that the caller commits or discards.

    Parameters
    ----------
    job
        What to decode.
    seen
        Told the bytes decoded so far, for progress.

    Raises
    ------
    StoreError
        The store cannot be written. Faults of the capture never raise: they are in the record.
    """
    start = time.perf_counter()
    issues: list[dict[str, Any]] = []
    with _made_local(job) as here:
        record = _decode(here, seen or (lambda _bytes: None), issues)
    # An interrupt that a library swallowed has cut the capture short.
    interrupts.check()
    return Outcome(record, time.perf_counter() - start, _has_changed(job), tuple(issues))


def rows_in(job: Job, _seen: Callable[[int], None]) -> int | None:
    """Count the rows of the span that a job is to decode; None where its content cannot be divided."""
    source = job.place.source_of_spans()
    try:
        found = detect(source.head(), source.name)
        if found is None or not found[1].readable or not isinstance(found[0], Divisible):
            return None
        return found[0].rows_in(source, job.options)
    except (OSError, AgtraceError, OverflowError):
        # Reading it whole will say what is the matter.
        return None


@contextlib.contextmanager
def _made_local(job: Job) -> Iterator[Job]:
    """Yield the job for this machine: files at a URL are fetched for its duration."""
    if not job.place.url or job.options.span:
        yield job
    elif job.away:
        with unpacked_folder() as own:
            beside = tuple(each.moved(own) if each.url else each for each in job.beside)
            yield replace(job, place=job.place.moved(own), beside=beside)
    else:
        try:
            yield job
        finally:
            # An archive is fetched once for all of its members.
            if job.place.member is None:
                moving.remove(job.place.file)


def _has_changed(job: Job) -> bool:
    """Verify that what was read is what had been found.

    Each opened file was compared with the one that was found; here the one that lies there now is.
    A file so new that its times would not tell is hashed once more.
    """
    place = job.place
    if not place.stamp:
        return False
    if not place.is_unchanged():
        return True
    try:
        return place.is_fresh() and content_id(place) != job.content_id
    except CaptureError:
        return True


def _decode(job: Job, seen: Callable[[int], None], issues: list[dict[str, Any]]) -> CommitRecord:
    record = CommitRecord(
        job.content_id, job.place.bytes, kind="", status="not_understood", readers=readers_fingerprint()
    )
    source = job.place.source_of_spans() if job.options.span else job.place.source()
    try:
        with source.open() as file:
            found = detect(file.read(HEAD_BYTES), source.name)
    except (OSError, AgtraceError) as error:
        if is_exhausted(error):
            raise StoreError(f"{job.place.shown}: too many files are open", MORE_FILES) from error
        return replace(record, status="failed", reason=str(error))
    if found is None:
        return replace(record, reason="no reader knows this format")
    reader, hit = found
    record = replace(record, kind=hit.kind, reader=reader.name, reader_version=reader.version)
    if not hit.readable:
        return replace(record, status="recognised", reason=hit.reason)
    store = store_at(job.store)
    with store.part(job.content_id, f"{reader.name}-{reader.version}") as part:
        record = _read(job, source, reader, part, record, seen, issues)
        store.deliver(record)
    if job.away and is_url(job.store):
        store.drop(record)
    return record


def _read(
    job: Job,
    source: Source,
    reader: Reader,
    part: PartWriter,
    record: CommitRecord,
    seen: Callable[[int], None],
    issues: list[dict[str, Any]],
) -> CommitRecord:
    summariser = Summariser()
    asked: list[str] | None = None

    def beside() -> tuple[Source, ...]:
        nonlocal asked
        asked = sorted(job.contents_beside)
        return tuple(place.source() for place in job.beside)

    status, reason = "ingested", ""
    watched = replace(source, open=lambda: cast(BinaryIO, _Watched(source.open(), seen)), beside=beside)
    try:
        for table, batch in without_vast(reader.read(watched, job.options)):
            if job.options.span and table == "issues":
                issues.extend(batch.to_pylist())
                continue
            if job.options.span is None:
                # Of spans it is told when they are put together.
                summariser.see(table, batch)
            part.write(table, batch)
    except StoreError:
        raise
    except Exception as error:
        interrupts.raise_again(error)
        if is_exhausted(error):
            raise StoreError(f"{job.place.shown}: too many files are open", MORE_FILES) from error
        # What came before the fault stays; the fault itself becomes an issue. One capture, be it
        # hostile or our own defect, never stops the others.
        status, reason = "failed", why(error, reader, job.place.shown)
        offset = error.offset if isinstance(error, CaptureError) else None
        part.write(*issue("unreadable", reason, severity="data_loss", offset=offset))
    part.finish()
    return replace(
        record,
        status=status,
        reason=reason,
        options=options_key(job.options),
        beside=asked,
        part=part.name,
        tables=dict(part.rows),
        files=dict(part.files),
        summary=summariser.summary(),
    )


def why(error: Exception, reader: Reader, shown: str) -> str:
    """Explain in one line why a capture could not be read."""
    if isinstance(error, CaptureError):
        return str(error)
    if isinstance(error, (OSError, EOFError)):
        return f"{shown}: cannot be read ({error})"
    return f"{shown}: the {reader.name} reader failed ({type(error).__name__}: {error}); please report this"


class _Watched(io.RawIOBase):
    """Tells how many bytes of a capture have been read."""

    def __init__(self, file: BinaryIO, seen: Callable[[int], None]) -> None:
        self._file = file
        self._seen = seen

    def read(self, size: int = -1) -> bytes:
        block = self._file.read(size)
        self._seen(len(block))
        return block

    def readinto(self, buffer: Any) -> int:
        block = self.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def close(self) -> None:
        self._file.close()
        super().close()


def options_key(options: ReadOptions) -> dict[str, object]:
    """Return the options that change what is stored, in a form that survives JSON unchanged."""
    key: dict[str, object] = {}
    if options.counters:
        key["counters"] = sorted(options.counters)
    if options.encoding:
        key["encoding"] = options.encoding
    return key
