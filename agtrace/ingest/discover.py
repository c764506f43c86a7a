"""What lies in a case folder: every file, and the members of archives, with its content id."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from agtrace import moving
from agtrace.errors import CaptureError, CaseError, is_exhausted
from agtrace.ingest.archives import HEAD_BYTES as ARCHIVE_HEAD_BYTES
from agtrace.ingest.archives import ArchiveKind, Budget, Entry, Listings, Look, Member, Unpacked, kind_of
from agtrace.ingest.archives.listings import Listing
from agtrace.ingest.walk import walk
from agtrace.inputs import open_input
from agtrace.printable import printable
from agtrace.readers.base import HEAD_BYTES, Source
from agtrace.storage import Remote, RemoteFile
from agtrace.store import FoundCapture

Stamp = tuple[int, ...]
FRESH_NS = 2 * 10**9
"""The coarsest clock of a file system: two changes within it may bear one time."""
LONGEST_SHOWN = 400
"""Characters of a path that is told of a folder that cannot be gone into."""


class ChangedError(CaptureError):
    """A capture is not the file any more that was found: what is read now is of another content."""


@dataclass(frozen=True)
class Place:
    """Where the bytes of a capture lie: a file, or a member of an archive. Picklable."""

    file: Path
    shown: str
    bytes: int
    mtime_ns: int
    member: Member | None = None
    """Where in an archive: names in it need not be unique."""
    unpacked: Unpacked | None = None
    """Where archives are unpacked that lie packed themselves; there when ``member`` is."""
    stamp: Stamp = ()
    """What the file looked like when it was found; empty: whatever lies there is read."""
    seen_ns: int = 0
    """When that was (ns since 1970); 0 where the storage itself tells each change."""
    url: str = ""
    """Where the file lies, when not on this machine; ``file`` is what it is called when fetched."""

    def source(self) -> Source:
        """Return the reader's view of it. Its bytes are always those of the file that was found.

        Opening raises `ChangedError` when another file lies there now.
        """
        return Source(self.shown, self.bytes, self._open)

    def _open(self) -> BinaryIO:
        path = self.fetched()
        if self.member is None or self.unpacked is None:
            file: BinaryIO = open_input(path)
            same = bool(self.url) or not self.stamp or stamp_of(os.fstat(file.fileno())) == self.stamp
        else:
            file = self.unpacked.open(path, self.member, self.shown)
            same = bool(self.url) or not self.stamp or self.is_unchanged()
        if not same:
            file.close()
            raise ChangedError(self.shown, "changed while it was read")
        return file

    def fetched(self) -> Path:
        """Return the local file, fetching it if needed.

        Raises
        ------
        ChangedError
            Another file lies at the URL now.
        """
        if self.url and not self.file.exists():
            Remote(self.url).fetch("", self.file)
            if not self.is_unchanged():
                moving.remove(self.file)
                raise ChangedError(self.shown, "changed while it was fetched")
        return self.file

    def whole(self) -> BinaryIO:
        """Open the bytes to be read once, or some of them: nothing is fetched for that."""
        if self.url and self.member is None and not self.file.exists():
            return Remote(self.url).open()
        return self.source().open()

    def source_of_spans(self) -> Source:
        """Return a view for partial reads: from a URL nothing else is fetched."""
        return Source(self.shown, self.bytes, self.whole)

    def moved(self, unpacked: Unpacked) -> Place:
        """Return the same place for a machine that fetches into a folder of its own."""
        return replace(self, file=unpacked.folder / self.file.name, unpacked=unpacked)

    def is_unchanged(self) -> bool:
        """Return whether the file that was found is still there, unchanged."""
        if self.url:
            there = Remote(self.url).look()
            return there is not None and remote_stamp(there) == self.stamp
        try:
            return stamp_of(self.file.stat()) == self.stamp
        except OSError:
            return False

    def is_fresh(self) -> bool:
        """Return whether it was found so soon after a write that its times may hide a change."""
        return bool(self.stamp) and abs(self.seen_ns - max(self.stamp[2:])) < FRESH_NS

    def looked_at_again(self) -> Place:
        """Return the place with the file now there; an archive is only listed by the next ingest."""
        if self.member is not None:
            return self
        if self.url:
            there = Remote(self.url).look()
            if there is None or self.unpacked is None:
                return replace(self, stamp=())
            return remote_place(self.url, self.shown, there, self.unpacked)
        try:
            status = self.file.stat()
        except OSError:
            # Opening it says what is the matter.
            return replace(self, stamp=())
        return replace(self, bytes=status.st_size, mtime_ns=status.st_mtime_ns).looked_at(status)

    def looked_at(self, status: os.stat_result) -> Place:
        """Return the same place with the file that is there now."""
        return replace(self, stamp=stamp_of(status), seen_ns=time.time_ns())


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the parts of a file's status that follow its bytes: number, size, times."""
    if os.name == "nt":
        # A path and an open file are not told the same number and creation time there.
        return (0, status.st_size, status.st_mtime_ns, status.st_mtime_ns)
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def remote_stamp(file: RemoteFile) -> Stamp:
    """Return the parts of a URL's file status that follow its bytes."""
    return (0, file.bytes, file.mtime_ns, file.version)


