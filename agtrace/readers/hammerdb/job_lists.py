"""Output of ``jobs`` (versions 4.6 to 6): result, response times and transaction count of a job.

The result is a list of four texts: id, start, virtual users and the result line. Response times are an object
per procedure; the transaction count is an object whose members are a reading and its time. Scripts print them
below their own headings, often after the console output of the run itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agtrace.readers.fact_text import Fact
from agtrace.readers.hammerdb.moments import iso_moment
from agtrace.readers.hammerdb.results import result_of
from agtrace.readers.text_lines import Line

WORD = '"TEST RESULT : '
_TIMES = re.compile(r'"(?:NEWORD|PAYMENT|DELIVERY|SLEV|OSTAT)"\s*:\s*\{')
_TEXT = re.compile(r'[\s\[]*"(?P<text>[^"]{1,300})"[,\s\]]*')
_JOB = re.compile(r"[0-9A-F]{16,32}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d")
_USERS = re.compile(r"(?P<n>\d{1,6}) (?:Active )?Virtual Users configured")
_OPENED = re.compile(r'\s*"(?P<name>[A-Z_]{1,30})"\s*:\s*\{(?P<rest>.*)')
_FIGURE = re.compile(
    r'"(?P<key>elapsed_ms|calls|(?:min|avg|max|total|p\d\d)_ms)"\s*:\s*"?(?P<value>\d[\d.]{0,20})"?'
)
_COUNTS = re.compile(r'[\s{]*"[A-Za-z][\w .]{1,30} tpm"\s*:\s*\{\s*')
_PAIR = re.compile(r'\s*"(?P<one>[^"]{1,30})"\s*:\s*"?(?P<other>[^",]{1,30})"?,?\s*')
_READING = re.compile(r"\d{1,12}")
MAX_JOBS, MAX_READINGS = 10_000, 100_000


@dataclass
class _Job:
    """A job, as far as it was read."""

    line: int = 0
    job: str | None = None
    started: str | None = None
    users: str | None = None


@dataclass
class JobLists:
    """Takes the lines of what ``jobs`` printed."""

    results: list[tuple[_Job, dict[str, str]]] = field(default_factory=list)
    readings: list[tuple[str, str, int]] = field(default_factory=list)
    times: list[dict[str, tuple[str, int]]] = field(default_factory=list)
    _job: _Job = field(default_factory=_Job)
    _procedure: str | None = None
    _is_count: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the text ended within a list or an object."""
        return self._job.job is not None or self._procedure is not None or self._is_count

    def take(self, number: int, line: str) -> None:
        """Take one more line."""
        if '"' not in line:
            if line.strip().startswith("}"):
                self._procedure, self._is_count = None, False
            return
        if opened := _OPENED.fullmatch(line):
            self._open(opened["name"].lower())
            self._figures(opened["rest"], number)
        elif self._procedure:
            self._figures(line, number)
        elif _COUNTS.fullmatch(line):
            self._is_count = True
        elif self._is_count and (pair := _PAIR.fullmatch(line)):
            self._reading(pair["one"], pair["other"], number)
        elif text := _TEXT.fullmatch(line):
            self._text(text["text"], number)

    def _open(self, name: str) -> None:
        self._procedure = name
        if not self.times or f"{name}_calls" in self.times[-1]:
            self.times = [*self.times[-MAX_JOBS:], {}]

    def _figures(self, text: str, number: int) -> None:
        for figure in _FIGURE.finditer(text):
            key = figure["key"]
            name = key if key == "elapsed_ms" else f"{self._procedure}_{key}"
            self.times[-1].setdefault(name, (figure["value"].rstrip("."), number))
        if "}" in text:
            self._procedure = None

    def _reading(self, one: str, other: str, number: int) -> None:
        value, at = (one, other) if _READING.fullmatch(one) else (other, one)
        if _READING.fullmatch(value) and _MOMENT.fullmatch(at) and len(self.readings) < MAX_READINGS:
            self.readings.append((value, at, number))

    def _text(self, text: str, number: int) -> None:
        if _JOB.fullmatch(text):
            self._job = _Job(number, text)
        elif _MOMENT.fullmatch(text):
            self._job.started = text
        elif users := _USERS.fullmatch(text):
            self._job.users = users["n"]
        elif (result := result_of(text)) and len(self.results) < MAX_JOBS:
            self._job.line = self._job.line or number
            self.results.append((self._job, result))
            self._job = _Job()

    def facts(self, item: int, told: set[tuple[str, str]]) -> Iterator[Fact]:
        """Yield the facts of the jobs, except those whose run is in the console output.

        Parameters
        ----------
        item
            Number of the first result.
        told
            NOPM and TPM of the runs in the console output.
        """
        for job, result in self.results:
            if (result["nopm"], result["tpm"]) in told:
                continue
            at = iso_moment(job.started) if job.started else None
            values = (
                ("driver", "timed", None),
                ("started", at.isoformat(" ") if at else None, None),
                ("virtual_users", job.users, "n"),
                ("nopm", result["nopm"], "1/min"),
                ("tpm", result["tpm"], "1/min"),
                ("database", result["database"], None),
                ("job", job.job, None),
            )
            for key, value, unit in values:
                if value is not None:
                    yield Fact("hammerdb_result", item, key, value, unit, job.line, at)
            item += 1
        for value, moment, line in self.readings:
            if (read := iso_moment(moment)) is not None:
                yield Fact("hammerdb_count", item, "tpm", value, "1/min", line, read)
        for number, times in enumerate(self.times):
            for key, (value, line) in times.items():
                unit = "n" if key.endswith("_calls") else "ms"
                yield Fact("hammerdb_response", number, key, value, unit, line)


def looks_like(text: str) -> bool:
    """Return whether a text contains output of ``jobs``; fast for other texts."""
    return WORD in text or _TIMES.search(text) is not None


def taken(lines: Iterable[Line]) -> JobLists:
    """Read all lines that have an end; the last may be without one where it ends a list."""
    lists = JobLists()
    for number, line, terminated in lines:
        if terminated or line.rstrip().endswith(("]", "}")):
            lists.take(number, line)
    return lists
