"""The processes that do tasks, seen from the one that starts them."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, cast

from agtrace import import_path
from agtrace.engines.base import Lost, Share
from agtrace.engines.messages import receive, send

END_S = 5.0
"""Seconds that an idle worker may take to end."""

COMMAND = "agtrace.engines.worker"


class WorkerEndedError(Exception):
    """A worker ended in the middle of a task."""


class Workers:
    """Processes that are started on demand; one thread waits for each.

    Parameters
    ----------
    count
        Number of processes at the same time.
    longest_s
        Time limit of a task, in seconds; beyond it the task is lost and its worker killed.
    """

    def __init__(self, count: int, longest_s: float | None = None) -> None:
        self._longest_s = longest_s
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._lock = threading.Lock()
        self._started: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._killed = False

    def submit(self, share: Share, work: Any, argument: Any) -> Future[Any]:
        """Submit a task.

        Parameters
        ----------
        share
            Number of threads and bytes of memory that it may use.
        work, argument
            As in an engine. The future raises the error of the work, or `WorkerEndedError`.
        """
        return self._threads.submit(self._do, share, work, argument)

    def kill(self) -> None:
        """End all workers at once, from whichever thread, more than once."""
        with self._lock:
            self._killed = True
            for worker in self._started:
                worker.kill()

    def end(self) -> None:
        """Stop workers once their tasks are done, and wait for them."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._idle:
            worker.end()

    def _do(self, share: Share, work: Any, argument: Any) -> Any:
        worker = self._taken()
        try:
            succeeded, result = worker.do((share, work, argument), self._longest_s)
        except (EOFError, OSError):
            worker.kill()
            worker.wait()
            with self._lock:
                self._started.discard(worker)
            if worker.is_overdue:
                return Lost(f"it took longer than {self._longest_s:g} s", overdue=True)
            raise WorkerEndedError from None
        self._idle.append(worker)
        if succeeded:
            return result
        raise result

    def _taken(self) -> _Worker:
        try:
            return self._idle.pop()
        except IndexError:
            worker = _Worker()
        with self._lock:
            self._started.add(worker)
            if self._killed:
                worker.kill()
        return worker


class _Worker:
    """One process."""

    def __init__(self) -> None:
        with _deaf_children():
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=import_path.environment(),
            )
        self._tasks = cast("Any", self._process.stdin)
        self._results = cast("Any", self._process.stdout)
        self._is_new = True
        self._lock = threading.Lock()
        self._is_busy = False
        self.is_overdue = False

    def do(self, task: Any, longest_s: float | None) -> Any:
        """Hand a task over, and wait for what becomes of it.

        Raises
        ------
        EOFError, OSError
            The process has ended.
        """
        timer = threading.Timer(longest_s, self._give_up) if longest_s else None
        self._is_busy = True
        if timer:
            timer.daemon = True
            timer.start()
        try:
            if self._is_new:
                send(self._tasks, _temporary())
                self._is_new = False
            send(self._tasks, task)
            result = receive(self._results)
        finally:
            with self._lock:
                self._is_busy = False
            if timer:
                timer.cancel()
        if self.is_overdue:
            raise EOFError
        return result

    def _give_up(self) -> None:
        with self._lock:
            if self._is_busy:
                self.is_overdue = True
                self.kill()

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._process.kill()

    def wait(self) -> None:
        """Wait until it has ended, and let go of what it was spoken to by."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        for line in (self._tasks, self._results):
            # Closing flushes buffered data, which fails if the worker has ended.
            with contextlib.suppress(OSError):
                line.close()

    def end(self) -> None:
        """Stop the idle worker."""
        with contextlib.suppress(OSError):
            send(self._tasks, None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self.kill()
        self.wait()


def _temporary() -> str | None:
    try:
        return tempfile.gettempdir()
    except OSError:
        return None


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which a terminal sends to all processes at once.

    Otherwise each would print its own traceback; the parent receives the signal and ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
