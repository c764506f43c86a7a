"""Inputs are regular files: a pipe would block for ever, and reading a device may have an effect."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from agtrace.errors import NotRegularError

_READ = (
    os.O_RDONLY
    # Otherwise a pipe that replaces the file after the check would block.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_input(path: str | Path, *, follow_links: bool = True) -> BinaryIO:
    """Open a regular file to read its bytes.

    Parameters
    ----------
    path
        The file.
    follow_links
        False refuses a link in place of the file.

    Raises
    ------
    NotRegularError
        It is a folder, pipe, socket, device or such a link. None is waited for.
    OSError
        It is not there, or cannot be opened.
    """
    # Opening a device may have side effects, and a socket cannot be opened at all.
    _check(path, os.stat(path, follow_symlinks=follow_links))  # noqa: PTH116

    def opened(name: str, _flags: int) -> int:
        handle = os.open(name, _READ if follow_links else _READ | getattr(os, "O_NOFOLLOW", 0))
        try:
            _check(path, os.fstat(handle))
        except BaseException:
            os.close(handle)
            raise
        return handle

    return open(path, "rb", opener=opened)


def _check(path: str | Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    if stat.S_ISLNK(status.st_mode):
        raise NotRegularError(errno.ELOOP, "is a link", str(path))
    kind = next((f"is {kind}, " for is_kind, kind in _KINDS if is_kind(status.st_mode)), "is ")
    raise NotRegularError(errno.EINVAL, f"{kind}not a regular file", str(path))