def remote_place(url: str, shown: str, file: RemoteFile, unpacked: Unpacked) -> Place:
    """Return the place of a file at a URL, which is only fetched for decoding."""
    name = hashlib.sha256(f"{url}\n{file.version}".encode("utf-8", "surrogatepass")).hexdigest()
    return Place(
        unpacked.folder / f"fetched-{name[:32]}",
        shown,
        file.bytes,
        file.mtime_ns,
        unpacked=unpacked,
        stamp=remote_stamp(file),
        url=url,
    )


@dataclass
class Found:
    """What a walk over a case folder found.

    Parameters
    ----------
    places
        What may be decoded.
    archives
        What has to be looked into, by kind.
    settled
        What is known not to be decoded (empty, unreadable, a link).
    """

    places: list[Place] = field(default_factory=list)
    archives: list[tuple[Place, ArchiveKind]] = field(default_factory=list)
    settled: list[FoundCapture] = field(default_factory=list)


def find_files(case: Path, *, follow_links: bool = False, own: Path | None = None) -> Found:
    """Walk a case folder.

    Parameters
    ----------
    case
        Folder of captures, an archive of them, or one capture.
    follow_links, own
        As in `agtrace.ingest.walk.walk`.

    Raises
    ------
    CaseError
        It does not exist, is a device or pipe, or holds no file at all.
    """
    if not case.exists():
        raise CaseError(f"{case}: no such folder", "name the folder that holds the captures")
    if not case.is_dir() and not case.is_file():
        raise CaseError(f"{case}: neither a folder nor a file", "name the folder that holds the captures")
    found = Found()
    walked = walk(case, follow_links=follow_links, own=own)
    for path in sorted(walked.files):
        shown = _shown(path, case)
        try:
            status = status_of(path)
            if not status.st_size:
                found.settled.append(
                    FoundCapture(shown, 0, status.st_mtime_ns, None, "empty", reason="0 bytes")
                )
                continue
            with open_input(path) as file:
                kind = kind_of(file.read(ARCHIVE_HEAD_BYTES))
        except OSError as error:
            if is_exhausted(error):
                raise
            reason = error.strerror or str(error)
            found.settled.append(FoundCapture(shown, 0, 0, None, "unreadable", reason=reason))
            continue
        place = Place(path, shown, status.st_size, status.st_mtime_ns).looked_at(status)
        if kind:
            found.archives.append((place, kind))
        else:
            found.places.append(place)
    for passed in walked.passed:
        shown = _shown(passed.path, case)
        found.settled.append(FoundCapture(shown, 0, 0, None, "recognised", passed.kind, passed.reason))
    for fault in walked.closed:
        if is_exhausted(fault):
            raise fault
        shown = _shortened(_shown(Path(fault.filename), case))
        reason = f"folder: {fault.strerror or fault}"
        found.settled.append(FoundCapture(shown, 0, 0, None, "unreadable", reason=reason))
    if not (found.places or found.archives or found.settled):
        raise CaseError(f"{case}: there is no file in it", "drop the captures into it first")
    return found


