"""The files below a URL."""

from __future__ import annotations

import contextlib
import hashlib
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from agtrace import interrupts, moving
from agtrace.errors import MissingExtraError, StorageError, is_full
from agtrace.extras import need_storage
from agtrace.storage.urls import joined

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_ONCE = 8
"""Number of parallel requests, because each waits for the network."""


@dataclass(frozen=True)
class RemoteFile:
    """A file in the listing of a storage.

    Parameters
    ----------
    name
        Path below the URL.
    bytes, mtime_ns
        Its size, and its upload time (ns since 1970; 0 if unknown).
    version
        Changes with its contents: the storage's own version or ETag, or else size and time.
    """

    name: str
    bytes: int
    mtime_ns: int
    version: int


class Remote:
    """The files below a URL. Every call lists them again; listings are not cached.

    Credentials are those that s3fs and adlfs find in the environment (docs/many/machines.md).

    Parameters
    ----------
    url
        The URL.

    Raises
    ------
    StorageError
        The scheme is unknown, or there are no credentials.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    @cached_property
    def _opened(self) -> tuple[AbstractFileSystem, str]:
        need_storage(self.url)
        import fsspec

        with self._told():
            system, root = fsspec.core.url_to_fs(self.url, use_listings_cache=False)
            return system, root.rstrip("/")

    @property
    def _system(self) -> AbstractFileSystem:
        return self._opened[0]

    def _path(self, name: str) -> str:
        root = self._opened[1]
        return f"{root}/{name}" if name else root

    def files(self, below: str = "") -> list[RemoteFile]:
        """List all files, sorted by name; empty if there are no files.

        Parameters
        ----------
        below
            List only this folder; names are still relative to the URL.
        """
        with self._told(below):
            self._system.invalidate_cache()
            try:
                found = self._system.find(self._path(below), detail=True)
            except FileNotFoundError:
                return []
            start = len(self._opened[1]) + 1
            listed = [_file(path[start:], info) for path, info in found.items()]
        return sorted((file for file in listed if file.name), key=lambda file: file.name)

    def entries(self) -> list[tuple[str, int | None]]:
        """List the direct entries: names, and the size of each file (None for folders)."""
        with self._told():
            self._system.invalidate_cache()
            try:
                found = self._system.ls(self._opened[1], detail=True)
            except FileNotFoundError:
                return []
            start = len(self._opened[1]) + 1
            named = {
                each["name"].rstrip("/")[start:]: None
                if each["type"] == "directory"
                else int(each["size"] or 0)
                for each in found
            }
        return sorted((name, size) for name, size in named.items() if name)

    def look(self, name: str = "") -> RemoteFile | None:
        """Look at one file; None when it is not there."""
        with self._told(name):
            self._system.invalidate_cache()
            try:
                info = self._system.info(self._path(name))
            except FileNotFoundError:
                return None
            return _file(name, info) if info.get("type") != "directory" else None

    def open(self, name: str = "") -> BinaryIO:
        """Open a file for reading from the start to the end."""
        with self._told(name):
            file: BinaryIO = self._system.open(self._path(name), "rb", cache_type="readahead")
            return file

    def read(self, name: str, limit: int | None = None) -> bytes | None:
        """Read a file, or its first bytes (no more than it has); None when it is not there."""
        with self._told(name):
            try:
                data: bytes = self._system.cat_file(self._path(name), start=0, end=limit)
            except FileNotFoundError:
                return None
            return data

    def fetch(self, name: str, target: Path) -> None:
        """Fetch a file; the local file is written completely or not at all.

        Raises
        ------
        StorageError
            The file does not exist, or cannot be read.
        OSError
            The local file cannot be written.
        """
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = target.with_name(f"{target.name[:100]}.{uuid.uuid4().hex[:12]}.tmp")
        try:
            with self._told(name):
                self._system.get_file(self._path(name), str(temporary))
            moving.replace(temporary, target)
        finally:
            moving.remove(temporary)

    def put(self, name: str, source: Path) -> None:
        """Put a file there, whole at once."""
        with self._told(name):
            self._system.put_file(str(source), self._path(name))

    def write(self, name: str, data: bytes) -> None:
        """Put bytes there, whole at once."""
        with self._told(name):
            self._system.pipe_file(self._path(name), data)

    def create(self, name: str, data: bytes) -> bool:
        """Create a file with these bytes unless it exists; return whether it was created.

        Not every storage does this atomically: to be certain, read the file afterwards.
        """
        with self._told(name):
            try:
                self._system.pipe_file(self._path(name), data, mode="create")
            except Exception as error:
                interrupts.raise_again(error)
                self._system.invalidate_cache()
                if self._system.exists(self._path(name)):
                    return False
                # Storages that only speak like S3 may not know the condition.
                self._system.pipe_file(self._path(name), data)
        return True

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; a missing file is not an error."""
        for name in names:
            with self._told(name), contextlib.suppress(FileNotFoundError):
                self._system.rm_file(self._path(name))

    @contextlib.contextmanager
    def _told(self, name: str = "") -> Iterator[None]:
        """Raise errors of any storage library as one line."""
        try:
            yield
        except (KeyboardInterrupt, FileNotFoundError, StorageError, MissingExtraError):
            raise
        except Exception as error:
            interrupts.raise_again(error)
            if isinstance(error, OSError) and is_full(error):
                raise
            text = " ".join(str(error).split())[:300]
            raise StorageError(
                f"{joined(self.url, name)}: {text or type(error).__name__}",
                "check the URL, the network and the credentials",
            ) from error


def each(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Do something with each of several files, some at once."""
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="storage")
    try:
        return list(pool.map(work, items))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _file(name: str, info: dict[str, Any]) -> RemoteFile:
    changed = info.get("LastModified") or info.get("last_modified") or info.get("mtime")
    if isinstance(changed, datetime):
        mtime_ns = int(changed.timestamp()) * 10**9 + changed.microsecond * 1000
    else:
        mtime_ns = int(changed * 1e9) if isinstance(changed, int | float) else 0
    size = int(info.get("size") or 0)
    mark = info.get("ETag") or info.get("etag") or f"{size} {mtime_ns}"
    digest = hashlib.sha256(f"{mark} {size}".encode()).digest()
    # It takes the place of the modification time of local files, and is never within seconds of now.
    return RemoteFile(name, size, mtime_ns, int.from_bytes(digest[:6], "big"))


def is_old(file: RemoteFile, seconds: float) -> bool:
    """Return whether a file is older than this; False if its age is unknown."""
    return file.mtime_ns > 0 and time.time() - file.mtime_ns / 1e9 > seconds
