"""Readers of small console texts (netsh, robocopy, ping) whose values become rows of ``facts``.

Such a text is decoded line by line by a pure function and never held in memory as a whole, because logs of a
ping that ran for days, or of millions of copied files, are long. Console output is written in the OEM code
page of the host or re-encoded by PowerShell, so words of a localised text may be damaged. The decoders rely
on numbers, their order, and words that are the same in every language.
"""

from __future__ import annotations

import ipaddress
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, Protocol

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.far_times import far_issue, is_far
from agtrace.readers.text import decode_text, offset_of_line
from agtrace.readers.text_lines import TextLines
from agtrace.tables import FACTS
from agtrace.tables.topics import Topic

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are not console output of these tools."""

DEFAULTS = ReadOptions()

MAX_FACTS = 500_000
"""Facts of a file that are read: a reading per second for more than five days."""

MAX_FAULTS = 100
"""Maximum number of faults of one kind that are reported individually; the rest are counted."""

PASTED_CHARACTERS = 1 << 20
"""Number of characters of a text that are searched for other kinds of output; people paste whole pages."""

BATCH = 20_000
"""Facts of one batch."""


class Fact(NamedTuple):
    """One value of one record; the fields are the columns of ``facts``."""

    topic: str
    item: int
    key: str
    value: str
    unit: str | None = None
    line: int | None = None
    time_local: datetime | None = None


class Fault(NamedTuple):
    """Something that could not be read, in the terms of the issues table."""

    kind: str
    message: str
    severity: str = "warning"


Decoded = Iterator[Fact | Fault]
"""Facts and faults of a text, in any order."""


class Run(Protocol):
    """One run of a tool whose output ends in a summary."""

    @property
    def is_complete(self) -> bool:
        """Whether the run has its summary."""

    @property
    def truncation(self) -> str:
        """Message for a run without its summary."""

    def facts(self, item: int) -> Decoded:
        """Return the values of the run, and what of them cannot be read."""


def decode_runs(runs: Iterable[Run]) -> Decoded:
    """Yield one item per run, and a fault for each run without its summary."""
    for item, run in enumerate(runs):
        yield from run.facts(item)
        if not run.is_complete:
            yield Fault("truncated", run.truncation)


@lru_cache(4)
def _text_of(head: bytes) -> str:
    """Decode the beginning of a file once for all readers of texts."""
    return decode_text(head)


@dataclass(frozen=True, eq=False)
class FactReader:
    """A reader (`agtrace.readers.base.Reader`) made of two pure functions of text.

    Parameters
    ----------
    name, version
        As in `Reader`.
    kind
        Name of the kind of capture for users.
    recognise
        Returns whether a text, or its start, contains at least one record. Never raises; fast for other
        texts.
    decode
        Yields the facts and faults of a text from its lines. Never raises.
    topics
        Topics of its facts.
    max_bytes
        Larger files are not of this kind; raise it only for formats read line by line that keep only events.
    """

    name: str
    version: int
    kind: str
    recognise: Callable[[str], bool]
    decode: Callable[[TextLines], Decoded]
    topics: tuple[Topic, ...]
    max_bytes: int = MAX_BYTES

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the format by its content; the name is ignored."""
        return Detection(self.kind) if self.recognise(_text_of(head)) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Yield the facts of the text, then its issues.

        Raises
        ------
        CaptureError
            The file is larger than ``max_bytes``, or holds no record of this kind.
        """
        if source.size > self.max_bytes:
            need = f"at most {self.max_bytes} bytes"
            raise CaptureError(source.path, f"too large for {self.kind}", need=need, have=source.size)
        text = TextLines(source.open, options.encoding)
        faults = _Faults()
        facts = faults.taken_from(self.decode(text))
        number, far = 0, FarFacts()
        while batch := list(itertools.islice(facts, min(BATCH, MAX_FACTS - number))):
            yield rows("facts", FACTS, [fact._asdict() for fact in batch])
            far.see(batch)
            number += len(batch)
        if number == MAX_FACTS:
            message = f"only the first {MAX_FACTS:,} values are read"
            faults.add(Fault("too_many_values", message, "data_loss"))
        if not number and not faults.told and not text.is_blank():
            raise CaptureError(source.path, f"no {self.kind} in it")
        for fault in self._other_content(text):
            faults.add(fault)
        yield from faults.issues()
        if far.count:
            with source.open() as file:
                yield far.issue(file.read(), options.encoding)

    def _other_content(self, text: TextLines) -> Iterator[Fault]:
        """Name the other kinds of console output that were pasted into the same file."""
        from agtrace.readers import readers

        start = text.start(PASTED_CHARACTERS)
        for other in readers():
            if isinstance(other, FactReader) and other is not self and other.recognise(start):
                message = f"also holds {other.kind}, which is not read; save it as a file of its own"
                yield Fault("other_content", message, "info")


class FarFacts:
    """Counts the facts whose time has no valid UTC in some zone, and the position of the first one."""

    def __init__(self) -> None:
        self._lines: set[int | None] = set()
        self._first: int | None = None

    @property
    def count(self) -> int:
        return len(self._lines)

    def see(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if is_far(fact.time_local):
                self._lines.add(fact.line)
                if fact.line is not None:
                    self._first = min(self._first or fact.line, fact.line)

    def issue(self, data: bytes, encoding: str | None) -> Batch:
        """Return the issue for them, with the offset in the original bytes."""
        first = self._first
        offset = None if first is None else offset_of_line(data, first, encoding)
        return far_issue("values", self.count, offset)


class _Faults:
    """Collects faults; of a kind that a text is full of, only the first ones and their number."""

    def __init__(self) -> None:
        self.told: list[Fault] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def taken_from(self, decoded: Decoded) -> Iterator[Fact]:
        """Yield the facts, and collect the faults between them."""
        for each in decoded:
            if isinstance(each, Fact):
                yield each
            else:
                self.add(each)

    def add(self, fault: Fault) -> None:
        key = fault.kind, fault.severity
        self._counts[key] += 1
        if self._counts[key] <= MAX_FAULTS:
            self.told.append(fault)

    def issues(self) -> Iterator[Batch]:
        for fault in self.told:
            yield issue(fault.kind, fault.message, severity=fault.severity)
        for (kind, severity), count in self._counts.items():
            if count > MAX_FAULTS:
                more = count - MAX_FAULTS
                yield issue(kind, "and more of the same", severity=severity, count=more)


def host_of(name: str) -> str:
    """Return the name by which hosts compare: first DNS label, upper case; an IP address as it is."""
    try:
        return str(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        return name.partition(".")[0].upper()
