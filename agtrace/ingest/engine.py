"""Runs the jobs of an ingest on an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agtrace.engines import Engine, Lost, Seen, Task, local
from agtrace.ingest.divide import Pieces, divided
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
    tasks = [Task(key_of(job), job, _bytes(job)) for job in jobs]
    for task, outcome in engine.map(run, tasks, seen):
        yield task.argument, outcome


def _bytes(job: Job) -> int:
    span = job.options.span
    return span.end - span.begin if span else job.place.bytes
