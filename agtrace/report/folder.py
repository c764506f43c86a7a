"""The folder of a report: ours alone, marked, and never somebody else's overwritten."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.store import owner
from agtrace.store.files import is_folder

MARKER = owner.REPORT_MARKER
DEFAULT_NAME = "agtrace-report"
_PAGE = re.compile(r"\w[\w.-]*\.(?:html|ipynb|json)")
_UNFINISHED = re.compile(r"\.new-\w{8}")
DEFAULTS = 9
"""How many names are tried where somebody else's reports lie in the case."""


def report_path(case: Path, out: str | Path | None = None) -> Path:
    """Choose where the report of a case goes.

    Parameters
    ----------
    case
        Folder of captures.
    out
        The folder that the user named: that one, then. Else ``CASE/agtrace-report``, or, where
        something lies that this user's agtrace did not make, ``CASE/agtrace-report-2`` and so on:
        what came with the captures is neither followed nor overwritten.

    Raises
    ------
    CaseError
        All these names are taken.
    """
    if out is not None:
        return Path(out)
    for number in range(1, DEFAULTS + 1):
        path = case / (DEFAULT_NAME if number == 1 else f"{DEFAULT_NAME}-{number}")
        if not os.path.lexists(path) or _is_free(path):
            return path
    raise CaseError(
        f"{case / DEFAULT_NAME}: not made by this user, and so are {DEFAULTS - 1} others beside it",
        "name another place with --out",
    )


def _is_free(path: Path) -> bool:
    if not is_folder(path):
        return False
    return owner.is_own(path, "report") or not _filled(path)


def _filled(path: Path) -> bool:
    """Tell whether anything is there; pages that were not finished do not count."""
    return any(not _UNFINISHED.fullmatch(each.name) for each in path.iterdir())


class ReportFolder:
    """Writes the files of a report, and removes those of the one before that it does not replace.

    Parameters
    ----------
    path
        The folder; made when it is not there.

    Raises
    ------
    CaseError
        It holds something that is no report, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written: list[str] = []
        self._before: list[str] = []
        try:
            if path.exists() and not path.is_dir():
                raise CaseError(f"{path}: not a folder", "choose another --out")
            path.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(path / MARKER):
                self._before = _listed(path / MARKER)
            elif _filled(path):
                raise CaseError(
                    f"{path}: not empty and not a report of agtrace", "choose another --out"
                )
            self._remove_unfinished()
            self._mark(self._before)
        except PermissionError as error:
            raise CaseError(
                f"{path}: cannot be written ({error.strerror})", "choose another place with --out"
            ) from error

    def write(self, name: str, text: str) -> Path:
        """Write a file of the report, whole or not at all.

        A link that bears its name is replaced, never written through.
        """
        target = self.path / name
        handle, temporary = tempfile.mkstemp(dir=self.path, prefix=".new-")
        try:
            with os.fdopen(
                handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            ) as file:
                file.write(text)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        if name != MARKER:
            self.written.append(name)
        return target

    def finish(self) -> None:
        """Remove what an earlier report left and this one did not write, and list what is there."""
        for name in set(self._before) - set(self.written):
            (self.path / name).unlink(missing_ok=True)
        self._mark(sorted(self.written))

    def _remove_unfinished(self) -> None:
        for each in self.path.iterdir():
            if _UNFINISHED.fullmatch(each.name) and not each.is_dir():
                each.unlink(missing_ok=True)

    def _mark(self, files: list[str]) -> None:
        self.write(MARKER, json.dumps({"files": files} | owner.proof("report")))


def _listed(marker: Path) -> list[str]:
    content = owner.read_marker(marker)
    # A marker is a file that anybody can have written: nothing is removed at a stranger's word, and
    # at our own only names of our own kind.
    if not owner.proves(content, "report") or not isinstance(content.get("files"), list):
        return []
    return [name for name in content["files"] if isinstance(name, str) and _PAGE.fullmatch(name)]
