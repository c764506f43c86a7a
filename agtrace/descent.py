"""Going down a folder that a stranger packed: no recursion, and no deeper than captures lie."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from agtrace.store.files import is_link

MOST_FOLDERS = 100
"""Maximum depth of folders in a case. Captures are about five folders deep."""


def descend(top: Path, closed: Callable[[OSError], object]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Walk a folder and its subfolders, as `os.walk` does; links are not followed.

    Parameters
    ----------
    top
        The folder.
    closed
        Called with the error of each folder that cannot be listed or is nested too deeply.

    Yields
    ------
    tuple of Path, list of str and list of str
        A folder, and the names of the folders and of the files in it. Remove a name from the first list to
        skip that folder.
    """
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        if depth > MOST_FOLDERS:
            reason = f"lies below {MOST_FOLDERS} other folders; nothing in it is read"
            closed(OSError(errno.ENAMETOOLONG, reason, str(folder)))
            continue
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    (folders if _is_folder(entry) else files).append(entry.name)
        except OSError as error:
            closed(error)
            continue
        folders.sort()
        yield folder, folders, files
        below = [folder / name for name in reversed(folders)]
        waiting += [(path, depth + 1) for path in below if not is_link(path)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
