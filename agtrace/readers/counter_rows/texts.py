"""Samples in texts other than tables: console output of Get-Counter, line protocol, exposition format.

Sources: Microsoft Learn, "Get-Counter"; InfluxData, "Line protocol"; Prometheus, "Exposition formats";
Telegraf, "SQL Server Input Plugin" (tags counter, counter_type, instance, object and sql_instance).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from agtrace.readers.counter_rows.forms import Samples, numbers_of
from agtrace.readers.written_times import local_times
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

MAX_BYTES = 64 << 20
_CONSOLE = re.compile(
    r"^(?P<time>\d[^\\\r\n]{8,40}?)?[ \t]+(?P<path>\\\\[^\r\n]{1,1000}?) ?:[ \t]*\r?\n[ \t]*"
    r"(?P<value>-?\d[\d.,eE+-]{0,40})[ \t]*\r?$",
    re.MULTILINE,
)
_TELEGRAF = "sqlserver_performance"
_LINE = re.compile(r"^sqlserver_performance,[^\r\n]*?\bcounter=", re.MULTILINE)
_EXPOSED = re.compile(r"^sqlserver_performance(?:_value)?\{[^\r\n]*?\bcounter=\"", re.MULTILINE)
_TAGS = ("sql_instance", "object", "instance", "counter", "counter_type")
_UNIX_NS = r"(?P<stamp>\d{19})"
_UNIX_MS = r"(?P<stamp>\d{13})"


class Form(NamedTuple):
    """A text that shows samples: what reads them, and whether their times are instants."""

    read: Callable[[str], Samples]
    is_utc: bool


def form_of(text: str) -> Form | None:
    """Return the layout of a text; None if it has no samples."""
    if _TELEGRAF in text and _LINE.search(text):
        return Form(_of_line_protocol, is_utc=True)
    if _TELEGRAF in text and _EXPOSED.search(text):
        return Form(_of_exposition, is_utc=True)
    return Form(_of_console, is_utc=False) if "\\\\" in text and _CONSOLE.search(text) else None


def _of_console(text: str) -> Samples:
    found = _CONSOLE.findall(text)
    written, last = [], ""
    for time, _path, _value in found:
        last = time.strip() or last
        written.append(last)
    times = local_times(pa.array(written, pa.string()))
    paths = pa.array([path for _time, path, _value in found], pa.string())
    values = numbers_of(pa.array([value for _time, _path, value in found], pa.string()))
    return Samples(times.local, paths, values, None, times.is_guess)


def _of_line_protocol(text: str) -> Samples:
    lines = _lines(text, _LINE)
    # A blank, a comma or an equals sign within a tag has a backslash in front.
    tags = {name: _tag(lines, rf"[,]{name}=(?P<value>(?:\\.|[^,\s\\])*)") for name in _TAGS}
    rest = pc.extract_regex(lines, rf"\svalue=(?P<value>-?[\d.eE+-]+)i?(?:,\S*)?\s+{_UNIX_NS}\s*$")
    return _samples(tags, rest, 1_000)


def _of_exposition(text: str) -> Samples:
    lines = _lines(text, _EXPOSED)
    tags = {name: _tag(lines, rf'[{{,]{name}="(?P<value>(?:\\.|[^"\\])*)"') for name in _TAGS}
    rest = pc.extract_regex(lines, rf"\}}\s+(?P<value>-?[\d.eE+-]+)\s+{_UNIX_MS}\s*$")
    return _samples(tags, rest, 1)


def _lines(text: str, pattern: re.Pattern[str]) -> pa.Array:
    return pa.array([line for line in text.splitlines() if pattern.match(line)], pa.string())


def _tag(lines: pa.Array, pattern: str) -> pa.Array:
    found = pc.struct_field(pc.extract_regex(lines, pattern), "value")
    return pc.replace_substring_regex(found, r"\\(.)", r"\1")


def _samples(tags: dict[str, pa.Array], rest: pa.Array, per_us: int) -> Samples:
    """Return the samples of tags and values; ``per_us`` stamps are a microsecond, 1 means milliseconds."""
    server = pc.fill_null(tags["sql_instance"], "")
    host = pc.list_element(pc.split_pattern_regex(server, r"[:\\\\]"), 0)
    instance = pc.fill_null(tags["instance"], "")
    within = pc.if_else(pc.equal(instance, ""), "", pc.binary_join_element_wise("(", instance, ")", ""))
    front = pc.if_else(pc.equal(host, ""), "\\", pc.binary_join_element_wise("\\\\", host, "\\", ""))
    paths = pc.binary_join_element_wise(
        front, pc.fill_null(tags["object"], ""), within, "\\", pc.fill_null(tags["counter"], ""), ""
    )
    stamps = pc.cast(pc.struct_field(rest, "stamp"), pa.int64())
    micros = pc.multiply(stamps, 1_000) if per_us == 1 else pc.divide(stamps, per_us)
    written = numbers_of(tags["counter_type"])
    types = np.where(np.isnan(written), -1, written).astype(np.int64)
    is_raw = bool((types >= 0).any())
    values = numbers_of(pc.struct_field(rest, "value"))
    return Samples(micros.cast(LOCAL_TIME), paths, values, types if is_raw else None, False)
