"""From HammerDB's outputs to facts.

| topic | one item per | from |
|---|---|---|
| hammerdb_result | run, or build of the schema: driver, users, NOPM, TPM, times | log, console, job report |
| hammerdb_user | run: how each virtual user ended | console |
| hammerdb_count | session of the transaction counter: its readings | counter log, console, job report, jobs |
| hammerdb_response | virtual user, or all of them: response times | time profile, jobs |
| hammerdb_log | header of a log: when it was opened | log |

The items of ``hammerdb_count`` and ``hammerdb_result`` of one file are the same runs, but for the
counter's own log.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.hammerdb import counts, job_lists, jobs, profile
from agtrace.readers.hammerdb.runs import HEADER, Run, RunLines
from agtrace.readers.text_lines import TextLines, lines_of

WORDS = ("Vuser ", "Hammerdb ")
"""One of them is in every output but the job report."""


def recognise(text: str) -> bool:
    """Return whether a text is one of the outputs: by a header, or by a run of virtual users."""
    if jobs.looks_like(text) or job_lists.looks_like(text):
        return True
    if not any(word in text for word in WORDS):
        return False
    lines = RunLines()
    for number, line, terminated in lines_of([text]):
        if any(p.HEADER.fullmatch(line) for p in (counts, profile)) or HEADER.fullmatch(line):
            return True
        lines.take(number, line, terminated)
        if lines.is_real:
            return True
    return False


def decode(text: TextLines) -> Decoded:
    """Yield the facts of all runs and sessions, and a fault for each run without its result."""
    start = text.start(jobs.MAX_CHARACTERS + 1)
    if jobs.looks_like(start):
        yield from jobs.decode(start)
        return
    lines = RunLines()
    item = 0
    is_count = is_profile = has_jobs = False
    told: set[tuple[str, str]] = set()
    for number, line, terminated in text:
        has_jobs = has_jobs or job_lists.looks_like(line)
        is_count = is_count or counts.HEADER.fullmatch(line) is not None
        is_profile = is_profile or profile.WORD in line
        if not is_count:
            lines.take(number, line, terminated)
            for run in lines.ended():
                yield from _of_run(run, item)
                told.add(run.result)
                item += 1
    for run in lines.finish():
        yield from _of_run(run, item)
        told.add(run.result)
        item += 1
    if has_jobs:
        yield from _of_jobs(text, item, told)
    yield from lines.headers
    if is_count:
        yield from _timed(counts.facts(text))
    if is_profile:
        yield from profile.facts(text)


def _of_run(run: Run, item: int) -> Decoded:
    yield from run.facts(item)
    if fault := run.fault():
        yield fault


def _of_jobs(text: TextLines, item: int, told: set[tuple[str, str]]) -> Decoded:
    lists = job_lists.taken(text)
    yield from lists.facts(item, told)
    if lists.is_open:
        yield Fault("truncated", "the list of a job's result or of its response times has no end: cut off")


def _timed(facts: Iterable[Fact]) -> Decoded:
    """Yield readings, and how many of them have no time."""
    readings = without = 0
    for fact in facts:
        if fact.key == "tpm":
            readings += 1
            without += fact.time_local is None
        yield fact
    if without:
        message = f"{without} of {readings} readings have no time; set timestamps (tcset) to get it"
        yield Fault("no_time", message, "info")