def with_members(
    found: Found, listings: Listings, unpacked: Unpacked
) -> tuple[list[Place], list[FoundCapture]]:
    """Look into the archives among what was found.

    Parameters
    ----------
    found
        What the walk found.
    listings
        What archives held the last time; told what they hold now.
    unpacked
        Where archives are unpacked that lie packed themselves.

    Returns
    -------
    tuple of list of Place and list of FoundCapture
        What may be decoded, and what is already known not to be (empty, unreadable, archives). No
        two have one path.
    """
    places, settled = list(found.places), list(found.settled)
    budget = Budget()
    for place, kind in found.archives:
        inside, rest = members(place, kind, budget, unpacked, listings)
        places += inside
        settled += rest
    places.sort(key=lambda place: place.shown)
    taken: dict[str, int] = {}
    return (
        [replace(place, shown=_only_one(place.shown, taken)) for place in places],
        [replace(capture, path=_only_one(capture.path, taken)) for capture in settled],
    )


def is_archive(path: Path) -> bool:
    """Return whether a file is an archive, and so a possible case; False if it cannot be read."""
    try:
        with open_input(path) as file:
            return kind_of(file.read(ARCHIVE_HEAD_BYTES)) is not None
    except OSError:
        return False


def _shown(path: Path, case: Path) -> str:
    # An archive that is the case itself goes by its own name.
    return printable(path.name if path == case else path.relative_to(case).as_posix())


def _shortened(shown: str) -> str:
    if len(shown) <= LONGEST_SHOWN:
        return shown
    half = LONGEST_SHOWN // 2
    return f"{shown[:half]}...{shown[-half:]}"


def _only_one(shown: str, taken: dict[str, int]) -> str:
    """Append a number to a path that is shown like another: captures are known by their paths.

    An archive may hold one name twice, and a name may be written like the escapes of another.
    """
    name, count = shown, taken.get(shown, 0)
    while name in taken:
        count += 1
        name = f"{shown} ({count + 1})" if count else shown
    taken[shown] = count
    taken.setdefault(name, 0)
    return name


def status_of(path: Path) -> os.stat_result:
    """Look at a file."""
    return path.stat()


def members(
    place: Place, kind: ArchiveKind, budget: Budget, unpacked: Unpacked, listings: Listings | None = None
) -> tuple[list[Place], list[FoundCapture]]:
    """Look into an archive: what may be decoded, and what is too large, encrypted, empty or damaged."""
    allowance = budget.of_file(place.bytes)
    before = listings.known(place.shown, place.stamp) if listings else None
    if before:
        allowance.spend(before.spent)
        entries = before.entries
    else:
        try:
            entries = Look(place.fetched(), unpacked, allowance).entries(kind, place.bytes)
        except OSError as error:
            if is_exhausted(error):
                raise
            reason = f"cannot be looked into ({error})"
            entries = [Entry("", place.bytes, None, "failed", kind.name, reason)]
        else:
            # A file that was just written may change once more without its times changing.
            if listings and not allowance.is_short and not place.is_fresh():
                listings.keep(place.shown, Listing(place.stamp, entries, allowance.spent))
    inside: list[Place] = []
    rest: list[FoundCapture] = []
    for entry in entries:
        shown = printable(place.shown + entry.name)
        if entry.member:
            inside.append(
                replace(place, shown=shown, bytes=entry.bytes, member=entry.member, unpacked=unpacked)
            )
        else:
            rest.append(
                FoundCapture(shown, entry.bytes, place.mtime_ns, None, entry.status, entry.kind, entry.reason)
            )
    return inside, rest


def content_id(place: Place) -> str:
    """Hash the bytes of a capture (sha256, hexadecimal).

    Raises
    ------
    CaptureError
        The bytes cannot be read.
    """
    try:
        with place.whole() as file:
            digest = hashlib.sha256()
            while block := file.read(1 << 20):
                digest.update(block)
            return digest.hexdigest()
    except (OSError, ValueError) as error:
        if is_exhausted(error):
            raise
        raise CaptureError(place.shown, f"cannot be read ({error})") from error


def head(place: Place) -> bytes:
    """Read the first bytes, for detection."""
    with place.source().open() as file:
        return file.read(HEAD_BYTES)
