"""Readers of small console texts (netsh, robocopy, ping) whose values become rows of ``facts``.

Such a text is decoded whole by a pure function of its characters. Console output is written in the
OEM code page of the host or re-encoded by PowerShell, so the words of a localised text may be
damaged; the decoders rest on numbers, order and the words that every language keeps.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.far_times import far_issue, is_far
from agtrace.readers.text import decode_text, offset_of_line
from agtrace.tables import FACTS

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are not console output of these tools."""

DEFAULTS = ReadOptions()

MAX_LINE = 1000
"""Characters of a line that are looked at; longer than any line of these tools."""


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


class Decoded(NamedTuple):
    """What a text holds."""

    facts: list[Fact]
    faults: list[Fault]


class Run(Protocol):
    """One run of a tool whose output ends in a summary."""

    @property
    def is_complete(self) -> bool:
        """Whether the summary is there."""

    @property
    def truncation(self) -> str:
        """What to say where it is not."""

    def facts(self, item: int) -> Iterator[Fact]:
        """Give the values of the run."""


def decode_runs(runs: Iterable[Run]) -> Decoded:
    """Give one item per run, and a fault for each run without its summary."""
    facts: list[Fact] = []
    faults: list[Fault] = []
    for item, run in enumerate(runs):
        facts += run.facts(item)
        if not run.is_complete:
            faults.append(Fault("truncated", run.truncation))
    return Decoded(facts, faults)


@dataclass(frozen=True)
class FactReader:
    """A reader (`agtrace.readers.base.Reader`) made of two pure functions of text.

    Parameters
    ----------
    name, version
        As every reader has them.
    kind
        Name of the kind of capture for people.
    recognise
        Tells whether a text, or its beginning, holds at least one record. Never raises.
    decode
        Gives the facts and faults of a text. Never raises.
    """

    name: str
    version: int
    kind: str
    recognise: Callable[[str], bool]
    decode: Callable[[str], Decoded]

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the format by its content; the name says nothing."""
        return Detection(self.kind) if self.recognise(decode_text(head)) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Give the facts of the text, then its issues.

        Raises
        ------
        CaptureError
            The file is larger than `MAX_BYTES`, or holds no record of this kind.
        """
        if source.size > MAX_BYTES:
            raise CaptureError(
                source.path,
                f"too large for {self.kind}",
                need=f"at most {MAX_BYTES} bytes",
                have=source.size,
            )
        with source.open() as file:
            data = file.read()
        text = decode_text(data, options.encoding)
        facts, faults = self.decode(text)
        if not facts and not faults and text.strip():
            raise CaptureError(source.path, f"no {self.kind} in it")
        if facts:
            yield rows("facts", FACTS, [fact._asdict() for fact in facts])
        for fault in (*faults, *self._other_content(text)):
            yield issue(fault.kind, fault.message, severity=fault.severity)
        yield from far_facts(facts, data, options.encoding)

    def _other_content(self, text: str) -> Iterator[Fault]:
        """Name the other kinds of console output that were pasted into the same file."""
        from agtrace.readers import readers

        for other in readers():
            if isinstance(other, FactReader) and other is not self and other.recognise(text):
                message = (
                    f"also holds {other.kind}, which is not read; save it as a file of its own"
                )
                yield Fault("other_content", message, "info")


def far_facts(facts: Iterable[Fact], data: bytes, encoding: str | None) -> Iterator[Batch]:
    """Give the issue for facts whose time has no UTC in every zone, with the place of the first."""
    far = {fact.line for fact in facts if is_far(fact.time_local)}
    if far:
        lines = [line for line in far if line is not None]
        offset = offset_of_line(data, min(lines), encoding) if lines else None
        yield far_issue("values", len(far), offset)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number the physical lines of a text from 1, without their line ends.

    Only a line feed ends a line: consoles also write lone carriage returns (progress figures), and
    a wrong guess of the code page makes other characters look like line ends.
    """
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line[:MAX_LINE].rstrip("\r")


def host_of(name: str) -> str:
    """Give the name by which hosts compare: first DNS label, upper case; an IP address as it is."""
    try:
        return str(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        return name.partition(".")[0].upper()
