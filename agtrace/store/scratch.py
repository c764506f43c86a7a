"""Folders for temporary files, which are removed even if their process was killed.

Their names contain machine and process; the next process of this user removes those of dead processes.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from pathlib import Path

from agtrace.errors import is_full
from agtrace.store.files import is_folder

KINDS = ("browser", "kernel", "lab", "pasted", "sample", "spill", "unpacked")
PROBE_BYTES = 1 << 20
"""A kernel and its notebook need as much."""
ABANDONED_S = 24 * 3600.0
"""If processes cannot be looked up, a folder unchanged for this many seconds counts as abandoned."""


def prefix(kind: str) -> str:
    """Return the prefix of the names of this process's temporary folders.

    It is short because a kernel's sockets are in such a folder, and their paths may have at most 104
    characters.
    """
    return f"agtrace-{kind}-{process_mark()}"


def process_mark() -> str:
    """Return the prefix of names of this machine and process."""
    return f"{machine_mark()}{os.getpid():x}-"


def unused(kind: str) -> Path:
    """Return a new path that is not predictable."""
    return Path(tempfile.gettempdir()) / f"{prefix(kind)}{secrets.token_hex(4)}"


def has_room() -> bool:
    """Return whether the temporary folder takes a file of some size."""
    try:
        with tempfile.TemporaryFile() as file:
            file.write(bytes(PROBE_BYTES))
            file.flush()
    except OSError as error:
        return not is_full(error)
    return True


def remove_abandoned() -> None:
    """Remove the temporary folders of processes of this user and machine that have ended."""
    pattern = re.compile(rf"agtrace-(?:{'|'.join(KINDS)})-{machine_mark()}([0-9a-f]{{1,8}})-\w+")
    try:
        entries = list(os.scandir(tempfile.gettempdir()))
    except OSError:
        return
    for entry in entries:
        found = pattern.fullmatch(entry.name)
        if found and _is_abandoned(Path(entry.path), int(found[1], 16)):
            shutil.rmtree(entry.path, ignore_errors=True)


def process_is_gone(pid: int) -> bool | None:
    """Return whether a process of this machine has ended; None if that cannot be checked."""
    if os.name != "posix":
        # Signal 0 would end the process on Windows.
        return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


def _is_abandoned(folder: Path, pid: int) -> bool:
    return is_folder(folder) and is_left(folder, process_is_gone(pid))


def is_left(path: Path, gone: bool | None) -> bool:
    """Return whether a path that a process of this user wrote is left over.

    Parameters
    ----------
    path
        A file or folder that only one process writes.
    gone
        Whether that process has ended; if None (unknown), only old paths count as left over.
    """
    try:
        status = path.lstat()
    except OSError:
        return False
    if os.name == "posix" and status.st_uid != os.geteuid():
        return False
    return time.time() - status.st_mtime > ABANDONED_S if gone is None else gone


def machine_mark() -> str:
    """Return the prefix of names of this machine."""
    # Containers may share a temporary folder; each has process numbers of its own.
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:3]
