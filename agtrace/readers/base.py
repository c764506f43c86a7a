"""What every reader offers, and what it is given."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Protocol, runtime_checkable

import pyarrow as pa

from agtrace.inputs import open_input
from agtrace.tables import ISSUES
from agtrace.tables.rows import array_of
from agtrace.tables.topics import Topic

HEAD_BYTES = 64 * 1024
"""How much of a file ``detect`` is shown."""

Batch = tuple[str, pa.RecordBatch]
"""Name of a content table (`agtrace.tables.CONTENT_TABLES`, or ``events/<name>``) and rows of it."""


@dataclass(frozen=True)
class Source:
    """The bytes of one capture, wherever they lie (a file, a member of a zip, memory).

    Parameters
    ----------
    path
        The capture as the user knows it, for messages and detection by name.
    size
        Size in bytes.
    open
        Opens the bytes for reading from the start.
    beside
        Gives the captures of the same folder whose names some reader asks for (`Asking`), for what this
        one leaves open. Who asks is read again when others lie there; who need not must not ask.
    """

    path: str
    size: int
    open: Callable[[], BinaryIO]
    beside: Callable[[], tuple[Source, ...]] = tuple

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    @classmethod
    def of_path(cls, path: str | Path) -> Source:
        """Return the source of a file on disk."""
        file = Path(path)
        return cls(str(path), file.stat().st_size, lambda: open_input(file))

    @classmethod
    def of_bytes(cls, data: bytes, path: str = "memory") -> Source:
        """Return the source of bytes in memory."""
        return cls(path, len(data), lambda: io.BytesIO(data))

    def head(self) -> bytes:
        """Read the first `HEAD_BYTES` bytes."""
        with self.open() as file:
            return file.read(HEAD_BYTES)


@dataclass(frozen=True)
class Span:
    """A stretch of a capture: the rows that begin in it.

    Parameters
    ----------
    begin, end
        Byte offsets, the end excluded; rows need not begin there.
    first_row
        Number of its first row: how many the spans before it hold.
    """

    begin: int
    end: int
    first_row: int = 0


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Parameters
    ----------
    block_bytes
        How many bytes a reader takes at a time; None lets it choose. Never changes the result.
    encoding
        Overrides the guess of the character encoding of text captures.
    counters
        Case-insensitive globs over counter paths; only matching series are decoded. Empty: all.
    begin, end
        First and last instant wanted, both included, in the capture's local time. A reader may
        leave out the rows of a perfmon log outside of them; it need not.
    series_first
        Deliver all rows of ``counters`` in front of everything else, numbered in the order of the
        columns of a text log, even if that takes reading the capture twice.
    slab_cells
        About how many values of a perfmon log to hold at a time; None lets the reader choose. Never
        changes the rows, only how they are cut into batches.
    span
        Only the rows of this stretch, by a reader that is `Divisible`; what is said once of the whole
        capture comes with the span that begins it. None: all.
    """

    block_bytes: int | None = None
    encoding: str | None = None
    counters: tuple[str, ...] = ()
    begin: datetime | None = None
    end: datetime | None = None
    series_first: bool = False
    slab_cells: int | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Detection:
    """What a file was recognised as.

    Parameters
    ----------
    kind
        Name of the kind of capture for people: "perfmon text log", "SQL Server ERRORLOG", ...
    readable
        False when the format is known and deliberately not read (SQL Agent logs, say).
    reason
        Why it is not read, or what to know about it.
    """

    kind: str
    readable: bool = True
    reason: str = ""


@runtime_checkable
class Asking(Protocol):
    """A reader that asks files beside a capture for what the capture leaves open."""

    asks: re.Pattern[str]
    """Found in the names of those that may know."""


@runtime_checkable
class Divisible(Protocol):
    """A reader whose captures can be read span by span, by several at the same time."""

    def rows_in(self, source: Source, options: ReadOptions) -> int | None:
        """Count the rows of ``options.span``, without decoding them.

        None where what the span holds decides how the rest is read: the capture is then read whole.
        """


@runtime_checkable
class Reader(Protocol):
    """One input format. A folder ``agtrace/readers/<name>/`` offers it as ``READER``."""

    name: str
    version: int
    """Raised with every change of what is read: contents are then decoded again."""
    topics: tuple[Topic, ...]
    """What its rows of ``messages`` and ``facts`` say."""

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return whether this reader reads a file, from its first `HEAD_BYTES` bytes.

        Content decides. The name only breaks ties. Never raises.
        """

    def read(self, source: Source, options: ReadOptions = ...) -> Iterator[Batch]:
        """Decode a capture into record batches of content tables, in bounded memory.

        Faults that leave something readable become rows of ``issues``; the rows before them are
        delivered. ``counters`` and ``ticks`` come before the ``samples`` that use them; ``samples``
        are sorted by (counter_no, tick) within each batch.

        Raises
        ------
        CaptureError
            The capture cannot be read at all.
        """


class Later:
    """A reader (`Reader`) whose module is imported when it is to read.

    Whoever opens a case that was read before asks its readers for their versions alone; to import those of
    logs takes as long as to open it.

    Parameters
    ----------
    name, version
        As every reader has them.
    home
        The module whose ``READING`` has the rest.
    """

    def __init__(self, name: str, version: int, home: str) -> None:
        self.name, self.version, self._home = name, version, home

    @cached_property
    def _reading(self) -> Any:
        return importlib.import_module(self._home).READING

    @property
    def topics(self) -> tuple[Topic, ...]:
        """What its rows of ``messages`` and ``facts`` say."""
        topics: tuple[Topic, ...] = self._reading.topics
        return topics

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return whether this reader reads a file; as of `Reader`."""
        found: Detection | None = self._reading.detect(head, name)
        return found

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:
        """Decode a capture; as of `Reader`."""
        batches: Iterator[Batch] = self._reading.read(source, options)
        return batches

    def __getattr__(self, name: str) -> Any:
        """Return what only some readers have, such as `Asking`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._reading, name)


def issue(
    kind: str, message: str, *, severity: str = "warning", offset: int | None = None, count: int = 1
) -> Batch:
    """Return one fault as a batch of the issues table."""
    row: dict[str, object] = {"offset": offset, "severity": severity, "kind": kind}
    row |= {"message": message, "count": count}
    return rows("issues", ISSUES, [row])


def rows(table: str, schema: pa.Schema, values: list[dict[str, object]]) -> Batch:
    """Return a few rows, written out by hand, as a batch. Not for bulk data."""
    columns = [array_of([row.get(each.name) for row in values], each.type) for each in schema]
    return table, pa.RecordBatch.from_arrays(columns, schema=schema)
