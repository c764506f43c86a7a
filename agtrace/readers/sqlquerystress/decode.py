"""Decode results that SQLQueryStress saves or prints to facts, topic ``sqlquerystress``.

The GUI appends a CSV row or a block of text per test to a file; the command line also writes JSON and prints
a table. ``elapsed_seconds`` is the duration of the whole test, averages are per iteration, and ``iterations``
is per thread. The GUI writes numbers in its own culture, so a CSV row may contain decimal commas: rows are
matched by a pattern, not split at commas.
Source: SQLQueryStress, "Interpreting results"; results of versions 0.9 to 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.sqlquerystress.values import ELAPSED, parse_average, parse_elapsed, parse_start
from agtrace.readers.text_lines import Line, TextLines, lines_of
from agtrace.readers.written_times import day_first

_GUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEAD = "TestId,TestStartTime,ElapsedTime,"
_AVERAGE = r"---|\d{1,15}[.,]\d{4}"
_ROW = re.compile(
    rf"(?P<test_id>{_GUID}),(?P<started>.{{8,40}}?),(?P<elapsed>{ELAPSED}),(?P<iterations>\d+),"
    rf"(?P<threads>\d+),(?P<delay>\d+),(?P<completed>\d+),(?P<cpu>{_AVERAGE}),"
    rf"(?P<actual>{_AVERAGE}),(?P<client>{_AVERAGE}),(?P<reads>{_AVERAGE})\s*"
)
_ROW_BEGUN = re.compile(rf"{_GUID},")
_LABELS = {
    "Test ID": "test_id",
    "Test TimeStamp": "started",
    "Start time": "started",
    "Elapsed Time": "elapsed",
    "Elapsed time": "elapsed",
    "Number of Iterations": "iterations",
    "Number of Threads": "threads",
    "Delay Between Queries (ms)": "delay",
    "CPU Seconds/Iteration (Avg)": "cpu",
    "Actual Seconds/Iteration (Avg)": "actual",
    "Iterations Completed": "completed",
    "Client Seconds/Iteration (Avg)": "client",
    "Logical Reads/Iteration (Avg)": "reads",
}
_TITLE = "sqlstresscmd result"
# Of lines without blanks at their ends.
_LINE = re.compile(r"(?P<label>[A-Z][A-Za-z /()]{5,40}?)\s*: (?P<value>\S.{0,60})")
_CELL = re.compile(r"\W{1,6}(?P<label>[A-Z][A-Za-z /()]{5,40}?)\s*[│|]\s*(?P<value>\S.{0,60}?)\s*[│|]")
_SIGNS = ("Test ID", "TestId", _TITLE)
_ROW_SIGN = re.compile(r"-[0-9a-fA-F]{4}-[0-9a-fA-F]{12},")
"""One of them is in every result."""
MAX_JSON = 1 << 20
"""Characters of a result as JSON: one test."""
_JSON = {
    "TestId": "test_id", "StartTime": "started", "ElapsedTime": "elapsed", "Threads": "threads",
    "Iterations": "iterations", "CompletedIterations": "completed", "Delay": "delay",
    "AvgCpuSeconds": "cpu", "AvgActualSeconds": "actual", "AvgClientSeconds": "client",
    "AvgLogicalReads": "reads", "ExceptionCount": "exceptions",
}  # fmt: skip
_KEYS = {
    "test_id": ("test_id", None),
    "threads": ("threads", "n"),
    "iterations": ("iterations", "n"),
    "completed": ("iterations_completed", "n"),
    "delay": ("delay_ms", "ms"),
    "elapsed": ("elapsed_seconds", "s"),
    "cpu": ("cpu_seconds_avg", "s"),
    "actual": ("actual_seconds_avg", "s"),
    "client": ("client_seconds_avg", "s"),
    "reads": ("logical_reads_avg", "pages"),
    "exceptions": ("exceptions", "n"),
}
_NAMES = frozenset({*_KEYS, "started"})
_AVERAGES = ("cpu", "actual", "client", "reads")
_LARGEST = 8e8
"""Upper bound of a plausible number in a result."""
_WHOLE = ("threads", "iterations", "completed", "delay", "exceptions")


@dataclass
class _Test:
    """One test, as far as it was read; values as written, with their lines."""

    line: int
    values: dict[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return {"threads", "elapsed", "reads"} <= self.values.keys()

    def facts(self, item: int, days_first: bool | None) -> Iterator[Fact]:
        text, at = self.values.get("started", ("", self.line))
        local, utc = parse_start(text, days_first) if text else (None, None)

        def fact(key: str, value: object, line: int, unit: str | None = None) -> Fact:
            return Fact("sqlquerystress", item, key, str(value), unit, line, local)

        if text:
            yield fact("started", text, at)
        if utc is not None:
            yield fact("started_utc", utc.isoformat(), at)
        for name, (key, unit) in _KEYS.items():
            if name not in self.values:
                continue
            text, line = self.values[name]
            value = _value(name, text)
            if value is not None:
                yield fact(key, value, line, unit)


def _value(name: str, text: str) -> str | None:
    if name in _AVERAGES:
        return parse_average(text)
    if name == "elapsed":
        seconds = parse_elapsed(text)
        return None if seconds is None else f"{seconds:.15g}"
    if name in _WHOLE:
        return text if re.fullmatch(r"\d{1,15}", text) else None
    return text


def recognise(text: str) -> bool:
    """Return whether a text contains at least one test, or the header of the table of tests."""
    if text.startswith(_HEAD):
        return True
    if _is_json(text):
        tests = _of_json(text)
    elif any(sign in text for sign in _SIGNS) or _ROW_SIGN.search(text):
        tests = _of_lines(lines_of([text]))
    else:
        return False
    # A GUID alone names no test: other tools' tables begin their rows with one, too.
    return any(test.values.keys() - {"test_id"} for test in tests)


def decode(text: TextLines) -> Decoded:
    """Yield one item per test, and a fault for each incomplete test."""
    order = day_first(test.values["started"][0].strip() for test in _tests(text) if "started" in test.values)
    item = -1
    for item, test in enumerate(_tests(text)):
        yield from test.facts(item, order)
        if not test.is_complete:
            yield Fault("truncated", f"the test from line {test.line} on is cut off")
    if item < 0 and text.start().startswith(_HEAD):
        yield Fault("no_result", "a table of tests without a test", "info")


def _tests(text: TextLines) -> Iterator[_Test]:
    """Return the tests of which anything was read."""
    start = text.start(MAX_JSON + 1)
    tests = _of_json(start) if _is_json(start) else _of_lines(text)
    return (test for test in tests if test.values)


def _is_json(text: str) -> bool:
    return text[:MAX_JSON].lstrip().startswith("{")


def _of_lines(lines: Iterable[Line]) -> Iterator[_Test]:
    test: _Test | None = None
    for number, line, terminated in lines:
        if _ROW_BEGUN.match(line):
            row = _ROW.fullmatch(line)
            written = row.groupdict() if row else {"test_id": line[:36]}
            named = {name: (value, number) for name, value in written.items() if name in _NAMES and value}
            yield _Test(number, named)
            continue
        labelled = _labelled(line)
        name = _LABELS.get(labelled["label"]) if labelled else None
        begins = name == "test_id" or (_TITLE in line and not name)
        if begins:
            if test:
                yield test
            test = _Test(number)
        if test and labelled and name:
            value = labelled["value"]
            # A line without a line end may be half a line; averages show that they are whole.
            if terminated or (name in _AVERAGES and _is_average(value)):
                test.values.setdefault(name, (value, number))
    if test:
        yield test


def _labelled(line: str) -> re.Match[str] | None:
    if ": " in line:
        return _LINE.fullmatch(line.strip())
    if "│" in line or "|" in line:
        return _CELL.fullmatch(line.strip())
    return None


def _is_average(text: str) -> bool:
    return text == "---" or parse_average(text) is not None


def _of_json(text: str) -> Iterator[_Test]:
    if len(text) > MAX_JSON:
        return
    try:
        result: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(result, dict) or not {"TestId", "Threads", "ElapsedTime"} <= result.keys():
        return
    test = _Test(1)
    for name, key in _JSON.items():
        value = result.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            continue
        if isinstance(value, str):
            written = value
        elif not abs(value) < _LARGEST:
            continue
        elif key == "elapsed":
            written = _clock(float(value))
        else:
            written = f"{value:.4f}" if key in _AVERAGES else str(value)
        test.values[key] = (written[:60], 1)
    yield test


def _clock(seconds: float) -> str:
    """Write seconds as the other results do."""
    whole, micros = divmod(round(abs(seconds) * 1e6), 1_000_000)
    days, rest = divmod(whole, 86_400)
    text = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.{micros:06}"
    return f"{days}.{text}" if days else text
