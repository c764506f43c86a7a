"""Runs the jobs of an ingest on an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agtrace.engines import Engine, Lost, Seen, Task, local
from agtrace.ingest.job import Job, Outcome, key_of, lost, run

SPAWN_WORTH_BYTES = 64 << 20
"""Below this much input, starting processes takes longer than the work."""


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
    jobs = [replace(job, away=not engine.here) for job in jobs]
    tasks = [Task(key_of(job), job, job.place.bytes) for job in jobs]
    for task, outcome in engine.map(run, tasks, seen):
        yield lost(task.argument, outcome.reason) if isinstance(outcome, Lost) else outcome
