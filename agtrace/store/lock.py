"""One writer per store: a lock file with host, process and a heartbeat."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any

from agtrace import moving
from agtrace.errors import LockedError, StoreError
from agtrace.store.files import MAX_MARKER_BYTES, TEMPORARY, read_text
from agtrace.store.parts import storage_error
from agtrace.store.scratch import process_is_gone

HEARTBEAT_S = 5.0
STALE_S = 60.0
LOOK_S = 0.05
"""Seconds between checks of a lock while waiting for it."""
FUTURE_S = 5.0
"""A heartbeat further ahead of our clock than this was written by another clock, and has no age."""
WATCHED_S = 3 * HEARTBEAT_S
"""Seconds that such a heartbeat is watched before it counts as stopped."""

_HELD: set[str] = set()
"""Tokens of the locks that this process holds."""


class WriterLock:
    """Holds ``<root>/<name>`` while writing; a lock whose heartbeat stopped is taken over.

    It uses a heartbeat rather than a process check, because the other writer may run on another machine that
    shares the folder. The holder must call `check` before it publishes anything: a machine that was suspended
    may have lost the lock.

    Parameters
    ----------
    root
        Folder to protect.
    name
        Name of the lock file in it.
    patience_s
        Seconds to wait for another writer.

    Raises
    ------
    StoreError
        Another writer holds the lock.
    """

    def __init__(self, root: Path, name: str = "lock", patience_s: float = 0.0) -> None:
        self.path = root / name
        self._patience_s = patience_s
        self._token = uuid.uuid4().hex
        self._stop = threading.Event()
        self._beat: threading.Thread | None = None

    def __enter__(self) -> WriterLock:
        # Register first: other threads of this process treat an unregistered lock as left over.
        _HELD.add(self._token)
        try:
            self._take()
        except BaseException:
            _HELD.discard(self._token)
            raise
        self._beat = threading.Thread(target=self._heartbeat, daemon=True)
        self._beat.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._beat:
            self._beat.join()
        _HELD.discard(self._token)
        if self._is_ours():
            moving.remove(self.path)

    def _take(self) -> None:
        until = time.monotonic() + self._patience_s
        taken_over = False
        while not self._make():
            is_over = time.monotonic() >= until
            if is_over and taken_over:
                raise StoreError(f"{self.path.parent}: another writer took the lock", "try again")
            try:
                self._take_over_if_stale()
                taken_over = True
            except StoreError:
                if is_over:
                    raise
                time.sleep(LOOK_S)

    def check(self) -> None:
        """Make sure that the lock is still ours.

        Raises
        ------
        StoreError
            Another writer took it over; nothing more may be written.
        """
        if not self._is_ours():
            raise StoreError(
                f"{self.path.parent}: another writer took the lock over, or the store was removed",
                "run it again once nobody else does; what was decoded so far is kept",
            )

    def _make(self) -> bool:
        """Make the lock, whole at once; False when there is one."""
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "since": time.time(), "token": self._token}
        temporary = self.path.with_name(f"{self.path.name}.{self._token}{TEMPORARY}")
        try:
            with temporary.open("x", encoding="utf-8") as file:
                json.dump(owner, file)
            return _named(temporary, self.path, json.dumps(owner))
        except OSError as error:
            raise storage_error(self.path.parent, error) from error
        finally:
            # In a read-only folder the lock cannot be removed either.
            with contextlib.suppress(OSError):
                moving.remove(temporary)

    def _is_ours(self) -> bool:
        return _owner(self.path).get("token") == self._token

    def _heartbeat(self) -> None:
        while not self._stop.wait(HEARTBEAT_S):
            if not self._is_ours():
                return
            with contextlib.suppress(OSError):
                os.utime(self.path)

    def _take_over_if_stale(self) -> None:
        try:
            status = self.path.lstat()
        except FileNotFoundError:
            return
        owner = _owner(self.path)
        age = time.time() - status.st_mtime
        if age > STALE_S or has_ended(owner) or (age < -FUTURE_S and self._stands_still(status.st_mtime_ns)):
            # Remove only the lock that was inspected: another process may have taken it over meanwhile.
            if _owner(self.path) == owner:
                moving.remove(self.path)
            return
        raise in_use(self.path.parent, owner)

    def _stands_still(self, mtime_ns: int) -> bool:
        """Watch a heartbeat whose time stamp is not reliable, and return whether it has stopped."""
        end = time.monotonic() + WATCHED_S
        while time.monotonic() < end:
            time.sleep(min(0.5, WATCHED_S))
            try:
                if self.path.lstat().st_mtime_ns != mtime_ns:
                    return False
            except FileNotFoundError:
                return True
        return True


def in_use(place: Path | str, owner: dict[str, Any]) -> LockedError:
    """Return the error that a place is in use."""
    return LockedError(
        f"{place}: in use by process {owner.get('pid', '?')} on {owner.get('host', '?')}",
        f"wait for it to finish (if it has died, the lock is given up after {STALE_S:.0f} s)",
    )


def _named(temporary: Path, path: Path, text: str) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError:
        # File systems without hard links: the name first, then what it says.
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            return False
        try:
            with file:
                file.write(text)
        except OSError:
            # On a full disk the lock exists and says nothing: it is ours to remove.
            moving.remove(path)
            raise
    return True


def _owner(path: Path) -> dict[str, Any]:
    try:
        owner = json.loads(read_text(path, MAX_MARKER_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return owner if isinstance(owner, dict) else {}


def has_ended(owner: dict[str, Any]) -> bool:
    """Return whether the lock's owner ran on this machine and has ended (POSIX only)."""
    pid = owner.get("pid")
    if owner.get("host") != socket.gethostname() or not isinstance(pid, int) or pid <= 0:
        return False
    if pid == os.getpid():
        # In a container, successive processes may all have this process id.
        return owner.get("token") not in _HELD
    return bool(process_is_gone(pid))
