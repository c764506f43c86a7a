"""Read and write files of a store or report without following links, which may have been planted."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import uuid
from pathlib import Path

from agtrace import moving
from agtrace.inputs import open_input

MAX_MARKER_BYTES = 1 << 20
TEMPORARY = ".tmp"

_REPARSE_TAGS = (0xA0000003, 0xA000000C)
"""Mount points (junctions) and symbolic links of Windows; other tags, such as OneDrive's, are files."""


def is_link(path: str | Path) -> bool:
    """Return whether a path is a symbolic link, or a junction of Windows; False if it is missing."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return _links(status)


def _links(status: os.stat_result) -> bool:
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _REPARSE_TAGS


def is_folder(path: str | Path) -> bool:
    """Return whether a path is a folder itself, not a link to one."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and not _links(status)


def remove_link(path: Path) -> None:
    """Remove a link, and nothing of what it leads to."""
    try:
        path.unlink()
    except PermissionError:
        # A junction of Windows.
        path.rmdir()


def remove_folder(path: Path) -> None:
    """Remove a folder of ours with all that is in it, as far as that can be; a link is left alone."""
    if is_folder(path):
        # Somebody may have put folders into it that are too deep for Python.
        with contextlib.suppress(RecursionError):
            shutil.rmtree(path, ignore_errors=True)


def read_text(path: Path, limit: int | None = None) -> str:
    """Read a regular file as UTF-8.

    Parameters
    ----------
    path
        The file; its last component must not be a link.
    limit
        Maximum number of bytes to read.

    Raises
    ------
    OSError
        It is missing, a link, or not a regular file.
    ValueError
        It is not UTF-8.
    """
    with open_input(path, follow_links=False) as file:
        return file.read(-1 if limit is None else limit).decode("utf-8")


def write_atomically(path: Path, text: str, *, lasting: bool = True) -> None:
    """Write a file atomically: after a crash there is either the old file or the new one.

    A link at the path is replaced, never followed.

    Parameters
    ----------
    path, text
        The file, and its new contents.
    lasting
        Wait until it is synced to the disk (some ms), so that it also survives a power failure.
    """
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}{TEMPORARY}")
    try:
        # "x" neither overwrites nor follows what somebody may have laid there.
        with temporary.open("x", encoding="utf-8") as file:
            file.write(text)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        moving.replace(temporary, path)
    except BaseException:
        moving.remove(temporary)
        raise
