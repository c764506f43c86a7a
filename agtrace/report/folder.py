"""The folder of a report or an export: marked as agtrace's own; other folders are never overwritten."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

from agtrace import interrupts, moving
from agtrace.errors import CaseError
from agtrace.report.place import FINISHING, STAGED, WRITTEN, is_filled, is_left
from agtrace.store import owner
from agtrace.store.lock import WriterLock
from agtrace.store.scratch import process_mark

MARKER = owner.REPORT_MARKER
INDEX = "index.html"
"""The page to open."""

FINISH_S = 10.0
"""How long a complete report waits for another one to finish."""

_A = {"report": "a report", "export": "an export", "comparison": "a comparison"}
_PAGE = re.compile(r"\w[\w.-]*\.(?:html|ipynb|json|js|pdf|md|csv|xlsx|png)")


class ReportFolder:
    """Writes the files of a report, whole or not at all.

    They are written beside those of the previous report, and replace them together in `finish`. If the
    context is left without it, the folder is unchanged.

    Parameters
    ----------
    path
        The folder; created if missing.
    kind
        ``report`` or ``export``: neither replaces the other.

    Raises
    ------
    CaseError
        It contains something other than its kind, or cannot be written.
    """

    def __init__(self, path: Path, kind: str = "report") -> None:
        self.path = path
        self._kind = kind
        self.written: list[str] = []
        self._left = contextlib.ExitStack()
        self._before: list[str] = []
        self._staged: Path | None = None
        self._is_new = not path.exists()
        self._is_finishing = False
        try:
            if path.exists() and not path.is_dir():
                raise CaseError(f"{path}: not a folder", "choose another --out")
            path.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(path / MARKER) and not _is_another(path, kind):
                self._before = _listed(path / MARKER, kind)
            elif is_filled(path):
                raise CaseError(f"{path}: not empty and not {_A[kind]} of agtrace", "choose another --out")
            # One that is ours stays as it is until the next report is whole.
            if not owner.is_own(path, kind):
                self._mark(self._before)
            # Files left by a killed run; another one may be running at the same time.
            for left in path.glob(f"{STAGED}*"):
                if is_left(left):
                    _remove(left)
            self._staged = Path(tempfile.mkdtemp(dir=path, prefix=STAGED + process_mark()))
            WRITTEN.add(self._staged.name)
        except PermissionError as error:
            raise CaseError(
                f"{path}: cannot be written ({error.strerror})", "choose another place with --out"
            ) from error

    def __enter__(self) -> ReportFolder:
        # If this process is killed because it hangs, it leaves no files either.
        self._left.enter_context(interrupts.stopped_by(self._discard_unless_finishing))
        return self

    def __exit__(self, *_error: object) -> None:
        self._left.close()
        self.discard()

    def _discard_unless_finishing(self) -> None:
        if not self._is_finishing:
            self.discard()

    @property
    def index(self) -> Path:
        """The page to open, once the report is finished."""
        return self.path / INDEX

    def write(self, name: str, text: str) -> Path:
        """Write a file of the report; return the path that it has once the report is complete."""
        assert self._staged is not None, "the report is finished"
        _write(self._staged / name, text)
        self.written.append(name)
        return self.path / name

    def place(self, name: str) -> Path:
        """Return the path where another process is to write a whole file of the report."""
        assert self._staged is not None, "the report is finished"
        self.written.append(name)
        return self._staged / name

    def staged(self, name: str) -> Path:
        """Return the temporary location of a written file until the report is moved into place."""
        assert self._staged is not None, "the report is finished"
        return self._staged / name

    def finish(self) -> None:
        """Move the files into place of the previous report, and list them.

        Raises
        ------
        KeyboardInterrupt
            An interrupt had arrived before; nothing has changed. Later interrupts have no effect.
        """
        interrupts.check()
        self._is_finishing = True
        try:
            self._take_place_alone()
        except KeyboardInterrupt:
            self._take_place_alone()
        self._is_finishing = False
        self.discard()

    def _take_place_alone(self) -> None:
        # Of two reports written at the same time, the later one is kept as a whole.
        with WriterLock(self.path, FINISHING, FINISH_S):
            if not _is_another(self.path, self._kind):
                self._before = _listed(self.path / MARKER, self._kind)
            self._take_place()

    def _take_place(self) -> None:
        """Can be done again from any point of it."""
        assert self._staged is not None
        # If killed from here on, everything in the folder is listed, and removed by the next report.
        self._mark(sorted({*self._before, *self.written}))
        # The index leads to the pages: it comes when they are there.
        for name in sorted(self.written, key=lambda name: name == INDEX):
            if (self._staged / name).exists():
                moving.replace(self._staged / name, self.path / name)
        for name in set(self._before) - set(self.written):
            moving.remove(self.path / name)
        self._mark(sorted(self.written))
        self._is_new = False

    def discard(self) -> None:
        """Remove files that have been written but not moved into place."""
        if self._staged is not None:
            _remove(self._staged)
            WRITTEN.discard(self._staged.name)
            self._staged = None
        if self._is_new and not any(self.path.glob(f"{STAGED}*")):
            moving.remove(self.path / MARKER)
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def _mark(self, files: list[str]) -> None:
        _write(self.path / MARKER, json.dumps({"files": files} | owner.mark(self.path, self._kind)))


def _is_another(path: Path, kind: str) -> bool:
    """Return whether a marker is of another kind; an unknown marker passes for a report's."""
    if kind == "report":
        return owner.is_own(path, "export")
    return not owner.is_own(path, kind)


def _write(target: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=STAGED + process_mark())
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        moving.replace(temporary, target)
    except BaseException:
        moving.remove(temporary)
        raise


def _remove(left: Path) -> None:
    # A link placed there by someone else is removed, and never followed.
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left, ignore_errors=True)
    else:
        moving.remove(left)


def _listed(marker: Path, kind: str) -> list[str]:
    content = owner.read_marker(marker)
    # Anyone can write a marker file: it is trusted only with agtrace's own key, and then only for names of
    # its own kind.
    if owner.key_of(marker.parent, kind, content) is None:
        return []
    if not isinstance(content.get("files"), list):
        return []
    return [name for name in content["files"] if isinstance(name, str) and _PAGE.fullmatch(name)]
