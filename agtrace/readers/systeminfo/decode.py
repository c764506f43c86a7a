"""Decode the output of ``systeminfo`` to facts, topic ``system_info``: one item per output.

A line is a label, a colon and a value; the values are aligned. Indented lines belong to the label above:
numbered entries, and details of each. The first four lines have the same form in every language: a host name,
a Windows edition, its version, Microsoft.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from agtrace.readers.fact_text import Decoded, Fact, Fault, decode_runs
from agtrace.readers.query_results.topics import SYSTEM_INFO
from agtrace.readers.systeminfo.labels import LABELS, LISTS, fits
from agtrace.readers.text_lines import Line, TextLines, lines_of

_FIRST = re.compile(r"(?P<label>[^\s:：\[][^:：]{1,60}?) ?[:：](?P<blank>\s{2,60})(?P<value>[^\s:]{1,63})\s*")
_MEMORY = re.compile(r"(?P<label>\S.{1,80}) ?[:：]\s+(?P<value>\d[\d.,'’\s\u00a0\u202f]{0,20}\S{2,3})\s*")
_PLAIN = re.compile(r"(?P<label>[^\s:：][^:：]{0,80}?) ?[:：](?:\s+(?P<value>\S.*?))?\s*")
_ENTRY = re.compile(r"(?P<indent>\s+)\[(?P<n>\d{1,3})\] ?[:：]\s?(?P<value>.*?)\s*")
_SUB = re.compile(r"\s+(?P<label>\S[^:：]{0,80}?)(?: ?[:：]\s*(?P<value>.*?))?\s*")
_COUNT = re.compile(r"\d{1,6}")
_MAKER = "Microsoft"
MAX_FACTS = 2000
"""Facts of one output: a server with two hundred network cards has fewer."""


class _Row(NamedTuple):
    """A value: what it stands under, and the rest of its key."""

    place: int
    label: str
    rest: str
    value: str
    line: int


@dataclass
class _Output:
    """One output, as far as it was read."""

    line: int
    column: int
    """Where the values begin, in characters."""
    found: list[_Row] = field(default_factory=list)
    labels: int = 0
    known: int = 0
    """How many of them are at their place: up to the last value that looks as it does in any language."""
    in_order: bool = True
    announced: int = 0
    entries: int = 0
    """Entries of the last list: what its first line says, and what there is."""
    label: str = ""
    entry: str = ""
    indent: int = 0
    part: str = ""
    unfinished: int | None = None
    """A last line without its end."""

    @property
    def is_complete(self) -> bool:
        return self.labels >= len(LABELS) and self.entries >= self.announced

    @property
    def truncation(self) -> str:
        return f"systeminfo from line {self.line} on ends after {self.labels} of {len(LABELS)} labels"

    def take(self, number: int, line: str) -> None:
        """Take one more line."""
        if line[0].isspace():
            self._take_indented(number, line)
        elif pair := self._pair(line):
            self._take_label(*pair, number)

    def _pair(self, line: str) -> tuple[str, str] | None:
        front = line[: self.column].rstrip()
        if len(line) > self.column and line[self.column - 1].isspace() and front.endswith((":", "：")):
            return front[:-1].rstrip(), line[self.column :].strip()
        found = _MEMORY.fullmatch(line) or _PLAIN.fullmatch(line)
        return (found["label"].strip(), found["value"] or "") if found else None

    def _take_label(self, label: str, value: str, number: int) -> None:
        at = self.labels
        self.label, self.labels = label, at + 1
        self.entry = self.part = ""
        self.announced = self.entries = 0
        if at < len(LABELS):
            is_fit = fits(LABELS[at], value)
            self.in_order = self.in_order and is_fit is not False
            if self.in_order and is_fit:
                self.known = at + 1
            if LABELS[at] in LISTS and (count := _COUNT.match(value)):
                self.announced = int(count[0])
        if value:
            self._give("", value, number)

    def _take_indented(self, number: int, line: str) -> None:
        if entry := _ENTRY.fullmatch(line):
            depth, name = len(entry["indent"]), f" [{entry['n']}]"
            if self.entry and depth > self.indent:
                self._give(f"{self.entry} {self.part}".rstrip() + name, entry["value"], number)
                return
            self.entries += 1
            self.entry, self.indent, self.part = name, depth, ""
            self._give(name, entry["value"], number)
        elif self.label and (sub := _SUB.fullmatch(line)):
            self.part = sub["label"]
            if sub["value"]:
                self._give(f"{self.entry} {self.part}", sub["value"], number)

    def _give(self, rest: str, value: str, number: int) -> None:
        if len(self.found) < MAX_FACTS:
            self.found.append(_Row(self.labels - 1, self.label, rest, value, number))

    def facts(self, item: int) -> Decoded:
        """Yield its values, as written, under English labels as far as their places are certain."""
        known = len(LABELS) if self.in_order else self.known
        for row in self.found:
            is_known = row.place < known and row.label not in LABELS
            label = LABELS[row.place] if is_known else row.label
            yield Fact(SYSTEM_INFO, item, label + row.rest, row.value, None, row.line)
        if self.unfinished is not None:
            yield Fault("unfinished_line", f"line {self.unfinished} has no end: not read", "info")


def recognise(text: str) -> bool:
    """Return whether a text contains the first lines of an output."""
    return _MAKER in text and next(_outputs(lines_of([text])), None) is not None


def decode(text: TextLines) -> Decoded:
    """Return one item per output, and a fault for each that is cut off."""
    return decode_runs(_outputs(text))


def _outputs(lines: Iterable[Line]) -> Iterator[_Output]:
    output: _Output | None = None
    before: list[Line] = []
    for each in lines:
        number, line, terminated = each
        if not line.strip():
            continue
        if not terminated:
            if output is not None:
                output.unfinished = number
            continue
        before = [*before[-3:], each]
        if len(before) == 4 and (begun := _begun([text for _number, text, _end in before])):
            if output is not None:
                output.labels -= 3  # the lines that the next one begins with
                output.found = [row for row in output.found if row.line < before[0][0]]
                yield output
            output = _Output(before[0][0], begun)
            for first, text, _end in before:
                output.take(first, text)
        elif output is not None:
            output.take(number, line)
    if output is not None:
        yield output


def _begun(lines: list[str]) -> int | None:
    """Return the column of the values if four lines are the first of an output."""
    first = _FIRST.fullmatch(lines[0])
    if first is None or not lines[3].rstrip().endswith(_MAKER + " Corporation"):
        return None
    for label, line in zip(LABELS[1:3], lines[1:3], strict=True):
        pair = _PLAIN.fullmatch(line)
        if pair is None or not fits(label, pair["value"] or ""):
            return None
    return first.start("value")
