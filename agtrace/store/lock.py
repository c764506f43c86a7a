"""One writer per store: a lock file with host, process and a heartbeat."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from pathlib import Path
from types import TracebackType

from agtrace.errors import StoreError

HEARTBEAT_S = 5.0
STALE_S = 60.0


class WriterLock:
    """Holds ``<store>/lock`` while writing; a lock whose heartbeat stopped is taken over.

    A heartbeat rather than a process check: the other writer may run on another machine that
    shares the folder.

    Raises
    ------
    StoreError
        Another writer is at work.
    """

    def __init__(self, root: Path) -> None:
        self.path = root / "lock"
        self._stop = threading.Event()
        self._beat: threading.Thread | None = None

    def __enter__(self) -> WriterLock:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "since": time.time()}
        for _ in range(2):
            try:
                file = self.path.open("x", encoding="utf-8")
            except FileExistsError:
                self._take_over_if_stale()
                continue
            try:
                with file:
                    json.dump(owner, file)
            except OSError:
                # On a full disk the lock exists and says nothing: it is ours to remove.
                self.path.unlink(missing_ok=True)
                raise
            break
        else:
            raise StoreError(f"{self.path.parent}: another writer took the lock", "try again")
        self._beat = threading.Thread(target=self._heartbeat, daemon=True)
        self._beat.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._beat:
            self._beat.join()
        self.path.unlink(missing_ok=True)

    def _heartbeat(self) -> None:
        while not self._stop.wait(HEARTBEAT_S):
            try:
                os.utime(self.path)
            except OSError:
                return

    def _take_over_if_stale(self) -> None:
        try:
            age = time.time() - self.path.stat().st_mtime
            owner = json.loads(self.path.read_text(encoding="utf-8") or "{}")
        except FileNotFoundError:
            return
        except ValueError:
            owner = {}
        if age > STALE_S or _process_is_gone(owner):
            self.path.unlink(missing_ok=True)
            return
        raise StoreError(
            f"{self.path.parent}: in use by process {owner.get('pid', '?')} on {owner.get('host', '?')}",
            f"wait for it to finish (if it has died, the lock is given up after {STALE_S:.0f} s)",
        )


def _process_is_gone(owner: dict[str, object]) -> bool:
    """Tell whether the lock's owner ran on this machine and has ended (POSIX only)."""
    pid = owner.get("pid")
    # On Windows signal 0 would end the process; there the heartbeat alone decides.
    if os.name != "posix" or owner.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
