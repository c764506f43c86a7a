"""Replace and remove files, also on Windows, where both fail while another process has the file open.

Virus scanners and indexers briefly open files that were just written; other agtrace processes open a lock to
read its owner. POSIX allows all of this, so nothing here waits there.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from agtrace.errors import is_in_use

PATIENCE_S = 3.0
"""Seconds that another process may have a file open before it counts as in use."""
_FIRST_S, _LONGEST_S = 0.005, 0.2
_DENIED = 5


def replace(source: str | Path, target: str | Path) -> None:
    """Move a file over another, or to a new name."""
    _patiently(lambda: os.replace(source, target))  # noqa: PTH105


def rename(source: str | Path, target: str | Path) -> None:
    """Name a file or folder where nothing is yet."""
    _patiently(lambda: os.rename(source, target))  # noqa: PTH104


def remove(path: str | Path) -> None:
    """Remove a file; a missing file is not an error."""
    with contextlib.suppress(FileNotFoundError):
        _patiently(lambda: os.unlink(path))  # noqa: PTH108


def _patiently(work: Callable[[], None]) -> None:
    until, pause = time.monotonic() + PATIENCE_S, _FIRST_S
    while True:
        try:
            return work()
        except PermissionError as error:
            # Windows raises the one for an open file, the other for a file that is being deleted.
            may_pass = is_in_use(error) or getattr(error, "winerror", None) == _DENIED
            if not may_pass or time.monotonic() >= until:
                raise
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_S)
