"""The location of a case's report, never in a folder written by someone else."""

from __future__ import annotations

import os
import re
from pathlib import Path

from agtrace.bundled import is_installed_sample
from agtrace.errors import CaseError
from agtrace.storage import url_of
from agtrace.store import owner, scratch
from agtrace.store.files import is_folder

DEFAULT_NAME = "agtrace-report"
REDACTED_NAME = "agtrace-report-redacted"
DEFAULTS = 9
"""Names that are tried if the case contains reports of other users."""

STAGED = ".new-"
"""Prefix of files being written; only an interrupted report leaves such files behind."""

FINISHING = f"{STAGED}lock"
"""Name of the lock held while a report is moved into place."""

WRITTEN: set[str] = set()
"""Names of files that this process is writing."""

_UNFINISHED = re.compile(
    re.escape(STAGED) + r"(?:(?P<machine>[0-9a-f]{3})(?P<pid>[0-9a-f]{1,8})-)?\w{8}"
    rf"|{re.escape(FINISHING)}(?:\.\w+\.tmp)?"
)


def report_path(case: Path, out: str | Path | None = None, *, redacted: bool = False) -> Path:
    """Choose where the report of a case goes.

    Parameters
    ----------
    case
        Folder of captures.
    out
        The folder named by the user, used as it is. The default is ``CASE/agtrace-report`` or, if that was
        not created by this user's agtrace, ``CASE/agtrace-report-2`` and so on: files that came with the
        captures are neither followed nor overwritten. The report of an archive is beside it
        (``CASE-agtrace-report``), that of an installed sample or a case at a URL in the current folder:
        nothing is written to folders of packages.
    redacted
        Whether the report is for sharing; it is written beside the other one.

    Raises
    ------
    CaseError
        All these names are taken.
    """
    if out is not None:
        return Path(out)
    name = REDACTED_NAME if redacted else DEFAULT_NAME
    default = case / name
    if is_installed_sample(case):
        default = Path(name)
    elif url_of(case) is not None:
        default = Path(f"{case.name}-{name}")
    elif case.is_file():
        default = case.with_name(f"{case.name}-{name}")
    for number in range(1, DEFAULTS + 1):
        path = default if number == 1 else default.with_name(f"{default.name}-{number}")
        if not os.path.lexists(path) or _is_free(path):
            return path
    raise CaseError(
        f"{default}: not made by this user, and so are {DEFAULTS - 1} others beside it",
        "name another place with --out",
    )


def _is_free(path: Path) -> bool:
    if not is_folder(path):
        return False
    return owner.is_own(path, "report") or not is_filled(path)


def is_left(path: Path) -> bool:
    """Return whether a path named as unfinished was abandoned by its process."""
    found = _UNFINISHED.fullmatch(path.name)
    if found is None or found["machine"] != scratch.machine_mark():
        return scratch.is_left(path, None)
    pid = int(found["pid"], 16)
    # In a container, every process may have this number, one after the other.
    gone = path.name not in WRITTEN if pid == os.getpid() else scratch.process_is_gone(pid)
    return scratch.is_left(path, gone)


def is_filled(path: Path) -> bool:
    """Return whether the folder has any contents, except unfinished pages."""
    return any(not _UNFINISHED.fullmatch(each.name) for each in path.iterdir())
