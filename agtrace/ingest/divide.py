"""One huge capture as several jobs, and their parts as one: the tables of reading it whole."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from agtrace.engines import Engine, Lost, Task
from agtrace.ingest.job import Job, Outcome, key_of, rows_in
from agtrace.ingest.summary import Summariser
from agtrace.readers.base import Span
from agtrace.store import CommitRecord, parquet, store_at
from agtrace.store.parts import PartWriter
from agtrace.tables import ISSUES

SPAN_BYTES = 128 << 20
"""Long enough that what each job does once, such as reading the header, is nothing beside it."""

LEAST_HERE = 4
"""Processes of this machine for which it pays: with two, one that decodes in threads is faster."""

SUMMARISED = ("counters", "facts", "ticks")


def divided(jobs: list[Job], engine: Engine) -> list[Job]:
    """Put jobs for its spans in the place of each job that would keep one worker after all others.

    Rows are counted first, on the engine, so that each span knows the number of its first row. What no
    reader can divide stays one job.
    """
    total = sum(job.place.bytes for job in jobs)
    long = [job for job in jobs if job.place.member is None and job.place.bytes >= 2 * SPAN_BYTES]
    at_once = engine.at_once if long else 1
    if at_once < (LEAST_HERE if engine.here else 2):
        return jobs
    spans = {job.content_id: _spans(job) for job in long if job.place.bytes * at_once > total > 0}
    if not spans:
        return jobs
    counted = _counted([each for listed in spans.values() for each in listed], engine)
    work: list[Job] = []
    for job in jobs:
        numbered = _numbered(spans.get(job.content_id, []), counted)
        work += numbered or [job]
    return work


def _spans(job: Job) -> list[Job]:
    size = job.place.bytes
    count = math.ceil(size / SPAN_BYTES)
    bounds = [size * number // count for number in range(count + 1)]
    return [
        replace(job, options=replace(job.options, span=Span(begin, end)))
        for begin, end in itertools.pairwise(bounds)
    ]


def _counted(jobs: list[Job], engine: Engine) -> dict[str, int]:
    """Return the rows of each span, by key, except spans that cannot be read separately."""
    tasks = [Task(f"rows-{key_of(job)}", job) for job in jobs]
    return {
        task.key: rows
        for task, rows in engine.map(rows_in, tasks, lambda _bytes: None)
        if rows is not None and not isinstance(rows, Lost)
    }


def _numbered(jobs: list[Job], counted: dict[str, int]) -> list[Job]:
    """Return each span's job with its first row; none if the capture must be read whole."""
    rows = [counted.get(f"rows-{key_of(job)}") for job in jobs]
    # Without any row at its begin it may be no log, or one without dates.
    if not rows or None in rows or not rows[0]:
        return []
    numbered, first = [], 0
    for job, count in zip(jobs, rows, strict=True):
        span = job.options.span
        assert span is not None
        numbered.append(replace(job, options=replace(job.options, span=replace(span, first_row=first))))
        first += count or 0
    return numbered


@dataclass
class Pieces:
    """What became of the spans of a content."""

    jobs: list[Job]
    outcomes: dict[int, Outcome | Lost] = field(default_factory=dict)

    @classmethod
    def of(cls, jobs: list[Job]) -> dict[str, Pieces]:
        """Return one for each content that is read span by span."""
        listed: dict[str, list[Job]] = defaultdict(list)
        for job in jobs:
            if job.options.span is not None:
                listed[job.content_id].append(job)
        return {content: cls(spans) for content, spans in listed.items()}

    def add(self, job: Job, outcome: Outcome | Lost) -> None:
        """Take note of a span that was read."""
        assert job.options.span is not None
        self.outcomes[job.options.span.begin] = outcome

    @property
    def are_complete(self) -> bool:
        """Whether every span was read."""
        return len(self.outcomes) == len(self.jobs)

    @property
    def whole(self) -> Job:
        """The job that reads the content whole."""
        return replace(self.jobs[0], options=replace(self.jobs[0].options, span=None))

    def joined(self) -> Outcome | None:
        """Return the outcome of the content; None if it must be read whole after all.

        Raises
        ------
        StoreError
            The store cannot be written.
        """
        store = store_at(self.jobs[0].store)
        done = [self.outcomes[begin] for begin in sorted(self.outcomes)]
        read = [each for each in done if isinstance(each, Outcome)]
        sound = len(read) == len(done) and all(
            each.record.status == "ingested" and not each.changed for each in read
        )
        outcome = _joined(self.whole, read) if sound else None
        for each in read:
            store.discard(each.record)
        return outcome


def _joined(job: Job, outcomes: list[Outcome]) -> Outcome:
    store, first = store_at(job.store), outcomes[0].record
    with store.part(job.content_id, f"{first.reader}-{first.reader_version}") as part:
        for outcome in outcomes:
            store.adopt(part, outcome.record)
        for row in _issues(outcomes):
            part.write("issues", pa.RecordBatch.from_pylist([row], schema=ISSUES))
        part.finish()
        record = _record(first, part)
        store.deliver(record)
    return Outcome(record, sum(outcome.seconds for outcome in outcomes))


def _record(first: CommitRecord, part: PartWriter) -> CommitRecord:
    """Return the record of the whole content, with facts from its rows."""
    summariser = Summariser()
    for table in SUMMARISED:
        for file in part.files.get(table, []):
            rows = parquet.read(part.folder / file.name).combine_chunks()
            for batch in rows.to_batches():
                summariser.see(table, batch)
    return replace(
        first, part=part.name, tables=dict(part.rows), files=dict(part.files), summary=summariser.summary()
    )


def _issues(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """Count what was met in several spans once, where it was met first."""
    met: dict[tuple[str, str, str], dict[str, Any]] = {}
    for outcome in outcomes:
        for row in outcome.issues:
            key = (row["severity"], row["kind"], row["message"])
            if key in met:
                met[key]["count"] += row["count"]
            else:
                met[key] = dict(row)
    return list(met.values())
