"""From an output of the routing lists to facts: text with dashes under the header, or separated cells.

Queries name the columns as they like; a header is one of a routing list when it has a priority and
the two replicas. Whoever asks the view alone gets ids of replicas.
Source: Microsoft documentation, "sys.availability_read_only_routing_lists"; "Modifying AlwaysOn
Read Only Routing Lists" (alwaysonpro); AlwaysOnDiagScript of SQL LogScout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.seeding_dmv.delimited import SEPARATORS, split
from agtrace.readers.seeding_dmv.lines import Lines, is_rule, is_trailer
from agtrace.readers.text_lines import TextLines

MAX_CHARACTERS = 1 << 20
"""Characters that are looked at: a list has a few lines."""
MAX_BLANK = 5
"""Lines before the header."""
MAX_BROKEN = 20
"""Lines into which sqlcmd may break a row."""
MAX_ROUTES = 10_000

_NAMES = {
    "ag": ("availabilitygroup", "agname", "groupname", "name"),
    "replica": (
        "whenthisserverisprimary", "whenprimaryreplicais", "whenprimary", "whenprimaryis", "ifprimary",
        "sourcereplica", "replicaservername", "primaryreplica", "primaryservername", "replicaid",
    ),
    "priority": ("priority", "routingpriority"),
    "routed_to": (
        "routetothisserver", "roroutedto", "routeto", "routedto", "routesto", "readonlyreplica",
        "readonlyreplicaservername", "readonlyreplicaname", "readonlyreplicaid",
    ),
    "connections_allowed": ("connectionsallowed", "secondaryroleallowconnectionsdesc"),
    "routing_url": ("routingurl", "readonlyroutingurl"),
}  # fmt: skip
_KEYS = {name: key for key, names in _NAMES.items() for name in names}
_NEEDED = ("replica", "priority", "routed_to")
_OTHER = re.compile(r"[^a-z]")

Header = dict[str, int]
"""Place of each column, by key of the fact."""


def recognise(text: str) -> bool:
    """Tell whether a text begins with a routing list."""
    return "riority" in text and next(_tables(Lines(text[:MAX_CHARACTERS])), None) is not None


def decode(text: TextLines) -> Decoded:
    """Give one item per route, and how many routes each look shows."""
    start = text.start(MAX_CHARACTERS + 1)
    if len(start) > MAX_CHARACTERS:
        message = f"only the first {MAX_CHARACTERS:,} characters are read"
        yield Fault("too_many_values", message, "data_loss")
    item = look = 0
    lines = Lines(start[:MAX_CHARACTERS])
    for header, line, rows in _tables(lines):
        routes = 0
        for number, cells in rows:
            # A row without a line end may be half a row: what it ends in is left out.
            is_cut = not lines.more and not lines.ends_with_newline
            values = _values(header, cells, is_cut=is_cut)
            if is_cut:
                message = f"line {number} has no line end: its last value is left out"
                yield Fault("truncated", message)
            elif values is None:
                message = f"line {number}: its cells do not stand under the header: not read"
                yield Fault("damaged_row", message)
            if values is None:
                continue
            if item >= MAX_ROUTES:
                message = f"only the first {MAX_ROUTES:,} routes are read"
                yield Fault("too_many_values", message, "data_loss")
                return
            for key, value in values.items():
                yield Fact("read_only_route", item, key, value, None, number)
            item, routes = item + 1, routes + 1
        if not routes and not lines.more:
            message = f"the list from line {line} on has no row and no end: it may be cut off"
            yield Fault("truncated", message)
            continue
        yield Fact("read_only_routing_list", look, "routes", str(routes), "n", line)
        look += 1


def _values(header: Header, cells: Sequence[str] | None, *, is_cut: bool) -> dict[str, str] | None:
    """Give the values of a row by key; None where it is no route."""
    if cells is None:
        return None
    cut = max((place for place, cell in enumerate(cells) if cell.strip()), default=0)
    values = {
        key: cells[place].strip()[:300] for key, place in header.items() if not (is_cut and place >= cut)
    }
    values = {key: value for key, value in values.items() if value and value != "NULL"}
    return values if all(key in values for key in _NEEDED) else None


Rows = Iterator[tuple[int, Sequence[str] | None]]


def _tables(lines: Lines) -> Iterator[tuple[Header, int, Rows]]:
    """Give the header, its line and the rows of every list; the rows must be taken before the next."""
    # Another kind of text that holds a list further down is not for this reader.
    seen = 0
    while lines.more and seen <= MAX_BLANK:
        number = lines.number
        if found := _separated(lines):
            header, separator, width = found
            lines.advance()
            if lines.more and is_rule(lines.line, separator):
                lines.advance()
            yield header, number, _separated_rows(lines, separator, width)
            seen = 0
        elif is_rule(lines.line):
            height = 1
            while height < MAX_BROKEN and lines.has(height) and is_rule(lines.peek(height)):
                height += 1
            fixed = _fixed(lines, height)
            lines.advance(height)
            if fixed is None:
                return
            yield fixed[0], number - height, _fixed_rows(lines, *fixed[1:])
            seen = 0
        else:
            seen += 1
            lines.advance()


def _header(names: Sequence[str]) -> Header | None:
    found: Header = {}
    for place, name in enumerate(names):
        key = _KEYS.get(_OTHER.sub("", name.lower()))
        # Queries that name no column show both replicas as replica_server_name.
        if key == "replica" and key in found:
            key = "routed_to"
        if key:
            found.setdefault(key, place)
    return found if all(key in found for key in _NEEDED) else None


def _separated(lines: Lines) -> tuple[Header, str, int] | None:
    line = lines.line
    if "riority" not in line:
        return None
    for separator in SEPARATORS:
        cells = split(line, separator) if line.count(separator) >= 2 else None
        header = _header(cells) if cells else None
        if cells and header:
            return header, separator, len(cells)
    return None


def _separated_rows(lines: Lines, separator: str, width: int) -> Rows:
    while lines.more and lines.line.strip() and not is_trailer(lines.line):
        number, cells = lines.number, split(lines.line, separator)
        lines.advance()
        yield number, cells if cells and len(cells) == width else None


Spans = list[tuple[int, int]]


def _fixed(lines: Lines, height: int) -> tuple[Header, Spans, list[int]] | None:
    """Read the header over ``height`` lines of dashes; the cursor stands on the first of these."""
    if not lines.has(-height):
        return None
    rules = [lines.peek(at) for at in range(height)]
    titles = [lines.peek(at - height) for at in range(height)]
    widths = [len(rule) for rule in rules]
    for at, title in enumerate(titles[1:]):
        # Where no column is broken the next line begins with a name: the space between is lost.
        if title[:1].strip() and rules[at].endswith("-"):
            widths[at] += 1
    spans = [match.span() for match in re.finditer("-+", _flat(rules, widths))]
    title = _flat(titles, widths)
    header = _header([title[begin:end].strip() for begin, end in spans])
    return (header, spans, widths) if header else None


def _flat(parts: Sequence[str], widths: Sequence[int]) -> str:
    whole = [part.ljust(width) for part, width in zip(parts[:-1], widths, strict=False)]
    return "".join(whole) + parts[-1]


def _fixed_rows(lines: Lines, spans: Spans, widths: list[int]) -> Rows:
    while lines.more and lines.line.strip() and not is_trailer(lines.line):
        number = lines.number
        parts = [lines.peek(at) for at in range(len(widths)) if lines.has(at)]
        lines.advance(len(parts))
        text = _flat(parts, widths)
        gaps = all(text[end : end + 1] in ("", " ") for _begin, end in spans)
        is_whole = len(parts) == len(widths) and gaps
        yield number, [text[begin:end] for begin, end in spans] if is_whole else None
