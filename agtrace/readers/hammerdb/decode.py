"""From HammerDB's four outputs to facts.

| topic | one item per | from |
|---|---|---|
| hammerdb_result | run: driver, virtual users, NOPM, TPM, times | log, console, job report |
| hammerdb_user | run: how each virtual user ended | console |
| hammerdb_count | session of the transaction counter: its readings | counter log, console, job report |
| hammerdb_response | virtual user, or all of them: response times | time profile |
| hammerdb_log | header of a log: when it was opened | log |

The items of ``hammerdb_count`` and ``hammerdb_result`` of one file are the same runs, but for the
counter's own log.
"""

from __future__ import annotations

from agtrace.readers.fact_text import Decoded, Fact, Fault, numbered_lines
from agtrace.readers.hammerdb import counts, jobs, profile
from agtrace.readers.hammerdb.runs import HEADER, RunLines

WORDS = ("Vuser ", "Hammerdb ")
"""One of them is in every output but the job report."""


def recognise(text: str) -> bool:
    """Tell whether a text is one of the outputs: by a header, or by a run of virtual users."""
    if jobs.looks_like(text):
        return True
    if not any(word in text for word in WORDS):
        return False
    lines = RunLines()
    last_line = _last_line(text)
    for number, line in numbered_lines(text):
        if any(p.HEADER.fullmatch(line) for p in (counts, profile)) or HEADER.fullmatch(line):
            return True
        lines.take(number, line, number != last_line)
        if lines.runs and lines.runs[-1].is_real:
            return True
    return False


def decode(text: str) -> Decoded:
    """Give the facts of all runs and sessions, and a fault for each run without its result."""
    if jobs.looks_like(text):
        return Decoded(*jobs.decode(text))
    lines = RunLines()
    last_line = _last_line(text)
    is_count = False
    for number, line in numbered_lines(text):
        is_count = is_count or counts.HEADER.fullmatch(line) is not None
        if not is_count:
            lines.take(number, line, number != last_line)
    found: list[Fact] = list(lines.headers)
    faults: list[Fault] = []
    for item, run in enumerate(run for run in lines.runs if run.is_real):
        found += run.facts(item)
        if fault := run.fault():
            faults.append(fault)
    if is_count:
        found += counts.facts(numbered_lines(text))
        faults += _untimed(found)
    if profile.WORD in text:
        found += profile.facts(numbered_lines(text))
    return Decoded(found, faults)


def _untimed(found: list[Fact]) -> list[Fault]:
    readings = [fact for fact in found if (fact.topic, fact.key) == ("hammerdb_count", "tpm")]
    without = sum(fact.time_local is None for fact in readings)
    if not without:
        return []
    message = (
        f"{without} of {len(readings)} readings have no time; set timestamps (tcset) to get it"
    )
    return [Fault("no_time", message, "info")]


def _last_line(text: str) -> int:
    return 0 if text.endswith("\n") else text.count("\n") + 1
