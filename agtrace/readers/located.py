"""Captures by where they are: paths, globs, ``file://`` and storage URLs."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.errors import CaptureError, CaseError
from agtrace.readers.base import Source
from agtrace.storage import file_path, is_url, joined

if TYPE_CHECKING:
    from agtrace.storage import Remote

Places = str | PathLike[str] | Iterable[str | PathLike[str]]


def sources(asked: Places) -> list[Source]:
    """Return the requested captures: one, several, or those of a glob that is not a file name.

    Raises
    ------
    CaptureError
        One is not there.
    CaseError
        It is neither a path nor a list of paths.
    StorageError
        What is at a URL cannot be listed.
    """
    if isinstance(asked, str | PathLike):
        if (path := file_path(asked)) is not None:
            return _local(str(path))
        return _remote(str(asked)) if is_url(asked) else _local(asked)
    if isinstance(asked, Iterable) and not isinstance(asked, bytes):
        found = {source.path: source for each in asked for source in sources(each)}
        if found:
            return list(found.values())
        raise CaptureError(str(asked), "no such file")
    raise CaseError(f"{asked!r} is no path and no list of paths", 'write "a.csv" or ["a.csv", "b.csv"]')


def _local(asked: str | PathLike[str]) -> list[Source]:
    path = Path(asked)
    if path.exists() or not glob.has_magic(str(asked)):
        return [_of_path(path)]
    # A pattern may be absolute, which Path.glob does not accept.
    found = [Path(each) for each in sorted(glob.glob(str(asked), recursive=True))]  # noqa: PTH207
    if not found:
        raise CaptureError(str(asked), "no such file")
    return [_of_path(each) for each in found]


def _of_path(path: Path) -> Source:
    try:
        return Source.of_path(path)
    except OSError as error:
        raise unreadable(str(path), error) from error


def unreadable(path: str, error: OSError) -> CaptureError:
    """Return the error of a capture whose bytes cannot be read."""
    return CaptureError(path, f"cannot be read ({error.strerror or error})")


def _remote(url: str) -> list[Source]:
    from agtrace.storage import Remote

    remote = Remote(url)
    if (file := remote.look()) is not None:
        return [Source(url, file.bytes, remote.open)]
    parts = url.split("/")
    fixed = next((n for n, part in enumerate(parts) if n > 2 and glob.has_magic(part)), None)
    found = [] if fixed is None else _matching(Remote("/".join(parts[:fixed])), parts[fixed:])
    if not found:
        raise CaptureError(url, "no such file")
    return found


def _matching(remote: Remote, pattern: list[str]) -> list[Source]:
    return [
        Source(joined(remote.url, file.name), file.bytes, lambda name=file.name: remote.open(name))  # type: ignore[misc]
        for file in remote.files()
        if len(parts := file.name.split("/")) == len(pattern) and all(map(fnmatchcase, parts, pattern))
    ]
