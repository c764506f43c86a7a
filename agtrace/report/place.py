"""Where the report of a case goes: never into what somebody else has laid there."""

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
"""How many names are tried where somebody else's reports lie in the case."""

STAGED = ".new-"
"""How names of what is being written begin; only a report that was stopped leaves such behind."""

FINISHING = f"{STAGED}lock"
"""Name of the lock of whoever lets a report take its place."""

WRITTEN: set[str] = set()
"""Names of what this process is writing."""

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
        The folder that the user named: that one, then. Else ``CASE/agtrace-report``, or, where
        something lies that this user's agtrace did not make, ``CASE/agtrace-report-2`` and so on:
        what came with the captures is neither followed nor overwritten. An archive has its report
        beside it (``CASE-agtrace-report``), a sample of the installed package and a case
        at a URL in the current folder: nothing is written where packages are.
    redacted
        Whether it is to be handed out: it lies beside the one that is not.

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
    # In a container every process may bear this number, one after the other.
    gone = path.name not in WRITTEN if pid == os.getpid() else scratch.process_is_gone(pid)
    return scratch.is_left(path, gone)


def is_filled(path: Path) -> bool:
    """Return whether anything is there; unfinished pages do not count."""
    return any(not _UNFINISHED.fullmatch(each.name) for each in path.iterdir())
