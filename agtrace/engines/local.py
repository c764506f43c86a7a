"""Jobs in this process, or side by side in processes of this machine."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import multiprocessing.connection
import os
import signal
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from agtrace import interrupts, memory, threads
from agtrace.engines.base import Argument, Engine, Lost, Result, Seen, Task, Work

ATTEMPTS = 2
"""How often a task is tried alone, whose process may have ended because of it."""

LOST = f"the process that was at it ended, each time: {memory.OUT_OF_MEMORY}"


def local(jobs: int | None, *, worth: bool, each: int = memory.DECODER) -> Engine:
    """Choose an engine of this machine.

    Parameters
    ----------
    jobs
        How many processes; None is one per core, as far as there is memory, where that is worth it.
    worth
        Whether starting processes takes less time than they save.
    each
        Bytes that a process needs to get on.
    """
    count = jobs or (memory.workers(os.cpu_count() or 1, each=each) if worth else 1)
    return Processes(count) if count > 1 else Serial()


class Share(NamedTuple):
    """What a process may take that works beside others."""

    threads: int
    bytes: int


class Serial:
    """One task after the other, in this process."""

    here = True
    at_once = 1

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """As `agtrace.engines.base.Engine.map`."""
        for task in tasks:
            yield task, work(task.argument, seen)


class Processes:
    """Tasks side by side, in processes that end with this one.

    A process that is lost (killed by the system for want of memory, say) costs time alone: what it
    may have been at is done again, each task by itself, so that one that takes its process with it
    is told from its neighbours.

    Parameters
    ----------
    workers
        How many; each may use its share of the cores.
    """

    here = True

    def __init__(self, workers: int) -> None:
        self.at_once = workers

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """As `agtrace.engines.base.Engine.map`."""
        left = iter(tasks)
        first = list(itertools.islice(left, 2))
        left = itertools.chain(first, left)
        if len(first) < 2:
            yield from Serial().map(work, left, seen)
            return
        while True:
            suspects = yield from self._together(work, left, seen)
            if not suspects:
                return
            for task in suspects:
                yield task, self._alone(work, task)
                seen(task.bytes)

    def _together(
        self, work: Work[Argument, Result], left: Iterator[Task[Argument]], seen: Seen
    ) -> Generator[tuple[Task[Argument], Result | Lost], None, list[Task[Argument]]]:
        """Run tasks until none is left or a process is lost; give those that were at work then."""
        share = Share(max((os.cpu_count() or 1) // self.at_once, 1), memory.share(self.at_once))
        running: dict[Future[Any], Task[Argument]] = {}
        with _pool(self.at_once) as pool:
            # One more than there are processes, so that none waits for its next task.
            for task in itertools.islice(left, self.at_once + 1):
                running[_submit(pool, share, work, task)] = task
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    task = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        interrupts.check()
                        return [task, *running.values()]
                    yield task, result
                    seen(task.bytes)
                    for following in itertools.islice(left, 1):
                        try:
                            running[_submit(pool, share, work, following)] = following
                        except BrokenProcessPool:
                            return [following, *running.values()]
        return []

    def _alone(self, work: Work[Argument, Result], task: Task[Argument]) -> Result | Lost:
        for _ in range(ATTEMPTS):
            interrupts.check()
            with _pool(1) as pool, contextlib.suppress(BrokenProcessPool):
                share = Share(os.cpu_count() or 1, memory.share(1))
                result: Result = _submit(pool, share, work, task).result()
                return result
        interrupts.check()
        return Lost(LOST)


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_begin, initargs=(_temporary(),)
    )
    with interrupts.stopped_by(lambda: _kill(pool)):
        try:
            yield pool
        except (KeyboardInterrupt, GeneratorExit):
            _kill(pool)
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor, share: Share, work: Work[Any, Any], task: Task[Any]
) -> Future[Any]:
    # A process is started where it is needed, and that is here.
    with interrupts.held_back(), _deaf_children():
        return pool.submit(_work, share, work, task.argument)


def _work(share: Share, work: Work[Any, Any], argument: Any) -> Any:
    threads.limit(share.threads)
    memory.limit(share.bytes)
    return work(argument, lambda _bytes: None)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: a terminal tells it to all at once.

    Each would print a traceback of its own; the parent hears it, and ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(pool: ProcessPoolExecutor) -> None:
    # They are the pool's own secret before Python 3.14, and forgotten once it is shut down.
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        with contextlib.suppress(OSError, ValueError):
            process.kill()


def _temporary() -> str | None:
    try:
        return tempfile.gettempdir()
    except OSError:
        return None


def _begin(temporary: str | None) -> None:
    # Python would try that folder with a file of its own, and a worker may be killed at any moment.
    tempfile.tempdir = temporary
    memory.go_first()
    end_with_parent()


def end_with_parent() -> None:
    """End this worker as soon as the process that started it has ended, however that ended.

    A worker that outlived it would go on to decode, for nobody: only the parent commits.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()
