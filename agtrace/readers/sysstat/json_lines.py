"""Reports of mpstat and iostat as JSON (``-o JSON``): one row of a table to a line.

The whole is never held: iostat writes one object for as long as it runs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from agtrace.readers.sysstat.moments import STAMP, TIMED, date_of, later, moment
from agtrace.readers.sysstat.reading import Misfit, Reading, Torn
from agtrace.readers.text_lines import Line

_START = re.compile(r'\s*\{\s*"sysstat"\s*:')
_TEXT = re.compile(r'\s*"(?P<key>nodename|date|timestamp)"\s*:\s*"(?P<value>[^"]{1,255})"')
_LIST = re.compile(r'\s*"(?P<name>avg-cpu|disk|cpu-load|sum-interrupts)"\s*:\s*(?P<row>\{.*\})?')
_ROW = re.compile(r"\s*(?P<row>\{.*\}),?\s*")
_END = "}}"
_PERCENT = frozenset(
    {"usr", "user", "nice", "sys", "system", "iowait", "irq", "soft", "steal", "guest", "gnice", "idle",
     "util", "rrqm", "wrqm", "drqm"}
)  # fmt: skip
"""Columns whose sign JSON leaves out."""


def is_json(text: str) -> bool:
    """Return whether a text begins as these reports do."""
    return _START.match(text) is not None


def holds_tables(text: str) -> bool:
    """Return whether it contains one of the tables."""
    return '"disk_device"' in text or '"cpu-load"' in text or '"avg-cpu"' in text


def json_readings(lines: Iterable[Line]) -> Iterator[Reading | Torn | Misfit]:
    """Yield the readings of a report, from its second line on."""
    host: str | None = None
    day: date | None = None
    last: datetime | None = None
    is_timed, report, seen = False, 0, set[str]()
    for number, line, terminated in lines:
        if not terminated:
            if line.strip() != _END:
                yield Torn()
            return
        if text := _TEXT.match(line):
            if text["key"] == "nodename":
                host = text["value"]
            elif text["key"] == "date":
                day, last = date_of(text["value"]), None
            else:
                is_timed = True
                if stamp := STAMP.fullmatch(text["value"]):
                    day = date_of(stamp["date"]) or day
                    last = moment(day, stamp)
                else:
                    timed = TIMED.fullmatch(text["value"] + " -")
                    last, day = later(moment(day, timed) if timed else None, last, day)
            continue
        row: str | None
        if table := _LIST.match(line):
            if table["name"] in seen or not seen:
                report, seen = report + 1, set()
            seen.add(table["name"])
            row = table["row"]
        else:
            found = _ROW.fullmatch(line)
            row = found["row"] if found else None
            if row is None and line.lstrip().startswith('{"'):
                yield Misfit(number)
                continue
        if row is None:
            continue
        read = _row(row)
        if read is None or (is_timed and last is None):
            yield Misfit(number)
        elif read[2]:
            kind, item, values = read
            yield Reading(kind, last, day, host, report, item, values, number)


def _row(text: str) -> tuple[str, str, dict[str, float]] | None:
    """Read one object: kind of table, item and values; None where it is damaged."""
    try:
        row: Any = json.loads(text)
        if not isinstance(row, dict):
            return None
        values = {
            _column(key): float(value)
            for key, value in row.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }
    except (ValueError, OverflowError, RecursionError):
        return None
    if not all(map(math.isfinite, values.values())):
        return None
    if "disk_device" in row:
        return "device", str(row["disk_device"]).strip(), values
    return "cpu", str(row.get("cpu", "all")), values if "%idle" in values or "intr/s" in values else {}


def _column(key: str) -> str:
    if key == "intr":
        return "intr/s"
    return f"%{key}" if key in _PERCENT else key
