"""Jobs in this process, or side by side in processes of this machine."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait

from agtrace import interrupts, memory
from agtrace.engines.base import Argument, Engine, Lost, Result, Seen, Share, Task, Work
from agtrace.engines.workers import WorkerEndedError, Workers

ATTEMPTS = 2
"""Number of attempts to run a task alone if it may have ended its process."""

LOST = f"the process that was at it ended, each time: {memory.OUT_OF_MEMORY}"


def local(jobs: int | None, *, worth: bool, each: int = memory.DECODER) -> Engine:
    """Choose an engine on this machine.

    Parameters
    ----------
    jobs
        Number of processes; None is one per core, limited by memory, if worthwhile.
    worth
        Whether processes save more time than starting them takes.
    each
        Bytes of memory that a process needs.
    """
    count = jobs or (memory.workers(os.cpu_count() or 1, each=each) if worth else 1)
    return Processes(count) if count > 1 else Serial()


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
    """Runs tasks in parallel, in processes that end with this one.

    If a process is lost (for example, killed because memory ran out), its task is repeated alone. This
    distinguishes a task that kills its process from one that only lacked memory beside others.

    Parameters
    ----------
    workers
        Number of processes; each may use its share of the cores.
    longest_s
        Time limit of a task, in seconds; beyond it, its process and all child processes are ended.
    """

    here = True

    def __init__(self, workers: int, longest_s: float | None = None) -> None:
        self.at_once = workers
        self._longest_s = longest_s

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """As `agtrace.engines.base.Engine.map`."""
        left = iter(tasks)
        first = list(itertools.islice(left, 2))
        left = itertools.chain(first, left)
        if len(first) < 2 and self._longest_s is None:
            yield from Serial().map(work, left, seen)
            return
        with _killed_when_left(Workers(self.at_once, self._longest_s)) as workers:
            for task, result in self._together(workers, work, left):
                yield task, result
                seen(task.bytes)

    def _together(
        self, workers: Workers, work: Work[Argument, Result], left: Iterator[Task[Argument]]
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """Run tasks side by side; those whose process ended, once no other runs."""
        share = Share(max((os.cpu_count() or 1) // self.at_once, 1), memory.share(self.at_once))
        running: dict[Future[Result | Lost], Task[Argument]] = {}
        again: list[Task[Argument]] = []
        while True:
            if not again:
                # One more than there are processes, so that none waits for its next task.
                for task in itertools.islice(left, self.at_once + 1 - len(running)):
                    running[workers.submit(share, work, task.argument)] = task
            elif not running:
                task = again.pop()
                yield task, _alone(workers, work, task)
                continue
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                try:
                    result = future.result()
                except WorkerEndedError:
                    interrupts.check()
                    again.append(task)
                else:
                    yield task, result


def _alone(workers: Workers, work: Work[Argument, Result], task: Task[Argument]) -> Result | Lost:
    share = Share(os.cpu_count() or 1, memory.share(1))
    for _ in range(ATTEMPTS):
        interrupts.check()
        with contextlib.suppress(WorkerEndedError):
            return workers.submit(share, work, task.argument).result()
    interrupts.check()
    return Lost(LOST)


@contextlib.contextmanager
def _killed_when_left(workers: Workers) -> Iterator[Workers]:
    """Wait for the workers at the end of the block; kill them if it is left by an exception."""
    with interrupts.stopped_by(workers.kill):
        try:
            yield workers
        except BaseException:
            workers.kill()
            raise
        finally:
            workers.end()
