"""Decode the two tables of fltmc to facts, topics ``filter_driver`` and ``filter_instance``.

Their titles are in the language of Windows, so a table is recognised by its dashes: at least two spaces
between columns, of which the filters have four and the instances five or more. Cells are identified by their
format, because a long name shifts the cells after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.filter_drivers.topics import FILTER, INSTANCE
from agtrace.readers.text_lines import Line, TextLines, lines_of

_RULE = re.compile(r"-{8,64}(?:  {1,4}-{3,64}){3,9}\s*")
_GAP = re.compile(r"\s{2,}")
_ALTITUDE = re.compile(r"\d{4,7}(?:\.\d{1,20})?")
_BEHIND_VOLUME = re.compile(rf"(?<=\s){_ALTITUDE.pattern}$")
_FRAME = re.compile(r"\d{1,3}|<\w{1,20}>")
FILTER_COLUMNS = 4


def recognise(text: str) -> bool:
    """Return whether a text contains a row of one of the tables; fast if it has no such dashes."""
    if "------  ---" not in text:
        return False
    return any(True for _row in _rows(lines_of([text])))


def decode(text: TextLines) -> Decoded:
    """Yield one item per row, and a fault if the text ends within a line."""
    items: Counter[str] = Counter()
    for number, topic, row in _rows(text):
        if row is None:
            yield Fault("unfinished_line", f"line {number} has no end: not read")
            continue
        for key, value in row.items():
            yield Fact(topic, items[topic], key, value, None, number)
        items[topic] += 1


def _rows(lines: Iterable[Line]) -> Iterator[tuple[int, str, dict[str, str] | None]]:
    """Yield line, topic and cells of each row; None for the cells of a line that is cut off."""
    columns = 0
    for number, line, terminated in lines:
        if _RULE.fullmatch(line):
            columns = line.count("  -") + 1
        elif not line.strip():
            columns = 0
        elif columns:
            topic = FILTER.name if columns == FILTER_COLUMNS else INSTANCE.name
            if not terminated:
                yield number, topic, None
                continue
            cells = _GAP.split(line.strip())
            row = _filter(cells) if topic == FILTER.name else _instance(cells)
            if row:
                yield number, topic, row


def _filter(cells: list[str]) -> dict[str, str] | None:
    """Name the cells of a filter; one of the old kind has no number of instances."""
    names = ("name", "instances", "altitude", "frame") if len(cells) > 3 else ("name", "altitude", "frame")
    row = dict(zip(names, cells, strict=False))
    has_number = row.get("instances", "0").isdecimal()
    is_row = _is_altitude(row.get("altitude")) and _FRAME.fullmatch(row.get("frame", ""))
    return row if is_row and has_number else None


def _instance(cells: list[str]) -> dict[str, str] | None:
    """Name the cells of an instance; it may have no volume, or a long one that runs into the altitude."""
    found = {"filter": cells[0]}
    rest = cells[1:]
    if rest and not _is_altitude(rest[0]):
        if match := _BEHIND_VOLUME.search(rest[0]):
            rest = [rest[0][: match.start()].rstrip(), match[0], *rest[1:]]
        found["volume"], rest = rest[0], rest[1:]
    if len(rest) < 3 or not _is_altitude(rest[0]) or not _FRAME.fullmatch(rest[2]):
        return None
    return {**found, "altitude": rest[0], "instance": rest[1]}


def _is_altitude(text: str | None) -> bool:
    return text is not None and _ALTITUDE.fullmatch(text) is not None
