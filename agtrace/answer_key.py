"""The key of an answer: a digest of everything that the answer of a case depends on.

Equal keys mean equal answers: caches of relations, findings and reports use this key. Only the standard
library is imported, so that a cached answer is returned at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.code_state import code_state
from agtrace.descent import descend
from agtrace.errors import CaseError
from agtrace.store import owner

if TYPE_CHECKING:
    from agtrace.store import FoundCapture

SECOND_NS = 10**9
TICK_NS = 50 * 10**6
"""Two changes within it may have one time, also on a file system with fine times."""


@dataclass(frozen=True)
class CaseFiles:
    """The files of a case, as far as their status shows.

    Parameters
    ----------
    digest
        Of the name, size, mtime, ctime and inode of each file.
    count, bytes
        Their number and size.
    is_fresh
        A file was written so recently that its times would not show another change: its content decides
        (`contents_of`).
    """

    digest: str
    count: int
    bytes: int
    is_fresh: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Asked:
    """Options that change the answer of a case.

    Parameters
    ----------
    case_settings, follow_links, thresholds
        As in `agtrace.open_case`.
    utc_offsets
        UTC offsets saved in the store of the case, by host.
    report
        Options of the report; "" for no report.
    """

    case_settings: bool = True
    follow_links: bool = False
    thresholds: Mapping[str, float] = field(default_factory=dict)
    utc_offsets: Mapping[str, int | str] = field(default_factory=dict)
    report: str = ""


def answer_key(files: str, asked: Asked) -> str:
    """Return the key of an answer.

    Parameters
    ----------
    files
        Digest of the files of the case: `files_of`, `contents_of`, or their versions at a URL.
    asked
        The options. The settings files of the case are among its files.
    """
    parts = [
        code_state(),
        asked.case_settings,
        asked.follow_links,
        sorted(asked.thresholds.items()),
        sorted((name, str(offset)) for name, offset in asked.utc_offsets.items()),
        asked.report,
        files,
    ]
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()


def files_of(case: Path, own: Path | None = None) -> CaseFiles | None:
    """Return the state of the files of a case: all files in a folder, or one archive.

    Stores and reports of this user are skipped.

    Parameters
    ----------
    case
        Folder or archive.
    own
        The store that the user named; skipped too.

    Returns
    -------
    CaseFiles or None
        None for a folder without files, and for a path that is neither a folder nor a file.
    """
    try:
        if not stat.S_ISDIR(case.stat().st_mode):
            return _Noted().with_file("", case).state() if case.is_file() else None
    except OSError:
        return None
    noted, closed = _Noted(), list[OSError]()
    for name, path in _files(case, own, closed):
        noted.with_file(name, path)
    for fault in closed:
        # A folder that can be listed later changes the case.
        noted.with_line(f"{fault.filename}: {fault.errno}")
        noted.count += 1
    return noted.state() if noted.count else None


def contents_of(captures: Iterable[FoundCapture], folder: Path) -> str:
    """Return a digest of the contents of a case's files: it decides where their status leaves doubt.

    Parameters
    ----------
    captures
        What its store found there.
    folder
        Its folder, for its settings files.
    """
    from agtrace.ingest.walk import CONFIGURATION
    from agtrace.resolve.settings_file import settings_text

    digest = hashlib.sha256()
    for each in captures:
        parts = (each.path, each.bytes, each.content_id, each.status, each.kind, each.reason)
        digest.update(json.dumps(parts).encode("utf-8", "surrogatepass"))
    for name in CONFIGURATION:
        try:
            text = settings_text(folder / name)
        except CaseError as error:
            text = str(error)
        digest.update(json.dumps([name, text]).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def stamp_of(path: Path) -> list[int]:
    """Return what changes when a file does: size, mtime, ctime and inode; empty without one."""
    try:
        found = path.lstat()
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _files(case: Path, own: Path | None, closed: list[OSError]) -> Iterator[tuple[str, Path]]:
    store = None if own is None else os.path.realpath(own)
    for folder, folders, names in descend(case, closed.append):
        folders[:] = [each for each in folders if not _is_ours(folder / each, store)]
        for name in sorted(names):
            yield (folder / name).relative_to(case).as_posix(), folder / name


def _is_ours(folder: Path, store: str | None) -> bool:
    if store is not None and os.path.realpath(folder) == store:
        return True
    return owner.is_own(folder, "store") or owner.is_own(folder, "report")


class _Noted:
    """The files that were met so far."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._now_ns = time.time_ns()
        self._is_fresh = False
        self.count = self._bytes = 0

    def with_file(self, name: str, path: Path) -> _Noted:
        try:
            found = [path.stat() if not name else path.lstat()]
            if stat.S_ISLNK(found[0].st_mode):
                # The target is read, and can change without its link.
                found += _target(path)
        except OSError:
            self.with_line(f"{name}: gone")
            return self
        self.count += 1
        self._bytes += found[0].st_size
        for status in found:
            times = (status.st_mtime_ns, status.st_ctime_ns)
            self._is_fresh |= any(abs(self._now_ns - each) < _granularity_ns(each) for each in times)
            self.with_line("\0".join(map(str, (name, status.st_size, *times, status.st_ino))))
        return self

    def with_line(self, text: str) -> None:
        self._digest.update(f"{text}\n".encode("utf-8", "surrogateescape"))

    def state(self) -> CaseFiles:
        return CaseFiles(self._digest.hexdigest(), self.count, self._bytes, self._is_fresh)


def _granularity_ns(moment_ns: int) -> int:
    # FAT counts in steps of 2 s, some other file systems in seconds.
    return TICK_NS if moment_ns % SECOND_NS else 2 * SECOND_NS


def _target(link: Path) -> list[os.stat_result]:
    try:
        return [link.stat()]
    except OSError:
        return []
