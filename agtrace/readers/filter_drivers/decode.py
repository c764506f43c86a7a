"""The two tables of fltmc to facts, topics ``filter_driver`` and ``filter_instance``.

Their titles are in the language of Windows, so a table is known by its dashes: two blanks or more
between the columns, of which the filters have four and the instances five or more. Cells are told
apart by what they look like: a long name moves what follows it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.filter_drivers.topics import FILTER, INSTANCE
from agtrace.readers.text_lines import Line, TextLines, lines_of

_RULE = re.compile(r"-{8,64}(?:  {1,4}-{3,64}){3,9}\s*")
_ALTITUDE = r"(?P<altitude>\d{4,7}(?:\.\d{1,20})?)"
_FRAME = r"(?P<frame>\d{1,3}|<\w{1,20}>)"
_FILTER = re.compile(
    rf"(?P<name>\S.{{0,254}}?)\s{{2,}}(?:(?P<instances>\d{{1,6}})\s+)?{_ALTITUDE}\s+{_FRAME}(?:\s.*)?"
)
_INSTANCE = re.compile(
    rf"(?P<filter>\S.{{0,254}}?)\s{{2,}}(?:(?P<volume>\S.{{0,254}}?)\s+)?{_ALTITUDE}\s{{2,}}"
    rf"(?P<instance>\S.{{0,254}}?)\s{{2,}}{_FRAME}(?:\s+[0-9A-Fa-f]{{8}}\b.*)?"
)
FILTER_COLUMNS = 4


def recognise(text: str) -> bool:
    """Tell whether a text holds a row of one of the tables; cheap where it holds no such dashes."""
    if "------  ---" not in text:
        return False
    return any(True for _row in _rows(lines_of([text])))


def decode(text: TextLines) -> Decoded:
    """Give one item per row, and a fault where the text ends within a line."""
    items: Counter[str] = Counter()
    for number, topic, row in _rows(text):
        if row is None:
            yield Fault("unfinished_line", f"line {number} has no end: not read")
            continue
        for key, value in row.items():
            yield Fact(topic, items[topic], key, value, None, number)
        items[topic] += 1


def _rows(lines: Iterable[Line]) -> Iterator[tuple[int, str, dict[str, str] | None]]:
    """Give line, topic and cells of each row; None for the cells of a line that is cut off."""
    columns = 0
    for number, line, terminated in lines:
        if _RULE.fullmatch(line):
            columns = line.count("  -") + 1
        elif not line.strip():
            columns = 0
        elif columns:
            topic = FILTER.name if columns == FILTER_COLUMNS else INSTANCE.name
            pattern = _FILTER if columns == FILTER_COLUMNS else _INSTANCE
            if not terminated:
                yield number, topic, None
            elif match := pattern.fullmatch(line.rstrip()):
                row = {key: value for key, value in match.groupdict().items() if value}
                if columns != FILTER_COLUMNS:
                    row.pop("frame")
                yield number, topic, row
