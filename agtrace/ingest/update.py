"""What an ingest has to do, and doing it: what is kept is what was found, or nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property

from agtrace.errors import CaptureError
from agtrace.ingest.discover import FRESH_NS, ChangedError, Place, content_id
from agtrace.ingest.job import Job, Outcome, options_key, readers_fingerprint
from agtrace.ingested import FAILED
from agtrace.readers import ReadOptions, asked_beside, reader
from agtrace.store import CommitRecord, FoundCapture, Store
from agtrace.store.lock import WriterLock

ATTEMPTS = 3
"""How often a file is read that changes meanwhile."""

MOST_BESIDE = 20
"""How many files of a folder a reader may ask for what its own leaves open."""

CHANGED = "it changed while it was read - ingest again when nothing writes to it any more"

Known = dict[tuple[str, int, int, int], FoundCapture]


class Update:
    """Brings a store up to date with what was found in a case.

    Parameters
    ----------
    store
        The store.
    options
        How to read.
    places, settled
        What was found (`agtrace.ingest.discover.with_members`).
    """

    def __init__(
        self, store: Store, options: ReadOptions, places: list[Place], settled: list[FoundCapture]
    ) -> None:
        self.store = store
        self.options = options
        self.records = store.records()
        self.before = store.captures()
        self._settled = settled
        self._places = {place.shown: place for place in places}
        known, self.stale = _known(self.before, store.written_at_ns())
        # Hashing releases the GIL.
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda place: self._identify(place, known), places))
        self._found = {capture.path: capture for capture in found}
        self.work = self._plan()

    @property
    def found(self) -> list[FoundCapture]:
        """What lies in the case, with the content of each, sorted by path."""
        return sorted((*self._found.values(), *self._settled), key=lambda c: c.path)

    @property
    def is_needed(self) -> bool:
        """Return whether there is anything to store that was not stored before.

        Trying failures again, and looking once more at files that had just been written, is not, nor
        are the times of files: what is mounted elsewhere, or read-only, may have others.
        """
        new = any(
            job.content_id not in self.records or self.records[job.content_id].status not in FAILED
            for job in self.work
        )
        return new or [*map(_untimed, self.found)] != [*map(_untimed, self.before)]

    @property
    def is_changed(self) -> bool:
        """Return whether anything differs from when it was stored."""
        return self.found != self.before

    def run(self, lock: WriterLock, decode: Callable[[list[Job]], Iterable[Outcome]]) -> dict[str, float]:
        """Decode what is to be decoded, and keep it.

        Parameters
        ----------
        lock
            The writer's lock, held.
        decode
            Runs jobs and gives their outcomes as they end.

        Returns
        -------
        dict
            Seconds that each content took, by content_id.
        """
        seconds: dict[str, float] = {}
        work = self.work
        for _ in range(ATTEMPTS):
            shown = {job.content_id: job.place.shown for job in work}
            changed = []
            for outcome in decode(work):
                content = outcome.record.content_id
                if outcome.changed:
                    self.store.discard(outcome.record)
                    changed.append(shown[content])
                else:
                    self._keep(outcome.record, lock)
                    seconds[content] = outcome.seconds
            for path in changed:
                self._found[path] = self._identify(self._places[path].looked_at_again(), {})
            # A content may lie in two places, of which only one changed.
            work = [job for job in self._plan() if changed and job.content_id not in seconds]
            if not work:
                return seconds
        for job in work:
            self._found[job.place.shown] = replace(
                self._found[job.place.shown], content_id=None, status="failed", reason=CHANGED
            )
        return seconds

    def _keep(self, record: CommitRecord, lock: WriterLock) -> None:
        before = self.records.get(record.content_id)
        if before and before.status in FAILED and replace(before, part=record.part) == record:
            # It failed as it had failed before: nothing is gained by another copy.
            self.store.discard(record)
            return
        if record.part is not None:
            lock.check()
            self.store.commit(record)
        self.records[record.content_id] = record

    def _identify(self, place: Place, known: Known) -> FoundCapture:
        for _ in range(ATTEMPTS):
            changed_ns = place.stamp[-1] if place.stamp else 0
            before = known.get((place.shown, place.bytes, place.mtime_ns, changed_ns))
            if before:
                return before
            status, content = None, None
            self._places[place.shown] = place
            try:
                content, reason = content_id(place), ""
            except ChangedError:
                status, reason = "failed", CHANGED
                place = place.looked_at_again()
                continue
            except CaptureError as error:
                status, reason = "unreadable", str(error)
            break
        return FoundCapture(
            place.shown, place.bytes, place.mtime_ns, content, status, reason=reason, changed_ns=changed_ns
        )

    def _plan(self) -> list[Job]:
        paths: dict[str, str] = {}
        for path, capture in self._found.items():
            if capture.content_id:
                # What lies in several places is read at the first of them.
                paths.setdefault(capture.content_id, path)
        neighbours = _Neighbours(self._places, self._found)
        jobs = []
        for content, path in paths.items():
            if self._is_current(content, path, neighbours):
                continue
            places, contents = neighbours.of(path)
            place = _anywhere(self._places[path])
            jobs.append(
                Job(place, content, self.store.place, self.options, beside=places, contents_beside=contents)
            )
        return _ordered(jobs)

    def _is_current(self, content: str, path: str, neighbours: _Neighbours) -> bool:
        record = self.records.get(content)
        if record is None or record.status in FAILED:
            # Why it failed may have been the disk, or the network that it lay on.
            return False
        if record.part is None:
            return record.readers == readers_fingerprint()
        known = reader(record.reader or "")
        version = known.version if known else None
        if record.reader_version != version or record.options != options_key(self.options):
            return False
        return record.beside is None or record.beside == sorted(neighbours.of(path)[1])


class _Neighbours:
    """What lies beside captures and settles what they leave open; looked up when first asked for.

    Parameters
    ----------
    places, found
        Where everything lies, and what it is, by path.
    """

    def __init__(self, places: dict[str, Place], found: dict[str, FoundCapture]) -> None:
        self._places = places
        self._found = found

    def of(self, path: str) -> tuple[tuple[Place, ...], tuple[str, ...]]:
        """Return the places and contents of the files beside a capture."""
        return self._by_folder.get(_folder(path), ((), ()))

    @cached_property
    def _by_folder(self) -> dict[str, tuple[tuple[Place, ...], tuple[str, ...]]]:
        told: dict[str, list[tuple[Place, str]]] = defaultdict(list)
        for path, place in self._places.items():
            content = self._found[path].content_id
            if content and asked_beside(path.rpartition("/")[2]):
                told[_folder(path)].append((_anywhere(place), content))
        return {
            folder: (
                tuple(place for place, _content in named[:MOST_BESIDE]),
                tuple(content for _place, content in named[:MOST_BESIDE]),
            )
            for folder, named in told.items()
        }


def _untimed(capture: FoundCapture) -> FoundCapture:
    return replace(capture, mtime_ns=0, changed_ns=0)


def _ordered(jobs: list[Job]) -> list[Job]:
    """Put the largest first; what is unpacked together is read together."""
    stream = {id(job): _stream(job.place) for job in jobs}
    largest: dict[tuple[object, ...], int] = defaultdict(int)
    for job in jobs:
        largest[stream[id(job)]] = max(largest[stream[id(job)]], job.place.bytes)
    first: dict[tuple[object, ...], int] = {}
    for place, each in enumerate(sorted(largest, key=lambda each: -largest[each])):
        first[each] = place
    return sorted(jobs, key=lambda job: (first[stream[id(job)]], -job.place.bytes))


def _stream(place: Place) -> tuple[object, ...]:
    """Name what a capture is read from: its file, or what of an archive is unpacked as a whole."""
    within = place.member.within if place.member else None
    return (place.file, within) if within else (place.shown,)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _anywhere(place: Place) -> Place:
    """Return the place with an absolute path, for workers in other folders."""
    return replace(place, file=place.file.absolute())


def _known(before: list[FoundCapture], written_ns: int) -> tuple[Known, bool]:
    """Return the captures that need no new hash, by their earlier status.

    A file that changed about when it was hashed may have changed once more since, at the same time
    as its file system counts: it is hashed again, and the second value tells that there are such.
    """
    fresh = {c.path for c in before if abs(written_ns - max(c.mtime_ns, c.changed_ns)) < FRESH_NS}
    known = {
        (c.path, c.bytes, c.mtime_ns, c.changed_ns): c for c in before if c.content_id and c.path not in fresh
    }
    return known, bool(fresh)
