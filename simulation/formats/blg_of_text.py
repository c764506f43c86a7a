"""A PDH text log as the binary log that Windows would show so: every double comes back to the bit.

Values that change are logged as averages per operation, ``((N1-N0)/F)/(B1-B0)``: with powers of two
for F and B every double has raw values that give it exactly. Their counter types are therefore not
those of the real counters; names, times and values are.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.tables.counter_catalogue import split_path
from simulation.formats.blg import Form, Zone, write_blg
from simulation.formats.blg_blocks import (
    AVERAGE_BASE,
    AVERAGE_TIMER,
    LARGE_RAWCOUNT,
    WHOLE,
    Block,
    Definition,
    Instance,
    Item,
    Many,
    Objects,
    One,
    PerfObject,
    Sample,
)

FREQUENCY = 2**30
WRAP = 2**64


@dataclass
class Column:
    """One series, and its raw values in the sample at hand."""

    machine: str
    object: str
    instance: str | None
    counter: str
    cells: list[str]
    first: int = 0
    second: int = 0

    @property
    def changes(self) -> bool:
        """A series without a value in the first row is a rate or an average."""
        return not self.cells[0].strip()

    def is_absent(self, row: int) -> bool:
        """Leave out instances with a blank state: they were not there."""
        return not self.changes and not self.cells[row].strip()

    def step(self, row: int) -> tuple[int, int]:
        """Go on to a row and give its raw values."""
        cell = self.cells[row].strip()
        if not self.changes:
            self.first = int(float(cell))
        elif cell:
            above, below = float(cell).as_integer_ratio()
            self.first += above * max(1, FREQUENCY // below)
            self.second += max(1, below // FREQUENCY)
        else:
            # A counter that falls has no value in that sample, and is right again in the next.
            self.first -= 1
        return self.first % WRAP, self.second % WRAP


@dataclass
class Group:
    """What one block holds: the columns of an object, or of a counter of it."""

    item: Item
    columns: list[Column] = field(default_factory=list)


def blg_of_text(text: bytes, whole: tuple[str, ...] = (), form: Form | None = None, bias: int = 0) -> bytes:
    """Write the log again as a binary one.

    Parameters
    ----------
    text
        A PDH-CSV log in UTF-8 whose states are whole numbers.
    whole
        Objects to log as a whole; others are logged counter by counter.
    form
        Pointer size and the like.
    bias
        UTC minus local time in minutes, which the text may have lost; without daylight saving.
    """
    rows = list(csv.reader(io.StringIO(text.decode())))
    form = form or Form()
    form.zone = Zone(bias, "Local Time", (0,) * 8, "Local Time", (0,) * 8, 0)
    names: dict[str, int] = {}
    groups = _groups(rows, whole)
    samples = []
    for number, row in enumerate(rows[1:]):
        # Local time, as in either log.
        time = datetime.strptime(row[0], "%m/%d/%Y %H:%M:%S.%f")  # noqa: DTZ007
        blocks = [_block(group, number, names) for group in groups]
        samples.append(Sample(time, blocks, offset_minutes=-bias))
    table = {index: name for name, index in names.items()}
    return write_blg([group.item for group in groups], samples, table, form, groups[0].item.machine)


def _groups(rows: list[list[str]], whole: tuple[str, ...]) -> list[Group]:
    groups: dict[tuple[str, ...], Group] = {}
    for place, path in enumerate(rows[0][1:], start=1):
        if not path.startswith("\\"):
            # The collector set describes itself in the last column.
            continue
        parts = split_path(path)
        machine = rf"\\{parts.host}"
        column = Column(
            machine, parts.object, parts.instance, parts.counter, [row[place] for row in rows[1:]]
        )
        kind = AVERAGE_TIMER if column.changes else LARGE_RAWCOUNT
        if parts.object in whole:
            key: tuple[str, ...] = (parts.object,)
            item = Item(parts.object, "*", WHOLE, "*", machine)
        else:
            key = (parts.object, parts.counter, str(parts.instance is None))
            instance = None if parts.instance is None else "*"
            item = Item(parts.object, parts.counter, kind, instance, machine, time_base=FREQUENCY)
        groups.setdefault(key, Group(item)).columns.append(column)
    return list(groups.values())


def _block(group: Group, row: int, names: dict[str, int]) -> Block:
    if group.item.type == WHOLE:
        return _objects(group, row, names)
    values = [
        (column.instance or "", *column.step(row)) for column in group.columns if not column.is_absent(row)
    ]
    if group.item.instance is None:
        (_name, first, second) = values[0]
        return One(first, second)
    return Many(values)


def _objects(group: Group, row: int, names: dict[str, int]) -> Objects:
    definitions: dict[str, tuple[Definition, ...]] = {}
    instances: dict[str, list[int]] = {}
    for column in group.columns:
        title = _number(names, column.counter)
        definitions[column.counter] = (
            (Definition(title, AVERAGE_TIMER), Definition(0, AVERAGE_BASE))
            if column.changes
            else (Definition(title, LARGE_RAWCOUNT),)
        )
    for counter in definitions:
        for column in (one for one in group.columns if one.counter == counter):
            first, second = column.step(row)
            data = [first, second] if column.changes else [first]
            instances.setdefault(column.instance or "", []).extend(_signed(n) for n in data)
    flat = tuple(one for pair in definitions.values() for one in pair)
    found = [Instance(name, values) for name, values in instances.items()]
    return Objects([PerfObject(_number(names, group.item.object), flat, found)], perf_frequency=FREQUENCY)


def _signed(number: int) -> int:
    return number - WRAP if number >= WRAP // 2 else number


def _number(names: dict[str, int], name: str) -> int:
    return names.setdefault(name, 2 * len(names) + 2)
