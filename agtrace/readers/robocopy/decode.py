"""Decode robocopy logs to facts, topic ``robocopy``: one item per run.

Only the first line of a log is the same in every language (``ROBOCOPY     ::     ...``); what
follows keeps its order: start, source, destination, files and options between two rulers, then the
files, then a table of directories, files, bytes and times with the columns total, copied, skipped,
mismatch, failed and extras, the speed in bytes per second and in megabytes per minute, and the end.
Source: logs of Windows Server 2008 R2 to 2025 in English, German and Spanish; "robocopy" in the
Windows commands reference for the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agtrace.readers.fact_text import Decoded, Fact, Fault, decode_runs
from agtrace.readers.robocopy.values import host_of_path, options_of, parse_moment, parse_size, parse_whole
from agtrace.readers.text_lines import Line, TextLines, lines_of

_TITLE = re.compile(r"\W{0,40}ROBOCOPY\s+::\s+\S")
_COLUMNS = re.compile(r"\s*Total\s+Copied\s+Skipped\s+Mismatch\s+FAILED\s+Extras")
_RULER = re.compile(r"\s*-{40,}\s*")
_LABELLED = re.compile(r"\s*(?P<label>[^\s:：=\\/][^:：=\\/]{0,39}?)\s*[:：=]\s*(?P<value>\S.*?)\s*")
_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d[:.]\d\d(?!\d)")
_HALF = re.compile(r"\b[AP]M\b")
_SIZE = r"\d[\d.,]*(?: [kmgt])?"
_ROW = re.compile(rf"\s*\S[^:：]{{0,30}}[:：]((?:\s*{_SIZE}(?=\s|$)){{6}})\s*")
_CELL = re.compile(rf"{_SIZE}(?=\s|$)")
_TIMES = re.compile(r"\s*\S[^:：]{0,30}[:：](?:\s*\d{1,5}:\d\d:\d\d){3,4}\s*")
_TIME = re.compile(r"(\d{1,5}):(\d\d):(\d\d)")
_SPEED = re.compile(
    r"\s*[^\s:：\d][^:：\d]{0,30}[:：]\s+(?P<number>\d[\d.,'’\u00a0\u202f ]{0,30}?)\s+(?P<unit>[^\s\d].*)"
)
_ERROR = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d \S+ \d+ \(0x[0-9A-F]{8}\)")
_NO_SUMMARY = re.compile(r"/NJS(?=\s|$)", re.IGNORECASE)
_MARKS = ":：="
"""One of them is in every line that is read, rulers apart."""
_NAME, _COLUMN = "ROBOCOPY", "Mismatch"
_FILES, _BYTES = 1, 2
_COPIED, _FAILED = 1, 4
_CELLS = (
    (_FILES, _COPIED, "files_copied", "n"),
    (_FILES, _FAILED, "files_failed", "n"),
    (_BYTES, _COPIED, "bytes_copied", "B"),
)
"""Row and column of the summary, and what is said of it."""


@dataclass
class _Run:
    """One robocopy command, as far as it was read."""

    line: int
    rulers: int = 0
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    table: list[tuple[list[str], int]] = field(default_factory=list)
    seconds: tuple[int, int] | None = None
    speed: tuple[int, int] | None = None
    errors: int = 0
    beyond: list[int] = field(default_factory=list)
    """Lines with a speed that nothing copies at."""

    @property
    def is_real(self) -> bool:
        """False for the usage text, which has the same first line."""
        return "destination" in self.texts or bool(self.table)

    @property
    def is_complete(self) -> bool:
        if _NO_SUMMARY.search(self.texts.get("options", ("", 0))[0]):
            return True
        ended = "ended" in self.texts if "started" in self.texts else self.seconds is not None
        return len(self.table) == 3 and ended

    @property
    def truncation(self) -> str:
        return f"the robocopy run from line {self.line} on has no full summary: failed or cut off"

    def take(self, number: int, line: str, terminated: bool) -> None:
        """Take one more line; a line without a line end may be half a line."""
        if not any(mark in line for mark in _MARKS):
            self.rulers += _RULER.fullmatch(line) is not None
        elif _ERROR.match(line):
            self.errors += 1
        elif len(self.table) < 3 and (row := _ROW.fullmatch(line)):
            if terminated:
                self.table.append((_CELL.findall(row[1]), number))
        elif self.table and _TIMES.fullmatch(line):
            # The second column: the time spent copying.
            hours, minutes, seconds = (int(part) for part in _TIME.findall(line)[1])
            self.seconds = (hours * 3600 + minutes * 60 + seconds, number)
        elif self.table:
            self._take_end(number, line, terminated)
        elif self.rulers < 1 and terminated:
            self._take_header(number, line)

    def _take_header(self, number: int, line: str) -> None:
        labelled = _LABELLED.fullmatch(line)
        if labelled is None:
            return
        value = labelled["value"]
        if _PATH.match(value):
            key = "destination" if "source" in self.texts else "source"
        elif "destination" in self.texts:
            key = "options" if "files" in self.texts and "/" in value else "files"
        elif _CLOCK.search(value):
            key = "started"
        else:
            return
        self.texts.setdefault(key, (value, number))

    def _take_end(self, number: int, line: str, terminated: bool) -> None:
        if self.speed is None and (speed := _SPEED.fullmatch(line)):
            value = parse_whole(speed["number"])
            if value is not None:
                self.speed = (value, number)
            else:
                self.beyond.append(number)
        elif _CLOCK.search(line) and (labelled := _LABELLED.fullmatch(line)):
            started = self.texts.get("started", ("", 0))[0]
            # "... 10:18:34" of "... 10:18:34 PM", cut off.
            torn = not terminated and bool(_HALF.search(started)) != bool(_HALF.search(line))
            if not torn:
                self.texts.setdefault("ended", (labelled["value"], number))

    def facts(self, item: int) -> Decoded:
        """Yield the run's facts; each has the time of the run's start, if that is clear."""
        started, ended = (
            parse_moment(self.texts[key][0]) if key in self.texts else None for key in ("started", "ended")
        )

        def fact(key: str, value: object, line: int, unit: str | None = None) -> Fact:
            at = ended if key == "ended" else started
            return Fact("robocopy", item, key, str(value), unit, line, at)

        for key, (text, line) in self.texts.items():
            yield fact(key, text, line)
            if key in ("source", "destination") and (host := host_of_path(text)):
                yield fact(f"{key}_host", host, line)
            if key == "options":
                for name, value, unit in options_of(text):
                    yield fact(name, value, line, unit)
        if started and ended and ended >= started:
            elapsed = round((ended - started).total_seconds())
            yield fact("elapsed_seconds", elapsed, self.texts["ended"][1], "s")
        beyond = list(self.beyond)
        copied: int | None = None
        for row, column, key, unit in _CELLS:
            if len(self.table) <= row:
                continue
            cells, line = self.table[row]
            if (size := parse_size(cells[column])) is None:
                beyond.append(line)
            else:
                yield fact(key, size, line, unit)
            copied = size if row == _BYTES else copied
        if self.seconds:
            yield fact("seconds", self.seconds[0], self.seconds[1], "s")
        if self.speed:
            yield fact("speed_bytes_per_s", self.speed[0], self.speed[1], "B/s")
        elif copied and self.seconds and self.seconds[0]:
            seconds, line = self.seconds
            yield fact("speed_bytes_per_s", round(copied / seconds), line, "B/s")
            yield fact("speed_derived", "true", line)
        if self.errors:
            yield fact("errors", self.errors, self.line, "n")
        for line in dict.fromkeys(beyond):
            yield Fault("vast_value", f"line {line:,} has a number that nothing copies: left out")


def recognise(text: str) -> bool:
    """Return whether a text contains at least one run, not just the usage text."""
    if _NAME not in text and _COLUMN not in text:
        return False
    return any(run.is_real for run in _runs(lines_of([text])))


def decode(text: TextLines) -> Decoded:
    """Return one item per run, and a fault for each run without its summary."""
    return decode_runs(run for run in _runs(text) if run.is_real)


def _runs(lines: Iterable[Line]) -> Iterator[_Run]:
    run: _Run | None = None
    for number, line, terminated in lines:
        if _NAME in line and _TITLE.match(line):
            if run is not None:
                yield run
            # The title's own box is not one of the header's rulers.
            run = _Run(number, rulers=-1)
        elif _COLUMN in line and _COLUMNS.match(line) and (run is None or run.table):
            # A log without a header (/NJH).
            if run is not None:
                yield run
            run = _Run(number, rulers=1)
        elif run is not None:
            run.take(number, line, terminated)
    if run is not None:
        yield run
