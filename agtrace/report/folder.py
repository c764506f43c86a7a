"""The folder of a report: ours alone, marked, and never somebody else's overwritten."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.report.place import UNFINISHED, is_filled
from agtrace.store import owner

MARKER = owner.REPORT_MARKER
_PAGE = re.compile(r"\w[\w.-]*\.(?:html|ipynb|json)")


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
            elif is_filled(path):
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
            if UNFINISHED.fullmatch(each.name) and not each.is_dir():
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
