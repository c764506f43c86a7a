"""What lies in a case folder: every file, and the members of zip archives, with its content id."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from agtrace.errors import CaptureError, CaseError
from agtrace.ingest.archive import (
    ZIP_MAGIC,
    Budget,
    DamagedArchiveError,
    Member,
    open_member,
    read_directory,
    refusals,
)
from agtrace.readers.base import HEAD_BYTES, Source
from agtrace.store import FoundCapture
from agtrace.store.layout import MARKER

REPORT_MARKER = ".agtrace-report"
CONFIGURATION = ("hosts.toml", "runs.toml", "runs.csv", "agtrace.toml")
"""Files in the case's root that tell agtrace about the case; they are not captures."""


@dataclass(frozen=True)
class Place:
    """Where the bytes of a capture lie: a file, or a member of a zip file. Picklable."""

    file: Path
    shown: str
    bytes: int
    mtime_ns: int
    member: Member | None = None
    """Where in a zip file: names in it need not be unique."""

    def source(self) -> Source:
        """Give the reader's view of it."""
        member = self.member
        if member is None:
            return Source(self.shown, self.bytes, lambda: self.file.open("rb"))
        return Source(self.shown, self.bytes, lambda: open_member(self.file, member, self.shown))


def find_captures(case: Path) -> tuple[list[Place], list[FoundCapture]]:
    """Walk a case folder.

    Returns
    -------
    tuple of list of Place and list of FoundCapture
        What may be decoded, and what is already known not to be (empty, unreadable, archives).

    Raises
    ------
    CaseError
        The folder does not exist, is a file, or holds no file at all.
    """
    if not case.exists():
        raise CaseError(f"{case}: no such folder", "name the folder that holds the captures")
    if not case.is_dir():
        raise CaseError(f"{case}: not a folder", "name the folder that holds the captures")
    places: list[Place] = []
    settled: list[FoundCapture] = []
    closed: list[OSError] = []
    budget = Budget()
    for path in sorted(_files(case, closed)):
        shown = _printable(path.relative_to(case).as_posix())
        try:
            status = status_of(path)
            if not status.st_size:
                settled.append(
                    FoundCapture(shown, 0, status.st_mtime_ns, None, "empty", reason="0 bytes")
                )
                continue
            with path.open("rb") as file:
                magic = file.read(4)
        except OSError as error:
            reason = error.strerror or str(error)
            settled.append(FoundCapture(shown, 0, 0, None, "unreadable", reason=reason))
            continue
        place = Place(path, shown, status.st_size, status.st_mtime_ns)
        if magic == ZIP_MAGIC:
            inside, rest = members(place, budget)
            places += inside
            settled += rest
        else:
            places.append(place)
    for fault in closed:
        shown = _printable(Path(fault.filename).relative_to(case).as_posix())
        reason = f"folder: {fault.strerror or fault}"
        settled.append(FoundCapture(shown, 0, 0, None, "unreadable", reason=reason))
    if not places and not settled:
        raise CaseError(f"{case}: there is no file in it", "drop the captures into it first")
    taken: dict[str, int] = {}
    return (
        [replace(place, shown=_only_one(place.shown, taken)) for place in places],
        [replace(capture, path=_only_one(capture.path, taken)) for capture in settled],
    )


def _only_one(shown: str, taken: dict[str, int]) -> str:
    """Number a path that is shown like another: a capture is known by its path within the case.

    A zip file may hold one name twice, and bytes that are no UTF-8 are all shown as one character.
    """
    name, count = shown, taken.get(shown, 0)
    while name in taken:
        count += 1
        name = f"{shown} ({count + 1})" if count else shown
    taken[shown] = count
    taken.setdefault(name, 0)
    return name


def _printable(name: str) -> str:
    """Replace bytes of a file name that are no UTF-8; the store keeps names as text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def status_of(path: Path) -> os.stat_result:
    """Look at a file."""
    return path.stat()


def _files(case: Path, closed: list[OSError]) -> Iterator[Path]:
    for folder, folders, names in os.walk(case, onerror=closed.append):
        here = Path(folder)
        # os.path, because Path.exists raises in a folder that must not be entered.
        folders[:] = sorted(
            name
            for name in folders
            if not os.path.exists(here / name / MARKER)  # noqa: PTH110
            and not os.path.exists(here / name / REPORT_MARKER)  # noqa: PTH110
        )
        for name in names:
            if here == case and name in CONFIGURATION:
                continue
            path = here / name
            # Sockets and pipes would block; links out of the case are followed for files only.
            if os.path.isfile(path) or not os.path.exists(path):  # noqa: PTH110, PTH113
                yield path


def members(place: Place, budget: Budget) -> tuple[list[Place], list[FoundCapture]]:
    """Look into a zip file: what may be decoded, and what is too large, encrypted, empty or damaged."""

    def settled(shown: str, size: int, status: str, reason: str) -> FoundCapture:
        return FoundCapture(shown, size, place.mtime_ns, None, status, "zip archive", reason)

    try:
        directory = read_directory(place.file)
    except (DamagedArchiveError, OSError) as error:
        reason = f"not a readable zip archive ({error})"
        return [], [settled(place.shown, place.bytes, "failed", reason)]
    found = directory.members
    status, reason = "recognised", f"{len(found)} files inside"
    if directory.missing:
        reason += f"; {directory.missing} entries of its directory are damaged"
        status = "failed"
    rest = [settled(place.shown, place.bytes, status, reason)]
    inside: list[Place] = []
    refused = refusals(found, place.bytes, budget)
    for number, member in enumerate(found):
        shown = _printable(f"{place.shown}!/{member.name}")
        if number in refused:
            rest.append(settled(shown, member.bytes, *refused[number]))
        else:
            inside.append(Place(place.file, shown, member.bytes, place.mtime_ns, member))
    return inside, rest


def content_id(place: Place) -> str:
    """Hash the bytes of a capture (sha256, hexadecimal).

    Raises
    ------
    CaptureError
        The bytes cannot be read.
    """
    try:
        with place.source().open() as file:
            digest = hashlib.sha256()
            while block := file.read(1 << 20):
                digest.update(block)
            return digest.hexdigest()
    except (OSError, ValueError) as error:
        raise CaptureError(place.shown, f"cannot be read ({error})") from error


def head(place: Place) -> bytes:
    """Read the first bytes, for detection."""
    with place.source().open() as file:
        return file.read(HEAD_BYTES)
