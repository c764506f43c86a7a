"""The time profile, ``hdbxtprofile.log``: response times per procedure and per virtual user.

One item per block: a virtual user, or the summary of all of them. Times are milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Fact
from agtrace.readers.hammerdb.moments import CLOCK, moment
from agtrace.readers.text_lines import Line

WORD = "Time Profile Report"
HEADER = re.compile(rf"(?P<database>\S.{{0,30}}?) Hammerdb Time Profile Report @ {CLOCK}\s*")
_USER = re.compile(r">+ VIRTUAL USER (?P<user>\d{1,6}) : ELAPSED TIME : (?P<ms>\d+(?:\.\d+)?)ms\s*")
_ALL = re.compile(
    r">+ SUMMARY OF (?P<users>\d{1,6}) ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : "
    r"(?P<ms>\d+(?:\.\d+)?)ms\s*"
)
_PROCEDURE = re.compile(r">+ PROC: (?P<name>[A-Z_]{1,30})\s*")
_CALLS = re.compile(r"CALLS: (?P<calls>\d+)(?=\D)")
_TIME = re.compile(r"(?P<key>MIN|AVG|MAX|TOTAL|P\d{2}): (?P<ms>\d+(?:\.\d+)?)ms")


def facts(lines: Iterable[Line]) -> Iterator[Fact]:
    """Yield elapsed times and response times of every block."""
    item, at, procedure = -1, None, None

    def fact(key: str, value: str, line: int, unit: str | None = None) -> Fact:
        return Fact("hammerdb_response", item, key, value, unit, line, at)

    for number, line, _terminated in lines:
        if header := HEADER.fullmatch(line):
            at, procedure = moment(header), None
        elif user := _USER.fullmatch(line):
            item, procedure = item + 1, None
            yield fact("user", user["user"], number)
            yield fact("elapsed_ms", user["ms"], number, "ms")
        elif whole := _ALL.fullmatch(line):
            item, procedure = item + 1, None
            yield fact("virtual_users", whole["users"], number, "n")
            yield fact("elapsed_ms", whole["ms"], number, "ms")
        elif begun := _PROCEDURE.fullmatch(line):
            procedure = begun["name"].lower()
        elif procedure and item >= 0:
            if calls := _CALLS.match(line):
                yield fact(f"{procedure}_calls", calls["calls"], number, "n")
            for time in _TIME.finditer(line):
                yield fact(f"{procedure}_{time['key'].lower()}_ms", time["ms"], number, "ms")
