"""The folder of a report: ours alone, marked, and never somebody else's overwritten."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from agtrace.errors import CaseError

MARKER = ".agtrace-report"
DEFAULT_NAME = "agtrace-report"


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
            if (path / MARKER).is_file():
                self._before = _listed(path / MARKER)
            elif any(path.iterdir()):
                raise CaseError(
                    f"{path}: not empty and not a report of agtrace", "choose another --out"
                )
            self.write(MARKER, json.dumps({"files": self._before}))
        except PermissionError as error:
            raise CaseError(
                f"{path}: cannot be written ({error.strerror})", "choose another place with --out"
            ) from error

    def write(self, name: str, text: str) -> Path:
        """Write a file of the report, whole or not at all."""
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
        self.write(MARKER, json.dumps({"files": sorted(self.written)}))


def _listed(marker: Path) -> list[str]:
    try:
        names = json.loads(marker.read_text(encoding="utf-8"))["files"]
        # Only names of our own kind: a marker is a file that anybody can have written.
        return [n for n in names if n == Path(n).name and n.endswith((".html", ".ipynb", ".json"))]
    except (OSError, ValueError, KeyError, TypeError):
        return []
