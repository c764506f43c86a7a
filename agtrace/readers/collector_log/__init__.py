"""Log of SQL LogScout (``##SQLLOGSCOUT.LOG``): its version, scenarios and target server.

docs/formats/collector_log.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Decoded, Fact, FactReader, Fault
from agtrace.readers.query_results.topics import COLLECTION, COLLECTIONS
from agtrace.readers.text_lines import Line, TextLines, lines_of

_LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s+[A-Z]{4,5}\d?\s+(?:"
    r"SQL LogScout version: (?P<tool_version>\d[\d.]{0,30})"
    r"|The scenarios selected are: '(?P<scenarios>[\w ]{1,400})'"
    r"|You selected instance '(?P<server_name>[^'\r\n]{1,300})' to collect diagnostic data\b.*"
    r")\s*"
)
_SIGNS = ("SQL LogScout version: ", "The scenarios selected are: '")


def recognise(text: str) -> bool:
    """Return whether a text is such a log: its version is among its first lines."""
    if not any(sign in text for sign in _SIGNS):
        return False
    return next(_told(lines_of([text])), None) is not None


def decode(text: TextLines) -> Decoded:
    """Yield the log's facts on the collection, each when it first appears."""
    seen: set[str] = set()
    for number, key, value, terminated in _told(text):
        if key in seen:
            continue
        if not terminated:
            yield Fault("unfinished_line", f"line {number} has no end: not read")
            break
        seen.add(key)
        yield Fact(COLLECTION, 0, key, value, None, number)
    if "scenarios" not in seen:
        yield Fault("no_scenarios", "the log ends before the scenarios were selected", "info")


def _told(lines: Iterable[Line]) -> Iterator[tuple[int, str, str, bool]]:
    for number, line, terminated in lines:
        match = _LINE.fullmatch(line)
        if match and match.lastgroup:
            yield number, match.lastgroup, match[match.lastgroup].strip(), terminated


READER = FactReader("collector_log", 1, "log of SQL LogScout", recognise, decode, (COLLECTIONS,))
