"""Runs the jobs of an ingest on an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from agtrace.engines import Engine, Lost, Seen, Task, local
from agtrace.ingest.divide import Pieces, divided
from agtrace.ingest.job import Job, Outcome, key_of, lost, run

SPAWN_WORTH_BYTES = 64 << 20
"""Below this much input, starting processes takes longer than the work."""

Jobs = Job | tuple[Job, ...]

TASKS = 500
MOST_TOGETHER = 64
TOGETHER_BYTES = 1 << 20
"""So many tasks at least, and so many jobs and bytes in one at most: to hand over a small job and take its
outcome back takes as long as to do it.
"""


def run_jobs(
    jobs: list[Job], workers: int | None, seen: Seen, engine: Engine | None = None
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
    engine
        Where they run; None is this machine.

    Raises
    ------
    StoreError
        The store cannot be written.
    EngineError
        Nobody is there to do them.
    """
    if engine is None:
        total = sum(job.place.bytes for job in jobs)
        engine = local(workers, worth=total >= SPAWN_WORTH_BYTES)
    jobs = divided([replace(job, away=not engine.here) for job in jobs], engine)
    pieces = Pieces.of(jobs)
    again = []
    for job, outcome in _run(jobs, seen, engine):
        if job.options.span is None:
            yield _told(job, outcome)
            continue
        content = pieces[job.content_id]
        content.add(job, outcome)
        if content.are_complete:
            if joined := content.joined():
                yield joined
            else:
                again.append(content.whole)
    for job, outcome in _run(again, lambda _bytes: None, engine):
        yield _told(job, outcome)


def _told(job: Job, outcome: Outcome | Lost) -> Outcome:
    return lost(job, outcome.reason) if isinstance(outcome, Lost) else outcome


def _run(jobs: list[Job], seen: Seen, engine: Engine) -> Iterator[tuple[Job, Outcome | Lost]]:
    most = min(max(len(jobs) // TASKS, 1), MOST_TOGETHER)
    while jobs:
        lost_together: list[Job] = []
        for task, outcome in engine.map(run_task, _tasks(jobs, most), seen):
            if isinstance(task.argument, Job):
                assert not isinstance(outcome, list)
                yield task.argument, outcome
            elif isinstance(outcome, list):
                yield from zip(task.argument, outcome, strict=True)
            else:
                lost_together += task.argument
        # One of them takes its process with it: alone, each is done or lost, and counted once.
        jobs, most, seen = lost_together, 1, lambda _bytes: None


def run_task(jobs: Jobs, seen: Seen) -> Outcome | list[Outcome]:
    """Run the job of a task, or its jobs, one after the other."""
    return run(jobs, seen) if isinstance(jobs, Job) else [run(job, seen) for job in jobs]


def _tasks(jobs: list[Job], most: int) -> Iterator[Task[Jobs]]:
    """Yield the tasks: at most so many small jobs make one."""
    together: list[Job] = []
    size = 0
    for job in jobs:
        if together and (len(together) == most or size + _bytes(job) > TOGETHER_BYTES):
            yield _task(together, size)
            together, size = [], 0
        together.append(job)
        size += _bytes(job)
    if together:
        yield _task(together, size)


def _task(jobs: list[Job], size: int) -> Task[Jobs]:
    keys = [key_of(job) for job in jobs]
    if len(jobs) == 1:
        return Task(keys[0], jobs[0], size)
    return Task(f"decode-{sha256(' '.join(keys).encode()).hexdigest()}", tuple(jobs), size)


def _bytes(job: Job) -> int:
    span = job.options.span
    return span.end - span.begin if span else job.place.bytes
