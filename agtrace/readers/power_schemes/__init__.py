"""Output of powercfg: the power plan of Windows, by name and GUID.

docs/formats/power_schemes.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Decoded, Fact, FactReader, Fault
from agtrace.readers.query_results.topics import POWER_PLANS
from agtrace.readers.text_lines import Line, TextLines, lines_of

_GUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_SCHEME = re.compile(
    rf"\S[^:]{{2,80}}: *(?P<guid>{_GUID})  ?\((?P<name>[^)\r\n]{{1,120}})\)(?P<active> \*)?\s*"
)
"""A plan: what is in front of it is in the language of Windows; the one in force has an asterisk."""
_SIGN = re.compile(rf": *{_GUID}  ?\(")


def recognise(text: str) -> bool:
    """Return whether a text lists power plans."""
    return _SIGN.search(text) is not None and next(_schemes(lines_of([text])), None) is not None


def decode(text: TextLines) -> Decoded:
    """Yield the plan in force: the marked one of a list, or the only one (``/getactivescheme``)."""
    seen = active = None
    count = 0
    for number, scheme, terminated in _schemes(text):
        if not terminated:
            yield Fault("unfinished_line", f"line {number} has no end: not read")
            return
        count += 1
        seen = number, scheme
        if scheme["active"] and active is None:
            active = seen
    chosen = active or (seen if count == 1 else None)
    if chosen is None:
        yield Fault("no_active_plan", "a list of power plans of which none is marked", "info")
        return
    number, scheme = chosen
    yield Fact(POWER_PLANS.name, 0, "active", scheme["name"], None, number)
    yield Fact(POWER_PLANS.name, 0, "guid", scheme["guid"].lower(), None, number)


def _schemes(lines: Iterable[Line]) -> Iterator[tuple[int, re.Match[str], bool]]:
    for number, line, terminated in lines:
        if match := _SCHEME.fullmatch(line):
            yield number, match, terminated


READER = FactReader("power_schemes", 1, "power plans (powercfg)", recognise, decode, (POWER_PLANS,))
