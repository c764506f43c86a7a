"""The cases in an inbox, the state of their files, and when they last changed."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from agtrace import import_path, interrupts
from agtrace.answer_key import files_of
from agtrace.errors import CaseError, in_one_line
from agtrace.ingest import case_folder
from agtrace.ingest.archives import HEAD_BYTES as ARCHIVE_HEAD_BYTES
from agtrace.ingest.archives import kind_of
from agtrace.ingest.discover import is_archive
from agtrace.storage import Remote, is_url, joined, stand_in, url_of
from agtrace.store.files import is_folder, is_link
from agtrace.store.owner import is_own


@dataclass(frozen=True)
class Seen:
    """The state of a case in an inbox.

    Parameters
    ----------
    path
        The folder or archive, absolute.
    signature
        Digest of its files (`agtrace.answer_key.files_of`); if it differs, the case must be read again.
    files, bytes
        Number and total size of its files.
    url
        Its URL, if it is not on this machine; ``path`` is then its local folder.
    is_fresh
        A file was written so recently that its modification time would not show another change.
    """

    path: Path
    signature: str
    files: int
    bytes: int
    url: str = ""
    is_fresh: bool = field(default=False, compare=False)

    @property
    def source(self) -> str:
        """The case as the user knows it."""
        return self.url or str(self.path)

    @property
    def folder(self) -> Path:
        """The local folder of the case; for a URL, it contains the settings files."""
        return case_folder(self.url) if self.url else self.path

    def look_again(self) -> Seen | None:
        """Return its current state; None if it is gone."""
        return _look_at_url(self.url) if self.url else look_at(self.path)


@dataclass
class Looked:
    """The contents of an inbox: its cases, and entries that are not cases."""

    cases: dict[Path, Seen] = field(default_factory=dict)
    beside: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Why the files of a case cannot be listed, by name."""


def look(inbox: Path, *, follow_links: bool = False) -> Looked:
    """Return the state of every folder and archive in an inbox.

    Hidden entries (leading dot) are skipped, links too unless they are followed. A folder without files is
    not a case yet.

    Raises
    ------
    OSError
        The inbox cannot be listed.
    """
    found = Looked()
    if url := url_of(inbox):
        return _look_into_url(url)
    with os.scandir(inbox) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        path = inbox / name
        # The user may have named a case as the inbox; its folder of our report is not a case.
        if name.startswith(".") or is_own(path, "report"):
            continue
        if is_link(path) and not follow_links:
            found.beside.append(f"{name} is a link, not read without --follow-links")
            continue
        try:
            seen = look_at(path)
        except Exception as error:
            interrupts.raise_again(error)
            found.failed[name] = f"not reported: {in_one_line(error)}"
            continue
        if seen is not None:
            found.cases[path] = seen
        elif os.path.lexists(path) and not is_folder(os.path.realpath(path)):
            found.beside.append(f"{name} is no folder and no archive, and not read")
    return found


def look_at(path: Path) -> Seen | None:
    """Return the state of one case; None if it is not a case, is gone, or is still empty."""
    if url := url_of(path):
        return _look_at_url(url)
    if not is_folder(os.path.realpath(path)) and not is_archive(path):
        return None
    found = files_of(path)
    return Seen(path, found.digest, found.count, found.bytes, is_fresh=found.is_fresh) if found else None


def _look_into_url(url: str) -> Looked:
    found, remote = Looked(), Remote(url)
    for name, size in remote.entries():
        if name.startswith("."):
            continue
        head = remote.read(name, min(size, ARCHIVE_HEAD_BYTES)) if size else None
        if size is not None and kind_of(head or b"") is None:
            found.beside.append(f"{name} is no folder and no archive, and not read")
        elif (seen := _look_at_url(joined(url, name))) is not None:
            found.cases[seen.path] = seen
    return found


def _look_at_url(url: str) -> Seen | None:
    remote, digest = Remote(url), hashlib.sha256()
    single = None
    listed = remote.files()
    if not listed and (single := remote.look()) is not None:
        listed = [single]
    for file in listed:
        text = f"{file.name}\0{file.bytes}\0{file.version}\n"
        digest.update(text.encode("utf-8", "surrogateescape"))
    if not listed:
        return None
    size = sum(file.bytes for file in listed)
    return Seen(stand_in(url, "case"), digest.hexdigest(), len(listed), size, url.rstrip("/"))


def located(place: str | Path) -> Path:
    """Return the local folder of an inbox; for a URL, the folder that mirrors it here."""
    if is_url(place):
        return stand_in(str(place), "inbox")
    import_path.avoid(place)
    return Path(place)


def named_cases(
    roots: Iterable[str | Path], *, themselves: bool = False, follow_links: bool = False
) -> Looked:
    """Return the cases of a batch: those in each root, or the roots themselves.

    Raises
    ------
    CaseError
        A root is not there, or no case is in it.
    """
    found = Looked()
    for root in roots:
        if is_url(root):
            found = _with_url(found, str(root), themselves=themselves)
            continue
        path = located(root).resolve()
        if not path.exists():
            raise CaseError(f"{root}: no such folder", "name a folder of cases")
        if themselves or is_archive(path):
            seen = look_at(path)
            if seen is None:
                raise CaseError(f"{root}: no folder with files in it, and no archive")
            found.cases[path] = seen
            continue
        if not path.is_dir():
            raise CaseError(f"{root}: no folder and no archive", "name a folder of cases")
        inside = look(path, follow_links=follow_links)
        _add_inside(found, root, inside)
        found.beside += [f"{path.name}/{text}" for text in inside.beside]
    return found


def _with_url(found: Looked, url: str, *, themselves: bool) -> Looked:
    seen = _look_at_url(url)
    if seen is None:
        raise CaseError(f"{url}: there is no file at this URL", "name a folder of cases")
    if themselves or (seen.files == 1 and Remote(url).look() is not None):
        found.cases[seen.path] = seen
        return found
    inside = _look_into_url(url)
    _add_inside(found, url, inside)
    found.beside += [joined(url, text) for text in inside.beside]
    return found


def _add_inside(found: Looked, root: str | Path, inside: Looked) -> None:
    if not inside.cases and not inside.failed:
        raise CaseError(
            f"{root}: no case is in it; each folder and archive in it would be one",
            "give --cases when it is a case itself",
        )
    found.cases |= inside.cases
    found.failed |= inside.failed


class Settling:
    """Finds cases that have stopped growing, because they did not change for a while.

    Parameters
    ----------
    settle_s
        Seconds without a change, by our own clock; the clock of a share may differ.
    """

    def __init__(self, settle_s: float) -> None:
        self._settle_s = settle_s
        self._since: dict[Path, tuple[str, float]] = {}
        self.growing: dict[Path, Seen] = {}
        """Cases that were still growing at the last update."""

    def update(self, looked: dict[Path, Seen], now: float | None = None) -> list[Seen]:
        """Update with the current state of the inbox, and return the cases that have stopped growing."""
        now = time.monotonic() if now is None else now
        before, self._since, self.growing = self._since, {}, {}
        settled = []
        for path, seen in looked.items():
            signature, since = before.get(path, ("", now))
            if signature != seen.signature:
                since = now
            self._since[path] = (seen.signature, since)
            if now - since >= self._settle_s:
                settled.append(seen)
            else:
                self.growing[path] = seen
        return settled
