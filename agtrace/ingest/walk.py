"""Which files of a case folder are looked into, and which are only named: links out of it, stores,
reports.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from agtrace.descent import descend
from agtrace.printable import printable
from agtrace.store.files import is_link
from agtrace.store.layout import (
    ARCHIVES,
    CAPTURES,
    DEFAULT_NAME,
    REDACTED_NAME,
    REDACTION,
    UNREAD,
    UTC_OFFSETS,
    Store,
)
from agtrace.store.owner import REPORT_MARKER, STORE_MARKER, is_own
from agtrace.store.place import STRANGE

CONFIGURATION = ("hosts.toml", "runs.toml", "runs.csv", "agtrace.toml")
"""Files in the case's root that tell agtrace about the case; they are not captures."""

PARQUET_MAGIC = b"PAR1"
_RECORD = re.compile(r"commits/[0-9a-f]{64}\.json")
_PART = re.compile(r"parts/.+\.parquet", re.DOTALL)
_FINDINGS = re.compile(r"derived/[0-9a-f]{32}/findings\.json")
FINDINGS_BEGIN = b'{"findings": {'
_DERIVED = re.compile(r"derived/[0-9a-f]{32}/\w+\.(json|parquet)")
_STORE_FILES = (STORE_MARKER, CAPTURES, ARCHIVES, UNREAD, UTC_OFFSETS, REDACTION, "lock")
_REPORT_FILES = (REPORT_MARKER, "findings.json")
_PAGES = (".html", ".ipynb", ".pdf")


@dataclass(frozen=True)
class Passed:
    """What is named and not read.

    Parameters
    ----------
    path
        Where it lies.
    kind
        What it is, for people.
    reason
        Why it is not read.
    """

    path: Path
    kind: str
    reason: str


@dataclass
class Walked:
    """What a walk met: files to look into, what is passed by, and folders that cannot be listed."""

    files: list[Path] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    closed: list[OSError] = field(default_factory=list)


@dataclass
class _Strange:
    """A store or report that somebody else made. Captures in it are read like any other's."""

    root: Path
    kind: str
    left: int = 0

    def holds(self, path: Path) -> bool:
        """Return whether a file is part of a store or report."""
        name = path.relative_to(self.root).as_posix()
        if self.kind == "report":
            return name in _REPORT_FILES or ("/" not in name and name.endswith(_PAGES))
        if name in _STORE_FILES or _RECORD.fullmatch(name):
            return True
        # What is kept of a relation has a note of its state beside it.
        if _FINDINGS.fullmatch(name):
            return _begins(path, FINDINGS_BEGIN)
        is_kept = _DERIVED.fullmatch(name) or _PART.fullmatch(name)
        return bool(is_kept) and _begins(path.with_suffix(".parquet"), PARQUET_MAGIC)

    def passed(self) -> Passed:
        reason = f"{STRANGE}; its {self.left:,} files are not read"
        return Passed(self.root, f"agtrace {self.kind}", reason)


def walk(case: Path, *, follow_links: bool = False, own: Path | None = None) -> Walked:
    """Walk a case folder; an archive that is a case itself is one file.

    Parameters
    ----------
    case
        The folder or archive; it may be a link, for it was named.
    follow_links
        Whether links to files outside of the case are read. Links to folders never are.
    own
        The store that the user named, which is passed over wherever it lies.
    """
    found = Walked()
    if not case.is_dir():
        found.files.append(case)
        return found
    inside = os.path.realpath(case)
    strange: dict[str, _Strange] = {}
    for here, folders, names in descend(case, found.closed.append):
        around = strange.get(str(here))
        kept = []
        for name in folders:
            path = here / name
            if is_link(path):
                found.passed.append(Passed(path, "link", "a link to a folder; not followed"))
            elif not _is_ours(path, own, case):
                kept.append(name)
                theirs = _stranger(path) or around
                if theirs:
                    strange[str(path)] = theirs
        folders[:] = kept
        for name in names:
            path = here / name
            if here == case and name in CONFIGURATION:
                continue
            if around and around.holds(path):
                around.left += 1
                continue
            passed = _passed(path, inside, follow_links)
            if passed:
                found.passed.append(passed)
            else:
                found.files.append(path)
    seen = {id(theirs): theirs for theirs in strange.values()}
    found.passed += [theirs.passed() for theirs in seen.values()]
    return found


def _is_ours(folder: Path, own: Path | None, case: Path) -> bool:
    if own is not None and _same(folder, own):
        return True
    if folder in (case / DEFAULT_NAME, case / REDACTED_NAME) and Store(folder).is_ours():
        return True
    return is_own(folder, "store") or is_own(folder, "report")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _stranger(folder: Path) -> _Strange | None:
    for kind, marker in (("store", STORE_MARKER), ("report", REPORT_MARKER)):
        if os.path.lexists(folder / marker):
            return _Strange(folder, kind)
    return None


def _passed(path: Path, inside: str, follow_links: bool) -> Passed | None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        # The file is named with what the system says, when it is looked at.
        return None
    if is_link(path):
        target = os.path.realpath(path)
        if not follow_links and not _within(target, inside):
            reason = f"a link that leaves the case, to {printable(target)}; not read without --follow-links"
            return Passed(path, "link", reason)
        try:
            mode = path.stat().st_mode
        except OSError:
            return None
    if stat.S_ISREG(mode):
        return None
    return Passed(path, "special file", "a pipe, socket or device; not read")


def _within(target: str, folder: str) -> bool:
    try:
        return os.path.commonpath((target, folder)) == folder
    except ValueError:
        # Windows: another drive.
        return False


def _begins(path: Path, begin: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(begin)) == begin
    except OSError:
        return False
