"""Runs the jobs of an ingest: one after the other, or side by side in processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing.process import BaseProcess

from agtrace import interrupts
from agtrace.ingest.job import Job, Outcome, run

SPAWN_WORTH_BYTES = 64 << 20
"""Below this much input, starting processes takes longer than the work."""


def run_jobs(
    jobs: list[Job], workers: int | None, seen: Callable[[int], None]
) -> Iterator[Outcome]:
    """Run jobs and give their outcomes as they end.

    Parameters
    ----------
    jobs
        What to do; the largest should come first.
    workers
        Processes; None takes one per core when there is enough to do.
    seen
        Told bytes as they are done.

    Raises
    ------
    StoreError
        The store cannot be written.
    """
    total = sum(job.place.bytes for job in jobs)
    if workers is None:
        workers = (os.cpu_count() or 1) if total >= SPAWN_WORTH_BYTES else 1
    workers = min(workers, len(jobs))
    if workers <= 1:
        for job in jobs:
            yield run(job, seen)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent) as pool:
        with _deaf_children():
            waiting = {pool.submit(run, job): job for job in jobs}
        # They are the pool's own secret before Python 3.14.
        processes = list(pool._processes.values())
        with interrupts.stopped_by(lambda: _kill(processes)):
            try:
                for future in as_completed(waiting):
                    yield future.result()
                    seen(waiting[future].place.bytes)
            except (KeyboardInterrupt, GeneratorExit):
                _kill(processes)
                raise
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


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


def _kill(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        with contextlib.suppress(OSError, ValueError):
            process.kill()


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
