"""One writer at a URL, from whichever machine: a small file with host, process and a heartbeat."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from agtrace.errors import StorageError, StoreError
from agtrace.storage import Remote
from agtrace.store.files import MAX_MARKER_BYTES
from agtrace.store.lock import FUTURE_S, LOOK_S, STALE_S, WriterLock, has_ended, in_use

BEAT_S = 15.0
"""Each beat is a request or two."""
WATCHED_S = 2 * BEAT_S + 5
"""Seconds that a seemingly abandoned lock is watched, because another machine's clock may be wrong."""
SETTLED_S = 1.0
"""Seconds after which the last of two processes that took over the same lock is certain to hold it."""


class RemoteLock(WriterLock):
    """Holds a lock file at a URL while writing there, and the lock of its local copy.

    Parameters
    ----------
    root
        Folder of the copy.
    remote, name
        The URL, and the name of the lock there.
    patience_s
        Seconds to wait for another writer.
    taken
        Called once the lock is held, to fetch what others wrote until then.

    Raises
    ------
    StoreError
        Another writer holds the lock.
    """

    def __init__(
        self,
        root: Path,
        remote: Remote,
        name: str,
        patience_s: float = 0.0,
        taken: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(root, patience_s=patience_s)
        self._remote = remote
        self._name = name
        self._taken = taken
        self._since = time.time()
        self._over = threading.Event()
        self._beats: threading.Thread | None = None

    def __enter__(self) -> RemoteLock:
        super().__enter__()
        try:
            self._take_there()
            self._beats = threading.Thread(target=self._beat_there, daemon=True)
            self._beats.start()
            self._taken()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._beats:
            self._beats.join()
        # If the storage is unavailable, no one else can write there either; the lock expires in time.
        with contextlib.suppress(StorageError):
            if self._owner_there().get("token") == self._token:
                self._remote.remove([self._name])
        super().__exit__(kind, error, trace)

    def check(self) -> None:
        """Make sure that the lock is still ours, here and there."""
        super().check()
        if self._owner_there().get("token") != self._token:
            raise StoreError(
                f"{self._remote.url}: another run took over writing there",
                "run it again once nobody else does; what was reported so far is kept",
            )

    def _take_there(self) -> None:
        until = time.monotonic() + self._patience_s
        while not self._remote.create(self._name, self._told()):
            owner = self._owner_there()
            if not owner:
                time.sleep(LOOK_S)
                continue  # It has just been given back.
            if has_ended(owner) or (not _is_fresh(owner) and self._stands_still_there(owner)):
                self._remote.write(self._name, self._told())
                time.sleep(SETTLED_S)
                break
            if time.monotonic() >= until:
                raise in_use(self._remote.url, owner)
            time.sleep(max(LOOK_S, min(BEAT_S / 5, until - time.monotonic())))
        owner = self._owner_there()
        if owner.get("token") != self._token:
            raise in_use(self._remote.url, owner)

    def _told(self) -> bytes:
        owner = {
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "since": self._since,
            "beat": time.time(),
            "token": self._token,
        }
        return json.dumps(owner).encode()

    def _owner_there(self) -> dict[str, Any]:
        data = self._remote.read(self._name, MAX_MARKER_BYTES)
        if data is None:
            return {}
        try:
            owner = json.loads(data)
        except (ValueError, RecursionError):
            # Damaged: it has no owner, but a process may be writing it.
            owner = {"damaged": str(data)}
        return owner if isinstance(owner, dict) and owner else {"damaged": str(owner)}

    def _beat_there(self) -> None:
        while not self._over.wait(BEAT_S):
            with contextlib.suppress(StorageError):
                if self._owner_there().get("token") != self._token:
                    return
                self._remote.write(self._name, self._told())

    def _stands_still_there(self, owner: dict[str, Any]) -> bool:
        end = time.monotonic() + WATCHED_S
        while time.monotonic() < end:
            time.sleep(min(BEAT_S / 5, WATCHED_S))
            if self._owner_there() != owner:
                return False
        return True


def _is_fresh(owner: dict[str, Any]) -> bool:
    beat = owner.get("beat")
    return isinstance(beat, int | float) and -FUTURE_S <= time.time() - beat <= STALE_S
